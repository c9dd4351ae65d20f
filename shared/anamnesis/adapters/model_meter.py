"""Counts what a process takes of language models, for its metrics; a failed reading has cost as well."""

from __future__ import annotations

import threading

from anamnesis.domain.concepts import ModelUse


class ModelMeter:
    """A sum that threads add to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._use = ModelUse()

    def add(self, use: ModelUse) -> None:
        """Count."""
        with self._lock:
            self._use += use

    def taken(self) -> ModelUse:
        """Return what was counted since the last time, and begin anew."""
        with self._lock:
            use, self._use = self._use, ModelUse()
            return use
