"""How a student likes to work, in which language and form they want answers; the newest one wins (WD-7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from babel import Locale, UnknownLocaleError

from anamnesis.domain.messages.contradictions import contradicts
from anamnesis.domain.text.folding import fold
from anamnesis.domain.wiki.facts.cues import FactCues, cues_for
from anamnesis.domain.wiki.facts.said import Said

#: What a preference is about where a later one of the same kind always takes its place.
LANGUAGE, NAME, LENGTH = "language", "name", "length"
SHORT, LONG = "short", "long"
#: Languages whose names are known, in every language of the tables.
_NAMED = (
    *(
        "ar",
        "bn",
        "cs",
        "da",
        "de",
        "el",
        "en",
        "es",
        "fa",
        "fi",
        "fr",
        "he",
        "hi",
        "hu",
        "id",
        "it",
        "ja",
        "ko",
    ),
    *("ms", "nl", "no", "pl", "pt", "ro", "ru", "sv", "sw", "ta", "th", "tl", "tr", "uk", "ur", "vi", "zh"),
)
#: An inflected or derived name of a language shares so much of its beginning with the one in the lexicon. Ours.
_SHARED = 0.6
_LEAST_SHARED = 2


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference.

    Attributes
    ----------
    about
        ``language``, ``name`` or ``length``; empty where the sentence itself says.
    value
        BCP 47 tag of the language, the name, ``short`` or ``long``; empty otherwise.
    superseded_by
        The later sentence that took its place, None while it stands.
    """

    said: Said
    about: str
    value: str
    superseded_by: Said | None


def find_preferences(sentences: Iterable[Said]) -> list[Preference]:
    """Every preference, oldest first, with what took its place.

    Parameters
    ----------
    sentences
        Of all subjects, in the order in which they were said.
    """
    found = [(said, *read) for said in sentences if (read := _read(said)) is not None]
    return [
        Preference(said, about, value, _successor(said, about, found[place + 1 :]))
        for place, (said, about, value) in enumerate(found)
    ]


def _successor(said: Said, about: str, later: list[tuple[Said, str, str]]) -> Said | None:
    for other, other_about, _ in later:
        if about and about == other_about:
            # Said again is not a change, but the newer sentence stands for both.
            return other
        if fold(said.text) == fold(other.text) or (
            not about and not other_about and contradicts(said.text, other.text)
        ):
            return other
    return None


def _read(said: Said) -> tuple[str, str] | None:
    text = said.fold.text.strip(" .!?")
    for cues in cues_for(said.text, said.language):
        if (tag := _language_asked_for(text, cues, whole=said.asks)) is not None:
            return LANGUAGE, tag
        if said.asks:
            continue
        for pattern in cues.call_me:
            if found := pattern.search(text):
                return NAME, said.fold.quote(*_within(said, found.span("name")))
        if (wish := cues.prefer.search(text)) and cues.ways.search(wish[0]):
            return _wished(text, cues)
    return None


def _wished(text: str, cues: FactCues) -> tuple[str, str]:
    """What a wish is about: a length, of which the other one is wished for where one is disliked."""
    shorter, longer = cues.short.search(text) is not None, cues.long.search(text) is not None
    if shorter is longer:
        return "", ""
    if cues.dislike.search(text) is not None:
        return LENGTH, LONG if shorter else SHORT
    return LENGTH, SHORT if shorter else LONG


def _within(said: Said, span: tuple[int, int]) -> tuple[int, int]:
    """A span of the stripped fold in the whole one."""
    lead = len(said.fold.text) - len(said.fold.text.lstrip(" .!?"))
    return span[0] + lead, span[1] + lead


def _language_asked_for(text: str, cues: FactCues, *, whole: bool) -> str | None:
    """The tag; of a question only when it is nothing else ("can you answer in Spanish?", not "do they speak …?")."""
    for pattern in cues.answer_in:
        for found in filter(None, [pattern.fullmatch(text)]) if whole else pattern.finditer(text):
            if (tag := language_named(found["name"], cues.language)) is not None:
                return tag
    return None


@lru_cache(maxsize=4_096)
def language_named(name: str, language: str) -> str | None:
    """BCP 47 tag of the language that `name` names in `language`, inflected or not; None when it names none."""
    wanted = _bare(name)
    best: tuple[float, str] | None = None
    for known, tag in _names_in(language):
        if known == wanted:
            return tag
        shared = next(
            (n for n, (a, b) in enumerate(zip(known, wanted, strict=False)) if a != b),
            min(len(known), len(wanted)),
        )
        share = shared / max(len(known), len(wanted))
        if shared >= max(_LEAST_SHARED, 4 if wanted.isascii() else _LEAST_SHARED) and share >= _SHARED:
            best = max(best or (0.0, ""), (share, tag))
    return best[1] if best else None


@lru_cache(maxsize=32)
def _names_in(language: str) -> tuple[tuple[str, str], ...]:
    try:
        names = Locale.parse(language).languages
    except (UnknownLocaleError, ValueError):
        return ()
    return tuple((_bare(names[tag]), tag) for tag in _NAMED if tag in names)


def _bare(name: str) -> str:
    """Without the word for "language", the article and spelling variants that only look different."""
    bare = fold(name).replace("न्", "ं").strip()
    for lead in ("tieng ", "bahasa ", "ภาษา"):
        bare = bare.removeprefix(lead)
    if len(bare) > 4:
        bare = bare.removeprefix("ال")
    # Chinese: 英语, 英文.
    return bare[:-1] + "语" if bare.endswith("文") and len(bare) == 2 and bare != "中文" else bare
