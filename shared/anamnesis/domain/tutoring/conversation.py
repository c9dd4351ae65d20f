"""The last turns of the conversation that a question belongs to, so that "explain that again" has something to mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import regex

from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.text.fences import labelled, sendable
from anamnesis.domain.text.tokens import estimate_tokens

#: Most tokens that earlier turns take of a prompt, fences included, and most turns. Ours: two or three answers of some
#: length, or six exchanges of a sentence each.
BUDGET_TOKENS: Final = 1_500
MAX_TURNS: Final = 6
#: Longest question and longest answer of one of them, in tokens. Ours: the latest turn always has its place.
QUESTION_TOKENS: Final = 250
ANSWER_TOKENS: Final = 500
#: What stands alone on a line where the middle of a text was left out.
LEFT_OUT: Final = "[…]"
#: Of a text that is too long, how much of its room its beginning gets. The end has what an answer asks back.
_BEGINNING: Final = 2 / 3
#: No token is longer in the estimate, in characters.
_TOKEN_CHARS: Final = 20
_GRAPHEME = regex.compile(r"\X")
_SAID_BY_STUDENT: Final = frozenset({Kind.QUESTION, Kind.TAUGHT})


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """What the student wrote, and what was answered; None where nothing was, or it is gone."""

    question: str
    answer: str | None


def turns_before(
    episodes: Sequence[Episode], session_id: str, position: int
) -> list[tuple[Episode, Episode | None]]:
    """The last turns of a session before a position of the log, oldest first: questions with their answers.

    An answer without a question is left out, and so is one whose question was erased: it may quote that.

    Parameters
    ----------
    episodes
        By position; of a run of the log that ends at or behind `position`.
    """
    asked: list[Episode] = []
    answers: dict[int, Episode] = {}
    for episode in episodes:
        if episode.position >= position:
            break
        if episode.kind in _SAID_BY_STUDENT:
            # Of an erased one it is not known which session it belonged to.
            if episode.content is None or episode.session_id == session_id:
                asked.append(episode)
        elif episode.kind is Kind.ANSWER and episode.content is not None and episode.session_id == session_id:
            question = _question_of(episode, asked)
            if question is not None:
                answers[question.position] = episode
    turns = [(question, answers.get(question.position)) for question in asked if question.content is not None]
    return turns[-MAX_TURNS:]


def _question_of(answer: Episode, asked: Sequence[Episode]) -> Episode | None:
    """What an answer answers: a chat's has its question's very instant, another tutor's comes next behind it."""
    same = [question for question in asked if question.occurred_at == answer.occurred_at]
    candidates = same or asked
    return candidates[-1] if candidates else None


def within_budget(turns: Sequence[EarlierTurn]) -> tuple[EarlierTurn, ...]:
    """The latest of `turns`, oldest first, that fit ``BUDGET_TOKENS``; the middle of long texts is left out."""
    kept: tuple[EarlierTurn, ...] = ()
    for turn in reversed(turns[-MAX_TURNS:]):
        answer = None if turn.answer is None else without_middle(turn.answer, ANSWER_TOKENS)
        more = (EarlierTurn(without_middle(turn.question, QUESTION_TOKENS), answer), *kept)
        if estimate_tokens(told(more)) > BUDGET_TOKENS:
            break
        kept = more
    return kept


def told(turns: Sequence[EarlierTurn]) -> str:
    """The turns as a model is told them, each text between fences of its own; empty without any."""
    # Not as messages in the roles of student and model: an `answer` of the log comes from whoever recorded it, and
    # would speak in the model's own voice, which a model trusts most. Converse, besides, takes only messages whose
    # roles take turns, and a question whose answer failed or was erased breaks that.
    return "".join(
        labelled(name, text) + "\n\n"
        for turn in turns
        for name, text in (("EARLIER QUESTION", turn.question), ("EARLIER ANSWER", turn.answer))
        if text is not None
    )


def without_middle(text: str, tokens: int) -> str:
    """`text` when it takes no more than `tokens`, else its beginning and its end with ``LEFT_OUT`` between them.

    Parameters
    ----------
    tokens
        At least 20.
    """
    text = sendable(text).strip()
    window = _TOKEN_CHARS * tokens
    if len(text) <= window and estimate_tokens(text) <= tokens:
        return text
    if len(text) > 2 * window:
        # More of it than this is never looked at.
        text = text[:window] + text[-window:]
    pieces = _GRAPHEME.findall(text)
    mark = f"\n{LEFT_OUT}\n"
    # The estimate never reaches over a line break, so the parts together take no more than their sum.
    room = tokens - estimate_tokens(mark)
    beginning = _fitting(pieces, int(room * _BEGINNING))
    rest = pieces[len(beginning) :][::-1]
    end = _fitting(rest, room - int(room * _BEGINNING), backwards=True)[::-1]
    return "".join(beginning).rstrip() + mark + "".join(end).lstrip()


def _fitting(pieces: list[str], room: int, *, backwards: bool = False) -> list[str]:
    """As many of `pieces`, from the first, as take no more than `room` tokens, read from the last when `backwards`."""
    low, high = 0, len(pieces)
    while low < high:
        middle = (low + high + 1) // 2
        part = pieces[:middle]
        if estimate_tokens("".join(part[::-1] if backwards else part)) <= room:
            low = middle
        else:
            high = middle - 1
    return pieces[:low]
