"""Episodes as rows, and back."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from anamnesis.adapters.dynamodb.attributes import instant_of
from anamnesis.adapters.dynamodb.keys import at_position, claimed_position, pair_of, position_of
from anamnesis.adapters.dynamodb.models import EpisodeRow
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import Break, BreakKind, timestamp
from anamnesis.domain.log.episodes import (
    MAX_TEXT_CHARS,
    NO_LANGUAGE,
    Citation,
    Content,
    Episode,
    Kind,
    Outcome,
)

PREFIX = "E#"
#: Longest text that stays whole in the row, in bytes of UTF-8; a turn reads dozens of rows and shows a line of each.
MAX_ROW_TEXT_BYTES = 4_096
#: What the row keeps of a longer text, in characters: more than a block ever shows of one memory.
BEGINNING_CHARS = 500
#: Attributes that erasing removes: all behind the commitment, and what leads to it.
ERASABLE = (
    EpisodeRow.summary,
    EpisodeRow.text,
    EpisodeRow.topic,
    EpisodeRow.evaluation,
    EpisodeRow.salt,
    EpisodeRow.text_object,
    EpisodeRow.text_chars,
    EpisodeRow.concepts,
    EpisodeRow.salience,
    EpisodeRow.language,
    EpisodeRow.session_id,
    EpisodeRow.outcome,
    EpisodeRow.evidence,
    EpisodeRow.memory_ids,
    EpisodeRow.about_record,
)
#: How a row without them reads (``domain.log.episodes.erased``).
_ERASED: Mapping[str, Any] = {
    "concepts": {"S": "[]"},
    "salience": {"S": "0.0"},
    "language": {"S": NO_LANGUAGE},
    "evidence": {"S": "[]"},
    "memory_ids": {"S": "[]"},
    "about_record": {"BOOL": False},
}
MINUTES_A_DAY = 24 * 60
#: What reading a row raises that another hand changed so that it is no episode any more.
NO_EPISODE = (KeyError, TypeError, ValueError, OverflowError, RecursionError)


def text_object_key(episode: Episode) -> str | None:
    """Return the key of the object for an episode's text, or None when it fits the row."""
    if episode.content is None or len(episode.content.text.encode()) <= MAX_ROW_TEXT_BYTES:
        return None
    return text_object_of_id(episode.pair, episode.id)


def text_object_of_id(pair: Pair, episode_id: str) -> str:
    """Return the key of the object that an episode's text has if it is too long for the row.

    It says nothing about the text and follows from what erasing leaves, so that an erasure that was cut short still
    finds it.
    """
    return texts_of(pair) + episode_id


def row_of(episode: Episode, model: type[EpisodeRow]) -> EpisodeRow:
    """Return the row of an episode; its long text is stored by the caller, before."""
    content = episode.content
    text_object = text_object_key(episode)
    return model(
        episode.pair.key,
        at_position(PREFIX, episode.position),
        occurred=occurred_key(timestamp(episode.occurred_at), episode.position),
        id=episode.id,
        kind=episode.kind.value,
        recorded_at=episode.recorded_at,
        utc_offset_minutes=episode.utc_offset_minutes,
        summary=content.summary if content else None,
        text=(content.text[:BEGINNING_CHARS] if text_object else content.text) if content else None,
        topic=content.topic if content else None,
        evaluation=content.evaluation if content else None,
        salt=episode.salt,
        text_object=text_object,
        text_chars=len(content.text) if content and text_object else None,
        commitment=episode.commitment,
        concepts=list(episode.concepts),
        salience=episode.salience,
        language=episode.language,
        session_id=episode.session_id,
        outcome=_outcome_json(episode.outcome),
        evidence=[[c.file_id, c.page, c.fingerprint] for c in episode.evidence],
        memory_ids=list(episode.memory_ids),
        about_record=episode.about_record,
        previous_hash=episode.previous_hash,
        hash=episode.hash,
    )


