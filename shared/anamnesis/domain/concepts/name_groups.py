"""All that the files of a subject say under one canonical key: what is merged, or kept apart."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from anamnesis.domain.concepts.canonical_keys import canonical_key, short_form


@dataclass(slots=True)
class NameGroup:
    """All that the files say under one canonical key.

    Attributes
    ----------
    files, languages
        Where it stands, and in which languages (primary tags; "und" for an unknown one).
    names
        As the files write it.
    texts
        Gists and definitions.
    vector
        Unit length, shape (dimension,); None without a comparable one.
    """

    key: str
    files: set[str] = field(default_factory=set)
    languages: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    vector: npt.NDArray[np.float32] | None = None

    def short_keys(self) -> set[str]:
        """Keys of the short forms that its names give of themselves ("DNA" of "deoxyribonucleic acid (DNA)")."""
        return {canonical_key(forms[0]) for name in self.names if (forms := short_form(name))}
