"""Use cases of a turn: letting a request in, the block before the answer, tracing the answer."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

from anamnesis.adapters.dynamodb.request_counter import DynamoRequestCounter
from anamnesis.bootstrap.parts import Parts
from anamnesis.domain.recall import WEIGHTS
from anamnesis.service.admit_request import AdmitRequest
from anamnesis.service.file_texts import FileTexts
from anamnesis.service.ground_answer import GroundAnswer
from anamnesis.service.read_block import ReadBlock

#: Threads that count requests: one, and one more for when the counter is slow to answer.
COUNTING_THREADS = 2


class TurnUseCases(Parts):
    """What a turn waits for."""

    @cached_property
    def admit_request(self) -> AdmitRequest:
        """Let a tenant's request in."""
        return AdmitRequest(
            counter=DynamoRequestCounter(self._dynamodb, table=self._settings.records_table),
            clock=self.clock,
            # Threads of its own: a counter that hangs must not take those that fetch a turn's sources.
            executor=ThreadPoolExecutor(max_workers=COUNTING_THREADS, thread_name_prefix="count"),
            limit=self._settings.tenant_requests_per_minute,
            monotonic=time.monotonic,
        )

    @cached_property
    def read_block(self) -> ReadBlock:
        """One turn's memory block."""
        return ReadBlock(
            log=self._log,
            beliefs=self._beliefs,
            concepts=self._concepts,
            records=self._records,
            embedder=self.embedder,
            semantic_index=self._semantic_index,
            maps=self._maps,
            histories=self._histories,
            executor=self._executor,
            monotonic=time.monotonic,
            weights=WEIGHTS[self._settings.ranking],
        )

    @cached_property
    def ground_answer(self) -> GroundAnswer:
        """Trace an answer's claims."""
        return GroundAnswer(
            log=self._log,
            concepts=self._concepts,
            beliefs=self._beliefs,
            records=self._records,
            maps=self._maps,
            histories=self._histories,
            texts=FileTexts(self._concepts),
            withheld=self._withheld,
            clock=self.clock,
        )
