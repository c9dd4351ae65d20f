"""Working sets as bytes: one .npz of a segment's columns."""

from __future__ import annotations

from anamnesis.adapters.array_bundle import pack, unpack
from anamnesis.domain.working_set import Postings, Segment

#: Raised when a column is added or changes its meaning; a set of another format is rebuilt by the next night.
FORMAT = 3
_COLUMNS = (
    "ids", "occurred", "kinds", "salience", "outcome", "about_record", "cites", "folds", "lengths", "asking",
    "vectors",
)  # fmt: skip
_POSTINGS = ("terms", "offsets", "rows", "counts")
#: Hashes and quantised vectors are noise to a compressor.
_INCOMPRESSIBLE = frozenset({"folds", "vectors", "term_terms", "concept_terms"})


def segment_to_bytes(segment: Segment) -> bytes:
    """Return the stored form of a segment; equal segments give equal bytes."""
    arrays = {name: getattr(segment, name) for name in _COLUMNS}
    for kind, postings in (("term", segment.term_postings), ("concept", segment.concept_postings)):
        arrays |= {f"{kind}_{name}": getattr(postings, name) for name in _POSTINGS}
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
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        return None
    try:
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
