"""Arrays and one JSON value in one .npz file, readable by NumPy alone and never by unpickling."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

META = "meta"
#: A fixed stamp in the archive, so that equal values make equal bytes.
_STAMP = (1980, 1, 1, 0, 0, 0)


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
    """Return the JSON value and the arrays of a bundle.

    Raises
    ------
    ValueError
        If it is no bundle.
    """
    # Asked first, because NumPy takes anything else for an array or a pickle.
    if not zipfile.is_zipfile(io.BytesIO(data)):
        raise ValueError("not a bundle of arrays")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        meta = json.loads(arrays.pop(META).tobytes())
    except (zipfile.BadZipFile, KeyError, OSError, EOFError, ValueError) as error:
        raise ValueError("not a bundle of arrays") from error
    return meta, arrays
