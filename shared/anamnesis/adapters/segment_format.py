"""Working sets as bytes: one .npz of a segment's columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from anamnesis.adapters.array_bundle import pack, unpack
from anamnesis.domain.working_set import Postings, Segment

#: Raised when a column is added or changes its meaning; a set of another format is rebuilt by the next night.
FORMAT = 4
#: Those that are read: 3 has the same columns, none of them in planes.
_READABLE = frozenset({3, FORMAT})
_COLUMNS = (
    "ids", "occurred", "kinds", "salience", "outcome", "about_record", "cites", "folds", "lengths", "asking",
    "vectors",
)  # fmt: skip
_POSTINGS = ("terms", "offsets", "rows", "counts")
#: Hashes and quantised vectors are noise to a compressor.
_INCOMPRESSIBLE = frozenset({"folds", "vectors", "term_terms", "concept_terms"})
#: Kept as planes, one of all numbers' lowest bytes, one of the next, as Blosc's and HDF5's shuffle filters do: numbers
#: that ascend or are small have nearly the same upper bytes. At 100,000 episodes half as many bytes are left of these
#: columns, which take half the time to inflate.
_PLANES: Mapping[str, str] = {
    "occurred": "<i8", "lengths": "<u4",
    "term_offsets": "<i8", "term_rows": "<u4", "term_counts": "<u2",
    "concept_offsets": "<i8", "concept_rows": "<u4", "concept_counts": "<u2",
}  # fmt: skip


def segment_to_bytes(segment: Segment) -> bytes:
    """Return the stored form of a segment; equal segments give equal bytes."""
    arrays = {name: getattr(segment, name) for name in _COLUMNS}
    for kind, postings in (("term", segment.term_postings), ("concept", segment.concept_postings)):
        arrays |= {f"{kind}_{name}": getattr(postings, name) for name in _POSTINGS}
    arrays |= {name: _planes(arrays[name], dtype) for name, dtype in _PLANES.items()}
    meta = {
        "format": FORMAT,
        "first_position": segment.first_position,
        "embedder": segment.embedder,
        "erasures": segment.erasures,
    }
    return pack(meta, arrays, incompressible=_INCOMPRESSIBLE)


def segment_from_bytes(data: bytes, *, version: str = "") -> Segment | None:
    """Return the segment, or None when it is of another format.

    Parameters
    ----------
    version
        What the loaded segment is to be known by.

    Raises
    ------
    ValueError
        If `data` holds no segment.
    """
    meta, arrays = unpack(data)
    if not isinstance(meta, dict) or meta.get("format") not in _READABLE:
        return None
    try:
        for name, dtype in _PLANES.items():
            arrays[name] = _numbers(arrays[name], dtype)
        postings = [Postings(**{n: arrays[f"{kind}_{n}"] for n in _POSTINGS}) for kind in ("term", "concept")]
        columns = {name: arrays[name] for name in _COLUMNS}
        return Segment(
            first_position=int(meta["first_position"]),
            embedder=str(meta["embedder"]),
            erasures=int(meta["erasures"]),
            term_postings=postings[0],
            concept_postings=postings[1],
            version=version,
            **columns,
        )
    except KeyError as error:
        raise ValueError("not a working set") from error


def _planes(numbers: npt.NDArray[Any], dtype: str) -> npt.NDArray[np.uint8]:
    """The bytes of n numbers of b bytes each, shape (b, n)."""
    by_number = numbers.astype(dtype).view(np.uint8).reshape(len(numbers), np.dtype(dtype).itemsize)
    return np.ascontiguousarray(by_number.T)


def _numbers(planes: npt.NDArray[Any], dtype: str) -> npt.NDArray[Any]:
    """The numbers of planes, shape (b, n); numbers themselves as they are."""
    if planes.ndim == 1:
        return planes
    size = np.dtype(dtype).itemsize
    if planes.shape[0] != size or planes.dtype != np.uint8:
        raise ValueError("not a working set")
    by_number = np.empty((planes.shape[1], size), dtype=np.uint8)
    # One plane after the other: three times as fast as to transpose them at once.
    for byte, plane in enumerate(planes):
        by_number[:, byte] = plane
    return by_number.view(dtype).reshape(-1)
