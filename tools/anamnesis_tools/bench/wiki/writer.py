"""What the deterministic writer takes: a student's whole wiki, and what two new sessions change of it (WD-1, WK-5).

The evidence is made here: sessions of lessons in several languages over a map of made-up terms, every text its own,
as a year of work gives them. Nothing is stored; what git and S3 take is not part of it.
"""

from __future__ import annotations

import gc
import json
import random
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import numpy as np
from rich.console import Console
from rich.table import Table

from anamnesis.domain.beliefs import Belief, ChangeReason, Claim, ConfidenceChange
from anamnesis.domain.concepts import Concept, Source, StudentLayer, SubjectMap, empty_map
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.files import FileRecord, FileStatus
from anamnesis.domain.identifiers import Pair, StudentScope, SubjectScope
from anamnesis.domain.log.episodes import Citation, Content, Episode, Kind, Outcome
from anamnesis.domain.wiki.evidence import SubjectEvidence, WikiEvidence
from anamnesis.domain.wiki.gates import findings
from anamnesis.domain.wiki.revisions import delta
from anamnesis.domain.wiki.writing.changelog import commit_message
from anamnesis.domain.wiki.writing.index_within import index_within
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis_tools.bench.costs.long_histories import terms
from anamnesis_tools.bench.said_episodes import said_episode
from anamnesis_tools.demo import story

SEED = 20261130
SCOPE = StudentScope("bench", "student")
SUBJECTS = ("biology", "general")
#: Share of the sessions in the subject with the map; the others have no course files.
MAPPED = 0.8
TURNS = 20
FIRST_DAY = datetime(2025, 9, 1, 8, tzinfo=UTC)
CONCEPTS_A_FILE = 60
#: Share of a subject's concepts that the student has met.
MET = 0.6
#: Sessions of the night whose difference is measured.
NEW_SESSIONS = 2
INDEX_TOKENS = 1_000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WikiCosts:
    """What was measured.

    Attributes
    ----------
    cpu_s, again_cpu_s
        Processor seconds of a write from nothing, and of the write after two more sessions.
    gates_cpu_s, gates_again_cpu_s
        Processor seconds of both gates over the first tree, and over what two more sessions change of it.
    peak_mb
        What the process grew by at most while it wrote, beyond the evidence itself.
    changed, removed, changed_bytes
        Of the tree after two more sessions: paths written, paths removed, bytes written.
    """

    sessions: int
    episodes: int
    concepts: int
    cpu_s: float
    peak_mb: float
    files: int
    bytes: int
    largest_page_bytes: int
    again_cpu_s: float
    changed: tuple[str, ...]
    removed: int
    changed_bytes: int
    message: str
    index_cpu_s: float
    gates_cpu_s: float
    gates_again_cpu_s: float


def measure(sessions: int, concepts: int) -> WikiCosts:
    """Write a student's wiki, add two sessions, write it again."""
    maker = _Maker(concepts)
    whole = maker.evidence(sessions + NEW_SESSIONS)
    before = _without_last(whole, NEW_SESSIONS)
    writer = DeterministicWriter()
    gc.collect()
    floor = _peak_mb()
    tree, cpu_s = _timed(lambda: dict(writer.write(before, {})))
    peak = _peak_mb() - floor
    after, again_s = _timed(lambda: dict(writer.write(whole, tree)))
    changed = delta(tree, after)
    refused, gates_s = _timed(lambda: findings(tree, {}, before))
    refused_again, gates_again_s = _timed(lambda: findings(after, tree, whole))
    if refused or refused_again:
        raise RuntimeError(f"a gate refuses the writer's own tree: {(*refused, *refused_again)[:3]}")
    _, index_s = _timed(lambda: index_within(after, INDEX_TOKENS))
    sizes = {path: len(text.encode()) for path, text in tree.items()}
    return WikiCosts(
        sessions=sessions,
        episodes=sum(len(subject.episodes) for subject in before.subjects),
        concepts=concepts,
        cpu_s=cpu_s,
        peak_mb=peak,
        files=len(tree),
        bytes=sum(sizes.values()),
        largest_page_bytes=max(size for path, size in sizes.items() if not path.startswith("sessions/")),
        again_cpu_s=again_s,
        changed=tuple(sorted(changed.written)),
        removed=len(changed.removed),
        changed_bytes=sum(len(text.encode()) for text in changed.written.values()),
        message=commit_message(tree, after),
        index_cpu_s=index_s,
        gates_cpu_s=gates_s,
        gates_again_cpu_s=gates_again_s,
    )


