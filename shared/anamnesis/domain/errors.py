"""Every error the memory raises on purpose: one base class, one leaf per meaning."""

from __future__ import annotations


class AnamnesisError(Exception):
    """Base of all errors that a caller can act on.

    Parameters
    ----------
    detail
        What was wrong, in words that hold no student text.
    field
        Path of the offending input, such as ``episodes[2].occurred_at``; None when no input is to blame.
    """

    def __init__(self, detail: str, *, field: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.field = field


class InvalidInput(AnamnesisError):
    """A value the caller sent breaks a stated rule; ``field`` names it."""


class TooLarge(InvalidInput):
    """A value is larger than a stated limit."""


class NotFound(AnamnesisError):
    """The thing named does not exist for this caller."""


class Forbidden(AnamnesisError):
    """The caller's role does not allow this."""


class IdempotencyConflict(AnamnesisError):
    """The idempotency key was used before with a different body."""


class ErasedBefore(AnamnesisError):
    """What the caller sends was erased here before, and is not recorded again (EP-8)."""


class NotCheckpointed(AnamnesisError):
    """No signed checkpoint covers this yet, so that it cannot be proved; the night signs one."""


class LogBroken(AnamnesisError):
    """A log is not what was recorded and signed; verifying it names where."""


class PageConflict(AnamnesisError):
    """A page was changed since the revision that a write started from, and the two cannot be joined.

    Parameters
    ----------
    base, current
        Ids of the revision that the write names and of the one that stands; None for a wiki without any.
    paths
        Of the pages in conflict.
    """

    def __init__(self, detail: str, *, base: str | None, current: str | None, paths: tuple[str, ...]) -> None:
        super().__init__(detail, field="base")
        self.base = base
        self.current = current
        self.paths = paths


class GateRefused(InvalidInput):
    """What was written does not pass the wiki's gates.

    Parameters
    ----------
    findings
        Path, line (from 1, 0 for the whole page), rule and detail of each.
    """

    def __init__(self, findings: tuple[tuple[str, int, str, str], ...]) -> None:
        super().__init__("does not pass the wiki's gates", field="text")
        self.findings = findings


class Busy(AnamnesisError):
    """Contention outlasted every retry; nothing was written, and the same request may be sent again."""


class Unfinished(AnamnesisError):
    """There was not time for all of it: what was done stays, and the same request again goes on."""


class TooManyRequests(AnamnesisError):
    """The caller's tenant sent more requests than it may.

    Parameters
    ----------
    detail
        Which limit.
    retry_after
        Seconds until requests are taken again, at least 1.
    """

    def __init__(self, detail: str, *, retry_after: int) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class StoreUnavailable(AnamnesisError):
    """A store did not answer, throttled, or timed out; nothing can be said about the write until it is retried."""


class ModelUnavailable(AnamnesisError):
    """An embedding or language model did not answer or answered outside its schema."""


class FileRefused(AnamnesisError):
    """A course file cannot be read.

    Parameters
    ----------
    reason
        A stable code: one of ``domain.files.RefusalReason``.
    detail
        What a student can do about it.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class HeadMoved(AnamnesisError):
    """Another writer appended first: re-read the head and try again."""


class RevisionMoved(AnamnesisError):
    """A derived object was written from an older revision than the stored one."""
