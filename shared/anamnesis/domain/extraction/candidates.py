"""Mentions of the same idea gathered, weighed, and the best of them chosen."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from anamnesis.domain.concepts import MAX_CONCEPTS_PER_FILE, MAX_TERMS_PER_FILE
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.extraction.casing import written
from anamnesis.domain.extraction.cues import CueTable
from anamnesis.domain.extraction.mentions import Cue, Mention

#: What a first mention of a kind says for a term, set by how often a term so marked is a key term of its chapter;
#: more mentions of the same kind add little.
_WEIGHTS: dict[Cue, float] = {
    Cue.GLOSSARY: 6.0,
    Cue.EMPHASIS: 3.0,
    Cue.DEFINITION: 3.0,
    Cue.OPENING: 0.0,
    Cue.GENERIC: 1.0,
    Cue.NAMING: 2.5,
    Cue.ENTRY: 2.5,
    Cue.HEADING: 2.0,
    Cue.HEADING_PART: 1.2,
    Cue.ABBREVIATION: 1.5,
    Cue.FOREIGN: 3.5,
    Cue.EXPLAINED: 1.2,
    Cue.RELATIVE: 2.0,
    Cue.APPOSITION: 2.5,
    Cue.FRAMED: 3.0,
    Cue.LISTED: 1.5,
    Cue.QUOTED: 1.0,
    Cue.WEAK_DEFINITION: 1.0,
    Cue.WEAK_NAMING: 0.8,
    Cue.RECURRING: 1.0,
}
_REPEAT = 0.4
_PER_DOUBLING = 0.45
_MAX_DOUBLINGS = 5
#: Least weight of a concept in a long text, where a key term comes back, and in a short one, where it need not.
_THRESHOLD, _SHORT_TEXT_THRESHOLD = 3.5, 2.9
_LONG_TEXT_CHARS = 20_000
#: Concepts that a text is likely to hold at least, in characters per concept, and the weight that is enough for them.
_CHARS_PER_LIKELY_CONCEPT = 2_500
_MAX_LIKELY_CONCEPTS = 10
_LIKELY_THRESHOLD = 2.2
#: A phrase is a fragment when it stands less than this often as often as a longer name that holds it.
_FRAGMENT_SHARE = 1.2
#: Terms in bold that a text defines, from which on it is taken to mark all of its terms.
_MARKS_ITS_TERMS = 4
#: Characters of text per undefined idea, and the number of them that even a short text may hold.
_CHARS_PER_CONCEPT = 700
_SHORT_TEXT_CONCEPTS = 6

#: Languages whose nouns are inflected beyond what the canonical key folds; a stemmer tells their forms.
_STEMMERS = {
    "pl": "polish", "ru": "russian", "de": "german", "cs": "czech", "ro": "romanian", "tr": "turkish", "sv": "swedish",
    "hu": "hungarian", "fi": "finnish", "el": "greek", "ar": "arabic", "hi": "hindi",
}  # fmt: skip


#: Cues of a place that says something of the term. Headings, lists and recurrence make no concept of a word: "energy"
#: may head a section that tells of something else.
TELLING = frozenset(
    {Cue.GLOSSARY, Cue.DEFINITION, Cue.ENTRY, Cue.NAMING, Cue.EMPHASIS, Cue.FOREIGN, Cue.WEAK_DEFINITION, Cue.EXPLAINED,
     Cue.ABBREVIATION, Cue.QUOTED, Cue.WEAK_NAMING, Cue.RELATIVE, Cue.APPOSITION, Cue.FRAMED}
)  # fmt: skip
#: What leaves no doubt alone, what does so of a term that the text also defines, and what defines.
_CERTAIN = frozenset({Cue.GLOSSARY, Cue.OPENING})
_EMPHASISED = frozenset({Cue.EMPHASIS, Cue.QUOTED})
_MARKED = _EMPHASISED | {Cue.HEADING}
_DEFINED = frozenset({Cue.DEFINITION, Cue.NAMING, Cue.ENTRY, Cue.FRAMED, Cue.RELATIVE, Cue.APPOSITION})


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

    @property
    def certain(self) -> bool:
        """Whether the text leaves no doubt: glossed, defined where a paragraph begins, or marked and defined."""
        cues = self.cues
        defined = {m.sentence for m in self.mentions if m.cue in _DEFINED or m.cue is Cue.WEAK_DEFINITION}
        marked = {m.sentence for m in self.mentions if m.cue in _EMPHASISED}
        return bool(cues & _CERTAIN or (cues & _MARKED and cues & _DEFINED) or marked & defined)


#: Languages whose plural of words in a consonant is -es, of which the canonical key takes the -s.
_PLURAL_ES = frozenset({"es", "pt"})
_LEAST_STEM = 4


@lru_cache(maxsize=50_000)
def _without_plural_es(name: str) -> str:
    words = canonical_key(name).split(" ")
    return " ".join(word[:-1] if word.endswith("e") and len(word) > _LEAST_STEM else word for word in words)


def form_key(language: str) -> Callable[[str], str]:
    """Return what maps the forms of a name to one key: stems where the language inflects, else the canonical key."""
    if language in _PLURAL_ES:
        return _without_plural_es
    algorithm = _STEMMERS.get(language)
    if algorithm is None or algorithm not in snowballstemmer.algorithms():
        return canonical_key
    stemmer = snowballstemmer.stemmer(algorithm)

    @lru_cache(maxsize=50_000)
    def stem(word: str) -> str:
        return canonical_key(stemmer.stemWord(word.casefold()))

    return lambda name: " ".join(stem(word) for word in name.split())


def gathered(
    mentions: Iterable[Mention],
    phrases: Mapping[str, int],
    spellings: Mapping[str, str],
    openings: Mapping[str, int],
    table: CueTable,
) -> list[Candidate]:
    """Group mentions by form and weigh each group; heaviest first, then earliest.

    Parameters
    ----------
    phrases, spellings, openings
        See ``statistics.PhraseCounts``.
    """
    key_of = form_key(table.language)
    groups: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        groups[key_of(mention.term)].append(mention)
    forms = Counter[str]()
    # Word by word: "the cell" is not counted once more as "cell", and a word's key is made once.
    word_keys: dict[str, str] = {}
    for phrase, count in phrases.items():
        words = phrase.split(" ")
        for word in words:
            if word not in word_keys:
                word_keys[word] = key_of(word)
        key = " ".join(word_keys[word] for word in words)
        if key in groups:
            forms[key] += count
    bases = _base_forms(openings, groups.keys(), word_keys) if table.language in _STEMMERS else {}
    found = []
    for key, group in groups.items():
        if key:
            form = _best_form(group, phrases)
            if table.language in _STEMMERS and not any(m.cue in _BASE_FORMS for m in group):
                # "zwane kształtowaniem": the case is the verb's; where the word opens a sentence it is its own.
                form = bases.get(key, form)
            name = written(form, group, spellings, table.language)
            found.append(_weighed(key, name, group, forms[key]))
    return sorted(found, key=lambda c: (-c.weight, c.mentions[0].order, c.name))


def _base_forms(
    openings: Mapping[str, int], keys: Collection[str], word_keys: Mapping[str, str]
) -> dict[str, str]:
    """The form in which each key mostly opens a sentence or a heading, in small letters."""
    best: dict[str, tuple[int, str]] = {}
    for phrase, count in openings.items():
        key = " ".join(word_keys.get(word, word) for word in phrase.split(" "))
        if key in keys:
            best[key] = max(best.get(key, (0, "")), (count, phrase))
    return {key: phrase for key, (_, phrase) in best.items()}


def _weighed(key: str, name: str, mentions: Sequence[Mention], count: int) -> Candidate:
    kinds = Counter(mention.cue for mention in mentions)
    count = max(count, len({mention.order for mention in mentions}))
    weight = sum(_WEIGHTS[cue] * (1 + _REPEAT * math.log2(number)) for cue, number in kinds.items())
    weight += _PER_DOUBLING * min(_MAX_DOUBLINGS, math.log2(1 + count))
    return Candidate(key, name, tuple(mentions), count, weight)


#: Cues whose term stands in the form that a glossary would use, best first.
_FORM_ORDER = (
    Cue.GLOSSARY,
    Cue.GENERIC,
    Cue.DEFINITION,
    Cue.ENTRY,
    Cue.HEADING,
    Cue.NAMING,
    Cue.EMPHASIS,
    Cue.WEAK_DEFINITION,
    Cue.HEADING_PART,
    Cue.FOREIGN,
)


#: Cues whose term stands in its base form.
_BASE_FORMS = frozenset({Cue.GLOSSARY, Cue.DEFINITION, Cue.ENTRY, Cue.HEADING})


def _best_form(mentions: Sequence[Mention], phrases: Mapping[str, int]) -> str:
    """Name of the concept: as glossed or defined, the commonest of those."""
    for cue in _FORM_ORDER:
        forms = Counter(mention.term for mention in mentions if mention.cue is cue)
        if forms:
            break
    else:
        forms = Counter(mention.term for mention in mentions)
    return max(forms, key=lambda form: (forms[form], phrases.get(form.casefold(), 0), -len(form), form))


def chosen(candidates: Sequence[Candidate], chars: int) -> list[Candidate]:
    """Keep the candidates that the evidence carries.

    What the text defines is bounded by ``MAX_CONCEPTS_PER_FILE`` alone, the entries of its lists of terms by
    ``MAX_TERMS_PER_FILE``; the length of the text bounds only the ideas that it never defines, and those it defines in
    passing where it marks its terms and did not mark them.

    Parameters
    ----------
    candidates
        Heaviest first.
    chars
        Length of the text that explains something.
    """
    shorts = {mention.short for candidate in candidates for mention in candidate.mentions if mention.short}
    named = [candidate for candidate in candidates if candidate.name not in shorts]
    most = _SHORT_TEXT_CONCEPTS + chars // _CHARS_PER_CONCEPT
    length = min(1.0, chars / _LONG_TEXT_CHARS)
    threshold = _SHORT_TEXT_THRESHOLD + length * (_THRESHOLD - _SHORT_TEXT_THRESHOLD)
    likely = min(_MAX_LIKELY_CONCEPTS, chars // _CHARS_PER_LIKELY_CONCEPT)
    named = [candidate for candidate in _without_fragments(named) if candidate.cues & TELLING]
    picked = [candidate for candidate in named if candidate.certain or candidate.weight >= threshold]
    if len(picked) < likely:
        picked = [candidate for candidate in named if candidate.weight >= _LIKELY_THRESHOLD][:likely]
    usual = [candidate for candidate in picked if not candidate.certain]
    if sum(1 for candidate in picked if candidate.cues >= {Cue.EMPHASIS, Cue.DEFINITION}) < _MARKS_ITS_TERMS:
        usual = [candidate for candidate in usual if not candidate.cues & _DEFINED]
    dropped = {candidate.key for candidate in usual[max(0, most - len(picked) + len(usual)) :]}
    kept = [candidate for candidate in picked if candidate.key not in dropped]
    entries = [candidate for candidate in kept[MAX_CONCEPTS_PER_FILE:] if Cue.GLOSSARY in candidate.cues]
    return [*kept[:MAX_CONCEPTS_PER_FILE], *entries][:MAX_TERMS_PER_FILE]


#: Cues that show a phrase to be a name of its own, whatever longer names it stands in.
_OWN = frozenset({Cue.GLOSSARY, Cue.DEFINITION, Cue.ENTRY, Cue.HEADING, Cue.EMPHASIS})


def _without_fragments(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Drop phrases that are no names of their own.

    Those that hardly ever stand outside a longer name ("frequency table" of "relative frequency table"), and those
    whose every telling sentence tells of a longer name that holds them ("proportions" where it reads "a schedule of
    fixed proportions is …").
    """
    within: dict[str, int] = defaultdict(int)
    told: dict[str, set[str]] = defaultdict(set)
    for candidate in candidates:
        parts = set(_parts(candidate.key))
        for part in parts:
            within[part] = max(within[part], candidate.count)
            told[part] |= {m.sentence for m in candidate.mentions if m.cue in TELLING}
    return [
        candidate
        for candidate in candidates
        if (candidate.cues & _OWN or within.get(candidate.key, 0) * _FRAGMENT_SHARE < candidate.count)
        and (
            candidate.cues & _MARKED
            or not {m.sentence for m in candidate.mentions if m.cue in TELLING}
            <= told.get(candidate.key, set())
        )
    ]


def _parts(key: str) -> Iterator[str]:
    """Yield the shorter phrases within a key."""
    words = key.split(" ")
    for length in range(1, len(words)):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])
