"""Use cases on all that is kept of a pair or a student: nights, erasing, exports, reports."""

from __future__ import annotations

from functools import cached_property

from anamnesis.adapters.sqs import SqsNightQueue, SqsWikiQueue
from anamnesis.bootstrap.wiki import WikiUseCases
from anamnesis.service.clear_erased import ClearErased
from anamnesis.service.clear_wiki import ClearWiki
from anamnesis.service.compose_report import ComposeReport
from anamnesis.service.erase_memory import EraseMemory
from anamnesis.service.export_memory import ExportMemory
from anamnesis.service.get_self_model import GetSelfModel
from anamnesis.service.run_night import RunNight
from anamnesis.service.start_night import StartNight


class UpkeepUseCases(WikiUseCases):
    """What goes over everything that is kept."""

    @cached_property
    def start_night(self) -> StartNight:
        """Queue a night."""
        queue = SqsNightQueue(self._client("sqs"), queue_url=self._settings.night_queue_url)
        return StartNight(self._log, queue)

    @cached_property
    def run_night(self) -> RunNight:
        """Run one pair's night."""
        return RunNight(
            log=self._log,
            beliefs=self._beliefs,
            concepts=self._concepts,
            records=self._records,
            maps=self._maps,
            append=self.append_episodes,
            project=self._project,
            verify=self.verify_chain,
            refresh=self._refresh,
            erase=self.erase_memory,
            checkpoints=self._checkpoints,
            signer=self._signer,
            clock=self.clock,
            withheld=self._withheld,
            wikis=SqsWikiQueue(self._client("sqs"), queue_url=self._settings.wiki_queue_url),
        )

    @cached_property
    def get_self_model(self) -> GetSelfModel:
        """The latest self-model."""
        return GetSelfModel(self._records)

    @cached_property
    def compose_report(self) -> ComposeReport:
        """A report for a teacher."""
        return ComposeReport(
            log=self._log,
            beliefs=self._beliefs,
            records=self._records,
            erasures=self._erasures,
            histories=self._histories,
            view_map=self.view_map,
            verify=self.verify_chain,
            withheld=self._withheld,
            clock=self.clock,
            executor=self._executor,
        )

    @cached_property
    def export_memory(self) -> ExportMemory:
        """Everything kept of a student."""
        return ExportMemory(
            roster=self._roster,
            log=self._log,
            beliefs=self._beliefs,
            concepts=self._concepts,
            records=self._records,
            erasures=self._erasures,
            answers=self._answers,
            project=self._project,
            withheld=self._withheld,
            clock=self.clock,
        )

    @cached_property
    def erase_memory(self) -> EraseMemory:
        """Erase an episode, a subject or a student."""
        return EraseMemory(
            log=self._log,
            erasures=self._erasures,
            events=self._erased_events,
            roster=self._roster,
            concepts=self._concepts,
            uploads=self._uploads,
            publish=self._publish,
            clear=ClearErased(
                erasures=self._erasures,
                events=self._erased_events,
                records=self._records,
                answers=self._answers,
                concepts=self._concepts,
                semantic_index=self._semantic_index,
                project=self._project,
                refresh=self._refresh,
                wiki=ClearWiki(self._wikis, self._log, self._compile_without_asking, self.clock),
                clock=self.clock,
            ),
            signer=self._signer,
            clock=self.clock,
            ids=self._ids,
        )
