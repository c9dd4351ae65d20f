"""The only place that wires use cases to adapters.

Each module wires an area and builds on those below it: ``upkeep`` on ``wiki`` on ``files`` on ``log``, ``answers`` on
``turns`` and ``log``, and all of them on ``parts`` (what use cases share) and ``adapters`` (stores, models, clients).
"""

from __future__ import annotations

import gc
import time
from functools import cache
from zoneinfo import ZoneInfo

from anamnesis.adapters.dynamodb.episode_rows import episode_reference
from anamnesis.adapters.sqs import answer_message, night_message, wiki_message
from anamnesis.bootstrap.adapters import SIGNER_NAME
from anamnesis.bootstrap.answers import AnswerUseCases
from anamnesis.bootstrap.upkeep import UpkeepUseCases
from anamnesis.domain.block import MIN_BUDGET_TOKENS
from anamnesis.domain.identifiers import Pair
from anamnesis.service.admit_request import Admission
from anamnesis.service.append_episodes import Draft
from anamnesis.service.compile_wiki import CompileReport
from anamnesis.service.deadline import Deadline
from anamnesis.service.erase_memory import ErasureReport
from anamnesis.service.export_memory import SubjectExport
from anamnesis.service.follow_evidence import FollowedEvidence
from anamnesis.service.ground_answer import TRACE_SECONDS
from anamnesis.service.list_episodes import PAGE_CHARS
from anamnesis.service.read_block import DEADLINE_SECONDS, LAYERS, BlockReply, BlockRequest
from anamnesis.service.read_wiki import WikiDiff, WikiPage
from anamnesis.service.recall_wiki import WikiRecall
from anamnesis.service.start_answer import AnswerRequest, StartedAnswer
from anamnesis.service.view_map import MapView
from anamnesis.service.write_answer import WrittenAnswer
from anamnesis.settings import Settings

#: What an entry point takes from here: the application, and the values that its use cases are called with.
__all__ = [
    "DEADLINE_SECONDS",
    "LAYERS",
    "PAGE_CHARS",
    "SIGNER_NAME",
    "TRACE_SECONDS",
    "Admission",
    "AnswerRequest",
    "Application",
    "BlockReply",
    "BlockRequest",
    "CompileReport",
    "Deadline",
    "Draft",
    "ErasureReport",
    "FollowedEvidence",
    "MapView",
    "Settings",
    "StartedAnswer",
    "SubjectExport",
    "WikiDiff",
    "WikiPage",
    "WikiRecall",
    "WrittenAnswer",
    "answer_message",
    "application",
    "episode_reference",
    "night_message",
    "wiki_message",
]

#: Longest warm-up. Lambda gives initialisation ten seconds.
WARM_UP_SECONDS = 6.0
#: Asked then: one with a time, and one that is searched for every cue and has none, which loads all languages of Latin
#: script at once (0.2 s of processor). Other scripts' are loaded when they are first asked in, 30 to 60 ms each.
WARM_UP_QUESTIONS = ("What did we do yesterday about warm-up?", "Why is a warm-up needed?")


@cache
def application() -> Application:
    """The application of this process, wired from the environment; made once, its parts when first used."""
    return Application(Settings.from_environment())


class Application(AnswerUseCases, UpkeepUseCases):
    """Every use case, each with its adapters; a function only pays for the ones it uses."""

    def warm_up(self) -> None:
        """Read blocks of a pair that has nothing, before the first turn's clock runs.

        That loads the embedding model and the language tables and opens the connections that a turn uses: most of
        what a cold turn would wait for. All this stays as long as the process does, so that the garbage collector need
        not walk through it in the midst of a turn, which takes it 0.1 s.
        """
        nobody = Pair("warm-up", "warm-up", "warm-up")
        deadline = Deadline.after(WARM_UP_SECONDS, time.monotonic)
        for question in WARM_UP_QUESTIONS:
            request = BlockRequest(nobody, question, ZoneInfo("UTC"), MIN_BUDGET_TOKENS, self.clock.now())
            self.read_block(request, deadline=deadline)
        gc.collect()
        gc.freeze()
