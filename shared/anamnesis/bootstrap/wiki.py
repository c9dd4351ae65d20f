"""Use cases on wikis: compiling, writing, reading, finding, serving them, and following what they cite."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from anamnesis.agents.wiki import Wiki
from anamnesis.bootstrap.files import FileUseCases
from anamnesis.domain.recall import WEIGHTS
from anamnesis.domain.wiki.connectors import ConnectorKind
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.ports import WikiWriter
from anamnesis.service.compile_wiki import CompileWiki
from anamnesis.service.connectors import Connectors
from anamnesis.service.find_in_wiki import FindInWiki
from anamnesis.service.follow_evidence import FollowEvidence
from anamnesis.service.read_wiki import ReadWiki
from anamnesis.service.recall_wiki import RecallWiki
from anamnesis.service.serve_git import ServeGit
from anamnesis.service.shown_wikis import ShownWikis
from anamnesis.service.wiki_evidence import LoadWikiEvidence
from anamnesis.service.write_wiki_page import WriteWikiPage


class WikiUseCases(FileUseCases):
    """A student's wiki, for people and agents."""

    @cached_property
    def compile_wiki(self) -> CompileWiki:
        """Bring a student's wiki up to what the memory holds."""
        return self._compile_by(self._wiki_writer(asks=True))

    @cached_property
    def _compile_without_asking(self) -> CompileWiki:
        """The same, but that what a model wrote is kept and none is asked: erasing waits for nobody."""
        return self._compile_by(self._wiki_writer(asks=False))

    def _compile_by(self, writer: WikiWriter) -> CompileWiki:
        return CompileWiki(self._wikis, self._wiki_evidence, writer, self.clock, DeterministicWriter())

    @cached_property
    def write_wiki_page(self) -> WriteWikiPage:
        """A page as an agent writes it."""
        return WriteWikiPage(self._shown_wikis, self._wiki_evidence, self.clock, self._backoff)

    @cached_property
    def connectors(self) -> Connectors:
        """Evidence outside the log."""
        from anamnesis.adapters.connectors.icalendar import CalendarConnector
        from anamnesis.adapters.connectors.store import S3ConnectorStore
        from anamnesis.adapters.connectors.web import WebFetcher

        return Connectors(
            store=S3ConnectorStore(self._content),
            web=WebFetcher(),
            open={
                ConnectorKind.ICALENDAR: lambda name, data, at: CalendarConnector(name, data, fetched_at=at)
            },
            clock=self.clock,
        )

    @cached_property
    def read_wiki(self) -> ReadWiki:
        """Index, pages and history of a wiki."""
        return ReadWiki(self._shown_wikis)

    @cached_property
    def find_in_wiki(self) -> FindInWiki:
        """Search a wiki, or take the files that a session starts with."""
        return FindInWiki(self._shown_wikis)

    @cached_property
    def recall_wiki(self) -> RecallWiki:
        """What the memory holds about something, and the records behind it."""
        return RecallWiki(
            roster=self._roster,
            log=self._log,
            histories=self._histories,
            withheld=self._withheld,
            embedder=self.embedder,
            repository=self._shown_wikis,
            find=self.find_in_wiki,
            weights=WEIGHTS[self._settings.ranking],
        )

    @cached_property
    def follow_evidence(self) -> FollowEvidence:
        """What a wiki's citations stand on."""
        return FollowEvidence(
            log=self._log,
            concepts=self._concepts,
            list_episodes=self.list_episodes,
            list_files=self.list_files,
            withheld=self._withheld,
            connectors=self.connectors,
            roster=self._roster,
        )

    @cached_property
    def serve_git(self) -> ServeGit:
        """A wiki to clients of git."""
        return ServeGit(self._shown_wikis)

    def invoked_wiki(self, context: Mapping[str, Any], student: str | None) -> Wiki:
        """A wiki as the API shows it to whom the gateway's authoriser let in, by the context of their request."""
        from anamnesis.adapters.invoked_api import InvokedApi
        from anamnesis.agents.api_wiki import ApiWiki

        call = InvokedApi(self._functions, self._settings.api_function, context, student=student)
        return ApiWiki(call, now=self.clock.now, new_key=self._ids.new_salt)

    @cached_property
    def _wiki_evidence(self) -> LoadWikiEvidence:
        return LoadWikiEvidence(
            self._roster,
            self._log,
            self._beliefs,
            self._concepts,
            self._maps,
            self._project,
            self._withheld,
            self.connectors,
        )

    @cached_property
    def _shown_wikis(self) -> ShownWikis:
        """Wikis for whoever answers somebody; only a compile and an erasure work on them as they are."""
        return ShownWikis(self._wikis, self._roster, self._log, self._withheld)
