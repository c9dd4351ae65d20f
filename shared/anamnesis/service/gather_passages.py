"""Short passages for one question: of the pages that explain what it is about, and of the memories in its block."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from anamnesis.domain.concepts import SubjectMap
from anamnesis.domain.errors import AnamnesisError
from anamnesis.domain.grounding.indexed_files import FileText
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Content, Episode
from anamnesis.domain.text.containment import contained
from anamnesis.domain.tutoring.passages import (
    MAX_MEMORY_PASSAGES,
    MAX_PASSAGE_CHARS,
    Passage,
    file_passages,
)
from anamnesis.ports import EpisodeLog
from anamnesis.service.deadline import Deadline
from anamnesis.service.file_texts import FileTexts, with_texts
from anamnesis.service.map_cache import MapCache
from anamnesis.service.read_block import BlockReply
from anamnesis.service.withheld import Withheld

#: For how long files are fetched that no warm process has, how many at most, and characters of them. Ours: a model
#: takes as long for its first word, and a million characters take a second to fetch and index.
FETCH_SECONDS = 1.0
MAX_FILES = 8
MAX_CHARS = 1_000_000


@dataclass(frozen=True, slots=True)
class GatherPassages:
    """The use case's part; call it with a question and its block. What cannot be had in time is left out."""

    log: EpisodeLog
    maps: MapCache
    texts: FileTexts
    withheld: Withheld
    monotonic: Callable[[], float]

    def __call__(self, pair: Pair, question: str, block: BlockReply) -> tuple[Passage, ...]:
        """The passages, those of files first, each kind best first."""
        found: list[Passage] = []
        with suppress(AnamnesisError):
            found += self._of_files(pair, question, block)
        with suppress(AnamnesisError):
            found += self._of_memories(pair, block)
        return tuple(found)

    def _of_files(self, pair: Pair, question: str, block: BlockReply) -> tuple[Passage, ...]:
        subject_map = self.maps.load(pair.scope)
        routed = set(block.routed)
        about = [concept for concept in subject_map.concepts if concept.key in routed]
        explained = {(s.file_id, page) for concept in about for s in concept.sources for page in s.pages}
        files = self._files(subject_map, {file_id for file_id, _ in explained})
        return file_passages(files, question, [concept.name for concept in about], explained)

    def _files(self, subject_map: SubjectMap, first: set[str]) -> list[FileText]:
        """Page texts of the files that stand, those first that explain what is asked about."""
        deadline = Deadline.after(FETCH_SECONDS, self.monotonic)
        files = sorted(subject_map.files.values(), key=lambda r: (r.id not in first, r.id))
        texts: list[FileText] = []
        for record in with_texts(files)[:MAX_FILES]:
            if sum(text.chars for text in texts) >= MAX_CHARS:
                break
            if deadline.left() <= 0 and not self.texts.kept(record):
                continue
            text = self.texts.load(record)
            # The same bytes may be another file's too, under another name.
            if text.file_id == record.id and text.pages:
                texts.append(text)
        return texts

    def _of_memories(self, pair: Pair, block: BlockReply) -> list[Passage]:
        positions = list(block.positions[:MAX_MEMORY_PASSAGES])
        if not positions:
            return []
        episodes = self.log.read(pair, positions, with_text=False)
        return [
            Passage(
                "episode",
                episode.id,
                episode.kind.value,
                None,
                episode.local_occurred_at,
                contained(_told(episode, episode.content), max_chars=MAX_PASSAGE_CHARS),
            )
            for episode in self.withheld.left_out(pair, episodes, self.log.head(pair))
            if episode.content is not None
        ]


def _told(episode: Episode, content: Content) -> str:
    """What was said; of a check its summary too, which alone has its result."""
    said = (
        (content.summary, content.text) if episode.outcome is not None else (content.text or content.summary,)
    )
    return " · ".join(part for part in said if part)
