"""The concept reader on Bedrock Converse with a forced tool (``ports.ConceptReader``; CM-1, CM-2, SV-13).

The file's text is data: it stands between fences that it cannot contain, the model can only answer by calling one tool,
and whatever comes back passes pydantic and the validator, which also looks whether the cited pages bear it out. Long
files are read in parts, some at a time, and merged under one bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import Any

from anamnesis.adapters.backoff import JitteredBackoff
from anamnesis.adapters.bedrock.calls import ConverseCalls
from anamnesis.adapters.bedrock.concept_conversation import LEAST_SECONDS, Conversation, Part, PartReading
from anamnesis.domain.concepts import MAX_CONCEPTS_PER_FILE, Extraction, ModelUse
from anamnesis.domain.concepts.file_parts import parts, size
from anamnesis.domain.concepts.part_merging import merged
from anamnesis.domain.concepts.validation import validate
from anamnesis.domain.errors import ModelUnavailable
from anamnesis.domain.extraction import document_language
from anamnesis.domain.files import Document
from anamnesis.ports import Backoff, ReadingProgress

#: Bytes of one part: some 25,000 tokens of Latin text and 25,000 to 75,000 of other scripts, within any context of
#: 128,000.
PART_BYTES = 100_000
#: How far a part reaches back into the one before, so that an explanation across the cut is seen whole once.
OVERLAP_BYTES = 2_000
#: Parts read at once: six calls of half a minute take some 300,000 tokens a minute, within usual quotas.
AT_ONCE = 6
#: Of a file in parts each records fewer concepts: a quarter more than its share of the bound, so that the model picks
#: what matters and hardly the merging; and at least these, so that what several parts name shows.
_SPARE = 1.25
_LEAST_OF_PART = 15
#: Refusals kept of one file.
_MOST_REFUSED = 240


#: A reading that nobody bounds or keeps.
_IN_ONE_GO = ReadingProgress(
    seconds_left=lambda: math.inf, kept=lambda _part: None, keep=lambda _part, _data: None
)


class BedrockConceptReader:
    """Asks a model on Bedrock for the concepts a document explains.

    Parameters
    ----------
    client
        A boto3 client of ``bedrock-runtime``, thread-safe as all are, without retries of its own.
    model_id
        Model or inference profile that supports tool use in Converse.
    part_bytes, overlap_bytes
        Size of the parts that a long file is read in, and their overlap, in bytes of UTF-8.
    at_once
        Most parts read at once.
    backoff
        Waits between tries of a call.
    on_use
        Told what every answered call took, for metrics; called from many threads.
    """

    def __init__(
        self,
        client: Any,
        model_id: str,
        *,
        part_bytes: int = PART_BYTES,
        overlap_bytes: int = OVERLAP_BYTES,
        at_once: int = AT_ONCE,
        backoff: Backoff | None = None,
        on_use: Callable[[ModelUse], None] = lambda _use: None,
    ) -> None:
        self._part_bytes = part_bytes
        self._overlap_bytes = overlap_bytes
        self._at_once = at_once
        self._name = f"bedrock-2:{model_id}"
        self._conversation = Conversation(
            calls=ConverseCalls(
                client=client,
                model_id=model_id,
                backoff=backoff or JitteredBackoff(base_seconds=0.5, cap_seconds=20.0),
                on_use=on_use,
                least_seconds=LEAST_SECONDS,
                list_name="concepts",
            ),
            reader=self._name,
        )

    @property
    def name(self) -> str:
        """Name and version, kept with what it read."""
        return self._name

    def read(
        self, document: Document, *, file_name: str, progress: ReadingProgress | None = None
    ) -> Extraction:
        """At most ``MAX_CONCEPTS_PER_FILE`` validated concepts, from all parts of the document or not at all.

        Raises
        ------
        ModelUnavailable
            If a part could not be read, or not in the time there is. What was read is kept by `progress`, and the next
            call asks only for the rest.
        """
        cut = parts(document.pages, part_bytes=self._part_bytes, overlap_bytes=self._overlap_bytes)
        bound = MAX_CONCEPTS_PER_FILE
        most = (
            bound if len(cut) < 2 else min(bound, max(_LEAST_OF_PART, math.ceil(_SPARE * bound / len(cut))))
        )
        # A page longer than a part is looked at in its pieces.
        whole = {page.number: page for page in document.pages if size(page.text) <= self._part_bytes}
        asked = [
            Part(
                pages=pages,
                whole=tuple(whole.get(page.number, page) for page in pages),
                number=number,
                of=len(cut),
                file_name=file_name,
                page_count=len(document.pages),
                most=most,
            )
            for number, pages in enumerate(cut, start=1)
        ]
        readings = self._read_all(asked, progress or _IN_ONE_GO)
        # What parts say was validated with their pages; merging leaves edges between what is left to be put in order.
        concepts, refused = validate(
            merged(reading.concepts for reading in readings), page_count=len(document.pages)
        )
        rejected = [rejection for reading in readings for rejection in reading.rejected] + refused
        return Extraction(
            language=document_language(document.pages),
            reader=self._name,
            concepts=tuple(concepts),
            rejected=tuple(rejected[:_MOST_REFUSED]),
            use=sum((reading.use for reading in readings), ModelUse()),
        )

    def _read_all(self, asked: Sequence[Part], progress: ReadingProgress) -> list[PartReading]:
        if not asked:
            return []
        threads = ThreadPoolExecutor(max_workers=min(self._at_once, len(asked)), thread_name_prefix="read")
        try:
            futures = [threads.submit(self._conversation.read, part, progress) for part in asked]
            wait(futures, timeout=_seconds(progress), return_when=FIRST_EXCEPTION)
            for future in futures:
                future.cancel()
            # Those under way are paid for: whatever they give is kept for the next try.
            wait([future for future in futures if not future.cancelled()], timeout=_seconds(progress))
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
        return _all_or_nothing(futures)


def _seconds(progress: ReadingProgress) -> float | None:
    left = progress.seconds_left()
    return None if math.isinf(left) else max(0.0, left)


def _all_or_nothing(futures: Sequence[Future[PartReading]]) -> list[PartReading]:
    ended = [future for future in futures if future.done() and not future.cancelled()]
    failures = [failure for future in ended if (failure := future.exception()) is not None]
    done = len(ended) - len(failures)
    if done == len(futures):
        return [future.result() for future in futures]
    others = [failure for failure in failures if not isinstance(failure, ModelUnavailable)]
    if others:
        raise others[0]
    why = str(failures[0]) if failures else "the time for reading is over"
    raise ModelUnavailable(f"{done} of {len(futures)} parts are read: {why}")
