"""What several use cases share: what is withheld, what a warm process keeps, what follows from the log."""

from __future__ import annotations

from functools import cached_property

from anamnesis.adapters.keyed_hash import KmsKeyedHash
from anamnesis.bootstrap.adapters import Adapters
from anamnesis.service.erased_events import ErasedEvents
from anamnesis.service.history import HistoryReader
from anamnesis.service.map_cache import MapCache
from anamnesis.service.project_log import ProjectLog
from anamnesis.service.publish_map import PublishMap
from anamnesis.service.refresh_working_set import RefreshWorkingSet
from anamnesis.service.withheld import Withheld


class Parts(Adapters):
    """Parts of use cases; each serves all use cases of its process."""

    @cached_property
    def _withheld(self) -> Withheld:
        return Withheld(self._erasures, self._signer)

    @cached_property
    def _maps(self) -> MapCache:
        return MapCache(self._concepts)

    @cached_property
    def _histories(self) -> HistoryReader:
        """One for all use cases, so that a warm process keeps a working set once."""
        return HistoryReader(self._log, self._records, self.embedder, self._executor, self._withheld)

    @cached_property
    def _project(self) -> ProjectLog:
        return ProjectLog(self._log, self._beliefs, self._concepts, self._maps, self._backoff, self._withheld)

    @cached_property
    def _publish(self) -> PublishMap:
        return PublishMap(self._concepts, self.embedder)

    @cached_property
    def _refresh(self) -> RefreshWorkingSet:
        return RefreshWorkingSet(self._log, self._erasures, self._records, self.embedder, self._withheld)

    @cached_property
    def _erased_events(self) -> ErasedEvents:
        keyed_hash = KmsKeyedHash(self._client("kms"), self._settings.erasure_key_id)
        return ErasedEvents(self._log, self._erasures, keyed_hash, self._withheld)
