"""Histories recorded by the real use cases, in one process, on stores that stand in for DynamoDB and S3."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

from anamnesis.bootstrap import BlockReply, BlockRequest, Deadline
from anamnesis.domain.concepts import SubjectMap
from anamnesis.domain.files import FileRecord, FileStatus
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import MAX_BATCH, Episode
from anamnesis.ports import Embedder
from anamnesis_tools.bench.costs.stand_in_stores import StandInStores
from anamnesis_tools.bench.costs.turn_costs import WatchedApplication, insist_on_credentials
from anamnesis_tools.bench.histories.values import CourseFile, History

TENANT = "bench"
#: Whoever uploads a subject's files.
_TEACHER = "teacher"
#: A turn's deadline is a promise about time; evidence is measured without it.
_PATIENCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Recorded:
    """A history in the memory.

    Attributes
    ----------
    episodes
        As stored, one for each event of the history, in its order.
    shared_map
        The subject's map as its files give it, without anything of the student.
    """

    history: History
    pair: Pair
    episodes: tuple[Episode, ...]
    shared_map: SubjectMap


class RecordingApplication(WatchedApplication):
    """The application with an embedder of the caller's, and uploads that need no HTTP."""

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        insist_on_credentials()
        super().__init__(StandInStores(folder / "stores.sqlite"))
        self._given_embedder = embedder

    @cached_property
    def embedder(self) -> Any:
        """The given one."""
        return self._given_embedder

    def upload(self, pair: Pair, file: CourseFile) -> FileRecord:
        """Upload a file and read it into the map.

        Raises
        ------
        ValueError
            If the reader refuses it.
        """
        ticket = self.offer_file(pair, name=file.name, media_type=file.media_type, size=len(file.data))
        bucket, _, key = unquote(urlsplit(ticket.url).path).lstrip("/").partition("/")
        # The ticket's address quotes the key, whose own percent signs stay.
        self._s3.put_object(Bucket=bucket, Key=key, Body=file.data)
        read = self.read_file(key)
        if read is None or read.status is not FileStatus.READ:
            raise ValueError(f"{file.name} could not be read")
        return read

    def block(
        self, recorded: Recorded, question: str, budget_tokens: int, switch_off: frozenset[str]
    ) -> BlockReply:
        """Return a turn's block as of when the history's questions are asked.

        Raises
        ------
        RuntimeError
            If a source was late, so that the block says nothing about the design.
        """
        history = recorded.history
        request = BlockRequest(
            recorded.pair, question, ZoneInfo(history.zone), budget_tokens, history.asked_at, switch_off
        )
        reply: BlockReply = self.read_block(
            request, deadline=Deadline.after(_PATIENCE_SECONDS, time.monotonic)
        )
        if reply.dropped or reply.degraded:
            raise RuntimeError(f"no whole block: {reply.degraded}")
        return reply


def recorded(application: RecordingApplication, histories: Sequence[History]) -> Iterator[Recorded]:
    """Record histories one after the other, their files first; yield each once its working set is made."""
    files: dict[str, dict[str, str]] = {}
    for history in histories:
        pair = Pair(TENANT, history.name, history.subject)
        if history.subject not in files:
            teacher = replace(pair, student=_TEACHER)
            files[history.subject] = {
                file.name: application.upload(teacher, file).id for file in history.files
            }
        episodes = _appended(application, pair, history, files[history.subject])
        # What a night does for reading; its summaries and limits are left out, since no design is about them.
        application.index_episodes.refresh(pair)
        shared_map = application.read_block.maps.load(pair.scope)
        yield Recorded(history, pair, tuple(episodes), shared_map)


def _appended(
    application: RecordingApplication, pair: Pair, history: History, ids: dict[str, str]
) -> list[Episode]:
    drafts = [
        replace(event, evidence=tuple((ids[name], page) for name, page in event.evidence if name in ids))
        for event in history.events
    ]
    episodes: list[Episode] = []
    for start in range(0, len(drafts), MAX_BATCH):
        episodes += application.append_episodes(pair, f"bench-{start}", drafts[start : start + MAX_BATCH])
    return episodes
