"""How often phrases recur, and which of them recur as a unit (the C-value of Frantzi, Ananiadou and Mima, 2000)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from anamnesis.domain.extraction.blocks import Block, BlockKind
from anamnesis.domain.extraction.cues import CueTable
from anamnesis.domain.extraction.mentions import Cue, Mention
from anamnesis.domain.extraction.sentences import sentences
from anamnesis.domain.extraction.terms_in_text import is_name, is_word, plain, tokens, without_articles

#: Words of a file that statistics look at: a book's first 250 pages or so bound time and memory.
MAX_WORDS = 150_000
_MAX_PHRASE_WORDS = 5
#: A phrase that recurs less is no evidence.
_LEAST_COUNT = 3
_LEAST_C_VALUE = 3.0
#: A phrase this near to a sentence's beginning is what the sentence is about; an article fits before it.
_OPENING_CHARS = 4


@dataclass(frozen=True)
class PhraseCounts:
    """Counts over one file.

    Attributes
    ----------
    phrases
        How often each casefolded phrase of one to five words stands within a sentence.
    capitalised
        For each casefolded word, how often it stands capitalised inside a sentence, and how often it stands there.
    spellings
        For each casefolded word, how it is mostly spelled there.
    openings
        How often each phrase opens a sentence or a heading, an article aside: there a name stands in its base form.
    """

    phrases: dict[str, int]
    capitalised: dict[str, tuple[int, int]]
    spellings: dict[str, str]
    openings: dict[str, int]

    def is_proper(self, words: Sequence[str]) -> bool:
        """Whether every word is nearly always capitalised inside sentences: a person, a place, an institution.

        Words in capitals (DNA) and words never seen inside a sentence say nothing.
        """
        judged = 0
        for word in words:
            upper, total = self.capitalised.get(word.casefold(), (0, 0))
            if word.isupper() or any(c.isdigit() for c in word):
                return False
            if not word[0].isupper() or total == 0:
                if total and upper >= 0.9 * total:
                    judged += 1
                    continue
                return False
            if upper < 0.8 * total:
                return False
            judged += 1
        return judged == len(words) and judged > 0


def phrase_counts(blocks: Iterable[Block], table: CueTable) -> PhraseCounts:
    """Count phrases and capitals in everything but what explains nothing."""
    phrases: Counter[str] = Counter()
    upper: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    spelled: Counter[tuple[str, str]] = Counter()
    openings: Counter[str] = Counter()
    seen = 0
    for block in blocks:
        if not block.explains or seen > MAX_WORDS:
            continue
        for sentence in sentences(plain(block.text)):
            read = tokens(sentence, table)
            seen += len(read)
            folded = [token.casefold() for token in read]
            opening = len(read) - len(without_articles(read, table))
            for start, token in enumerate(read):
                if not is_word(token):
                    continue
                if start and block.kind is not BlockKind.HEADING and is_word(read[start - 1]):
                    inside[folded[start]] += 1
                    upper[folded[start]] += token[0].isupper()
                    spelled[folded[start], token] += 1
                for end in range(start + 1, min(start + _MAX_PHRASE_WORDS, len(read)) + 1):
                    if not is_word(read[end - 1]):
                        break
                    phrase = " ".join(folded[start:end])
                    phrases[phrase] += 1
                    if start == opening:
                        openings[phrase] += 1
    counts = {phrase: count for phrase, count in phrases.items() if count > 1 or " " not in phrase}
    capitalised = {word: (upper[word], total) for word, total in inside.items()}
    # Rarest first, so that the commonest spelling stays; capitals lose a tie.
    ranked = sorted(spelled, key=lambda pair: (spelled[pair], pair[1].islower(), pair[1]))
    return PhraseCounts(counts, capitalised, dict(ranked), dict(openings))


def recurring_phrases(counts: PhraseCounts, table: CueTable) -> dict[str, float]:
    """C-value of the phrases of two and more words that can be names and recur.

    C-value(a) = log2 |a| * (f(a) - mean frequency of the longer candidates that contain a).
    """
    frequent = {}
    for phrase, count in counts.phrases.items():
        words = phrase.split(" ")
        if count >= _LEAST_COUNT and len(words) > 1 and is_name(words, table):
            frequent[phrase] = count
    inside: dict[str, list[int]] = {}
    for phrase, count in frequent.items():
        words = phrase.split(" ")
        for length in range(2, len(words)):
            for start in range(len(words) - length + 1):
                part = " ".join(words[start : start + length])
                if part in frequent:
                    inside.setdefault(part, []).append(count)
    return {
        phrase: math.log2(len(phrase.split(" "))) * (count - _mean(inside.get(phrase, ())))
        for phrase, count in frequent.items()
    }


def recurring_mentions(
    recurring: Mapping[str, float], blocks: Sequence[Block], table: CueTable, *, most: int = 40
) -> list[Mention]:
    """A mention of each of the most recurrent phrases, at the first sentence that begins with it or else holds it."""
    likely = [phrase for phrase, value in recurring.items() if value >= _LEAST_C_VALUE]
    best = sorted(likely, key=lambda phrase: (-recurring[phrase], phrase))[:most]
    first: dict[str, Mention] = {}
    opening: dict[str, Mention] = {}
    for order, block in enumerate(blocks):
        if not block.explains or block.kind is BlockKind.HEADING:
            continue
        for sentence in sentences(plain(block.text)):
            folded = " ".join(token.casefold() for token in tokens(sentence, table))
            for phrase in best:
                place = f" {folded} ".find(f" {phrase} ")
                if place < 0:
                    continue
                mention = Mention(phrase, Cue.RECURRING, block.page, order, sentence)
                first.setdefault(phrase, mention)
                if place <= _OPENING_CHARS:
                    opening.setdefault(phrase, mention)
    return [opening.get(phrase, first[phrase]) for phrase in best if phrase in first]


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values) if values else 0.0
