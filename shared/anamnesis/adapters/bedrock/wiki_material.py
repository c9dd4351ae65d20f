"""What the model may read while it writes a page: staged pages and evidence that stands, each cut to a bound (WD-3).

Only what is staged is shown, never the wiki as it was: that may still hold what was erased since (WD-4).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Final

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.wiki.addresses import Address, Scheme, read_address
from anamnesis.domain.wiki.finding.search import Corpus
from anamnesis.domain.wiki.finding.written_turns import is_transcript
from anamnesis.domain.wiki.gates.sources import Sources
from anamnesis.domain.wiki.gates.standing import Standing
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.writing.wording import day_of, verdict

#: Characters shown of a page, of what stands at one address, and of that where many are shown at once. Ours.
MAX_PAGE_CHARS: Final = 8_000
MAX_EVIDENCE_CHARS: Final = 4_000
MAX_PIECE_CHARS: Final = 900
#: Addresses that come with the page at once, and turns shown of a session. Ours: nine pages of ten cite fewer.
MAX_PIECES: Final = 16
MAX_TURNS: Final = 40
MAX_HITS: Final = 5


class Material:
    """What there is to read, of one compile; safe to use from many threads."""

    def __init__(self, staged: Tree, standing: Standing) -> None:
        self._staged = staged
        self._standing = standing
        self._sources = Sources(standing)
        self._lock = threading.Lock()
        self._corpus: Corpus | None = None

    def page(self, path: str) -> str | None:
        """A staged page; None when there is none."""
        text = self._staged.get(path)
        return None if text is None else _cut(text, MAX_PAGE_CHARS)

    def addresses_on(self, text: str) -> list[Address]:
        """What a page cites and stands, in its order."""
        found = [a for a in read("", text).references.values() if a is not None]
        return [address for address in found if self._standing.fault(address) is None]

    def evidence(self, address: Address, most: int = MAX_EVIDENCE_CHARS) -> str | None:
        """What stands at an address; None when nothing does."""
        if self._standing.fault(address) is not None:
            return None
        if address.scheme in {Scheme.EPISODE, Scheme.SESSION}:
            episodes = self._standing.episodes_at(address)[:MAX_TURNS]
            each = max(MAX_PIECE_CHARS // 3, most // max(1, len(episodes)))
            return _cut("\n".join(_told(episode, each) for episode in episodes), most) or None
        with self._lock:
            said = [text for source in self._sources.at([address]) for text in source.source.texts]
        return (
            _cut("\n".join(said), most) or "its text is not part of the record; what it explains is not known"
        )

    def found(self, query: str) -> str:
        """Pages that hold the words of a query, with their most telling lines."""
        with self._lock:
            if self._corpus is None:
                # Transcripts are most of a wiki; what they hold, summaries and notes lead to.
                searched = {p: t for p, t in self._staged.items() if not is_transcript(p)}
                self._corpus = Corpus(searched)
            hits = self._corpus.search(query, limit=MAX_HITS)
        lines = [
            json.dumps([hit.path, hit.title, [passage.text for passage in hit.passages]], ensure_ascii=False)
            for hit in hits
        ]
        return "\n".join(lines) or "no page holds these words"

    def words_for(self, address: Address) -> str:
        """What an address is, for a page's list of references."""
        if address.scheme is Scheme.FILE:
            file = self._standing.files.get((address.where, address.what))
            page = "" if address.part is None else f", page {address.part}"
            return "" if file is None else f"{file.name}{page}"
        if address.scheme is Scheme.CONNECTOR:
            record = self._standing.records.get((address.where, address.what))
            return "" if record is None else record.title
        episodes = self._standing.episodes_at(address)
        if not episodes or (address.scheme is Scheme.SESSION and address.part is None):
            return ""
        return f"{episodes[0].kind.value} of {day_of(episodes[0].occurred_at).isoformat()}"

    def told(self, addresses: list[Address]) -> Mapping[Address, str]:
        """``words_for`` each that has any."""
        return {address: words for address in addresses if (words := self.words_for(address))}


def address_of(text: object) -> Address | None:
    """The address that a model gave; None when it is none."""
    try:
        return read_address(text) if isinstance(text, str) else None
    except InvalidInput:
        return None


def _told(episode: Episode, most: int) -> str:
    content = episode.content
    if content is None:
        return ""
    result = "" if episode.outcome is None else f", {verdict(episode.outcome)}"
    evaluation = f" (evaluation: {content.evaluation})" if content.evaluation else ""
    head = f"{episode.kind.value} of {day_of(episode.occurred_at).isoformat()}{result}: "
    return head + _cut(f"{content.text or content.summary}{evaluation}", most)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
