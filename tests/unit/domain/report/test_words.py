"""The words of a report: the same in every language, and the self-model's own in English."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import date
from importlib.resources import files
from itertools import product
from string import Formatter
from typing import Any

import pytest
from babel import Locale

from anamnesis.domain.night.records import Calibration, SelfModel
from anamnesis.domain.night.self_model import _statements
from anamnesis.domain.report.layout.limits import statements
from anamnesis.domain.report.wording import LANGUAGES, wording
from anamnesis.schemas.report import ReportLanguage


def table(language: str) -> dict[str, Any]:
    text = files("anamnesis.domain.report").joinpath("words", f"{language}.toml").read_text(encoding="utf-8")
    return {
        f"{section}.{name}": message
        for section, messages in tomllib.loads(text).items()
        for name, message in messages.items()
    }


def forms(message: Any) -> dict[str, str]:
    return message if isinstance(message, dict) else {"": message}


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_the_api_offers_every_language() -> None:
    """The languages of the route are those that have words (SV-6)."""
    assert {language.value for language in ReportLanguage} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_there_in_every_language(language: str) -> None:
    """A language has exactly the messages of English, plural where English is, and no empty ones (SV-6)."""
    own, english = table(language), table("en")
    assert own.keys() == english.keys()
    for key, message in own.items():
        assert isinstance(message, dict) is isinstance(english[key], dict), key
        assert all(text.strip() for text in forms(message).values()), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_have_the_same_places(language: str) -> None:
    """A message names the same values as in English; only a number that its words say may be missing (SV-6)."""
    english = table("en")
    for key, message in table(language).items():
        wanted = set().union(*map(places, forms(english[key]).values()))
        for form, text in forms(message).items():
            spelled = {"n"} if form in {"zero", "one", "two"} else set()
            # With one belief, or one check, how many of it needs no number.
            spelled |= {"confirm", "untied"} if form == "one" else set()
            assert places(text) <= wanted, (key, form)
            assert wanted - places(text) <= spelled, (key, form)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_the_language_s(language: str) -> None:
    """A plural message has the form for all other numbers, and none that the language does not know (SV-6)."""
    known = set(Locale.parse(language).plural_form.tags) | {"other"}
    for key, message in table(language).items():
        if isinstance(message, dict):
            assert "other" in message, key
            assert set(message) <= known, key


@pytest.mark.parametrize("number", [0, 1, 2, 3, 10, 11, 99, 100, 101, 1_000_000])
@pytest.mark.parametrize("language", LANGUAGES)
def test_any_number_can_be_said(language: str, number: int) -> None:
    """Every plural message can be said of any number (SV-6)."""
    words = wording(language)
    for key, message in table(language).items():
        if isinstance(message, dict):
            named = set().union(*map(places, message.values())) - {"n"}
            assert words.say(key, number, **dict.fromkeys(named, "x")), key


def models() -> Iterator[SelfModel]:
    """Self-models in which everything that can be said is said, of one and of many, and where nothing is."""
    for verified, (checks, untied), (predictions, error), count in product(
        (None, True, False),
        ((0, 0), (1, 1), (9, 2), (9, 0)),
        ((0, None), (4, 0.2), (5, 0.05), (40, 0.3)),
        (0, 1, 7),
    ):
        yield SelfModel(
            composed_on=date(2026, 7, 3),
            episodes=0 if (count, checks) == (0, 0) else 40,
            first_occurred_at=None,
            last_occurred_at=None,
            checks=checks,
            checks_tied_to_nothing=untied,
            current_beliefs=max(count, 1),
            beliefs_to_confirm=count,
            oldest_belief_days=count or None,
            citations_holding=0,
            citations_changed=count,
            citations_unverifiable=count,
            citations_unchecked=count,
            chain_verified=verified,
            calibration=Calibration(predictions, error, None, (), calibrated=predictions >= 5),
            statements=(),
        )


def test_limits_in_english_are_the_self_model_s_own() -> None:
    """The report states the memory's limits as the self-model does, word for word in English (NI-4)."""
    words = wording("en")
    for model in models():
        said = ["".join(part.text for part in line) for line in statements(model, words)]
        assert said == list(_statements(model))


@pytest.mark.parametrize("language", LANGUAGES)
def test_limits_are_stated_in_every_language(language: str) -> None:
    """Every language states as many limits as the self-model has, and none in English (NI-4)."""
    for model in models():
        said = ["".join(part.text for part in line) for line in statements(model, wording(language))]
        own = list(_statements(model))
        assert len(said) == len(own)
        assert language == "en" or not set(said) & set(own)
