"""Sentences that teach the tutor something (TE-1 … TE-3), and topics that are talk and no topic (BE-3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from anamnesis.domain.messages.cues import CueRules, cue_languages, cues_of
from anamnesis.domain.text.folding import FoldedText, folded
from anamnesis.domain.text.languages import (
    reading_order,
    stop_words,
)

#: How much of a message is read, in characters: a teaching is a sentence, not a chapter.
READ_CHARACTERS = 2_000
#: TE-2: a new concept's name is short.
NAME_WORDS = 5
_NAME_CHARACTERS_UNSPACED = 14
_NAME_CHARACTERS = 60
_QUESTION_MARKS = ("?", "？", "؟", "⁇", ";")
#: A sentence ends here; a colon does not end one, so "the book says: remember that …" stays one sentence.
_SENTENCE = re.compile(r"[^.!?\n。！？؟।]+[.!?。！？؟।]*[\"'”’»)\]]*")
_OPENING_QUOTES = ('"', "'", "“", "‘", "«", "„", "「", "『", ">")
_WORD = re.compile(r"[^\s,;:.!?()\"“”«»]+")
#: "US" in "US economy", "I" in "World War I": no pronouns.
_NAMES_IN_CAPITALS = re.compile(r"\b[A-Z]{2,}\b|(?<=[a-z] )I(?=$|[/:,–-])|\bI(?=[/-][A-Z])")
_LETTER = re.compile(r"[^\W\d_]")


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

    Only "remember that …", "treat X as …" and their equivalents teach, and only when they open a sentence, so that
    neither a quotation ("the book says: remember that …"), nor a hypothesis, nor a negation does. Questions never do.

    Parameters
    ----------
    text
        The student's words; the first 2,000 characters are read.
    language
        A BCP 47 tag of the language to expect; the text may be in another one.
    """
    sentences = [m.group() for m in _SENTENCE.finditer(text[:READ_CHARACTERS]) if m.group().strip()]
    for sentence in sentences:
        stripped = sentence.strip()
        if stripped.startswith(_OPENING_QUOTES) or stripped.rstrip("\"'”’»)] ").endswith(_QUESTION_MARKS):
            continue
        fold = folded(stripped)
        for candidate, _, _ in reading_order(stripped, known=cue_languages(), language=language):
            rules = cues_of(candidate)
            if rules.question_start.match(fold.text):
                break
            teaching = _taught(fold, rules)
            if teaching is not None:
                return teaching
    return None


def _taught(fold: FoldedText, rules: CueRules) -> Teaching | None:
    for pattern in rules.treat:
        match = pattern.fullmatch(fold.text.rstrip(" .!"))
        if match is not None:
            return _teaching(
                fold,
                match.span("said") if "said" in pattern.groupindex else match.span(),
                rules,
                match.span("name"),
            )
    for pattern in rules.remember:
        match = pattern.fullmatch(fold.text.rstrip(" .!"))
        if match is not None:
            return _teaching(fold, match.span("said"), rules, None)
    return None


def _teaching(
    fold: FoldedText, said: tuple[int, int], rules: CueRules, name: tuple[int, int] | None
) -> Teaching | None:
    statement = _clean(fold.quote(*said))
    if not _LETTER.search(statement):
        return None
    named = name
    if named is None:
        for pattern in rules.call:
            match = pattern.search(fold.text, *said)
            if match is not None:
                named = match.span("name")
                break
    short = _short(_clean(fold.quote(*named)), rules, rules.frame) if named else ""
    words = _function_words(rules)
    short = short or _short(_leading_topic(statement, rules), rules, words)
    return Teaching(statement=statement, short_name=short or _short(statement, rules, words))


def _clean(text: str) -> str:
    return text.strip(" \t\n\"'“”„«».,;:!?。、，！؟।-–—")


def _short(text: str, rules: CueRules, skip: frozenset[str]) -> str:
    """Cut a name to its first words, without the function words at either end when something else is left."""
    if not rules.spaced:
        return text[:_NAME_CHARACTERS_UNSPACED].strip()
    words = _WORD.findall(text)
    while len(words) > 1 and folded(words[0]).text in skip:
        words = words[1:]
    cut = len(words) > NAME_WORDS
    words = words[:NAME_WORDS]
    while cut and len(words) > 1 and folded(words[-1]).text in skip:
        words = words[:-1]
    return _clean(" ".join(words)[:_NAME_CHARACTERS])


def _leading_topic(statement: str, rules: CueRules) -> str:
    """Return the first run of words that carry meaning: "photosynthesis needs light" starts with its topic."""
    if not rules.spaced:
        return re.split(r"[はをがも是为為叫指คือเรียก，,、 ]", statement, maxsplit=1)[0]
    skip = _function_words(rules)
    run: list[str] = []
    for word in _WORD.findall(statement):
        if folded(word).text in skip:
            if run:
                break
            continue
        run.append(word)
        if len(run) == 3:
            break
    return " ".join(run)


def _function_words(rules: CueRules) -> frozenset[str]:
    return rules.frame | _folded_stop_words(rules.language)


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


def reads_like_utterance(topic: str) -> bool:
    """Tell whether a check's topic is something said ("just ask me the questions") and no idea of a subject (BE-3).

    Question words at its start, verbs that ask a tutor for something, pronouns of the speakers and filler words give
    it away, in the language it is in.
    """
    head = topic[:READ_CHARACTERS].strip()
    if not _LETTER.search(head):
        return True
    if any(mark in head for mark in _QUESTION_MARKS[:4]) or head.startswith(("¿", "¡")):
        return True
    text = _without_acronyms(folded(head))
    order = reading_order(head, known=cue_languages())
    best = order[0].language if order else ""
    latin = any(reading.language == "en" for reading in order)
    for reading in order:
        full = reading.language in {best, "en"} or not latin
        if _utters(text, cues_of(reading.language), full=full):
            return True
        if reading.language == best and reading.enough and best != "en" and not latin:
            break
    return False


def _utters(text: str, rules: CueRules, *, full: bool) -> bool:
    """Tell whether a language's cues say so; of a language the text is hardly in, only its asking verbs count."""
    if rules.asking.search(text):
        return True
    if not full:
        return False
    if rules.question_start.match(text) or rules.speakers.search(text):
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
