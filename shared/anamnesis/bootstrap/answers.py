"""Use cases of a chat: starting an answer, writing it, looking at it."""

from __future__ import annotations

import time
from functools import cached_property

from anamnesis.adapters.sqs import SqsAnswerQueue
from anamnesis.bootstrap.log import LogUseCases
from anamnesis.bootstrap.turns import TurnUseCases
from anamnesis.service.file_texts import FileTexts
from anamnesis.service.gather_conversation import GatherConversation
from anamnesis.service.gather_passages import GatherPassages
from anamnesis.service.read_answer import ReadAnswer
from anamnesis.service.start_answer import StartAnswer
from anamnesis.service.write_answer import WriteAnswer


class AnswerUseCases(TurnUseCases, LogUseCases):
    """What a chat with a model takes."""

    @cached_property
    def start_answer(self) -> StartAnswer:
        """Begin one turn of a chat."""
        return StartAnswer(
            log=self._log,
            answers=self._answers,
            queue=SqsAnswerQueue(self._client("sqs"), queue_url=self._settings.answer_queue_url),
            read_block=self.read_block,
            passages=GatherPassages(
                self._log, self._maps, FileTexts(self._concepts), self._withheld, time.monotonic
            ),
            conversation=GatherConversation(self._log, self._withheld),
            append=self.append_episodes,
            clock=self.clock,
            model=self._tutor_name,
        )

    @cached_property
    def write_answer(self) -> WriteAnswer:
        """Have the model write an answer."""
        return WriteAnswer(
            log=self._log,
            answers=self._answers,
            model=self._tutor,
            append=self.append_episodes,
            ground=self.ground_answer,
            clock=self.clock,
            ids=self._ids,
            monotonic=time.monotonic,
        )

    @cached_property
    def read_answer(self) -> ReadAnswer:
        """Look at an answer."""
        return ReadAnswer(self._answers, self._log, self.clock)
