"""Sentences that teach the tutor something (TE-1 … TE-3), and topics that are talk and no topic (BE-3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

from anamnesis.domain.messages.cues import CueRules, cue_languages, cues_of
from anamnesis.domain.messages.typing_slips import retyped
from anamnesis.domain.text.folding import FoldedText, folded
from anamnesis.domain.text.languages import (
    detect_language,
    primary_tag,
    reading_order,
    stop_words,
)

#: How much of a message is read, in characters: a teaching is a sentence, not a chapter.
READ_CHARACTERS = 2_000
#: TE-2: a new concept's name is short.
NAME_WORDS = 5
_NAME_CHARACTERS_UNSPACED = 14
_NAME_CHARACTERS = 60
_NAME_CHARACTERS_AT_LEAST = 2
_QUESTION_MARKS = ("?", "？", "؟", "⁇", ";")
#: A sentence ends here; a colon does not end one, so "the book says: remember that …" stays one sentence.
_SENTENCE = re.compile(r"[^.!?\n。！？؟।]+[.!?。！？؟।]*[\"'”’»)\]]*")
_OPENING_QUOTES = ('"', "'", "“", "‘", "«", "„", "「", "『", ">")
_WORD = re.compile(r"[^\s,;:.!?()\"“”«»]+")
#: "US" in "US economy", "I" in "World War I": no pronouns.
_NAMES_IN_CAPITALS = re.compile(r"\b[A-Z]{2,}\b|(?<=[a-z] )I(?=$|[/:,–-])|\bI(?=[/-][A-Z])")
_LETTER = re.compile(r"[^\W\d_]")
#: What stands before a colon, which is no "3:4".
_INTRODUCED = re.compile(r"[^:：]{1,120}(?=[:：](?!\d))")


@dataclass(frozen=True, slots=True)
class Teaching:
    """What a student taught.

    Attributes
    ----------
    statement
        What was taught, as it stands in the text: "in our class we call mitochondria the powerhouse of the cell".
    short_name
        At most five words to name a new concept by when the statement names no known one.
    """

    statement: str
    short_name: str


def read_teaching(text: str, *, language: str | None = None) -> Teaching | None:
    """Return what `text` teaches, None when it teaches nothing.

    Only "remember that …", "treat X as …" and their equivalents teach, and only when they open a sentence or, after a
    comma or dash, close it ("…, remember that"), so that neither a quotation ("the book says: remember that …"), nor
    a hypothesis, nor a negation does. Questions never do. "Could you please remember that …?" asks for nothing but
    politely; where the verb may also mean "do you still know", only with a "please".

    Parameters
    ----------
    text
        The student's words; the first 2,000 characters are read.
    language
        A BCP 47 tag of the language to expect; the text may be in another one.
    """
    sentences = [m.group() for m in _SENTENCE.finditer(text[:READ_CHARACTERS]) if m.group().strip()]
    for before, sentence in pairwise(["", *sentences]):
        stripped = sentence.strip()
        if stripped.startswith(_OPENING_QUOTES):
            continue
        asks = stripped.rstrip("\"'”’»)] ").endswith(_QUESTION_MARKS)
        as_written = folded(stripped)
        joined = _joined(before.strip(), stripped)
        for candidate, _, _ in reading_order(stripped, known=cue_languages(), language=language):
            rules = cues_of(candidate)
            fold = retyped(as_written, rules.verbs, rules.openers)
            teaching = _first(fold, rules.requests, rules)
            if teaching is not None:
                return teaching
            if asks:
                continue
            if rules.question_start.match(fold.text):
                break
            teaching = _first(fold, rules.treat + rules.remember, rules) or _first(joined, rules.after, rules)
            if teaching is not None:
                return teaching
    return None


def _joined(before: str, sentence: str) -> FoldedText:
    """Two sentences as one, for a "remember that" with a sentence of its own; nothing after a question or quotation."""
    if not before or before.startswith(_OPENING_QUOTES) or before.endswith(_QUESTION_MARKS):
        return folded("")
    return folded(f"{before.rstrip('.!。！।')}, {sentence}")


def _first(fold: FoldedText, patterns: Sequence[re.Pattern[str]], rules: CueRules) -> Teaching | None:
    text = fold.text.rstrip(" .!?")
    for pattern in patterns:
        match = pattern.fullmatch(text)
        if match is not None:
            said = match.span("said") if "said" in pattern.groupindex else match.span()
            if said[1] < len(text) and _is_reported(text[slice(*said)], rules):
                return None
            return _teaching(fold, said, rules, match.span("name") if "name" in pattern.groupindex else None)
    return None


def _is_reported(said: str, rules: CueRules) -> bool:
    """Whether a "remember that" behind it belongs to what somebody else says: "the book says: cells divide, …"."""
    introduced = _INTRODUCED.match(said)
    return introduced is not None and rules.reports.search(introduced.group()) is not None


def _teaching(
    fold: FoldedText, said: tuple[int, int], rules: CueRules, name: tuple[int, int] | None
) -> Teaching | None:
    statement = _clean(fold.quote(*said))
    if not _LETTER.search(statement) or _says_nothing(statement, rules):
        return None
    named = name
    if named is None:
        for pattern in rules.call:
            match = pattern.search(fold.text[slice(*said)])  # "^" is where what is taught begins
            if match is not None:
                start, end = match.span("name")
                named = (said[0] + start, said[0] + end)
                break
    short = _short(_clean(fold.quote(*named)), rules, framed=True) if named else ""
    short = short or _short(_leading_topic(statement, rules), rules, framed=False)
    short = short or _short(statement, rules, framed=False)
    return Teaching(statement=statement, short_name=_part_of(statement, short, rules))


def _part_of(statement: str, name: str, rules: CueRules) -> str:
    """`name`, or what a sentence of a few words is most likely about when the name would be all of it (TE-2)."""
    if name.casefold() != statement.casefold():
        return name
    if not rules.spaced:
        framed = "|".join(sorted(map(re.escape, rules.frame), key=len, reverse=True)) or "(?!)"
        bare = re.sub(rf"^(?:{framed})+", "", statement)
        name = bare if len(bare) >= _NAME_CHARACTERS_AT_LEAST else statement
        return name if len(name) < len(statement) else statement[: max(2, len(statement) // 2)]
    words = _WORD.findall(statement)
    telling = [word for word in words if not _is_function_word(rules, word)] or words
    # Of a sentence's words the last is its verb or what is said of the first.
    return telling[0] if len(words) > 1 else name


def _says_nothing(statement: str, rules: CueRules) -> bool:
    """Tell whether no word means anything: "merk dir das bitte nicht" teaches no "nicht"."""
    if not rules.spaced or len(statement) > _NAME_CHARACTERS:
        return False
    cues = (rules.apart, rules.fillers)
    return all(
        _is_function_word(rules, word) or any(cue.fullmatch(folded(word).text) for cue in cues)
        for word in _WORD.findall(statement)
    )


def _clean(text: str) -> str:
    return text.strip(" \t\n\"'“”„«».,;:!?。、，！؟।-–—")


def _short(text: str, rules: CueRules, *, framed: bool) -> str:
    """Cut a name to its first words, without the function words at either end when something else is left.

    `framed` names were found by their place in the sentence: of them only the sentence's frame is taken off.
    """
    if not rules.spaced:
        return text[:_NAME_CHARACTERS_UNSPACED].strip()
    means_nothing = rules.frames if framed else partial(_is_function_word, rules)
    words = _WORD.findall(text)
    while len(words) > 1 and means_nothing(words[0]):
        words = words[1:]
    cut = len(words) > NAME_WORDS
    words = words[:NAME_WORDS]
    while cut and len(words) > 1 and means_nothing(words[-1]):
        words = words[:-1]
    return _clean(" ".join(words)[:_NAME_CHARACTERS])


def _leading_topic(statement: str, rules: CueRules) -> str:
    """Return the first run of words that carry meaning: "photosynthesis needs light" starts with its topic."""
    if not rules.spaced:
        return re.split(r"[はをがも是为為叫指คือเรียก，,、 ]", statement, maxsplit=1)[0]
    run: list[str] = []
    for word in _WORD.findall(statement):
        if _is_function_word(rules, word):
            if run:
                break
            continue
        run.append(word)
        if len(run) == 3:
            break
    return " ".join(run)


def _is_function_word(rules: CueRules, word: str) -> bool:
    if rules.language == "vi" and not word.isascii():  # where marks tell words apart: trọng, trong
        return rules.frames(word) or word.casefold() in stop_words(rules.language)
    return rules.frames(word) or folded(word).text in _folded_stop_words(rules.language)


@cache
def _folded_stop_words(language: str) -> frozenset[str]:
    # Folding them takes longer than everything else that a message is asked.
    return frozenset(folded(word).text for word in stop_words(language))


def is_question(text: str) -> bool:
    """Tell whether `text` asks something: a question mark ends a sentence of it, or it begins like a question."""
    head = text[:READ_CHARACTERS]
    if any(mark in head for mark in _QUESTION_MARKS[:4]):
        return True
    fold = folded(head.strip())
    order = reading_order(head, known=cue_languages())
    return any(
        trusted and cues_of(language).question_start.match(fold.text) for language, trusted, _ in order
    )


def reads_like_utterance(topic: str, *, language: str | None = None) -> bool:
    """Tell whether a check's topic is something said ("just ask me the questions") and no idea of a subject (BE-3).

    Question words at its start, verbs that ask a tutor for something, pronouns of the speakers and filler words give
    it away, in the language it is in.

    Parameters
    ----------
    language
        A BCP 47 tag of the language to expect: what is an article there ("i mitocondri") is no pronoun of another.
    """
    expected = primary_tag(language)
    head = topic[:READ_CHARACTERS].strip()
    if not _LETTER.search(head):
        return True
    if any(mark in head for mark in _QUESTION_MARKS[:4]) or head.startswith(("¿", "¡")):
        return True
    text = _without_acronyms(folded(head))
    order = reading_order(head, known=cue_languages())
    best = detect_language(head, hint=language) if language else order[0].language if order else ""
    latin = any(reading.language == "en" for reading in order)
    for reading in order:
        full = reading.language in {best, expected, "en"} or not latin
        articles = _folded_stop_words(expected) if reading.language != expected else frozenset()
        if _utters(text, cues_of(reading.language), full=full, articles=articles):
            return True
        if reading.language == best and reading.enough and best != "en" and not latin:
            break
    return False


def _utters(text: str, rules: CueRules, *, full: bool, articles: frozenset[str]) -> bool:
    """Tell whether a language's cues say so; of a language the text is hardly in, only its asking verbs count."""
    if rules.asking.search(text):
        return True
    if not full:
        return False
    spoken = rules.talk.search(text) is not None or any(
        said.group() not in articles for said in rules.speakers.finditer(text)
    )
    if spoken or rules.question_start.match(text):
        return True
    if not _LETTER.search(rules.fillers.sub("", text)):
        return True
    filler = rules.fillers.match(text)
    if filler is None or not rules.spaced:
        return False
    rest = text[filler.end() :].split()  # "well the thing is …", but not "just war theory"
    return bool(rest) and (rest[0] in rules.frame or rules.fillers.fullmatch(rest[0]) is not None)


def _without_acronyms(fold: FoldedText) -> str:
    """Blank names in capitals that look like words: "IT security" is about no "it"."""
    if fold.original.isupper():
        return fold.text
    blanked = list(fold.text)
    for match in _NAMES_IN_CAPITALS.finditer(fold.original):
        for i, start in enumerate(fold.starts):
            if match.start() <= start < match.end():
                blanked[i] = "\u00b7"
    return "".join(blanked)
