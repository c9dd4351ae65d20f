"""What is embedded of an episode, and how its vector is mixed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from anamnesis.domain.embedded_texts import (
    BEFORE_CHARS,
    STANDS_ALONE_CHARS,
    TOGETHER_SHARE,
    EpisodeTexts,
    episode_passage,
    passage_together,
)
from anamnesis.domain.log.episodes import EXCHANGE_SECONDS, Episode, erased
from contracts.examples import episode, fresh_pair

PAIR = fresh_pair()


def said(position: int, text: str, *, seconds: int = 0) -> Episode:
    """An episode whose text and summary are the same, so many seconds after the first."""
    made = episode(PAIR, text)
    return replace(made, position=position, occurred_at=made.occurred_at + timedelta(seconds=seconds))


def test_a_turn_is_embedded_behind_the_one_before() -> None:
    """What follows within an exchange is embedded alone and behind what came before, in any script (RC-1)."""
    for asked, told in (
        ("Why is it green?", "Chlorophyll."),
        ("لماذا هي خضراء؟", "اليخضور"),
        ("なぜ緑？", "葉緑素"),
    ):
        together = passage_together(said(1, asked), said(2, told, seconds=EXCHANGE_SECONDS))
        assert together == f"{episode_passage(said(1, asked))}\n{episode_passage(said(2, told))}"


def test_what_stands_for_itself_is_embedded_alone() -> None:
    """The first turn, another exchange's, a long one, and one behind an erased one stand alone (RC-1, EP-8)."""
    before, short = said(1, "Why is it green?"), said(2, "Chlorophyll.")
    assert passage_together(None, short) is None
    assert passage_together(before, said(2, "Chlorophyll.", seconds=EXCHANGE_SECONDS + 1)) is None
    assert passage_together(before, said(2, "x" * STANDS_ALONE_CHARS)) is None
    assert passage_together(erased(before), short) is None


def test_only_the_end_of_a_long_turn_goes_along() -> None:
    """However long the turn before is, what it adds to what is embedded is bounded (SV-12)."""
    before, short = said(1, "first " + "water " * 100_000 + "last"), said(2, "Chlorophyll.")
    together = passage_together(before, short)
    assert together is not None
    assert len(together) == BEFORE_CHARS + 1 + len(episode_passage(short))


def test_equal_texts_are_listed_once() -> None:
    """Of equal texts, alone or together, each is embedded once, whatever the episodes' order (SV-4)."""
    episodes = [said(n, text) for n, text in enumerate(("Why?", "Light.", "Why?", "Light."), start=1)]
    texts = EpisodeTexts.of(episodes)
    assert len(texts.distinct) == len(set(texts.distinct)) == 5 - 1
    assert EpisodeTexts.of(episodes[1:], episodes[:1]).parts[0][2] is not None
    assert EpisodeTexts.of(episodes[1:]).parts[0][2] is None


def test_a_vector_is_a_mixture_of_unit_length() -> None:
    """A vector lies between its own passage's and that of both together, nearer to its own, at unit length (RC-1)."""
    texts = EpisodeTexts.of([said(1, "Why?"), said(2, "Light.")])
    embedded = np.eye(3, dtype=np.float32)
    first, second = (texts.vectors(embedded)[position] for position in (1, 2))
    assert np.array_equal(first, embedded[0])
    assert np.linalg.norm(second) == pytest.approx(1)
    own, together = (embedded[place] for place in texts.parts[1][1:] if place is not None)
    share = float(second @ together) / float(second @ own)
    assert share == pytest.approx(float(TOGETHER_SHARE / (1 - TOGETHER_SHARE)))
