"""Wikis with a model from night to night: what stays, what waits, what an outage costs, what erasing takes."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from anamnesis.adapters.bedrock.wiki_writer import CALL_SECONDS, RESERVE_SECONDS, TRIES
from anamnesis.domain.access import Role
from anamnesis.domain.beliefs import Claim
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.service.deadline import Deadline
from support.bedrock_converse import Raw, Slow, bedrock_fake
from support.bedrock_wiki import (
    FINISH,
    GOOD,
    INVENTED,
    MEMBRANE,
    OSMOSIS,
    Pages,
    both,
    calls,
    changed,
    passes,
    sentence,
    synthesis,
    wiki_writer,
    without_synthesis,
    writes,
)
from support.wiki_values import ana, belief, evidence, subject_evidence, turn
from support.wired_memory import ANA, NOW, Memory, check, question


def test_a_night_with_nothing_new_asks_no_model() -> None:
    """Of the same evidence a second compile makes the same bytes without a request, whatever the model said (WD-1)."""
    model = Pages({OSMOSIS: [writes(OSMOSIS, *GOOD)], MEMBRANE: [writes(MEMBRANE, INVENTED)]})
    with bedrock_fake(model) as fake:
        first = wiki_writer(fake).write(ana(), {})
        asked_for = len(fake.requests)
        again = wiki_writer(fake).write(ana(), first)
        assert len(fake.requests) == asked_for
    assert again == first
    assert synthesis(again)
    assert not synthesis(again, MEMBRANE)


def test_tokens_of_a_compile_are_bounded() -> None:
    """When a compile's tokens are spent no page is gone on with, and what waits is asked about later (WD-3)."""
    model = Pages({OSMOSIS: [writes(OSMOSIS, *GOOD)]})
    with bedrock_fake(model) as fake:
        tree = wiki_writer(fake, max_tokens=1, at_once=1).write(ana(), {})
        assert len(fake.requests) == 1
        passes(tree, ana())
        wiki_writer(fake).write(ana(), tree)
        assert len(fake.requests) == 3


def test_pages_of_a_compile_are_bounded_and_the_rest_waits() -> None:
    """A compile asks about a bounded number of pages, the most important first; later ones take up others (WD-3)."""
    model = Pages({})
    with bedrock_fake(model) as fake:
        writer = wiki_writer(fake, max_pages=1)
        tree, order = {}, []
        for _ in range(4):
            tree = writer.write(ana(), tree)
            order.append(len(fake.requests))
    assert order == [1, 2, 3, 3]
    assert list(model.seen) == ["knowledge/learnings/what-worked.md", MEMBRANE, OSMOSIS]


