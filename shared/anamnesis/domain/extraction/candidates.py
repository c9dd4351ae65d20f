"""Mentions of the same idea gathered, weighed, and the best of them chosen."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from anamnesis.domain.canonical_keys import canonical_key
from anamnesis.domain.concepts import MAX_CONCEPTS_PER_FILE
from anamnesis.domain.extraction.cue_tables import CueTable
from anamnesis.domain.extraction.mentions import Cue, Mention

#: What a first mention of a kind says for a term, set by how often a term so marked is a key term of its chapter;
#: more mentions of the same kind add little.
_WEIGHTS: dict[Cue, float] = {
    Cue.GLOSSARY: 6.0,
    Cue.EMPHASIS: 3.0,
    Cue.DEFINITION: 3.0,
    Cue.NAMING: 2.5,
    Cue.HEADING: 2.0,
    Cue.HEADING_PART: 1.2,
    Cue.ABBREVIATION: 1.5,
    Cue.FOREIGN: 3.0,
    Cue.EXPLAINED: 1.2,
    Cue.LISTED: 1.5,
    Cue.QUOTED: 1.0,
    Cue.WEAK_DEFINITION: 1.0,
    Cue.WEAK_NAMING: 0.8,
    Cue.RECURRING: 0.6,
}
_REPEAT = 0.4
_PER_DOUBLING = 0.45
_MAX_DOUBLINGS = 5
#: Least weight of a concept.
_THRESHOLD = 3.4
#: Characters of text per concept in a dense chapter, and the concepts that even a short text may hold.
_CHARS_PER_CONCEPT = 700
_SHORT_TEXT_CONCEPTS = 6

#: Languages whose nouns are inflected beyond what the canonical key folds; a stemmer tells their forms.
_STEMMERS = {
    "pl": "polish", "ru": "russian", "de": "german", "cs": "czech", "ro": "romanian", "tr": "turkish", "sv": "swedish",
    "hu": "hungarian", "fi": "finnish", "el": "greek", "ar": "arabic", "hi": "hindi",
}  # fmt: skip


@dataclass(frozen=True)
class Candidate:
    """One idea with every place that marks it.

    Attributes
    ----------
    key
        What all its forms share.
    name
        The form it goes by.
    mentions
        In reading order.
    count
        How often its forms stand in the text.
    weight
        Evidence that it is a key term.
    """

    key: str
    name: str
    mentions: tuple[Mention, ...]
    count: int
    weight: float

    @property
    def cues(self) -> frozenset[Cue]:
        """How it is marked."""
        return frozenset(mention.cue for mention in self.mentions)


def form_key(language: str) -> Callable[[str], str]:
    """Return the function that maps forms of one name to one key: stems where the language inflects, else the canonical key."""
    algorithm = _STEMMERS.get(language)
    if algorithm is None or algorithm not in snowballstemmer.algorithms():
        return canonical_key
    stemmer = snowballstemmer.stemmer(algorithm)

    @lru_cache(maxsize=50_000)
    def stem(word: str) -> str:
        return canonical_key(stemmer.stemWord(word.casefold()))

    return lambda name: " ".join(stem(word) for word in name.split())


def gathered(
    mentions: Iterable[Mention], phrases: Mapping[str, int], recurring: Mapping[str, float], table: CueTable
) -> list[Candidate]:
    """Group mentions by form and weigh each group; heaviest first, then earliest."""
    key_of = form_key(table.language)
    groups: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        groups[key_of(mention.term)].append(mention)
    forms = Counter[str]()
    units = Counter[str]()
    for phrase, count in phrases.items():
        key = key_of(phrase)
        if key in groups:
            forms[key] += count
            units[key] += int(recurring.get(phrase, 0.0) >= _LEAST_C_VALUE)
    found = [
        _weighed(key, group, forms[key], units[key] > 0, phrases) for key, group in groups.items() if key
    ]
    return sorted(found, key=lambda c: (-c.weight, c.mentions[0].order, c.name))


_LEAST_C_VALUE = 3.0


def _weighed(
    key: str, mentions: Sequence[Mention], count: int, unit: bool, phrases: Mapping[str, int]
) -> Candidate:
    kinds = Counter(mention.cue for mention in mentions)
    if unit:
        kinds[Cue.RECURRING] += 1
    count = max(count, len({mention.order for mention in mentions}))
    weight = sum(_WEIGHTS[cue] * (1 + _REPEAT * math.log2(number)) for cue, number in kinds.items())
    weight += _PER_DOUBLING * min(_MAX_DOUBLINGS, math.log2(1 + count))
    return Candidate(key, _best_form(mentions, phrases), tuple(mentions), count, weight)


#: Cues whose term stands in the form that a glossary would use, best first.
_FORM_ORDER = (Cue.GLOSSARY, Cue.DEFINITION, Cue.HEADING, Cue.NAMING, Cue.EMPHASIS, Cue.WEAK_DEFINITION, Cue.HEADING_PART, Cue.FOREIGN)


def _best_form(mentions: Sequence[Mention], phrases: Mapping[str, int]) -> str:
    """Form by which the concept goes: as glossed or defined, the commonest of those, lower-cased where the text does."""
    for cue in _FORM_ORDER:
        forms = Counter(mention.term for mention in mentions if mention.cue is cue)
        if forms:
            break
    else:
        forms = Counter(mention.term for mention in mentions)
    spelled = max(forms, key=lambda form: (forms[form], phrases.get(form.casefold(), 0), -len(form), form))
    lower = Counter(mention.term for mention in mentions if mention.term.casefold() == spelled.casefold())
    return max(lower, key=lambda form: (sum(c.islower() for c in form), form))


def chosen(candidates: Sequence[Candidate], chars: int) -> list[Candidate]:
    """Keep the candidates that the evidence carries, at most as many as a text of this length explains."""
    shorts = {mention.short for candidate in candidates for mention in candidate.mentions if mention.short}
    candidates = [candidate for candidate in candidates if candidate.name not in shorts]
    most = min(MAX_CONCEPTS_PER_FILE, _SHORT_TEXT_CONCEPTS + chars // _CHARS_PER_CONCEPT)
    return [candidate for candidate in candidates if candidate.weight >= _THRESHOLD][:most]
