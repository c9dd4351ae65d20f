"""The words by which each language marks a definition, as tables that other languages join.

A language is one TOML file in ``tables/``. Languages that separate words have these keys:

``articles``
    Words that may stand before a term and are no part of its name.
``indefinite``
    Those among them that speak of any thing of its kind ("*an* enzyme is …").
``linkers``
    Function words that may stand inside a name ("law *of* demand").
``particles``
    Further words that end a name, such as the second part of a German verb ("setzt … *voraus*").
``conjunctions``
    "and": two names joined by it are two ideas.
``copulas``, ``definers``
    "X *is* *a* …": a copula followed by a definer marks a definition, a copula followed by anything else a weaker hint.
    ``*`` means that any word may follow.
``verbs``
    Phrases after a term that say what it means ("refers to").
``naming_before``, ``weak_naming``, ``naming_after``
    Phrases right before a term ("is called") or right after it (Hindi "कहते हैं") that name it; the weak ones are often
    said of other things too.
``explaining``
    Phrases that follow a term and a comma and say what it is (", which means").
``relatives``, ``relative_verbs``
    What follows a term and a comma, and the verbs (beside ``verbs``) by which it then says what the term is: ", *which
    means* …".
``gaps``
    Pairs of phrases with a few words between them and the term after the second ("*refer to* this pattern *as* …"); an
    empty second phrase lets the term follow at once.
``framing``
    Pairs of phrases with the term between them ("*unter* Osmose *versteht man* …").
``fronts``
    Regular expressions of whole sentences that say what their subject is, with the subject as the group ``name``, or,
    where nothing marks its end, at the beginning of the group ``open`` (Hindi "X … को कहते हैं").
``name_after_ending``
    How a word (a regular expression) ends that stands right before a name which ``naming_after`` follows.
``copula_ending``
    How a sentence's verb ends that says "is", where that is an ending (Turkish "… yapı*dır*").
``front_ending``
    How a name ends that stands before its naming verb, at the front of the sentence (Polish "Erozj*ą* nazywamy …").
``definer_ending``
    How the first word after a copula ends where it says of what class the subject is.
``instances``, ``evaluative``
    What a copula is followed by where it says of what a thing is an example, or how good it is (one word or two): no
    definition.
``also``
    Words that make a sentence say something more of what was defined elsewhere.
``continues``
    Words that a sentence begins with which goes on about what the one before it said what it is: pronouns mostly.
``negations``
    Words and phrases after which a sentence tells what something is not or lacks.
``examples``
    Words and phrases after which a sentence names instances of what it spoke of ("such as").
``bases``
    Phrases that say that something is made of, or rests on, what follows.
``listing``
    Words before a list of at least three names ("include").
``generic``, ``openers``
    Words that name nothing of a subject when they stand alone ("example"), and those that do not begin a name either
    ("different").
``terms``
    Plain words, of those two lists or of the stop words, that some subject defines ("set", "mean"): where a text says
    what one of them is, it is a name. One that stands here with its definite article is so with that article too
    ("*el* tiempo es …"); of the others "the function is …" speaks of one at hand.
``no_name_ending``
    How a single word ends that is a verb's form and names nothing (Hindi "खिसकाने", "for moving").
``recalls``, ``assumes``, ``assumes_after``
    Phrases before something taken as known: those that do so where they open a sentence ("recall that"), those that do
    anywhere ("requires knowledge of"), and those that stand after it (Hindi "का ज्ञान आवश्यक है").

Languages written without spaces between words, and Korean, whose particles join the word, have ``subject_cues``,
``topic_prefixes``, ``naming_before``, ``naming_after``, ``negations``, ``examples``, ``continues`` and ``generic``; see
``spaceless``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import regex

from anamnesis.domain.text.languages import primary_tag, stop_words
from anamnesis.domain.text.tables import read_language, tabled_languages


@dataclass(frozen=True)
class CueTable:
    """One language's cues, ready for matching; every pattern is None where the language lists no such phrase."""

    language: str
    spaceless: bool = False
    articles: frozenset[str] = frozenset()
    indefinite: frozenset[str] = frozenset()
    linkers: frozenset[str] = frozenset()
    conjunctions: frozenset[str] = frozenset()
    generic: frozenset[str] = frozenset()
    openers: frozenset[str] = frozenset()
    terms: frozenset[str] = frozenset()
    definite_terms: frozenset[str] = frozenset()
    stops: frozenset[str] = frozenset()
    copulas: regex.Pattern[str] | None = None
    definers: regex.Pattern[str] | None = None
    verbs: regex.Pattern[str] | None = None
    naming_before: regex.Pattern[str] | None = None
    naming_after: regex.Pattern[str] | None = None
    explaining: regex.Pattern[str] | None = None
    listing: regex.Pattern[str] | None = None
    recalls: regex.Pattern[str] | None = None
    assumes: regex.Pattern[str] | None = None
    assumes_after: regex.Pattern[str] | None = None
    relative: regex.Pattern[str] | None = None
    gaps: tuple[tuple[regex.Pattern[str], regex.Pattern[str] | None], ...] = ()
    framing: tuple[tuple[regex.Pattern[str], regex.Pattern[str]], ...] = ()
    fronts: tuple[regex.Pattern[str], ...] = ()
    instances: regex.Pattern[str] | None = None
    evaluative: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    name_after_ending: regex.Pattern[str] | None = None
    copula_ending: regex.Pattern[str] | None = None
    front_ending: regex.Pattern[str] | None = None
    no_name_ending: regex.Pattern[str] | None = None
    definer_ending: regex.Pattern[str] | None = None
    negations: regex.Pattern[str] | None = None
    examples: regex.Pattern[str] | None = None
    bases: regex.Pattern[str] | None = None
    continues: regex.Pattern[str] | None = None
    weak_naming: frozenset[str] = frozenset()
    subject_cues: tuple[str, ...] = ()
    topic_prefixes: tuple[str, ...] = ()
    names_before: tuple[str, ...] = ()
    names_after: tuple[str, ...] = ()


