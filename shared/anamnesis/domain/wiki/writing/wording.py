"""The fixed English words of compiled pages, like the labels of the memory block; what people said stays in theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import Final

from anamnesis.domain.beliefs import Claim
from anamnesis.domain.log.episodes import Episode, Kind, Outcome
from anamnesis.domain.log.summaries import first_sentence
from anamnesis.domain.text.one_line import one_line
from anamnesis.domain.text.utterances import asking_share

#: Longest title of a page, in characters. Ours: a title stands on every line that links to it.
MAX_TITLE_CHARS: Final = 80
#: Longest quotation in a sentence of a page, in characters; the whole stands in the transcript. Ours.
MAX_QUOTE_CHARS: Final = 300
#: Longest name of a file in a sentence, in characters: names of uploads have no more.
MAX_FILE_NAME_CHARS: Final = 255
_MAX_EVALUATION_CHARS: Final = 200
_MAX_TOPIC_CHARS: Final = 120

#: Confidence from which a belief is called so, 0–1, the highest first. Ours; the number always stands beside it.
CONFIDENCE_WORDS: Final = ((0.8, "high"), (0.6, "fair"), (0.0, "low"))

WHO: Final[Mapping[Kind, str]] = MappingProxyType(
    {
        Kind.QUESTION: "student",
        Kind.ANSWER: "tutor",
        Kind.CHECK: "check",
        Kind.QUIZ: "quiz",
        Kind.FILE: "file",
        Kind.TAUGHT: "student",
        Kind.CONSOLIDATION: "night",
    }
)
_DID: Final[Mapping[Kind, str]] = MappingProxyType(
    {
        Kind.QUESTION: "the student asked",
        Kind.ANSWER: "the tutor answered",
        Kind.FILE: "about a file",
        Kind.TAUGHT: "the student taught",
        Kind.CONSOLIDATION: "summed up",
    }
)
#: Marks between which pages quote, and the plain one.
_MARKS: Final = str.maketrans(dict.fromkeys("“”„«»「」『』", '"'))
_NOUNS: Final[Mapping[Kind, tuple[str, str]]] = MappingProxyType(
    {
        Kind.QUESTION: ("question", "questions"),
        Kind.ANSWER: ("answer", "answers"),
        Kind.CHECK: ("check", "checks"),
        Kind.QUIZ: ("quiz", "quizzes"),
        Kind.TAUGHT: ("taught fact", "taught facts"),
        Kind.FILE: ("file event", "file events"),
    }
)
#: How the current state of a concept begins; indexes and messages of commits know it by that.
STATES: Final[Mapping[Claim, str]] = MappingProxyType(
    {Claim.UNDERSTANDS: "Understands", Claim.STRUGGLES_WITH: "Struggles with"}
)


def title(text: str) -> str:
    """A name as a title; never empty."""
    return one_line(text, most=MAX_TITLE_CHARS) or "untitled"


def spoken(name: str, *, most: int = MAX_TITLE_CHARS) -> str:
    """Somebody's name for something as it stands in a sentence: its quotation marks are none of the sentence's."""
    return (one_line(name, most=most) or "untitled").translate(_MARKS)


def day_of(at: datetime) -> date:
    """UTC day of a moment."""
    return at.astimezone(UTC).date()


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """A number and its noun: "1 check", "2 checks"."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def tally(counts: Mapping[Kind, int]) -> str:
    """How many episodes of each kind: "3 questions, 1 check"."""
    return ", ".join(counted(counts[kind], *nouns) for kind, nouns in _NOUNS.items() if counts.get(kind))


def confidence(value: float) -> str:
    """A confidence (0–1) in words and as a number: "high confidence (0.82)"."""
    word = next(word for least, word in CONFIDENCE_WORDS if value >= least or least == 0)
    return f"{word} confidence ({value:.2f})"


def quotation(text: str, *, most: int = MAX_QUOTE_CHARS) -> str:
    """Somebody's words in quotation marks."""
    return f"“{one_line(text, most=most) or '…'}”"


def verdict(outcome: Outcome) -> str:
    """A result: "right", "wrong" or, with a score between, "70 % (right)"."""
    word = "right" if outcome.correct else "wrong"
    return word if outcome.score in {0.0, 1.0} else f"{outcome.score * 100:.0f} % ({word})"


def words_of(episode: Episode) -> str:
    """What an episode says, in its own words if there are any; empty once erased."""
    content = episode.content
    return "" if content is None else content.text if content.text.strip() else content.summary


def told(episode: Episode, *, most: int = MAX_QUOTE_CHARS) -> str:
    """What happened, as one sentence without its date."""
    content = episode.content
    if content is None:
        return "erased"
    if episode.outcome is None:
        if episode.kind is Kind.QUESTION and not asking_share(words_of(episode)):
            return f"the student said {quotation(words_of(episode), most=most)}"
        return f"{_DID.get(episode.kind, episode.kind.value)} {quotation(words_of(episode), most=most)}"
    topic = first_sentence(content.topic or "", max_chars=_MAX_TOPIC_CHARS)
    # In quotation marks, since a topic is somebody's words too, and may well be "why my answer was wrong".
    said = f"{episode.kind.value}{f' on {quotation(topic)}' if topic else ''}: {verdict(episode.outcome)}"
    words = one_line(words_of(episode), most=most)
    if words and words != topic:
        said = f"{said}, {quotation(words, most=most)}"
    if content.evaluation and content.evaluation.strip():
        said = f"{said}; evaluation: {quotation(content.evaluation, most=_MAX_EVALUATION_CHARS)}"
    return said


def in_pages(pages: Sequence[int], named: int) -> str:
    """Where in a file: ", page 3", ", pages 3, 4 and more" or nothing; no more than `named`, which are those cited."""
    if not pages:
        return ""
    shown = ", ".join(map(str, pages[:named]))
    return f", page{'s' if len(pages) > 1 else ''} {shown}{' and more' if len(pages) > named else ''}"
