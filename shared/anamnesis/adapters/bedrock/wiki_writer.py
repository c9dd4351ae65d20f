"""The wiki writer that lets a model on Bedrock do the synthesis (``ports.WikiWriter``; WD-3, SV-13).

The deterministic writer makes the tree. The model is asked about pages of knowledge/ that something the student did
stands behind and whose evidence it has not been asked about yet: those that changed first, then what waits, a bounded
number a compile. What it wrote of evidence that is the same stays, after another look of the gate; all else is the
deterministic text at once. A model that is not to be had costs a compile nothing but its sentences.
"""

from __future__ import annotations

import logging
import math
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from anamnesis.adapters.backoff import JitteredBackoff
from anamnesis.adapters.bedrock.calls import ConverseCalls
from anamnesis.adapters.bedrock.wiki_material import Material
from anamnesis.adapters.bedrock.wiki_page import Allowance, Ending, PageInHand, PageWriting
from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.errors import ModelUnavailable
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.gates.standing import Standing
from anamnesis.domain.wiki.gates.synthesis_rules import SynthesisGate
from anamnesis.domain.wiki.gates.trees import kind_at
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import PageKind, Tree
from anamnesis.domain.wiki.writing.synthesis import Synthesis, fingerprint, synthesis_on
from anamnesis.domain.wiki.writing.tree import Draft
from anamnesis.ports import Backoff

logger = logging.getLogger(__name__)

#: Pages that a compile asks about at most, and tokens of input and output after which it asks no more. Ours: two new
#: sessions touch a dozen pages.
MAX_PAGES: Final = 24
MAX_TOKENS: Final = 400_000
#: Pages written at once: with answers of ten seconds a compile's pages take two minutes.
AT_ONCE: Final = 4
#: Longest wait for an answer: its tokens at 60 a second. The client is given this as its time-out.
CALL_SECONDS: Final = 50.0
#: What the gates and the commit take after the writing, at most a minute for a first compile of a thousand sessions;
#: with less than this and a call's time left no call is begun.
RESERVE_SECONDS: Final = 60.0
#: Tries of one call; with pauses below 5 s a throttle of some seconds is waited for, and no outage.
TRIES: Final = 4
#: Kinds of pages that get a synthesis, the most important first.
_ORDER: Final = (PageKind.LEARNING, PageKind.PROJECT, PageKind.CONCEPT, PageKind.ENTITY)
#: What was made and not committed yet is kept for the next try of the same compile. Ours.
_MAX_MADE: Final = 512

_Key = tuple[StudentScope, str, str]


@dataclass(slots=True)
class _Run:
    """One compile: its pages, and what became of them."""

    draft: Draft
    current: Tree
    gate: SynthesisGate
    material: Material
    texts: dict[str, str] = field(default_factory=dict)
    told: Counter[str] = field(default_factory=Counter)

    def in_hand(self, path: str, of: str) -> PageInHand:
        """A page as the model gets it."""
        return PageInHand(path, self.draft.plain[path], of, lambda synthesis: self.text(path, synthesis))

    def text(self, path: str, synthesis: Synthesis) -> str:
        """A page with a synthesis."""
        cites = [address for statement in synthesis.statements for address in statement.cites]
        return self.draft.text(path, synthesis, self.material.told(cites))

    def take(self, path: str, synthesis: Synthesis) -> None:
        """Put a synthesis onto its page."""
        self.texts[path] = self.text(path, synthesis)