def evidence_of(sessions: int, concepts: int) -> tuple[WikiEvidence, WikiEvidence]:
    """A student's evidence, and the same with ``NEW_SESSIONS`` more."""
    whole = _Maker(concepts).evidence(sessions + NEW_SESSIONS)
    return _without_last(whole, NEW_SESSIONS), whole


def nights(sessions: int, concepts: int, count: int, each: int = NEW_SESSIONS) -> Iterator[dict[str, str]]:
    """The tree of so many sessions, then of some more after each of so many nights."""
    whole = _Maker(concepts).evidence(sessions + count * each)
    tree: dict[str, str] = {}
    for night in range(count + 1):
        tree = dict(DeterministicWriter().write(_without_last(whole, (count - night) * each), tree))
        yield tree


def shown(costs: WikiCosts, *, as_json: bool) -> None:
    """Print a table, the message of the second commit and the paths that it has."""
    if as_json:
        print(json.dumps(asdict(costs), ensure_ascii=False))
        return
    table = Table(title="A wiki written by the deterministic writer")
    for heading in ("sessions", "episodes", "concepts", "CPU s", "peak MB", "files", "MB", "largest page"):
        table.add_column(heading, justify="right")
    table.add_row(
        f"{costs.sessions:,}", f"{costs.episodes:,}", f"{costs.concepts:,}", f"{costs.cpu_s:.1f}",
        f"{costs.peak_mb:.0f}", f"{costs.files:,}", f"{costs.bytes / 1e6:.1f}", f"{costs.largest_page_bytes:,} B",
    )  # fmt: skip
    console = Console()
    console.print(table)
    console.print(
        f"{NEW_SESSIONS} more sessions: {costs.again_cpu_s:.1f} s of CPU, {len(costs.changed)} files of "
        f"{costs.files:,} change ({costs.changed_bytes / 1e3:.0f} kB), {costs.removed} go; an index within "
        f"{INDEX_TOKENS:,} tokens: {costs.index_cpu_s:.2f} s. Gates: {costs.gates_cpu_s:.1f} s of CPU over the whole "
        f"tree, {costs.gates_again_cpu_s:.1f} s after two more sessions.\n"
    )
    for line in (costs.message, "", *costs.changed):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _timed(act: Callable[[], T]) -> tuple[T, float]:
    start = time.process_time()
    result = act()
    return result, time.process_time() - start


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _without_last(evidence: WikiEvidence, sessions: int) -> WikiEvidence:
    """The evidence as it was before the last sessions of the mapped subject."""
    first, *others = evidence.subjects
    left = first.episodes[: len(first.episodes) - sessions * TURNS]
    known = {episode.id for episode in left}
    beliefs = tuple(belief for belief in first.beliefs if set(belief.evidence) <= known)
    return replace(evidence, subjects=(replace(first, episodes=left, beliefs=beliefs), *others))


