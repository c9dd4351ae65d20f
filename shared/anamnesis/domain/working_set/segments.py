"""Building and joining the columnar segments that recall reads (see ``domain.working_set``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from anamnesis.domain.log.episodes import Content, Episode, Kind
from anamnesis.domain.text.normalisation import normalised_sentence
from anamnesis.domain.text.terms import date_term, index_terms, month_term, speaker_terms, term_hash
from anamnesis.domain.text.utterances import asking_share, speaker_label
from anamnesis.domain.working_set import KIND_CODES, Postings, Segment

#: Beginning of an episode's text that is indexed, in characters.
MAX_INDEXED_CHARS = 8_000
#: Value of ``Segment.folds`` for an erased episode; no other episode has it.
ERASED_FOLD = 0
#: What ``similarities`` gives for an episode that has no vector (yet): below every real cosine.
NO_SIMILARITY = -1.0

#: Largest absolute value of a quantised component.
_QUANTISED_MAX = 127
#: Rows that are widened to float32 at a time: 0.4 MB at 384 dimensions, which stays in a core's cache.
_CHUNK_ROWS = 256
#: Multiplications that OpenBLAS does in one thread (``interface/gemm.c``: 65,536 times its threshold, which is 4). Its
#: threads wait for each other in a busy loop: in pieces of 1,024 rows, 10,000 rows took 45 ms and 20 of processor
#: instead of 2 and 2 on a machine whose cores had other work.
_SINGLE_THREADED = 262_144
_EMPTY_ID_WIDTH = 26


def quantise(vector: npt.NDArray[np.float32]) -> npt.NDArray[np.int8]:
    """Quantise to 8 bits symmetrically, each vector scaled so that its largest component is ±127.

    The scale is not kept: cosines do not need it.

    Parameters
    ----------
    vector
        Shape (d,), or (n, d) for many; any length. A zero vector stays zero.
    """
    values = np.asarray(vector, dtype=np.float32)
    largest = np.max(np.abs(values), axis=-1, keepdims=True, initial=0.0)
    scaled = np.divide(values * _QUANTISED_MAX, largest, out=np.zeros_like(values), where=largest > 0)
    quantised: npt.NDArray[np.int8] = np.rint(scaled).astype(np.int8)
    return quantised


def similarities(segment: Segment, query: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Compare the query with every episode of the segment by cosine, in an exact search over the quantised vectors.

    The query is quantised as well. All sums are of integers below 2**24 (for up to 1,040 dimensions), hence exact in
    float32: the result does not depend on how a history is split into segments.

    Parameters
    ----------
    query
        Shape (d,), float32, of the same embedder as the segment; or (k, d) for k queries at once.

    Returns
    -------
    ndarray
        Shape (n,) or (n, k), float32; ``NO_SIMILARITY`` where the episode has no vector, and everywhere for a zero
        query.
    """
    probes = np.atleast_2d(quantise(query)).astype(np.float32)
    rows, dimension = segment.vectors.shape
    # By column, since recall goes on with one probe's cosines after the other.
    result = np.full((len(probes), rows), NO_SIMILARITY, dtype=np.float32)
    if probes.shape[1] == dimension:
        own = vector_lengths(segment)
        lengths = np.sqrt(np.einsum("kd,kd->k", probes, probes))
        dots = _products(segment.vectors, probes)
        without = np.flatnonzero(own == 0)
        for column in np.flatnonzero(lengths):
            both = own * lengths[column]
            both[without] = 1
            np.divide(dots[:, column], both, out=result[column])
        result[:, without] = NO_SIMILARITY
    return result.T if np.ndim(query) > 1 else result[0]


def vector_lengths(segment: Segment) -> npt.NDArray[np.float32]:
    """Length of each row's quantised vector, shape (n,), 0 where there is none; worked out once."""

    def make() -> npt.NDArray[np.float32]:
        lengths = np.empty(len(segment.vectors), dtype=np.float32)
        for start, wide in _widened(segment.vectors, _CHUNK_ROWS):
            np.einsum("ij,ij->i", wide, wide, out=lengths[start : start + len(wide)])
        return np.sqrt(lengths, out=lengths)

    return segment.derived.get("vector_lengths", None, make)


