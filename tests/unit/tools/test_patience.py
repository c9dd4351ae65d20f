"""A request that does the same twice is sent again on a busy machine, so that the demo ends there too."""

from __future__ import annotations

from typing import Any

import pytest

from anamnesis_tools import patience
from anamnesis_tools.api_client import ApiClient, ApiProblem, ApiUnreachable


class Busy(ApiClient):
    """An API that fails as told before it answers."""

    def __init__(self, *failures: Exception) -> None:
        super().__init__("http://nowhere", "token")
        self.failures = list(failures)
        self.sent: list[Any] = []

    def call(self, method: str, path: str, body: Any = None, **_more: Any) -> dict[str, Any]:
        """Fail once for each failure, then answer."""
        self.sent.append((method, path, body))
        if self.failures:
            raise self.failures.pop(0)
        return {"date": body["date"]}


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "_PAUSE_SECONDS", 0.0)


def test_a_night_that_is_not_done_yet_is_asked_for_again() -> None:
    """A night that ends 503 in the middle is continued by the same request until it is done (NI-2)."""
    busy = Busy(ApiProblem(503, {"title": "Not done yet"}), ApiUnreachable("no answer"))
    assert patience.run_night(busy, "biology", "2026-07-03") == {"date": "2026-07-03"}
    assert busy.sent == [("POST", "/v1/subjects/biology/night", {"date": "2026-07-03"})] * 3


@pytest.mark.parametrize("status, seconds", [(403, 120.0), (503, -1.0)])
def test_a_refusal_and_an_end_of_patience_are_told(
    status: int, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another try cannot mend is raised at once, and so is anything once patience has ended (SV-14)."""
    monkeypatch.setattr(patience, "PATIENCE_SECONDS", seconds)
    busy = Busy(ApiProblem(status, {"title": "no"}))
    with pytest.raises(ApiProblem):
        patience.run_night(busy, "biology", "2026-07-03")
    assert len(busy.sent) == 1
