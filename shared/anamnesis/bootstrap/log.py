"""Use cases on a log of episodes and on what follows from it: recording, listing, proving, beliefs, the index."""

from __future__ import annotations

import time
from functools import cached_property

from anamnesis.bootstrap.parts import Parts
from anamnesis.service.append_episodes import AppendEpisodes
from anamnesis.service.index_again import IndexAgain
from anamnesis.service.index_episodes import IndexEpisodes
from anamnesis.service.list_beliefs import ListBeliefs
from anamnesis.service.list_checkpoints import ListCheckpoints
from anamnesis.service.list_episodes import ListEpisodes
from anamnesis.service.list_subjects import ListSubjects
from anamnesis.service.prove_episode import ProveEpisode
from anamnesis.service.rederive_beliefs import RederiveBeliefs
from anamnesis.service.verify_chain import VerifyChain


class LogUseCases(Parts):
    """The log, and what is made of it."""

    @cached_property
    def append_episodes(self) -> AppendEpisodes:
        """Record a batch of events."""
        return AppendEpisodes(
            log=self._log,
            concepts=self._concepts,
            beliefs=self._beliefs,
            records=self._records,
            maps=self._maps,
            project=self._project,
            clock=self.clock,
            roster=self._roster,
            erased=self._erased_events,
            ids=self._ids,
            backoff=self._backoff,
            monotonic=time.monotonic,
        )

    @cached_property
    def list_episodes(self) -> ListEpisodes:
        """Episodes of a time window."""
        return ListEpisodes(self._log, self._records, self._erasures, self._withheld)

    @cached_property
    def list_subjects(self) -> ListSubjects:
        """A student's subjects."""
        return ListSubjects(self._roster)

    @cached_property
    def verify_chain(self) -> VerifyChain:
        """Verify a log."""
        return VerifyChain(self._log, self._records, self._erasures, self._checkpoints, self._signer)

    @cached_property
    def list_checkpoints(self) -> ListCheckpoints:
        """Signed checkpoints of a log."""
        return ListCheckpoints(self._log, self._checkpoints, self._signer)

    @cached_property
    def prove_episode(self) -> ProveEpisode:
        """Prove to an outsider that an episode is in its log."""
        return ProveEpisode(self._log, self._checkpoints, self._signer, self._withheld)

    @cached_property
    def list_beliefs(self) -> ListBeliefs:
        """Beliefs and their history."""
        return ListBeliefs(self._beliefs, self._project)

    @cached_property
    def rederive_beliefs(self) -> RederiveBeliefs:
        """Beliefs by today's rules."""
        return RederiveBeliefs(
            self._log, self._beliefs, self._concepts, self._maps, self._backoff, self._withheld
        )

    @cached_property
    def index_episodes(self) -> IndexEpisodes:
        """Embed new episodes."""
        return IndexEpisodes(self._log, self._records, self.embedder, self._semantic_index, self._refresh)

    @cached_property
    def index_again(self) -> IndexAgain:
        """Index what was recorded in a span of time once more."""
        return IndexAgain(self._log, self.index_episodes)
