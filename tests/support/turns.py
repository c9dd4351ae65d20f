"""Three months of one student's work, and one turn over them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from anamnesis.service.read_block import BlockReply
from support.wired_memory import ANA, NOW, Memory, answer, check, question, turn

TEACHING = "Remember that in our class we call mitochondria the powerhouse of the cell."


def months(memory: Memory) -> None:
    """Work over three months, with a night after it, and a few episodes since."""
    record = memory.add_file()
    for n in range(30):
        at = NOW - timedelta(days=90 - 3 * n)
        memory.say(
            question(f"How does topic number {n} work?", at=at, session_id=f"s{n}"),
            answer(f"Topic number {n} works by rule {n}.", at=at, session_id=f"s{n}"),
        )
    at = NOW - timedelta(days=80)
    memory.say(
        question("Why do raisins swell in water?", at=at, session_id="r"),
        answer("Raisins swell by osmosis.", at=at, session_id="r", evidence=((record.id, 2),)),
        check("Osmosis", correct=False, at=at),
        question(TEACHING, at=at),
    )
    memory.run_night(ANA, (NOW - timedelta(days=1)).date())
    memory.say(check("Cytoplasm", correct=True, at=NOW - timedelta(hours=1)))


def ask(memory: Memory, asked: str = "What is osmosis?", **more: Any) -> BlockReply:
    with ThreadPoolExecutor(12) as threads:
        return memory.reader(threads)(turn(asked, **more))


def sharing(memory: Memory, *, replace: dict[str, Any] | None = None, **more: Any) -> Memory:
    """A memory over the same stores with some replaced."""
    ports = ("log", "beliefs", "concepts", "records", "checkpoints")
    raw: dict[str, Any] = {p: (lambda _, p=p: getattr(memory, f"raw_{p}")) for p in ports}
    return Memory(replace={**raw, **(replace or {})}, **{"embedder": memory.embedder, **more})
