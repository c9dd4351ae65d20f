"""Arrays and one JSON value in one .npz file, readable by NumPy alone and never by unpickling."""

from __future__ import annotations

import io
import json
import math
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

META = "meta"
#: A fixed stamp in the archive, so that equal values make equal bytes.
_STAMP = (1980, 1, 1, 0, 0, 0)
#: A zip's header before each entry, and its last two fields.
_LOCAL_HEADER, _LENGTHS = 30, struct.Struct("<HH")
#: More than what an array of plain values has before its values in an .npy.
_LONGEST_HEADER = 4_096
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    KeyError,
    OSError,
    EOFError,
    ValueError,
    NotImplementedError,
)


def pack(
    meta: Any, arrays: Mapping[str, npt.NDArray[Any]], *, incompressible: frozenset[str] = frozenset()
) -> bytes:
    """Return the bundle's bytes; equal arguments give equal bytes.

    Parameters
    ----------
    meta
        A JSON value.
    arrays
        Arrays without object dtype, by name.
    incompressible
        Names of arrays that deflating would only delay, such as quantised vectors.
    """
    text = json.dumps(meta, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in {META: np.frombuffer(text, dtype=np.uint8), **arrays}.items():
            entry = zipfile.ZipInfo(f"{name}.npy", _STAMP)
            entry.compress_type = zipfile.ZIP_STORED if name in incompressible else zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=False) as file:
                np.save(file, np.ascontiguousarray(array), allow_pickle=False)
    return buffer.getvalue()


def unpack(data: bytes) -> tuple[Any, dict[str, npt.NDArray[Any]]]:
    """Return the JSON value and the arrays of a bundle; they are read-only.

    Arrays that were not deflated are seen where they lie in `data`, which lives as long as they do: of a working set
    that is most of it, and nothing of it is in memory twice.

    Raises
    ------
    ValueError
        If it is no bundle.
    """
    arrays = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                body = _body(archive, entry, memoryview(data))
                arrays[entry.filename.removesuffix(".npy")] = _array(body)
        meta = json.loads(arrays.pop(META).tobytes())
    except _DAMAGE as error:
        raise ValueError("not a bundle of arrays") from error
    return meta, arrays


def _body(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, data: memoryview) -> memoryview:
    """An entry's bytes, checked against its checksum."""
    if entry.compress_type != zipfile.ZIP_STORED:
        return memoryview(archive.read(entry))
    # APPNOTE.TXT 4.3.7: 30 bytes, the last four of them lengths of name and extra field, then those, then the data.
    lengths = _LENGTHS.unpack_from(data, entry.header_offset + _LOCAL_HEADER - _LENGTHS.size)
    start = entry.header_offset + _LOCAL_HEADER + sum(lengths)
    body = data[start : start + entry.file_size]
    if zlib.crc32(body) != entry.CRC:
        raise zipfile.BadZipFile(f"bad checksum of {entry.filename}")
    return body


def _array(body: memoryview) -> npt.NDArray[Any]:
    """The array of an .npy, without copying it where its numbers lie as the processor wants them."""
    header = io.BytesIO(body[:_LONGEST_HEADER])
    if np.lib.format.read_magic(header) != (1, 0):  # type: ignore[no-untyped-call]
        raise ValueError("not an array of this version")
    shape, by_column, dtype = np.lib.format.read_array_header_1_0(header)  # type: ignore[no-untyped-call]
    if dtype.hasobject or by_column:
        raise ValueError("not an array of plain values by row")
    array = np.frombuffer(body, dtype, count=math.prod(shape), offset=header.tell()).reshape(shape)
    return array if array.flags.aligned else array.copy()
