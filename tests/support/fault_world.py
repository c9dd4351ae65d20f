"""A memory in use, which can be set back, and what its clients sent and were told: where faults are tried out."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import numpy as np

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.files import UploadTicket
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode
from anamnesis.service.append_episodes import Draft
from support.memory_platform import MemorySemanticIndex
from support.port_faults import FaultPlan
from support.wired_memory import ANA, CHAPTER, NOW, Memory, answer, check, question

#: The stores of a memory, by the names that ``Memory`` has for them.
STORES = (
    "raw_log",
    "raw_uploads",
    "raw_concepts",
    "raw_beliefs",
    "raw_records",
    "raw_checkpoints",
    "raw_erasures",
    "raw_roster",
    "raw_queue",
    "raw_counter",
    "raw_wikis",
    "raw_connectors",
    "raw_web",
    "raw_answers",
    "raw_answer_queue",
)


class World:
    """A memory and its outside.

    Parameters
    ----------
    plan
        What fails.
    external
        Whether there is a semantic index outside.
    number
        Makes tenant and day the world's own, where stores are shared with other worlds.
    stores
        Replaces stores by name, as for ``Memory``.
    """

    #: Nights until everything is done: one finishes what was begun, the next sweeps, and one may find more of it.
    nights = 3
    #: How many of the nights, the last ones, are run once more.
    repeated = 100

    def __init__(
        self,
        plan: FaultPlan | None = None,
        *,
        external: bool = False,
        number: int = 0,
        stores: dict[str, Callable[[Any], Any]] | None = None,
    ) -> None:
        self.plan = plan or FaultPlan()
        self.number = number
        self.now = NOW + timedelta(days=number)
        self.ana = replace(ANA, tenant=f"school{number}")
        self.new = replace(self.ana, student="cleo")
        self.index = MemorySemanticIndex() if external else None
        self.memory = Memory(
            plan=self.plan,
            semantic_index=self.plan.wrap(self.index) if self.index else None,
            replace=stores or {},
        )
        self.memory.clock.at = self.now - timedelta(days=1)
        #: What a scenario's preparation leaves for its act.
        self.kept: dict[str, Any] = {}
        self.sent: dict[tuple[Pair, str], list[Draft]] = {}
        self.acknowledged: dict[tuple[Pair, str], list[str]] = {}
        #: Keys of objects that arrived and whose event was delivered at least once.
        self.delivered: set[str] = set()

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Everybody."""
        return self.ana, self.new

    @property
    def student(self) -> Caller:
        """Ana, as the holder of a token."""
        return Caller(self.ana.tenant, "ana", Role.STUDENT)

    def copy(self, plan: FaultPlan) -> World:
        """The same world again, in stores of its own and under another plan."""
        other = World(plan, external=self.index is not None, number=self.number)
        for name in STORES:
            _copy_state(getattr(self.memory, name), getattr(other.memory, name))
        if self.index is not None:
            _copy_state(self.index, other.index)
        _copy_state(self.memory.ids, other.memory.ids)
        other.memory.clock.at = self.memory.clock.at
        for name in ("kept", "sent", "acknowledged", "delivered"):
            setattr(other, name, _copied(getattr(self, name)))
        return other

    def neighbour(self) -> World:
        """Another process over the same stores, whose calls fail by no plan."""
        shared = {
            name.removeprefix("raw_"): lambda _, name=name: getattr(self.memory, name) for name in STORES
        }
        other = World(number=self.number, stores=shared)
        other.memory.ids, other.memory.clock = self.memory.ids, self.memory.clock
        for name in ("raw_uploads", "raw_concepts"):
            setattr(other.memory, name, getattr(self.memory, name))
        other.memory.fresh()
        for name in ("sent", "acknowledged", "delivered"):
            setattr(other, name, getattr(self, name))
        return other

    # ------------------------------------------------------------------ acts
    def say(self, key: str, *drafts: Draft, pair: Pair | None = None) -> list[Episode]:
        """Send a batch as a client does, and remember what was answered."""
        pair = pair or self.ana
        self.sent[pair, key] = list(drafts)
        episodes = self.memory.append(pair, key, drafts)
        self.acknowledged[pair, key] = [episode.id for episode in episodes]
        return episodes

    def offer(self, name: str, data: bytes = CHAPTER) -> UploadTicket:
        """Ask for a place for a file."""
        return self.memory.offer_file(self.ana, name=name, media_type="text/plain", size=max(1, len(data)))

    def put(self, ticket: UploadTicket, data: bytes) -> str:
        """Use a ticket; return the object's key."""
        return self.memory.raw_uploads.put(ticket, data)

    def upload(self, name: str, data: bytes = CHAPTER) -> tuple[str, str]:
        """Offer and upload; return the file's id and the object's key. Nothing has read it yet."""
        self.memory.clock.advance(seconds=1)
        ticket = self.offer(name, data)
        return ticket.file.id, self.put(ticket, data)

    def arrives(self, key: str) -> Any:
        """Deliver the event of an object."""
        self.delivered.add(key)
        return self.memory.read_file(key)

    def add_file(self, name: str, data: bytes = CHAPTER) -> str:
        """Upload and read; return the file's id."""
        file_id, key = self.upload(name, data)
        self.arrives(key)
        return file_id

    def night(self, pair: Pair | None = None, *, days: int = 0) -> Any:
        """Run a pair's night, of the day that this is or of another one."""
        return self.memory.run_night(pair or self.ana, (self.now + timedelta(days=days)).date())

    # ------------------------------------------------------------------ what is left lying about
    def page_texts(self) -> set[str]:
        """Fingerprints of all bytes that page texts are kept of."""
        return {f for (_, f), pages in self.memory.raw_concepts._pages.items() if pages}

    def uploaded(self) -> set[str]:
        """Ids of all files whose bytes are kept."""
        return {file_id for _, file_id in self.memory.raw_uploads._bytes}

    def dump(self) -> Any:
        """Everything stored, to the last bit."""
        state = [(name, _plain(getattr(self.memory, name))) for name in STORES if name != "raw_counter"]
        return _frozen([*state, *([_plain(self.index)] if self.index else [])])


