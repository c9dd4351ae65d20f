"""Letters that stand for others throughout a text, as a font with a wrong table of letters leaves them.

Two signs of that, neither of which needs to know the language: the text becomes prose in a known language when letters
are exchanged for each other until no exchange makes more of its words frequent ones; or its letters follow each other
as in no language. Swapped consonants leave vowels in their places, and pass for a strange language by the second alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice

import regex

from anamnesis.domain.reading.known_words import known_languages, telling_share, words_of
from anamnesis.domain.reading.letter_order import ALPHABET, bare, likelihood, likely_keys, pair_counts

#: Words that are decoded, most frequent first: two hundred tell as much as all, and time grows with them. Ours.
_DECODED_WORDS = 150
#: Letters of a script that are exchanged with each other, most frequent first: an alphabet, and of larger sets of
#: letters those that a text is mostly written in.
_EXCHANGED = 34
#: Rounds of exchanges; texts whose every consonant is another are solved in two or three.
_MOST_ROUNDS = 6
#: Share of frequent words in prose of a known language; what is above it needs no exchange. Technical prose has 0.2.
_PROSE_SHARE = 0.35
#: A text was enciphered when its share of frequent words is this after the exchange, and grew by this. Of eight
#: languages without a list the best exchange made 0.21 (``anamnesis bench letters``).
_FOUND_SHARE, _GROWN_BY = 0.28, 0.15
#: Share of the different words that are frequent ones afterwards: one word in every line is frequent by chance.
_FOUND_OF_KINDS = 0.12
#: Fewest words, and different ones, of a text that is judged.
_LEAST_WORDS, _LEAST_KINDS = 60, 30
#: Longer words are not exchanged: a script without spaces writes whole sentences so.
_LONGEST_WORD = 30
#: Characters of a text that are looked at.
_SAMPLE_CHARS = 20_000
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]+")
#: What parts the syllables of a word in a first reader, "ma-ri-po-sa": syllables alone are the words of no language.
_BETWEEN_SYLLABLES = regex.compile(
    r"(?<=(?<![\p{L}\p{M}])[\p{L}\p{M}]{1,5})[-\u2010\u2011\u00b7](?=[\p{L}\p{M}]{1,5}(?![\p{L}\p{M}]))"
)
#: Mean logarithm of how probable a letter is after the one before it, in the language where it is the most so. It is
#: −2.2 to −2.7 in languages with a list, −2.7 to −3.2 in others, and below −3.2 where letters were exchanged at random.
_LEAST_LIKELY = -3.35
#: Vowels, which swapped consonants leave where they are (Latin, Cyrillic, Greek).
_VOWELS = frozenset("aeiouyаеёиоуыэюяіїєαεηιουωάέήίόύώ")
#: Likelihood under which letters are looked at for a key by their order, how many languages are tried, and the share of
#: frequent words with which it is one. Of honest texts few in languages without a list are under the first, and none of
#: these reached the second (0.20). Ours.
_KINDS_BY_ORDER = 45
_STRANGE, _LIKELY_LANGUAGES, _FOUND_BY_ORDER = -3.0, 5, 0.22


def is_enciphered(text: str) -> bool:
    """Whether a text becomes prose of a known language when letters are exchanged for others.

    Parameters
    ----------
    text
        Its first 20,000 characters are judged, in up to a second.
    """
    sample = text[:_SAMPLE_CHARS]
    joined = _BETWEEN_SYLLABLES.sub("", sample)
    # Either way of reading a hyphen may be the right one: Maltese joins its articles by them.
    return all(_becomes_prose(words_of(each)) for each in dict.fromkeys((sample, joined)))


def _becomes_prose(words: Counter[str]) -> bool:
    before = telling_share(words)
    if sum(words.values()) < _LEAST_WORDS or len(words) < _LEAST_KINDS or before >= _PROSE_SHARE:
        return False
    # A script without these vowels has one and the same exchange either way.
    ways = (True, False) if any(_VOWELS.intersection(word) for word in words) else (False,)
    return any(_is_found(words, before, vowels_stay=stay) for stay in ways) or _is_found_by_order(words)


def _is_found(words: Counter[str], before: float, *, vowels_stay: bool) -> bool:
    key = _best_exchange(words, vowels_stay=vowels_stay)
    if not key:
        return False
    decoded: Counter[str] = Counter()
    for word, count in words.items():
        decoded[word.translate(key)] += count
    after = telling_share(decoded)
    kinds = telling_share(Counter(dict.fromkeys(decoded, 1)))
    return after >= _FOUND_SHARE and after >= before + _GROWN_BY and kinds >= _FOUND_OF_KINDS


def is_unlikely(words: Mapping[str, int], least: float = _LEAST_LIKELY) -> bool:
    """Whether the letters of words in Latin script follow each other as in no language.

    Parameters
    ----------
    words
        Casefolded words, with how often they stand there.
    least
        Mean logarithm of a letter's probability under which they do; the default is for a page or more.
    """
    return likelihood(pair_counts(words)) < least


def _is_found_by_order(words: Counter[str]) -> bool:
    """Whether words whose letters hardly follow each other as in a language become some when these are exchanged.

    That sooner leads to a language than exchanging letters for the sake of whole words, and also where there is none:
    so it is asked only of what looks like none.
    """
    counts = pair_counts(words)
    if likelihood(counts) >= _STRANGE or len(words) < _KINDS_BY_ORDER:
        return False
    folded: Counter[str] = Counter()
    for word, count in words.items():
        if bare(word):
            folded[bare(word)] += count
    text = " ".join(word for word, _ in folded.most_common(_DECODED_WORDS) if 1 < len(word) <= _LONGEST_WORD)
    consonants = [letter for letter in ALPHABET if letter not in _VOWELS]
    for letters in (consonants, list(ALPHABET)):
        for key in likely_keys(counts, letters, _LIKELY_LANGUAGES):
            start = text.translate(key.table)
            _, decoded = _exchanged(start, letters, partial(_letters_of, known=key.known))
            table = {ord(one): ord(other) for one, other in zip(text, decoded, strict=True)}
            share = _share(folded, table, key.known)
            if share >= _FOUND_BY_ORDER and share >= _share(folded, {}, key.known) + _GROWN_BY:
                return True
    return False


def _share(words: Counter[str], table: dict[int, int], known: frozenset[str]) -> float:
    """Share of the words of three and more letters that are frequent ones once letters are exchanged."""
    long = {word: count for word, count in words.items() if len(word) > 2}
    frequent = sum(count for word, count in long.items() if word.translate(table) in known)
    return frequent / max(1, sum(long.values()))


def _letters_of(text: str, known: frozenset[str]) -> int:
    return sum(len(word) for word in text.split(" ") if word in known)


def _exchanged(text: str, letters: Sequence[str], score_of: Callable[[str], int]) -> tuple[int, str]:
    """The text with letters exchanged, two at a time, for as long as its score grows; and that score."""
    best, now = score_of(text), text
    for _ in range(_MOST_ROUNDS):
        start = best
        for place, one in enumerate(letters):
            for other in letters[place + 1 :]:
                tried = now.translate({ord(one): other, ord(other): one})
                score = score_of(tried)
                if score > best:
                    best, now = score, tried
        if best == start:
            break
    return best, now


def _best_exchange(words: Counter[str], *, vowels_stay: bool) -> dict[int, int]:
    """Letters by what they stand for, where exchanging two at a time makes the most of the words frequent ones."""
    common = (word for word, _ in words.most_common(4 * _DECODED_WORDS))
    fit = (word for word in common if len(word) <= _LONGEST_WORD and _WORD.fullmatch(word))
    chosen = list(islice(fit, _DECODED_WORDS))
    text = " ".join(chosen)
    letters = [letter for letter, _ in Counter(text.replace(" ", "")).most_common(_EXCHANGED)]
    if letters and letters[0] in ALPHABET:
        letters += [letter for letter in ALPHABET if letter not in letters]
        letters = [letter for letter in letters if letter in ALPHABET]
    if vowels_stay:
        letters = [letter for letter in letters if letter not in _VOWELS]
    _, now = _exchanged(text, letters, _frequent)
    return {ord(one): ord(other) for one, other in zip(text, now, strict=True) if one != other}


def _frequent(text: str) -> int:
    """Letters of the words that are frequent in the language in which most are."""
    letters: dict[str, int] = defaultdict(int)
    known = _languages_by_word()
    for word in text.split(" "):
        for tag in known.get(word, ()):
            letters[tag] += len(word)
    return max(letters.values(), default=0)


@lru_cache(maxsize=1)
def _languages_by_word() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for tag, known in known_languages().items():
        for word in known:
            if len(word) > 1:
                found[word].append(tag)
    return {word: tuple(tags) for word, tags in found.items()}