_SPACELESS = frozenset({"zh", "ja", "ko", "th"})


@cache
def cue_table(language: str) -> CueTable:
    """Cues of a language; one without cues (only stop words) where it has no table."""
    primary = primary_tag(language)
    if primary not in tabled_languages(__package__):
        return CueTable(primary, stops=stop_words(primary))
    raw = read_language(__package__, primary)
    return _spaceless(primary, raw) if primary in _SPACELESS else _spaced(primary, raw)


def _spaceless(language: str, raw: Mapping[str, Any]) -> CueTable:
    return CueTable(
        language,
        spaceless=True,
        generic=frozenset(raw["generic"]),
        stops=stop_words(language),
        subject_cues=_longest_first(raw["subject_cues"]),
        topic_prefixes=tuple(raw["topic_prefixes"]),
        names_before=_longest_first(raw["naming_before"]),
        names_after=_longest_first(raw["naming_after"]),
        negations=regex.compile(_any_of(raw["negations"])),
        examples=regex.compile(_any_of(raw["examples"])),
        continues=regex.compile(rf"^\W*(?:{_any_of(raw['continues'])})"),
    )


def _any_of(phrases: Iterable[str]) -> str:
    return "|".join(map(regex.escape, _longest_first(phrases)))


def _spaced(language: str, raw: Mapping[str, Any]) -> CueTable:
    return CueTable(
        language,
        articles=_folded(raw["articles"]),
        indefinite=_folded(raw.get("indefinite", ())),
        linkers=_folded(raw["linkers"]),
        conjunctions=_folded(raw["conjunctions"]),
        generic=_folded(raw["generic"]) | _folded(raw["openers"]),
        openers=_folded(raw["openers"]),
        terms=_folded(_bare(term, raw["articles"]) for term in raw.get("terms", ())),
        definite_terms=_folded(
            bare for term in raw.get("terms", ()) if (bare := _bare(term, raw["articles"])) != term
        ),
        stops=stop_words(language)
        | _folded(raw["conjunctions"])
        | _folded(raw.get("particles", ()))
        | {word.casefold() for phrase in raw["copulas"] + raw["verbs"] for word in phrase.split()[:1]},
        copulas=_phrases(raw["copulas"]),
        definers=regex.compile(r"\S") if "*" in raw["definers"] else _phrases(raw["definers"]),
        verbs=_phrases(raw["verbs"]),
        naming_before=_phrases(raw["naming_before"]),
        naming_after=_phrases(raw["naming_after"]),
        explaining=_phrases(raw["explaining"]),
        listing=_phrases(raw["listing"]),
        recalls=_opening(raw.get("recalls", ())),
        assumes=_phrases(raw["assumes"]),
        assumes_after=_phrases(raw.get("assumes_after", ())),
        relative=_relative(raw),
        gaps=tuple((_needed(a), _needed(b) if b else None) for a, b in _pairs(raw, "gaps")),
        framing=tuple((_needed(a), _needed(b)) for a, b in _pairs(raw, "framing") if b),
        fronts=tuple(regex.compile(pattern, regex.IGNORECASE) for pattern in raw.get("fronts", ())),
        instances=_phrases(raw.get("instances", ())),
        evaluative=_folded(raw.get("evaluative", ())),
        also=_folded(raw.get("also", ())),
        name_after_ending=_ending(raw, "name_after_ending"),
        copula_ending=_ending(raw, "copula_ending"),
        front_ending=_ending(raw, "front_ending"),
        no_name_ending=_ending(raw, "no_name_ending"),
        definer_ending=_ending(raw, "definer_ending"),
        negations=_phrases(raw.get("negations", ())),
        examples=_phrases(raw.get("examples", ())),
        bases=_phrases(raw.get("bases", ())),
        continues=_opening(raw.get("continues", ())),
        weak_naming=frozenset(raw["weak_naming"]),
    )


