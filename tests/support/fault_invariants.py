"""What must hold of a memory whatever broke, and what must hold again once production has tried again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.concepts import SubjectMap
from anamnesis.domain.concepts.subject_map import build_map
from anamnesis.domain.files import FileRecord, FileStatus
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.log.erasures import DeletedPositions, ErasureStage
from anamnesis.domain.log.progress import Progress
from anamnesis.service.file_events import event_keys
from anamnesis.service.map_cache import MapCache
from anamnesis.service.rederive_beliefs import RederiveBeliefs
from anamnesis.service.refresh_working_set import RefreshWorkingSet
from contracts.record_store import assert_same
from support.fault_world import World
from support.memory_stores import MemoryBeliefStore, MemoryConceptStore, MemoryRecordStore
from support.projections import replayed


def holds_always(world: World) -> None:
    """The chain verifies, and each batch is in the log once and whole, or not at all unless it was acknowledged."""
    for pair in world.pairs:
        assert world.memory.verify(pair).breaks == ()
        log = {episode.position: episode for episode in world.memory.log.scan(pair)}
        assert [*log] == [*range(1, len(log) + 1)]
        assert len({episode.id for episode in log.values()}) == len(log)
        told: list[int] = []
        for key in _keys(world, pair):
            receipt = world.memory.log.receipt(pair, key)
            if receipt is None:
                assert (pair, key) not in world.acknowledged, "an acknowledged batch is lost"
                continue
            span = range(receipt.first_position, receipt.last_position + 1)
            told += span
            if (pair, key) in world.sent:
                texts = [draft.text for draft in world.sent[pair, key]]
                assert len(texts) == len(span)
                said = [(log[p].content, text) for p, text in zip(span, texts, strict=True)]
                assert all(content is None or content.text == text for content, text in said)
            if (pair, key) in world.acknowledged:
                assert [log[p].id for p in span] == world.acknowledged[pair, key]
        # Each episode came under one key, and each key once.
        assert sorted(told) == [*log]


def _keys(world: World, pair: Pair) -> list[str]:
    """Every key under which something may have been recorded."""
    nights = [world.now.date() + timedelta(days=n) for n in (*range(-1, world.nights + 1), 100)]
    files = [r for r in world.memory.concepts.files(pair.scope) if r.uploaded_by == pair.student]
    by_night = [f"night:{night.isoformat()}:consolidation" for night in nights]
    # A day is summed up again behind the summary that went with one of its episodes.
    gone = [e.position for e in world.memory.log.scan(pair) if e.kind is Kind.CONSOLIDATION and not e.content]
    return [
        *(key for owner, key in world.sent if owner == pair),
        *(key for record in files for key in event_keys(record.id)),
        *by_night,
        *(f"{key}:after {position}" for key in by_night for position in gone),
    ]


def holds_settled(world: World) -> None:
    """After the request or event was tried again: files, map and projections say what is stored of them."""
    holds_always(world)
    scope, concepts = world.ana.scope, world.memory.concepts
    files = {record.id: record for record in concepts.files(scope)}
    for key in world.delivered:
        record = files.get(world.memory.uploads.locate(key)[1])
        if record is not None and record.deleted_at is None:
            assert record.status in {FileStatus.READ, FileStatus.REFUSED}, record.status
    read = [r for r in files.values() if r.status is FileStatus.READ and r.deleted_at is None]
    texts = world.page_texts()
    assert {r.fingerprint for r in read if r.current} <= texts <= {r.fingerprint for r in read}
    assert world.uploaded() <= {r.id for r in files.values() if r.deleted_at is None}
    embedder = world.memory.embedder
    pure = build_map(
        concepts.contributions(scope),
        files=files,
        revision=concepts.revision(scope),
        embedder=embedder.name,
        merge_threshold=embedder.merge_threshold,
        dimension=embedder.dimension,
    )
    published = concepts.load_map(scope)
    assert _map_of(published) == _map_of(pure)
    # A store keeps half of each number's bits.
    assert np.allclose(published.vectors, pure.vectors, atol=1e-3)
    for pair in world.pairs:
        holds_of_projections(world, pair)


def holds_of_projections(world: World, pair: Pair) -> None:
    """After a look at the beliefs they are what a fresh replay of the log makes, one for each concept."""
    memory = world.memory
    memory.list_beliefs(pair, history=False)
    if memory.beliefs.projected_to(pair).tied_anew:
        # By the map as it is now: a file may have come or gone since.
        memory.rederive(pair)
    rows = memory.beliefs.current(pair)
    current = {row.concept: row for row in rows}
    assert len(rows) == len(current)
    if memory.beliefs.projected_to(pair).tied_anew:
        beliefs, layers = MemoryBeliefStore(), MemoryConceptStore()
        RederiveBeliefs(
            memory.log, beliefs, layers, MapCache(memory.concepts), memory.backoff, memory.withheld
        )(pair)
        expected = {b.concept: (b.claim, round(b.confidence, 9), b.evidence) for b in beliefs.current(pair)}
    else:
        checks = [(e, e.outcome.concept) for e in memory.log.scan(pair) if e.outcome is not None]
        expected = replayed(checks)
    assert current.keys() == expected.keys()
    for concept, belief in current.items():
        claim, confidence, evidence = expected[concept]
        # One that decayed is held against the run without faults, which decayed as often.
        sure = confidence if belief.needs_confirmation else round(belief.confidence, 9)
        assert (belief.claim, sure, belief.evidence) == (claim, confidence, evidence)
    head = memory.log.head(pair)
    to = Progress(head.length, head.erasures)
    assert memory.beliefs.projected_to(pair).covers(to)
    assert memory.concepts.layer_position(pair).covers(to)


def rest(world: World) -> None:
    """Let nights and the stream come by until all is done; at last the nights once more, which must change nothing."""
    memory, nights = world.memory, []
    for number in range(world.nights):
        memory.clock.at = max(memory.clock.at, world.now + timedelta(days=number + 1, hours=2))
        for day in [world.now.date() + timedelta(days=days) for days in {number - 1, number}]:
            for pair in [pair for pair in memory.log.active_pairs(day) if pair in world.pairs]:
                memory.run_night(pair, day)
                nights.append((pair, day))
    _index_all(world)
    holds_settled(world)
    holds_rested(world)
    # One night for everybody, so that worlds in which it took more nights or fewer compare.
    last = world.now.date() + timedelta(days=world.nights)
    everybody = [(pair, last) for pair in world.pairs if memory.log.head(pair).length]
    for pair, day in everybody:
        memory.run_night(pair, day)
    holds_of_wikis(world)
    before = world.dump()
    memory.fresh()
    for pair, day in [*nights, *everybody][-world.repeated :]:
        memory.run_night(pair, day)
    assert world.dump() == before, "a night run again changed something"


def holds_of_wikis(world: World) -> None:
    """A wiki can be compiled once more, and then not again; nothing erased stands in any of its revisions."""
    memory, wikis = world.memory, world.memory.raw_wikis
    for pair in world.pairs:
        scope = pair.student_scope
        if wikis.head(scope) is None:
            continue
        memory.compile_wiki(scope)
        assert memory.compile_wiki(scope).revision is None
        kept = wikis.everything(scope)
        standing = [e.content.text for e in memory.log.scan(pair) if e.content is not None]
        for (owner, _), drafts in world.sent.items():
            for draft in drafts:
                said = draft.text in " ".join(standing)
                assert owner != pair or said or draft.text not in kept, "an erased text stands in a wiki"


def _index_all(world: World) -> None:
    for pair in world.pairs:
        world.memory.index(pair, [episode.position for episode in world.memory.log.scan(pair)])


def holds_rested(world: World) -> None:
    """After a night everything that is made of the log is there, is made of all of it, and of nothing else."""
    memory = world.memory
    for (pair, _), state in memory.raw_answers.states.items():
        # Whatever was erased since may be quoted there.
        assert state.erasures == memory.log.head(pair).erasures
    for (pair, name), asked in memory.raw_answers.asked.items():
        assert asked.erasures == memory.log.head(pair).erasures
        assert (pair, name) in memory.raw_answers.states
    for pair in world.pairs:
        head = memory.log.head(pair)
        if not head.length:
            continue
        log = list(memory.log.scan(pair))
        told = [episode.position for episode in log if episode.content is not None]
        assert (memory.records.self_model(pair) is not None) is bool(told)
        assert [*memory.records.vectors(pair, memory.embedder.name)] == told
        if world.index is not None:
            assert sorted(world.index._vectors.get(pair, {})) == told
        scratch = RefreshWorkingSet(
            memory.log, memory.erasures, MemoryRecordStore(), memory.embedder, memory.withheld
        )(pair)
        stored = memory.records.working_set(pair)
        assert stored is not None
        assert_same(replace(stored, version=""), scratch)
        assert stored.erasures == head.erasures
        kept = memory.checkpoints.all(pair)
        assert kept[-1].length == head.length
        assert len({(c.length, c.root_hash) for c in kept}) == len(kept)
        verdict = memory.verify(pair)
        assert (verdict.checkpoints_checked, verdict.not_checked) == (len(kept), ())
        by_position = {episode.position: episode.id for episode in log}
        for checked in memory.records.citation_checks(pair):
            assert by_position[checked.position] == checked.episode_id
        erasures = memory.erasures.all(pair)
        assert {erasure.stage for erasure in erasures} <= {ErasureStage.SWEPT}
        gone = set(DeletedPositions(erasures))
        assert gone == set(by_position) - set(told)


def meaning(world: World) -> Any:
    """What the stores say, without what differs from run to run: identifiers, salts, and when it was stored."""
    memory, scope = world.memory, world.ana.scope
    files = {record.id: record for record in memory.concepts.files(scope)}
    subject_map = memory.concepts.load_map(scope)
    return {
        "files": [_state(record, files) for record in files.values() if _counts(record, world)],
        "map": [(c.key, c.name, c.gist, c.builds_on, c.aliases) for c in subject_map.concepts],
        "orders": subject_map.layers,
        **{pair.student: _meaning_of(world, pair) for pair in world.pairs},
    }


def _meaning_of(world: World, pair: Pair) -> Any:
    memory = world.memory
    layer = memory.concepts.layer(pair)
    beliefs = memory.beliefs.history(pair)
    self_model = memory.records.self_model(pair)
    return {
        "log": [
            (
                e.kind,
                # A deletion that is asked for again is told with the time of that.
                None if e.kind is Kind.FILE else e.occurred_at - world.now,
                e.content,
                e.outcome,
                e.concepts,
                [(c.page, c.fingerprint) for c in e.evidence],
            )
            for e in memory.log.scan(pair)
        ],
        "beliefs": sorted((*_claim(b), b.needs_confirmation, b.superseded_by is None) for b in beliefs),
        "layer": (
            layer.own_concepts,
            layer.confirmed,
            {key: [n.note for n in notes] for key, notes in layer.taught.items()},
        ),
        "checks": [(c.position, c.result) for c in memory.records.citation_checks(pair)],
        "self-model": self_model and replace(self_model, last_occurred_at=None),
    }


def _counts(record: FileRecord, world: World) -> bool:
    """Whether a file is more than a place that was offered and that nobody used."""
    return (
        record.status is not FileStatus.WAITING
        or record.id in world.uploaded()
        or record.deleted_at is not None
    )


def _state(record: FileRecord, files: dict[str, FileRecord]) -> Any:
    by = files.get(record.replaced_by or "")
    return (
        record.name,
        record.status,
        record.fingerprint,
        record.pages,
        by and by.name,
        record.deleted_at is not None,
    )


def _claim(belief: Belief) -> Any:
    return (belief.concept, belief.claim, round(belief.confidence, 9), len(belief.evidence))


def _map_of(subject_map: SubjectMap) -> Any:
    return (
        subject_map.revision,
        subject_map.concepts,
        subject_map.cycles,
        subject_map.layers,
        subject_map.vectors.shape,
        subject_map.embedder,
        # A place that was only offered changes no map.
        {i: r for i, r in subject_map.files.items() if r.status is not FileStatus.WAITING or r.deleted_at},
    )