@pytest.mark.parametrize(
    "failure",
    [
        (429, "ThrottlingException", "slow down"),
        (403, "AccessDeniedException", "no access"),
        Raw(None),
        Raw(b"<html>"),
        Slow(writes(OSMOSIS, *GOOD), 1.5),
    ],
)
def test_a_model_that_is_down_leaves_the_deterministic_wiki(
    failure: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Throttles, refusals, broken answers and time-outs cost the compile its sentences alone, and are told (WD-3)."""
    with bedrock_fake(failure) as fake, caplog.at_level("INFO"):
        tree = wiki_writer(fake, at_once=1).write(ana(), {})
        assert len(fake.requests) <= TRIES
    assert tree == DeterministicWriter().write(ana(), {})
    (record,) = [r for r in caplog.records if r.message == "wiki_synthesis"]
    assert record.unavailable.startswith("Bedrock: ")
    assert record.waiting == 3
    assert "osmosis" not in json.dumps(record.__dict__, default=str)


def test_a_throttle_that_passes_is_waited_for() -> None:
    """A call that is throttled is tried again, and its page is written (WD-3)."""
    model = Pages({OSMOSIS: [(429, "ThrottlingException", "slow down"), writes(OSMOSIS, *GOOD)]})
    with bedrock_fake(model) as fake:
        tree = wiki_writer(fake).write(ana(), {})
    assert len(synthesis(tree)) == 2


def test_without_time_no_call_is_begun() -> None:
    """A compile whose time is short for a call, the gates and the commit asks nobody, and keeps what stands (WD-3)."""
    model = Pages({OSMOSIS: [writes(OSMOSIS, *GOOD)]})
    with bedrock_fake(model) as fake:
        short = CALL_SECONDS + RESERVE_SECONDS - 1
        tree = wiki_writer(fake).write(ana(), {}, seconds_left=lambda: short)
        assert not fake.requests
        assert tree == DeterministicWriter().write(ana(), {})
        tree = wiki_writer(fake).write(ana(), {})
        again = wiki_writer(fake).write(ana(), tree, seconds_left=lambda: 0.0)
    assert again == tree


def test_time_that_ends_midway_keeps_what_is_written() -> None:
    """Pages that were written before the time was over keep their sentences, the others wait (WD-3)."""
    model = Pages({"knowledge/learnings/what-worked.md": [FINISH], MEMBRANE: [FINISH]})
    with bedrock_fake(model) as fake:
        left = iter([1_000.0])
        tree = wiki_writer(fake, at_once=1).write(ana(), {}, seconds_left=lambda: next(left, 0.0))
        assert len(fake.requests) == 1
    assert "synthesis: " in tree["knowledge/learnings/what-worked.md"]
    assert "synthesis: " not in tree[OSMOSIS]


def test_what_changed_falls_back_at_once_even_without_a_model() -> None:
    """A synthesis of a changed belief, or that cites what was erased, goes at once while the model is down (WD-4)."""
    known = ana()
    with bedrock_fake(Pages({OSMOSIS: [writes(OSMOSIS, *GOOD)]})) as fake:
        tree = wiki_writer(fake).write(known, {})
    episodes = known.subjects[0].episodes
    passed = next(e for e in episodes if e.id == "bio7")
    turned = changed(known, beliefs=[belief("osmosis", Claim.STRUGGLES_WITH, [passed])])
    erased = changed(
        known, episodes=[replace(e, content=None) if e.id == "bio3" else e for e in episodes], beliefs=[]
    )
    for now in (turned, erased):
        with bedrock_fake((503, "ServiceUnavailableException", "down")) as down:
            after = wiki_writer(down).write(now, tree)
        assert not synthesis(after)
        assert without_synthesis(after) == without_synthesis(DeterministicWriter().write(now, {}))
        passes(after, now, tree)


def test_sentences_about_other_beliefs_go_when_these_change() -> None:
    """A kept sentence is held against today's beliefs although its own page's evidence is the same (WD-2, WD-5)."""
    check = turn(1, "It spreads.", Kind.CHECK, concepts=["diffusion"], correct=True, topic="diffusion")
    said = [
        turn(2, "Remember: my tutor Herr Kowalski explains diffusion.", session="s1"),
        turn(3, "My tutor Herr Kowalski helps.", day=2, session="s2"),
        turn(4, "I met Herr Kowalski again.", day=4, session="s3"),
    ]

    def of(claim: Claim) -> WikiEvidence:
        return evidence(subject_evidence([check, *said], beliefs=[belief("diffusion", claim, [check])]))

    known = of(Claim.UNDERSTANDS)
    entity = next(p for p in DeterministicWriter().write(known, {}) if p.startswith("knowledge/entities/"))
    stated = sentence("The student understands diffusion, as the check shows.", "episode://biology/bio1")
    script = [calls("read_evidence", address="episode://biology/bio1"), writes(entity, stated)]
    with bedrock_fake(Pages({entity: script})) as fake:
        tree = wiki_writer(fake).write(known, {})
        assert synthesis(tree, entity)
        after = wiki_writer(fake, max_pages=0).write(of(Claim.STRUGGLES_WITH), tree)
    assert not synthesis(after, entity)
    passes(after, of(Claim.STRUGGLES_WITH), tree)


def test_only_pages_whose_evidence_changed_are_asked_about_again() -> None:
    """One more turn has the model asked about the pages that it concerns; the others keep their sentences (WD-1)."""
    known = ana()
    model = Pages({OSMOSIS: [writes(OSMOSIS, *GOOD)]})
    with bedrock_fake(model) as fake:
        tree = wiki_writer(fake).write(known, {})
        more = turn(10, "Is a membrane alive?", day=15, session="s3", concepts=["membrane"])
        now = changed(known, episodes=[*known.subjects[0].episodes, more])
        model.seen.clear()
        after = wiki_writer(fake).write(now, tree)
    assert list(model.seen) == [MEMBRANE]
    assert synthesis(after) == synthesis(tree)


def test_agents_notes_stay_beside_a_synthesis() -> None:
    """Notes of agents are carried over on pages with a synthesis, and change nothing of it (WD-1, WK-6)."""
    with bedrock_fake(Pages({OSMOSIS: [writes(OSMOSIS, *GOOD)]})) as fake:
        tree = dict(wiki_writer(fake).write(ana(), {}))
        requests = len(fake.requests)
        note = "## Notes\n\nAsk about salt next time. [cite:1]\n\n## References"
        tree[OSMOSIS] = tree[OSMOSIS].replace("## References", note)
        after = wiki_writer(fake).write(ana(), tree)
        assert len(fake.requests) == requests
    assert after == tree
    passes(after, ana(), tree)


def test_a_compile_that_begins_again_asks_nobody_twice() -> None:
    """What was written for a compile that another writer got before is taken, and not asked for again (WD-3, WK-6)."""
    with bedrock_fake(Pages({OSMOSIS: [writes(OSMOSIS, *GOOD)]})) as fake:
        writer = wiki_writer(fake)
        tree = writer.write(ana(), {})
        requests = len(fake.requests)
        assert writer.write(ana(), {}) == tree
        assert len(fake.requests) == requests


SECRET = "Remember that Quokkasaurus is my secret name for the nucleus."


def test_what_was_erased_leaves_syntheses_and_their_history() -> None:
    """A sentence that another page tells of an erased episode goes from every revision, model or not (EP-8, WD-4)."""
    memory = Memory()
    memory.add_file()
    for day, said in enumerate(("What is osmosis?", SECRET)):
        at = NOW + timedelta(days=day)
        memory.say(
            question(said, at=at, session_id=f"s{day}"),
            check("Osmosis", correct=True, at=at + timedelta(minutes=2), session_id=f"s{day}"),
        )
    asked_id, gone = (
        next(e.id for e in memory.raw_log.episodes[ANA] if e.kind is kind)
        for kind in (Kind.QUESTION, Kind.TAUGHT)
    )
    asked_first, secret = f"episode://biology/{asked_id}", f"episode://biology/{gone}"
    script = [
        both(calls("read_evidence", address=secret), calls("read_evidence", address=asked_first)),
        writes(
            OSMOSIS,
            sentence("The student asked “What is osmosis?”", asked_first),
            sentence("The student said “Quokkasaurus is my secret name”.", secret),
        ),
    ]
    model = Pages({OSMOSIS: script})
    with bedrock_fake(model) as fake:
        memory.wiki_writer = wiki_writer(fake)
        memory.fresh()
        head = memory.compile_wiki(ANA.student_scope).revision
        assert len(synthesis(memory.raw_wikis.tree(ANA.student_scope, head.id))) == 2, model.told(OSMOSIS)
        fake.answers = [(503, "ServiceUnavailableException", "down")]
        assert memory.erase.episode(ANA, gone, Role.STUDENT, Deadline.never()).complete
    assert "quokkasaurus" not in memory.raw_wikis.everything(ANA.student_scope).casefold()
    now = memory.raw_wikis.head(ANA.student_scope)
    tree = memory.raw_wikis.tree(ANA.student_scope, now.id)
    assert not synthesis(tree)
    passes(tree, memory.wiki_evidence(ANA.student_scope, Deadline.never()).evidence)
