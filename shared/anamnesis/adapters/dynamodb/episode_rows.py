"""Episodes as rows, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anamnesis.adapters.dynamodb.attributes import instant_of, instant_text
from anamnesis.adapters.dynamodb.keys import at_position, pair_of, position_of
from anamnesis.adapters.dynamodb.models import EpisodeRow
from anamnesis.domain.episodes import Citation, Content, Episode, Kind, Outcome
from anamnesis.domain.identifiers import Pair

PREFIX = "E#"
#: Longest text that stays whole in the row, in bytes of UTF-8; a turn reads dozens of rows and shows a line of each.
MAX_ROW_TEXT_BYTES = 4_096
#: What the row keeps of a longer text, in characters: more than a block ever shows of one memory.
BEGINNING_CHARS = 500


def text_object_key(episode: Episode) -> str | None:
    """Return the key of the object for an episode's text, or None when it fits the row.

    It is made from the salted commitment, which says nothing about the text, and never changes. 48 of its 64 hex
    digits keep the longest pair's key within the 1,024 bytes that S3 allows.
    """
    if episode.content is None or len(episode.content.text.encode()) <= MAX_ROW_TEXT_BYTES:
        return None
    return f"texts/{episode.pair.key}/{episode.commitment[:48]}"


def row_of(episode: Episode, model: type[EpisodeRow]) -> EpisodeRow:
    """Return the row of an episode; its long text is stored by the caller, before."""
    content = episode.content
    text_object = text_object_key(episode)
    return model(
        episode.pair.key,
        at_position(PREFIX, episode.position),
        occurred=occurred_key(instant_text(episode.occurred_at), episode.position),
        id=episode.id,
        kind=episode.kind.value,
        recorded_at=episode.recorded_at,
        summary=content.summary if content else None,
        text=(content.text[:BEGINNING_CHARS] if text_object else content.text) if content else None,
        topic=content.topic if content else None,
        evaluation=content.evaluation if content else None,
        salt=episode.salt,
        text_object=text_object,
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


def episode_of(row: EpisodeRow, pair: Pair, texts: Mapping[str, bytes]) -> Episode:
    """Return the episode of a row, with its long text if `texts` has it and else with the beginning."""
    content = None
    if row.summary is not None:
        whole = texts.get(row.text_object) if row.text_object else None
        # An edited object may be no UTF-8 any more; what comes back then fails the commitment, as it should.
        text = whole.decode("utf-8", "replace") if whole is not None else row.text or ""
        content = Content(summary=row.summary, text=text, topic=row.topic, evaluation=row.evaluation)
    return Episode(
        id=row.id,
        pair=pair,
        position=position_of(row.sk),
        kind=Kind(row.kind),
        occurred_at=instant_of(row.occurred.partition("#")[0]),
        recorded_at=row.recorded_at,
        content=content,
        salt=row.salt,
        commitment=row.commitment,
        concepts=tuple(row.concepts),
        salience=row.salience,
        language=row.language,
        session_id=row.session_id,
        outcome=_outcome_of(row.outcome),
        evidence=tuple(Citation(file_id, page, fingerprint) for file_id, page, fingerprint in row.evidence),
        memory_ids=tuple(row.memory_ids),
        about_record=row.about_record,
        previous_hash=row.previous_hash,
        hash=row.hash,
    )


def episode_of_image(image: Mapping[str, Any]) -> Episode:
    """Return the episode of a stream record's new image (attribute values as DynamoDB's JSON has them).

    A long text comes as its beginning only.

    Raises
    ------
    InvalidInput
        If its partition key is no pair's key.
    """
    row = EpisodeRow.from_raw_data(dict(image))
    return episode_of(row, pair_of(row.pk), {})


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


def _outcome_of(value: dict[str, Any] | None) -> Outcome | None:
    return None if value is None else Outcome(**value)