def lived_in(world: World) -> World:
    """A day of work with its night: a file, talk about it, a check, a teaching, vectors, a checkpoint."""
    yesterday = world.now - timedelta(days=1)
    file_id = world.kept["file"] = world.add_file("cells.txt")
    told = world.say(
        "yesterday",
        question("What is osmosis?", at=yesterday),
        answer("Osmosis moves water.", at=yesterday, evidence=((file_id, 1),)),
        check("Osmosis", correct=False, at=yesterday),
        question("Remember that Lunar tides are pulled by the moon.", at=yesterday),
    )
    world.kept["told"] = [episode.id for episode in told]
    world.memory.index(world.ana, [episode.position for episode in told])
    world.night(days=-1)
    world.memory.clock.at = world.now
    return world


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(kept) for key, kept in value.items()}
    if isinstance(value, list | set):
        return type(value)(_copied(kept) for kept in value)
    return copy.copy(value) if isinstance(value, count) else value


def _copy_state(source: object, target: object) -> None:
    for name, value in vars(source).items():
        if isinstance(value, dict | list | set | int | count):
            setattr(target, name, _copied(value))


def _frozen(value: Any) -> Any:
    """A value that compares by all that it holds, arrays bit by bit."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if dataclasses.is_dataclass(value):
        return tuple(_frozen(getattr(value, field.name)) for field in dataclasses.fields(value))
    if isinstance(value, dict):
        return {key: _frozen(kept) for key, kept in value.items()}
    if isinstance(value, list | tuple):
        return [_frozen(kept) for kept in value]
    return value


def _plain(store: object) -> dict[str, Any]:
    return {name: value for name, value in vars(store).items() if isinstance(value, dict | list | set | int)}