def _pairs(raw: Mapping[str, Sequence[Sequence[str]]], key: str) -> Iterator[tuple[str, str]]:
    return ((first, second) for first, second in raw.get(key, ()))


def _relative(raw: Mapping[str, Sequence[str]]) -> regex.Pattern[str] | None:
    """A comma, a relative word and a verb that says what something is."""
    verbs = [*raw.get("relative_verbs", ()), *raw["verbs"]]
    words = "|".join(_phrase(word) for word in _longest_first(raw.get("relatives", ())))
    told = "|".join(_phrase(verb) for verb in _longest_first(verbs))
    if not words or not told:
        return None
    return regex.compile(rf"[,،–—]\s*(?:{words})\s+(?:{told})", regex.IGNORECASE)


def _ending(raw: Mapping[str, str], key: str) -> regex.Pattern[str] | None:
    return regex.compile(raw[key], regex.IGNORECASE) if key in raw else None


def _needed(phrase: str) -> regex.Pattern[str]:
    if not any(c.isalpha() for c in phrase):
        return regex.compile(regex.escape(phrase))
    return regex.compile(rf"(?<![\p{{L}}\p{{M}}\p{{N}}-])(?:{_phrase(phrase)})", regex.IGNORECASE)


def _folded(words: Iterable[str]) -> frozenset[str]:
    """Words as they are compared: Greek "της" and German "größte" fold to other letters."""
    return frozenset(word.casefold() for word in words)


def _bare(term: str, articles: Sequence[str]) -> str:
    """A term without the article it is listed with: "el tiempo", "l'ordre"."""
    first = next((a for a in articles if term.startswith(a if a.endswith("'") else f"{a} ")), "")
    return term[len(first) :].strip()


def _longest_first(phrases: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(phrases, key=len, reverse=True))


def _phrases(phrases: Iterable[str]) -> regex.Pattern[str] | None:
    alternatives = "|".join(_phrase(phrase) for phrase in _longest_first(phrases))
    if not alternatives:
        return None
    # A boundary of letters and marks: \b would split a Devanagari word at a vowel sign.
    return regex.compile(rf"(?<![\p{{L}}\p{{M}}\p{{N}}-])(?:{alternatives})", regex.IGNORECASE)


def _opening(phrases: Iterable[str]) -> regex.Pattern[str] | None:
    alternatives = "|".join(_phrase(phrase) for phrase in _longest_first(phrases))
    return regex.compile(rf"^\W*(?:{alternatives})", regex.IGNORECASE) if alternatives else None


def _phrase(phrase: str) -> str:
    words = str(regex.escape(phrase)).replace("\\ ", r"\s+").replace("'", "['’]")
    # An elided article ends in its apostrophe and the next word begins at once.
    return words if phrase.endswith("'") else words + r"(?![\p{L}\p{M}\p{N}-])"