class BedrockWikiWriter:
    """Asks a model on Bedrock for the synthesis of pages.

    Parameters
    ----------
    client
        A boto3 client of ``bedrock-runtime`` without retries of its own, whose time-out is ``CALL_SECONDS``.
    model_id
        Model or inference profile that supports tool use in Converse.
    max_pages, max_tokens
        Bounds of one compile.
    at_once
        Pages written at once.
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
        max_pages: int = MAX_PAGES,
        max_tokens: int = MAX_TOKENS,
        at_once: int = AT_ONCE,
        backoff: Backoff | None = None,
        on_use: Callable[[ModelUse], None] = lambda _use: None,
    ) -> None:
        self._name = f"bedrock-wiki-1:{model_id}"
        self._max_pages = max_pages
        self._max_tokens = max_tokens
        self._at_once = at_once
        self._made: OrderedDict[_Key, Synthesis] = OrderedDict()
        self._calls = ConverseCalls(
            client=client,
            model_id=model_id,
            backoff=backoff or JitteredBackoff(base_seconds=0.5, cap_seconds=5.0),
            on_use=on_use,
            least_seconds=CALL_SECONDS + RESERVE_SECONDS,
            tries=TRIES,
        )

    @property
    def name(self) -> str:
        """Name and version, kept with what it wrote."""
        return self._name

    def write(
        self, evidence: WikiEvidence, current: Tree, *, seconds_left: Callable[[], float] | None = None
    ) -> Tree:
        """The deterministic writer's tree, with the syntheses that stand and new ones as far as the model can be had.

        Where the model is not to be had, pages are left as the deterministic writer makes them and wait for a later
        compile, which the log tells: an outage must not keep a wiki from being brought up to date.
        """
        draft = Draft.of(evidence, current)
        standing = Standing.of(evidence)
        run = _Run(draft, current, SynthesisGate(standing), Material(draft.plain, standing))
        waiting: dict[str, str] = {}
        for path, text in draft.compiled().items():
            if kind_at(path) in _ORDER and _is_touched(path, text):
                of = fingerprint(text)
                if not self._kept(run, evidence.scope, path, of):
                    waiting[path] = of
        if waiting:
            allowance = Allowance(self._max_tokens, seconds_left or (lambda: math.inf))
            self._ask(run, evidence.scope, waiting, allowance)
        return draft.tree(run.texts)

    def _kept(self, run: _Run, scope: StudentScope, path: str, of: str) -> bool:
        """Whether what was written of the same evidence stands."""
        known = synthesis_on(path, run.current.get(path, ""))
        if known is None or known.fingerprint != of:
            known = self._made.get((scope, path, of))
        title = read(path, run.draft.plain[path]).title
        stands = known is not None and run.gate.stands(title, known)
        if known is not None and stands:
            run.take(path, known)
        run.told["kept" if stands else "dropped" if known is not None else "new"] += 1
        return stands

    def _ask(self, run: _Run, scope: StudentScope, waiting: Mapping[str, str], allowance: Allowance) -> None:
        asked = sorted(waiting, key=lambda path: _importance(path, run))[: self._max_pages]
        down, gate_lock = threading.Event(), threading.Lock()
        reasons: list[str] = []

        def one(path: str) -> tuple[Synthesis, Ending] | None:
            if down.is_set():
                return None
            hand = run.in_hand(path, waiting[path])
            writing = PageWriting(
                self._calls, self._name, hand, run.material, run.gate, gate_lock, run.draft.plain, allowance
            )
            try:
                return writing.write()
            except ModelUnavailable as error:
                reasons.append(str(error))
                down.set()
                return None

        for path, made in zip(asked, self._all(one, asked), strict=True):
            if made is None:
                continue
            synthesis, ending = made
            run.told[ending.value] += 1
            run.take(path, synthesis)
            self._remember((scope, path, waiting[path]), synthesis)
        left = sum(path not in run.texts for path in waiting)
        log = logger.warning if reasons else logger.info
        log(
            "wiki_synthesis",
            extra={**run.told, "waiting": left, "unavailable": reasons[0] if reasons else ""},
        )

    def _all(
        self, one: Callable[[str], tuple[Synthesis, Ending] | None], asked: Sequence[str]
    ) -> list[tuple[Synthesis, Ending] | None]:
        with ThreadPoolExecutor(self._at_once, thread_name_prefix="synthesis") as threads:
            return list(threads.map(one, asked))

    def _remember(self, key: _Key, synthesis: Synthesis) -> None:
        self._made[key] = synthesis
        while len(self._made) > _MAX_MADE:
            self._made.popitem(last=False)


def _is_touched(path: str, text: str) -> bool:
    """Whether anything that the student did stands behind a page."""
    sources = (read(path, text[: text.find("\n# ")]).front or {}).get("sources")
    return isinstance(sources, list) and any(
        str(source).startswith(("episode://", "session://")) for source in sources
    )


def _importance(path: str, run: _Run) -> tuple[bool, int, int, str]:
    """Place in the order of asking: changed pages first, then by kind, the newest evidence first."""
    text = run.draft.plain[path]
    kind = kind_at(path)
    updated = str((read(path, text[: text.find("\n# ")]).front or {}).get("updated", ""))
    rank = _ORDER.index(kind) if kind in _ORDER else len(_ORDER)
    return (run.current.get(path) == text, rank, -int(updated.replace("-", "") or 0), path)
