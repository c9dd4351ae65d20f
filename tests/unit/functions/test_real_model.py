"""The functions with the embedding model that ships."""

from __future__ import annotations

import pytest

from anamnesis import bootstrap
from anamnesis.domain.identifiers import Pair
from support.lambda_events import Api


@pytest.mark.parametrize(
    "question, found",
    [
        ("¿Cómo se resuelve una ecuación de segundo grado?", 1),
        ("Wer war der erste Kaiser Roms?", 2),
    ],
)
def test_a_question_in_another_language_finds_the_memory(
    api: Api, monkeypatch: pytest.MonkeyPatch, question: str, found: int
) -> None:
    """A question in another language finds its memory alone, by meaning, with the shipped model (RC-1, RC-3, SV-4)."""
    stood_in = bootstrap.application().__dict__
    shipped = bootstrap.Application(bootstrap.application()._settings)
    for part in ("embedder", "read_block", "index_episodes", "_refresh"):
        monkeypatch.setitem(stood_in, part, getattr(shipped, part))
    texts = (
        "Why do raisins swell when I put them into water?",
        "How do I solve a quadratic equation?",
        "Who was the first emperor of Rome?",
        "What is the capital of Mongolia?",
    )
    # Each on a day of its own: what is asked in one exchange with a match may come along with it.
    episodes = [
        {"kind": "question", "occurred_at": f"2026-07-0{day}T09:00:00Z", "text": text}
        for day, text in enumerate(texts, start=3)
    ]
    recorded = api("http_record_episodes", body={"episodes": episodes}).body["episodes"]
    assert shipped.index_episodes(Pair(api.tenant, "ana", "biology"), [1, 2, 3, 4]) == 4
    reply = api("http_read_block", body={"question": question}).body
    assert reply["degraded"] == []
    assert reply["matched"]
    assert reply["memory_ids"] == [recorded[found]["id"]]