def episode_of(item: Mapping[str, Any], pair: Pair, texts: Mapping[str, bytes]) -> Episode:
    """Return the episode of a raw item, with its long text if `texts` has it and else with the beginning.

    Reads DynamoDB's form itself: a turn brings back some hundred rows and the night thousands, and a model instance
    for each would cost four times as much.

    Raises
    ------
    KeyError, TypeError, ValueError, OverflowError, RecursionError
        If another hand changed the row so that it is no episode any more (``NO_EPISODE``).
    """
    content = _content_of(item, pair, texts)
    if content is None:
        # What erasing leaves. Whatever else is still there is read as well: verification tells that it is.
        item = {**_ERASED, **item}
    return Episode(
        id=item["id"]["S"],
        pair=pair,
        position=_position_of(item),
        kind=Kind(item["kind"]["S"]),
        occurred_at=_instant(item["occurred"]["S"].partition("#")[0]),
        recorded_at=_instant(item["recorded_at"]["S"]),
        content=content,
        salt=_text(item, "salt"),
        commitment=item["commitment"]["S"],
        concepts=_strings(item["concepts"]["S"]),
        salience=_number(float(item["salience"]["S"])),
        language=item["language"]["S"],
        session_id=_text(item, "session_id"),
        outcome=_outcome_of(_text(item, "outcome")),
        evidence=tuple(_citation_of(citation) for citation in _list(json.loads(item["evidence"]["S"]))),
        memory_ids=_strings(item["memory_ids"]["S"]),
        about_record=item["about_record"]["BOOL"],
        previous_hash=item["previous_hash"]["S"],
        hash=item["hash"]["S"],
        utc_offset_minutes=_offset(item["utc_offset_minutes"]["N"]),
    )


def read_row(item: Mapping[str, Any], pair: Pair, texts: Mapping[str, bytes]) -> Episode | Break:
    """Return the episode of a raw item, or the break that it is when it is none."""
    try:
        return episode_of(item, pair, texts)
    except NO_EPISODE:
        return Break(claimed_position(item["sk"]["S"]), BreakKind.MALFORMED_ROW)


def well_filed(item: Mapping[str, Any]) -> bool:
    """Whether the index by time holds a raw item exactly where its own time and position belong."""
    try:
        occurred: str = item["occurred"]["S"]
        at = _instant(occurred.partition("#")[0])
        return occurred == occurred_key(timestamp(at), _position_of(item))
    except NO_EPISODE:
        return False


def breaks_beside(item: Mapping[str, Any], episode: Episode) -> Iterator[Break]:
    """What is wrong with a raw item beside the episode that it holds: where index and long text are, and how it begins.

    All of it follows from the episode, so that nothing has to be hashed for it.
    """
    key = text_object_key(episode)
    told: dict[str, dict[str, str] | None] = {"text_object": None, "text_chars": None}
    if key is not None and episode.content is not None:
        told = {"text_object": {"S": key}, "text_chars": {"N": str(len(episode.content.text))}}
        # What a turn shows of a long text is the beginning that the row keeps.
        if item.get("text", {}).get("S") != episode.content.text[:BEGINNING_CHARS]:
            yield Break(episode.position, BreakKind.CONTENT_ALTERED)
    told["occurred"] = {"S": occurred_key(timestamp(episode.occurred_at), episode.position)}
    if any(item.get(name) != stated for name, stated in told.items()):
        yield Break(episode.position, BreakKind.INDEX_ALTERED)


def episode_reference(keys: Mapping[str, Any] | None) -> tuple[Pair, int] | None:
    """Return pair and position behind the plain key of an episode's row; None for rows of other kinds, or forged ones.

    A forged key is verification's to name; failing here would keep the rows behind it from being indexed.
    """
    try:
        return (pair_of(str(keys["pk"])), _position_at(str(keys["sk"]))) if keys else None
    except (KeyError, ValueError, InvalidInput):
        return None


