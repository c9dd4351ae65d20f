"""Play a scenario through the public API, and have everything judged that comes back."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial, singledispatchmethod
from itertools import islice
from typing import Any
from urllib.parse import quote

from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.bench.scenarios import judge
from anamnesis_tools.bench.scenarios.expected import Refusal
from anamnesis_tools.bench.scenarios.ledger import Ledger, Owner
from anamnesis_tools.bench.scenarios.script import (
    AskStep,
    BeliefsStep,
    ChainStep,
    DeleteFileStep,
    EpisodesStep,
    EraseStep,
    EraseSubjectStep,
    Event,
    FilesStep,
    MapStep,
    NightStep,
    RecordStep,
    RederiveStep,
    Scenario,
    Step,
    UploadStep,
)
from anamnesis_tools.erase_command import erased
from anamnesis_tools.failures import CommandFailed
from anamnesis_tools.patience import PATIENCE_SECONDS, patient, run_night, whole_block

#: Most episodes in a request, as the service takes them.
BATCH = 50
#: Of a turn that names none, as the service has it.
DEFAULT_BUDGET = 1_200


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that came back wrong: at which step, counted from 1, and what."""

    step: int
    what: str


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one scenario.

    Attributes
    ----------
    turns
        Blocks that were judged.
    """

    name: str
    scenario: Scenario
    faults: tuple[Fault, ...]
    turns: int
    seconds: float

    @property
    def outcome(self) -> str:
        """``passed``, ``failed``, ``known failing``, or ``passes unexpectedly``."""
        if self.scenario.known_failing is None:
            return "failed" if self.faults else "passed"
        return "known failing" if self.faults else "passes unexpectedly"

    @property
    def as_it_should(self) -> bool:
        """Whether the run stands with it."""
        return self.outcome in {"passed", "known failing"}


def play(name: str, scenario: Scenario, service: ApiClient, run: str) -> Played:
    """Play one scenario.

    Parameters
    ----------
    service
        With a token of the service's role: only that may say what time it is.
    run
        Goes into the names of students and subjects, so that no two runs meet.
    """
    began = time.monotonic()
    player = Player(scenario, service, f"{run}-{name}")
    for number, step in enumerate(scenario.steps, start=1):
        player.at = number
        try:
            player.act(step)
        except CommandFailed as problem:
            player.fault(f"went no further: {problem}")
            break
    return Played(name, scenario, tuple(player.faults), player.turns, time.monotonic() - began)


@dataclass(slots=True)
class Player:
    """One scenario under way."""

    scenario: Scenario
    service: ApiClient
    prefix: str
    ledger: Ledger = field(default_factory=Ledger)
    faults: list[Fault] = field(default_factory=list)
    turns: int = 0
    at: int = 0
    _keys: int = 0
    _callers: dict[str, ApiClient] = field(default_factory=dict)

    def fault(self, what: str) -> None:
        """Note something that is wrong at this step."""
        self.faults.append(Fault(self.at, what))

    def whose(self, step: Step) -> Owner:
        """Student and subject as the service knows them: the scenario's names stay at the end."""
        student, subject = step.student or self.scenario.student, step.subject or self.scenario.subject
        return f"{self.prefix}-{student}", f"{self.prefix}-{subject}"

    def caller(self, step: Step) -> tuple[ApiClient, Owner]:
        """The service acting for the step's student, and whose the step is."""
        owner = self.whose(step)
        if owner[0] not in self._callers:
            self._callers[owner[0]] = self.service.acting_for(owner[0])
        return self._callers[owner[0]], owner

    @singledispatchmethod
    def act(self, step: Any) -> None:
        """Do a step and judge what comes back."""
        raise NotImplementedError(type(step).__name__)

    # ------------------------------------------------------------------ what happens
    @act.register
    def _record(self, step: RecordStep) -> None:
        caller, owner = self.caller(step)
        sent = [(event, body) for event in step.record for body in self._bodies(event)]
        replies: list[dict[str, Any]] = []
        batches = iter(sent)
        while batch := list(islice(batches, BATCH)):
            self._keys += 1
            key = step.key or f"{self.prefix}-{self._keys}"
            try:
                replies += patient(partial(caller.record, owner[1], key, [body for _, body in batch]))
            except ApiProblem as problem:
                if step.refused is None:
                    raise
                self._note(judge.refusal(problem.problem, problem.status, step.refused))
                return
        if step.refused is not None:
            self._note(judge.refusal(None, 200, step.refused))
        for (event, body), reply in zip(sent, replies, strict=True):
            self.ledger.recorded(
                owner, event.handle, reply["id"], datetime.fromisoformat(body["occurred_at"])
            )
        kinds = [reply["kind"] for reply in replies]
        if step.kinds is not None and kinds != list(step.kinds):
            self.fault(f"recorded as {', '.join(kinds)}, not as {', '.join(step.kinds)}")

    def _bodies(self, event: Event) -> Iterator[dict[str, Any]]:
        given = {
            "kind": event.kind,
            "session_id": event.session,
            **{
                name: getattr(event, name)
                for name in ("summary", "topic", "evaluation", "correct", "score", "language")
            },
        }
        body = {name: value for name, value in given.items() if value is not None}
        if event.cites:
            cited = (cite.partition(":") for cite in event.cites)
            body["evidence"] = [
                {"file_id": self.ledger.files[name], **({"page": int(page)} if page else {})}
                for name, _, page in cited
            ]
        if event.uses:
            body["memory_ids"] = [one for handle in event.uses for one in self.ledger.episodes[handle]]
        for at, text in event.said():
            yield {**body, "occurred_at": at.isoformat(), "text": text}

    @act.register
    def _upload(self, step: UploadStep) -> None:
        caller, (_, subject) = self.caller(step)
        file_id = caller.send_file(subject, step.upload, step.text.encode())
        self.ledger.files[step.handle] = file_id
        found = caller.wait_until_read(subject, file_id, seconds=PATIENCE_SECONDS)
        if found["status"] != step.status:
            self.fault(f"{step.handle} is {found['status']} ({found['reason']}), not {step.status}")
        elif step.reason is not None and found["reason"] != step.reason:
            self.fault(f"{step.handle} is refused as {found['reason']}, not as {step.reason}")

    @act.register
    def _delete_file(self, step: DeleteFileStep) -> None:
        caller, (_, subject) = self.caller(step)
        file_id = self.ledger.files[step.delete_file]
        caller.call("DELETE", caller.subject(subject, f"files/{quote(file_id, safe='')}"))

    @act.register
    def _erase(self, step: EraseStep) -> None:
        caller, (_, subject) = self.caller(step)
        episode_id = self.ledger.episodes[step.erase][step.nth - 1]
        erased(caller, caller.subject(subject, f"episodes/{quote(episode_id, safe='')}"))

    @act.register
    def _erase_subject(self, step: EraseSubjectStep) -> None:
        caller, (_, subject) = self.caller(step)
        erased(caller, f"/v1/subjects/{quote(subject, safe='')}")

    @act.register
    def _night(self, step: NightStep) -> None:
        caller, (_, subject) = self.caller(step)
        for day in step.night:
            run_night(caller, subject, day.isoformat())

    @act.register
    def _rederive(self, step: RederiveStep) -> None:
        caller, (_, subject) = self.caller(step)
        patient(lambda: caller.call("POST", caller.subject(subject, "beliefs/rederive")))

    # ------------------------------------------------------------------ what is looked at
    @act.register
    def _ask(self, step: AskStep) -> None:
        for question in step.ask:
            for wrong in self._turn(step, question):
                self.fault(f"{_shown(question)}: {wrong}" if len(step.ask) > 1 else wrong)

    def _turn(self, step: AskStep, question: str) -> list[str]:
        caller, owner = self.caller(step)
        self.turns += 1
        budget = step.budget_tokens or DEFAULT_BUDGET
        options: dict[str, Any] = {
            "now": (step.now or self.scenario.now).isoformat(),
            "time_zone": step.time_zone or self.scenario.time_zone,
            "budget_tokens": budget,
            **({"switch_off": step.switch_off} if step.switch_off else {}),
        }
        wanted: Refusal | None = step.expect.refused
        try:
            reply = whole_block(caller, owner[1], question, options)
        except ApiProblem as problem:
            if wanted is None:
                raise
            return judge.refusal(problem.problem, problem.status, wanted)
        if wanted is not None:
            return judge.refusal(None, 200, wanted)
        if late := reply["degraded"]:
            return [f"without {', '.join(late)}, however often it was asked"]
        if reply["block"] is None:
            return ["no block, however often it was asked"]
        wrong = judge.structure(reply, budget)
        if wrong:
            return wrong
        if not set(reply["memory_ids"]) <= set(self.ledger.logs.get(owner, ())):
            path = caller.subject(owner[1], "episodes")
            self.ledger.listed(owner, caller.pages(path, "episodes", {"limit": 200}))
        wrong = judge.ownership(reply, self.ledger.logs.get(owner, {}))
        wrong += judge.block_reply(reply, step.expect, self.ledger)
        if step.legacy_section is not None:
            wrong += judge.legacy_section(reply["block"], step.legacy_section, step.expect)
        return wrong

    @act.register
    def _beliefs(self, step: BeliefsStep) -> None:
        caller, (_, subject) = self.caller(step)
        path = caller.subject(subject, "beliefs")
        rows = patient(lambda: caller.call("GET", path, params={"history": "true"}))["beliefs"]
        self._note(judge.beliefs(rows, step.beliefs, self.ledger))

    @act.register
    def _map(self, step: MapStep) -> None:
        caller, (_, subject) = self.caller(step)
        concepts = patient(lambda: list(caller.pages(caller.subject(subject, "map"), "concepts", {})))
        self._note(judge.subject_map(concepts, step.map, self.ledger))

    @act.register
    def _files(self, step: FilesStep) -> None:
        caller, (_, subject) = self.caller(step)
        for handle, expected in step.files.items():
            path = caller.subject(subject, f"files/{quote(self.ledger.files[handle], safe='')}")
            found = patient(partial(caller.call, "GET", path))
            self._note(judge.file(handle, found, expected, self.ledger))

    @act.register
    def _episodes(self, step: EpisodesStep) -> None:
        caller, (_, subject) = self.caller(step)
        asked, wanted = caller.subject(subject, "episodes"), step.episodes
        params: dict[str, Any] = {"limit": wanted.limit}
        if wanted.start is not None:
            params["from"] = wanted.start.isoformat()
        if wanted.end is not None:
            params["to"] = wanted.end.isoformat()
        if wanted.kind is not None:
            params["kind"] = wanted.kind
        pages: list[list[dict[str, Any]]] = []
        cursor: str | None = None
        while cursor is not None or not pages:
            page = caller.call(
                "GET", asked, params=params if cursor is None else {**params, "cursor": cursor}
            )
            pages.append(page["episodes"])
            cursor = page["cursor"]
        self._note(judge.listing(pages, wanted, self.ledger))

    @act.register
    def _chain(self, step: ChainStep) -> None:
        caller, (_, subject) = self.caller(step)
        found = patient(lambda: caller.call("GET", caller.subject(subject, "chain")))
        self._note(judge.chain(found, step.chain))

    def _note(self, wrong: Sequence[str]) -> None:
        for one in wrong:
            self.fault(one)


def _shown(question: str) -> str:
    """The beginning of a question, for people; the scenario's author wrote it, no student."""
    return ascii(question[:40]) if not question[:40].isprintable() else f"“{question[:40]}”"