class _Maker:
    """Makes the evidence; the same one every time."""

    def __init__(self, concepts: int) -> None:
        self._chance = random.Random(SEED)  # noqa: S311 - made-up lessons, no secret
        self._names = terms()[:concepts]
        lessons = json.loads((story.HERE / "lessons.json").read_text(encoding="utf-8"))
        self._said = [
            (lesson["turns"][0][0], lesson["turns"][0][1], lesson["check"][0], lesson["language"])
            for lesson in lessons
        ]

    def evidence(self, sessions: int) -> WikiEvidence:
        mapped = round(sessions * MAPPED)
        return WikiEvidence(
            SCOPE,
            (
                self._subject(SUBJECTS[0], mapped, self._map()),
                self._subject(SUBJECTS[1], sessions - mapped, empty_map()),
            ),
        )

    def _subject(self, name: str, count: int, subject_map: SubjectMap) -> SubjectEvidence:
        pair = Pair(SCOPE.tenant, SCOPE.student, name)
        met = [concept.key for concept in subject_map.concepts][: round(len(subject_map.concepts) * MET)]
        episodes: list[Episode] = []
        for number in range(count):
            start = FIRST_DAY + timedelta(
                days=365 * number / max(1, count), minutes=self._chance.randrange(600)
            )
            topics = self._chance.sample(met, k=min(3, len(met)))
            for turn in range(TURNS):
                position = len(episodes) + 1
                at = start + timedelta(minutes=2 * turn)
                episodes.append(self._episode(pair, position, at, f"{name[0]}{number}", topics))
        return SubjectEvidence(
            pair, tuple(episodes), self._beliefs(pair, episodes), subject_map, StudentLayer(), {}
        )

    def _episode(
        self, pair: Pair, position: int, at: datetime, session: str, topics: Sequence[str]
    ) -> Episode:
        chance = self._chance
        question, answer, check, language = chance.choice(self._said)
        kind = (Kind.QUESTION, Kind.ANSWER)[position % 2] if position % 10 else Kind.CHECK
        text = {Kind.QUESTION: question, Kind.ANSWER: answer, Kind.CHECK: check}[kind]
        text = f"{text} ({chance.choice(self._names)} {position})"
        concept = chance.choice(topics) if topics else None
        correct = chance.random() < 0.7 if kind is Kind.CHECK else None
        return said_episode(
            pair,
            position,
            kind,
            at,
            Content(text[:200], text, concept if kind is Kind.CHECK else None),
            language,
            id=f"{pair.subject[:3]}{position:08d}",
            concepts=(concept,) if concept else (),
            session_id=session,
            outcome=None if correct is None else Outcome(correct, float(correct), concept, None),
            evidence=(Citation("file-0", 1 + position % 30, ""),) if kind is Kind.ANSWER and topics else (),
        )

    @staticmethod
    def _beliefs(pair: Pair, episodes: Sequence[Episode]) -> tuple[Belief, ...]:
        checks: dict[str, list[Episode]] = {}
        for episode in episodes:
            if episode.outcome is not None and episode.outcome.concept:
                checks.setdefault(episode.outcome.concept, []).append(episode)
        rows = []
        for concept, of_concept in checks.items():
            runs: list[list[Episode]] = []
            for check in of_concept:
                same = runs and _passed(runs[-1][-1]) == _passed(check)
                runs[-1].append(check) if same else runs.append([check])
            for number, run in enumerate(runs):
                claim = Claim.UNDERSTANDS if _passed(run[0]) else Claim.STRUGGLES_WITH
                history = tuple(ConfidenceChange(e.occurred_at, 0.7, ChangeReason.CHECK, e.id) for e in run)
                successor = f"{concept}-{number + 1}" if number + 1 < len(runs) else None
                rows.append(
                    Belief(
                        f"{concept}-{number}",
                        pair,
                        concept,
                        concept,
                        claim,
                        0.7,
                        False,
                        tuple(e.id for e in run),
                        run[0].occurred_at,
                        history,
                        successor,
                    )
                )
        return tuple(rows)

    def _map(self) -> SubjectMap:
        concepts = []
        for row, name in enumerate(self._names):
            before = self._names[max(0, row - 2) : row]
            concepts.append(
                Concept(
                    key=canonical_key(name),
                    name=name,
                    aliases=(),
                    gist=f"What is called {name} keeps its place among the others of this chapter.",
                    definition=f"{name} is one of the things that this chapter explains at some length.",
                    builds_on=tuple(canonical_key(other) for other in before),
                    assumed=(),
                    sources=(Source(f"file-{row // CONCEPTS_A_FILE}", (1 + row % 30,)),),
                    centrality=1 / len(self._names),
                )
            )
        scope = SubjectScope(SCOPE.tenant, SUBJECTS[0])
        files = {
            f"file-{n}": FileRecord(
                f"file-{n}",
                scope,
                f"chapter {n}.pdf",
                "application/pdf",
                9_000,
                "bench",
                FIRST_DAY,
                FileStatus.READ,
                pages=30,
            )
            for n in range(1 + len(self._names) // CONCEPTS_A_FILE)
        }
        layers = (tuple(concept.key for concept in concepts),)
        return SubjectMap(1, tuple(concepts), (), layers, np.zeros((len(concepts), 1), np.float32), "", files)


def _passed(check: Episode) -> bool:
    return check.outcome is not None and check.outcome.correct