def text_object_of(item: Mapping[str, Any], pair: Pair) -> str | None:
    """Return the key of the object that holds a raw item's long text; only ever one of this pair's."""
    value = item.get("text_object", {}).get("S", "")
    return value if value and value.startswith(texts_of(pair)) else None


def chars_of(item: Mapping[str, Any]) -> int:
    """Return how many characters what a raw item tells has, its long text included, without loading that."""
    told = sum(len(item.get(name, {}).get("S", "")) for name in ("summary", "text", "topic", "evaluation"))
    if "text_object" not in item:
        return told
    try:
        return told + int(item["text_chars"]["N"])
    except (KeyError, ValueError):
        return told + MAX_TEXT_CHARS


def occurred_key(instant: str, position: int) -> str:
    """Return the sort key of the index by time: the time, and the position to order equal times."""
    return at_position(f"{instant}#", position)


def _outcome_json(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "correct": outcome.correct,
        "score": outcome.score,
        "concept": outcome.concept,
        "predicted": outcome.predicted,
    }


def _outcome_of(text: str | None) -> Outcome | None:
    if text is None:
        return None
    outcome = Outcome(**json.loads(text))
    if not isinstance(outcome.correct, bool):
        raise TypeError("no outcome")
    _number(outcome.score)
    if outcome.predicted is not None:
        _number(outcome.predicted)
    if outcome.concept is not None:
        _string(outcome.concept)
    return outcome


def _citation_of(value: Any) -> Citation:
    file_id, page, fingerprint = _list(value)
    if page is not None and (not isinstance(page, int) or isinstance(page, bool)):
        raise TypeError("no page")
    return Citation(_string(file_id), page, _string(fingerprint))


def _content_of(item: Mapping[str, Any], pair: Pair, texts: Mapping[str, bytes]) -> Content | None:
    """The content, or None when nothing at all is left of it; a part that somebody took out reads as empty.

    What is left of content without its summary so fails its commitment instead of passing for erased.
    """
    if not any(name in item for name in ("summary", "text", "topic", "evaluation", "text_object")):
        return None
    text_object = text_object_of(item, pair)
    whole = texts.get(text_object) if text_object else None
    # An edited object may be no UTF-8 any more; what comes back then fails the commitment, as it should.
    text = whole.decode("utf-8", "replace") if whole is not None else _text(item, "text") or ""
    return Content(
        _text(item, "summary") or "", text, topic=_text(item, "topic"), evaluation=_text(item, "evaluation")
    )


def _position_of(item: Mapping[str, Any]) -> int:
    return _position_at(item["sk"]["S"])


def _position_at(sort_key: str) -> int:
    position = position_of(sort_key)
    if position == 0 or not sort_key.startswith(PREFIX):
        raise ValueError("no episode has this key")
    return position


def _instant(text: str) -> datetime:
    at = instant_of(text)
    if at.tzinfo is None:
        raise ValueError("no instant without a zone")
    return at.astimezone(UTC)


def _strings(text: str) -> tuple[str, ...]:
    return tuple(_string(value) for value in _list(json.loads(text)))


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    value.encode()  # JSON can spell half a surrogate pair, which is no text and cannot be sent on
    return value


def _number(value: Any) -> float:
    if not isinstance(value, float | int) or isinstance(value, bool) or not math.isfinite(value):
        raise ValueError("no number")
    return value


def _offset(text: str) -> int:
    """A stored offset from UTC in minutes, less than a day; one that another hand wrote may be anything."""
    minutes = int(text)
    if abs(minutes) >= MINUTES_A_DAY:
        raise ValueError("no offset from UTC")
    return minutes


def _text(item: Mapping[str, Any], name: str) -> str | None:
    value = item.get(name)
    return None if value is None else value["S"]


def texts_of(pair: Pair) -> str:
    """Return the beginning of the keys of a pair's long texts."""
    return f"texts/{pair.key}/"
