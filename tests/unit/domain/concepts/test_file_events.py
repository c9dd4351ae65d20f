"""A subject's map over any sequence of file events, against one made from scratch of what stands in the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.adapters.concept_format import map_to_bytes
from anamnesis.domain.concepts import Contribution, StudentLayer, SubjectMap, TaughtNote
from anamnesis.domain.concepts.readiness import TAUGHT, concept_readiness, with_layer
from anamnesis.domain.concepts.subject_map import resolved_keys
from anamnesis.domain.files import FileRecord
from support.map_values import FIRST_DAY, concept, contribution, direction, record, subject_map

#: Chapters, by what they hold: near, cognate, opposed, short and shared names in three languages, with prerequisites.
TEXTS: dict[str, tuple[str, list[tuple[str, list[str], list[str]]]]] = {
    "cells": (
        "en",
        [("Cell", [], ["Water"]), ("Osmosis", ["Cell"], ["Pressure"]), ("Mitosis", ["Cell"], [])],
    ),
    "células": ("es", [("Célula", [], ["Agua"]), ("Ósmosis", ["Célula"], []), ("Meiosis", ["Célula"], [])]),
    "осмос": ("ru", [("Осмос", [], ["Вода"]), ("Митоз", [], []), ("Клетка", [], [])]),
    "genes": ("en", [("Deoxyribonucleic acid (DNA)", [], []), ("Gene", ["DNA"], ["Cell", "Water"])]),
    "dna": ("en", [("DNA", [], ["Waters"]), ("Genes", ["DNA"], []), ("Cells", [], [])]),
    "solutions": ("en", [("Hypotonic solution", [], ["Osmosis"]), ("Pressure", [], [])]),
    "soluciones": ("es", [("Solución hipertónica", [], ["Ósmosis"]), ("Presión", [], ["Agua"])]),
}
AXES = {"Cell": 1, "Célula": 1, "Клетка": 1, "Cells": 1, "Mitosis": 2, "Meiosis": 2, "Митоз": 2, "DNA": 3}
TITLES = list(TEXTS)


def read(file_id: str, title: str) -> Contribution:
    """What reading a chapter gives; the same bytes give the same fingerprint in every file."""
    language, concepts = TEXTS[title]
    made = contribution(
        file_id,
        *(
            concept(name, builds_on=builds_on, assumed=assumed, pages=[row + 1])
            for row, (name, builds_on, assumed) in enumerate(concepts)
        ),
        language=language,
        vectors=[direction(AXES.get(name, 4), towards=0, cosine=0.97) for name, *_ in concepts],
    )
    return replace(made, fingerprint=title)


@dataclass
class Subject:
    """Files as the service keeps them: a name of one person replaces itself, and no record ever goes."""

    files: dict[str, FileRecord] = field(default_factory=dict)
    contributions: dict[str, Contribution] = field(default_factory=dict)
    day: int = 0

    def upload(self, person: str, name: str, title: str) -> None:
        self.day += 1
        file_id = f"{self.day:03}"
        for known in self._current(person, name):
            self.files[known.id] = replace(known, replaced_by=file_id)
        self.files[file_id] = replace(record(file_id, day=self.day), name=name, uploaded_by=person)
        self.contributions[file_id] = read(file_id, title)

    def delete(self, person: str, name: str) -> None:
        for known in self._current(person, name):
            self.files[known.id] = replace(known, deleted_at=FIRST_DAY)

    def _current(self, person: str, name: str) -> list[FileRecord]:
        held = [each for each in self.files.values() if (each.uploaded_by, each.name) == (person, name)]
        return [each for each in held if each.current]

    def standing(self) -> dict[str, str]:
        """Title by file id of what stands."""
        return {
            file_id: said.fingerprint
            for file_id, said in self.contributions.items()
            if self.files[file_id].current
        }

    def map(self) -> SubjectMap:
        return subject_map(*self.contributions.values(), files=self.files)


EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["upload", "upload", "upload", "delete"]),
        st.sampled_from(["ana", "ben"]),
        st.sampled_from(["one.md", "two.md", "three.md"]),
        st.sampled_from(TITLES),
    ),
    max_size=14,
)


def told(built: SubjectMap, title_of: Mapping[str, str]) -> list[object]:
    """All that a map says, with files by what was in them: ids differ with the order of uploads."""
    return [
        *(
            (
                replace(each, sources=()),
                sorted((title_of[source.file_id], source.pages) for source in each.sources),
            )
            for each in built.concepts
        ),
        built.layers,
        built.cycles,
        built.vectors.tobytes(),
    ]


@settings(deadline=None, max_examples=120)
@given(EVENTS, st.randoms(use_true_random=False))
def test_any_sequence_of_file_events_leaves_what_stands(events: list[tuple[str, ...]], rng: object) -> None:
    """After uploads, replacements and deletions by two people the map is that of the standing files alone (CM-8)."""
    subject = Subject()
    for kind, person, name, title in events:
        if kind == "upload":
            subject.upload(person, name, title)
        else:
            subject.delete(person, name)
        subject.map()
    titles = sorted(subject.standing().values())
    rng.shuffle(titles)  # type: ignore[attr-defined]
    fresh = Subject()
    for number, title in enumerate(titles):
        fresh.upload("cleo", f"{number}.md", title)
    assert told(subject.map(), subject.standing()) == told(fresh.map(), fresh.standing())
    assert all(
        source.file_id in subject.standing() for each in subject.map().concepts for source in each.sources
    )


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(TITLES), unique=True, max_size=7), st.randoms(use_true_random=False))
def test_the_stored_map_is_the_same_byte_for_byte(titles: list[str], rng: object) -> None:
    """What is published of the same files is equal to the byte, however they are read (CM-3)."""
    said = [read(title, title) for title in titles]
    files = {title: record(title) for title in titles}
    stored = map_to_bytes(subject_map(*said, files=files))
    rng.shuffle(said)  # type: ignore[attr-defined]
    shuffled = {each.file_id: files[each.file_id] for each in said}
    assert map_to_bytes(subject_map(*said, files=shuffled)) == stored


@settings(deadline=None, max_examples=60)
@given(EVENTS)
def test_a_name_that_a_file_supports_resolves_after_any_events(events: list[tuple[str, ...]]) -> None:
    """Whatever name beliefs and notes were kept under, it finds the concept as long as a file uses it (CM-8, CM-9)."""
    subject, kept = Subject(), StudentLayer()
    for number, (kind, person, name, title) in enumerate(events):
        if kind == "upload":
            subject.upload(person, name, title)
        else:
            subject.delete(person, name)
        for each in subject.map().concepts:
            note = TaughtNote("note", "e", number)
            kept = replace(
                kept,
                taught=kept.taught | {each.key: (note,)},  # type: ignore[operator]
                own_concepts={each.key: each.name, **kept.own_concepts},
            )
        built = subject.map()
        resolved = resolved_keys(built)
        for file_id in subject.standing():
            assert set(subject.contributions[file_id].keys) <= set(resolved)
        seen = with_layer(built, kept)
        shown = {
            key
            for each in seen.concepts
            for key in (each.key, *resolved_keys(replace(built, concepts=(each,))))
        }
        assert set(kept.taught) <= shown
        assert all(concept_readiness(each, kept) == TAUGHT for each in seen.concepts)


def test_a_whole_book_in_parts_gives_one_map() -> None:
    """Ten parts of a long book, sixty concepts each, share their common concepts and keep all others (CM-3)."""
    parts = []
    for part in range(10):
        names = [*(f"Shared {i}" for i in range(6)), *(f"Own {part} {i}" for i in range(54))]
        concepts = [
            concept(name, builds_on=names[max(0, row - 2) : row], pages=[60 * part + row + 1])
            for row, name in enumerate(names)
        ]
        parts.append(contribution(f"part {part}", *concepts))
    built = subject_map(*parts)
    assert len(built.concepts) == 6 + 540
    shared = next(each for each in built.concepts if each.key == "shared 0")
    assert [page for source in shared.sources for page in source.pages] == [
        60 * part + 1 for part in range(10)
    ]
    assert np.isclose(sum(each.centrality for each in built.concepts), 1)