def _products(vectors: npt.NDArray[np.int8], probes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Dot products of n rows with k probes, shape (n, k or more)."""
    # A single probe would be a product with a vector, which OpenBLAS does in many threads much sooner; and it takes
    # less time for four columns than for three.
    width = 2 if len(probes) < 3 else -len(probes) // 4 * -4
    columns = np.zeros((vectors.shape[1], width), dtype=np.float32)
    columns[:, : len(probes)] = probes.T
    dots = np.empty((len(vectors), width), dtype=np.float32)
    for start, wide in _widened(vectors, min(_CHUNK_ROWS, _SINGLE_THREADED // max(columns.size, 1))):
        np.matmul(wide, columns, out=dots[start : start + len(wide)])
    return dots


def _widened(vectors: npt.NDArray[np.int8], step: int) -> Iterator[tuple[int, npt.NDArray[np.float32]]]:
    """Each `step` rows as float32, with the number of the first; the array is used again for the next."""
    rows, dimension = vectors.shape
    step = max(1, min(step, rows))
    chunk = np.empty((step, dimension), dtype=np.float32)
    for start in range(0, rows, step):
        wide = chunk[: min(step, rows - start)]
        wide[:] = vectors[start : start + step]
        yield start, wide


def empty_segment(*, first_position: int, embedder: str, dimension: int) -> Segment:
    """Make a segment without rows, to start a history from."""
    return build_segment(
        (), first_position=first_position, vectors={}, embedder=embedder, dimension=dimension
    )


def build_segment(
    episodes: Sequence[Episode],
    *,
    first_position: int,
    vectors: Mapping[int, npt.NDArray[np.int8]],
    embedder: str,
    dimension: int,
) -> Segment:
    """Arrange consecutive episodes as the arrays that recall scores.

    An erased episode keeps its row, so that positions stay what they are, but has no terms, concepts or vector, and its
    fold is ``ERASED_FOLD``: recall never returns it.

    Parameters
    ----------
    episodes
        In the order of their positions, without gaps.
    first_position
        Position of the first one; also where an empty segment starts.
    vectors
        Quantised vectors (shape (dimension,), int8) by position; missing ones stay zero.

    Raises
    ------
    ValueError
        If positions have gaps, or a vector has another dimension.
    """
    if [e.position for e in episodes] != list(range(first_position, first_position + len(episodes))):
        raise ValueError("a segment holds consecutive positions in order")
    counted = [_counted_terms(e) for e in episodes]
    concepts = [Counter(map(term_hash, e.concepts)) if e.content else Counter[int]() for e in episodes]
    return Segment(
        first_position=first_position,
        ids=np.array([e.id.encode("ascii") for e in episodes], dtype=_id_type(episodes)),
        occurred=np.array([int(e.occurred_at.timestamp()) for e in episodes], dtype=np.int64),
        kinds=np.array([KIND_CODES[e.kind.value] for e in episodes], dtype=np.uint8),
        salience=np.array([e.salience for e in episodes], dtype=np.float32),
        outcome=np.array(
            [-1 if e.outcome is None else int(e.outcome.correct) for e in episodes], dtype=np.int8
        ),
        about_record=np.array([e.about_record for e in episodes], dtype=np.bool_),
        cites=np.array([bool(e.evidence) for e in episodes], dtype=np.bool_),
        folds=np.array([_fold(e) for e in episodes], dtype=np.uint64),
        lengths=np.array([sum(c.values()) for c in counted], dtype=np.uint32),
        asking=np.array([_asking(e) for e in episodes], dtype=np.uint8),
        term_postings=_postings(counted),
        concept_postings=_postings(concepts),
        vectors=_vector_rows(episodes, vectors, dimension),
        embedder=embedder,
    )


def concatenate(a: Segment, b: Segment) -> Segment:
    """Join two segments, equal to building one at once: how the night extends yesterday's working set.

    Raises
    ------
    ValueError
        If `b` does not start where `a` ends, or their vectors come from different embedders.
    """
    if b.first_position != a.last_position + 1:
        raise ValueError("the second segment must start right after the first")
    if a.embedder != b.embedder or a.vectors.shape[1] != b.vectors.shape[1]:
        raise ValueError("segments of different embedders cannot be joined")
    rows = len(a.occurred)
    return Segment(
        first_position=a.first_position,
        ids=np.concatenate([a.ids, b.ids]),
        occurred=np.concatenate([a.occurred, b.occurred]),
        kinds=np.concatenate([a.kinds, b.kinds]),
        salience=np.concatenate([a.salience, b.salience]),
        outcome=np.concatenate([a.outcome, b.outcome]),
        about_record=np.concatenate([a.about_record, b.about_record]),
        cites=np.concatenate([a.cites, b.cites]),
        folds=np.concatenate([a.folds, b.folds]),
        lengths=np.concatenate([a.lengths, b.lengths]),
        asking=np.concatenate([a.asking, b.asking]),
        term_postings=_joined_postings(a.term_postings, b.term_postings, rows),
        concept_postings=_joined_postings(a.concept_postings, b.concept_postings, rows),
        vectors=np.concatenate([a.vectors, b.vectors]),
        embedder=a.embedder,
        erasures=min(a.erasures, b.erasures),
    )


def blanked(segment: Segment, deleted: Collection[int], *, erasures: int) -> Segment:
    """The segment as if the episodes at the `deleted` positions had been erased before it was built.

    The ones right behind them lack a vector, as if they had not been embedded yet: theirs tells of what came before.

    Parameters
    ----------
    erasures
        Number of erasures that the result has seen.
    """
    positions = range(segment.first_position, segment.last_position + 1)
    gone = np.fromiter((p in deleted for p in positions), dtype=np.bool_, count=len(positions))
    told = gone.copy()
    told[1:] |= gone[:-1]
    told[:1] |= segment.first_position - 1 in deleted

    def kept(column: npt.NDArray[Any], blank: float) -> npt.NDArray[Any]:
        return np.where(gone, column.dtype.type(blank), column)

    return replace(
        segment,
        salience=kept(segment.salience, 0.0),
        outcome=kept(segment.outcome, -1),
        about_record=segment.about_record & ~gone,
        cites=segment.cites & ~gone,
        folds=kept(segment.folds, ERASED_FOLD),
        lengths=kept(segment.lengths, 0),
        asking=kept(segment.asking, 0),
        term_postings=_without(segment.term_postings, gone),
        concept_postings=_without(segment.concept_postings, gone),
        vectors=np.where(told[:, None], np.int8(0), segment.vectors),
        erasures=erasures,
        version="",
    )


def without_vectors(segment: Segment) -> list[int]:
    """Positions of the episodes, ascending, that are not erased and have no vector (yet)."""
    lacking = ~segment.vectors.any(axis=1) & (segment.folds != ERASED_FOLD)
    positions: list[int] = (segment.first_position + np.flatnonzero(lacking)).tolist()
    return positions


def with_vectors(segment: Segment, vectors: Mapping[int, npt.NDArray[np.int8]]) -> Segment:
    """The segment with these rows' quantised vectors (shape (dimension,), int8), by position; erased ones get none.

    Raises
    ------
    ValueError
        If a vector has another dimension.
    """
    filled = segment.vectors.copy()
    for position, vector in vectors.items():
        row = position - segment.first_position
        if segment.folds[row] != ERASED_FOLD:
            filled[row] = vector
    return replace(segment, vectors=filled, version="")


def _without(postings: Postings, gone: npt.NDArray[np.bool_]) -> Postings:
    stays = ~gone[postings.rows]
    terms = np.repeat(postings.terms, np.diff(postings.offsets))
    return _sorted_postings(terms[stays], postings.rows[stays], postings.counts[stays])


def _id_type(episodes: Sequence[Episode]) -> str:
    return f"S{max((len(e.id) for e in episodes), default=_EMPTY_ID_WIDTH)}"


def _sentence(content: Content) -> str:
    return content.text if content.text.strip() else content.summary


def _indexed_text(content: Content) -> str:
    """Topic, summary and the beginning of the text; a summary that only is that beginning is not counted twice."""
    text = content.text[:MAX_INDEXED_CHARS]
    summary = content.summary
    repeated = text.lstrip().startswith(summary.rstrip(" …."))
    return "\n".join(part for part in (content.topic or "", "" if repeated else summary, text) if part)


def _counted_terms(episode: Episode) -> Counter[int]:
    """Count the terms of an episode's words, of the month and day it happened in and of the speaker that it names.

    Measured: "in July", "on 25 May" and "what did Ana paint" find more.
    """
    if episode.content is None:
        return Counter()
    at = episode.occurred_at
    label = speaker_label(_sentence(episode.content))
    counted = [
        *index_terms(_indexed_text(episode.content), episode.language),
        month_term(at.month),
        date_term(at.month, at.day),
        *(speaker_terms(label, episode.language) if label else ()),
    ]
    return Counter(map(term_hash, counted))


def _asking(episode: Episode) -> int:
    return 0 if episode.content is None else round(100 * asking_share(_sentence(episode.content)))


def _fold(episode: Episode) -> int:
    """Hash what makes two episodes the same memory: kind, outcome, sentence, and the topic of a check."""
    if episode.content is None:
        return ERASED_FOLD
    outcome = "" if episode.outcome is None else str(episode.outcome.correct)
    checked = episode.kind in {Kind.CHECK, Kind.QUIZ}
    topic = normalised_sentence(episode.content.topic or "") if checked else ""
    sentence = normalised_sentence(_sentence(episode.content))
    return term_hash(f"{episode.kind.value}\x1f{outcome}\x1f{topic}\x1f{sentence}") or 1


def _vector_rows(
    episodes: Sequence[Episode], vectors: Mapping[int, npt.NDArray[np.int8]], dimension: int
) -> npt.NDArray[np.int8]:
    rows = np.zeros((len(episodes), dimension), dtype=np.int8)
    for row, episode in enumerate(episodes):
        vector = vectors.get(episode.position)
        if vector is None or episode.content is None:
            continue
        if vector.shape != (dimension,):
            raise ValueError(f"a vector of shape {vector.shape} where {(dimension,)} was expected")
        rows[row] = vector
    return rows


def _postings(counted: Iterable[Counter[int]]) -> Postings:
    counters = list(counted)
    sizes = [len(c) for c in counters]
    terms = np.fromiter((term for c in counters for term in c), dtype=np.uint64, count=sum(sizes))
    counts = np.fromiter(
        (min(n, 65_535) for c in counters for n in c.values()), dtype=np.uint16, count=sum(sizes)
    )
    rows = np.repeat(np.arange(len(counters), dtype=np.uint32), sizes)
    return _sorted_postings(terms, rows, counts)


def _sorted_postings(
    terms: npt.NDArray[np.uint64], rows: npt.NDArray[np.uint32], counts: npt.NDArray[np.uint16]
) -> Postings:
    """Arrange postings out of (term, row, count) triples whose rows ascend within each term."""
    order = np.argsort(terms, kind="stable")
    distinct, starts = np.unique(terms[order], return_index=True)
    offsets = np.append(starts, len(order)).astype(np.int64)
    return Postings(terms=distinct, offsets=offsets, rows=rows[order], counts=counts[order])


def _joined_postings(a: Postings, b: Postings, rows_before: int) -> Postings:
    terms = np.concatenate([np.repeat(p.terms, np.diff(p.offsets)) for p in (a, b)])
    rows = np.concatenate([a.rows, b.rows + np.uint32(rows_before)])
    return _sorted_postings(terms, rows, np.concatenate([a.counts, b.counts]))
