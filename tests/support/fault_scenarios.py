"""Every use case in the situations that it meets: what faults are tried out on.

A scenario prepares a world that was lived in, and then acts. What it does must be repeatable as production repeats it:
a client sends the same request again, an event is delivered again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from anamnesis.domain.access import Role
from anamnesis.domain.errors import AnamnesisError, GateRefused, InvalidInput, PageConflict, StoreUnavailable
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.tutoring.answers import answer_id, answer_key, question_key
from anamnesis.domain.wiki.addresses import episode_address, file_address, session_address
from anamnesis.domain.wiki.connectors import ConnectorKind
from anamnesis.service.deadline import Deadline
from anamnesis.service.write_answer import Outcome
from support.fault_world import World
from support.port_faults import WRITES
from support.wired_memory import CHAPTER, AtOnce, answer, chat, check, question, turn

NEVER = Deadline.never()
PLANTS = (
    b"Photosynthesis < Chlorophyll: Plants turn light into sugar.\fChlorophyll: Chlorophyll catches light."
)
OTHER_CELLS = b"Osmosis: Osmosis is something else now.\nNucleus: The nucleus holds what is inherited."
#: Longer than what a row holds.
LONG_TEXT = "Why does water move through a membrane? " * 200


def nothing(_: World) -> None:
    """No preparation."""


@dataclass(frozen=True)
class Scenario:
    """One use case in one situation.

    Attributes
    ----------
    looks
        Whether it only reads: repeated after any fault it then answers what it answers without one.
    paired
        Whether it is worth being run in the middle of every other one: one scenario a way of writing.
    """

    name: str
    act: Callable[[World], Any]
    prepare: Callable[[World], object] = nothing
    looks: bool = False
    paired: bool = False
    external: bool = False


def _keep(name: str, make: Callable[[World], Any]) -> Callable[[World], None]:
    def prepare(world: World) -> None:
        world.kept[name] = make(world)

    return prepare


def _say_talk(world: World) -> Any:
    at = world.now
    return world.say(
        "talk", question("Why is a membrane thin?", at=at), answer("So that water passes.", at=at)
    )


def _say_checks(world: World) -> Any:
    results = (True, False, True, True)
    return world.say("checks", *(check("Osmosis", correct=c, at=world.now) for c in results))


def _say_teaching(world: World) -> Any:
    return world.say("teach", question("Remember that osmosis is the great leveller.", at=world.now))


def _wiki(world: World) -> None:
    """A wiki of two revisions."""
    scope, wikis = world.ana.student_scope, world.memory.raw_wikis
    for number in range(2):
        head = wikis.head(scope)
        wikis.commit(
            scope,
            {"knowledge/index.md": f"# {number}\n", "notes/a.md": "a\n"},
            parents=[head] if head else [],
            expected=head,
            message=str(number),
            author="Anamnesis",
            at=world.now + timedelta(minutes=number),
        )


def _compile(world: World) -> Any:
    report = world.memory.compile_wiki(world.ana.student_scope)
    return report.pages, report.findings


AGENTS = """---
title: "What helps"
kind: "learning"
created: "2026-07-03"
updated: "2026-07-03"
sources: [{address}]
aliases: []
author: "agent"
---

# What helps

- Asked about osmosis. [cite:1]

## References

1. `{bare}`
"""


def _compiled(world: World) -> None:
    """A wiki of what there is, and where a writer begins."""
    _compile(world)
    head = world.memory.raw_wikis.head(world.ana.student_scope)
    world.kept["base"] = head.id if head else None


def _write_page(world: World) -> Any:
    """Write as an agent does: what it read, or cites, may be gone with an erasure; then it reads anew, or gives up."""
    scope, bare = world.ana.student_scope, str(episode_address(world.ana.subject, world.kept["told"][0]))
    head = world.memory.raw_wikis.head(scope)
    for base in (world.kept["base"], head.id if head else None):
        with suppress(PageConflict, GateRefused):
            return world.memory.write_wiki_page(
                scope,
                "knowledge/learnings/what-helps.md",
                AGENTS.format(address=f'"{bare}"', bare=bare),
                base=base,
                by=Role.SERVICE,
            ).path
    return None


def _erase_taught(world: World) -> Any:
    return world.memory.erase.episode(world.ana, world.kept["told"][3], Role.STUDENT, NEVER)


def _read_wiki(world: World) -> Any:
    scope, reading = world.ana.student_scope, world.memory.read_wiki
    return (
        reading.index(scope, budget_tokens=2_000),
        reading.page(scope, "memory/notes/a.md", rev=None),
        reading.pages(scope, prefix="notes/", rev=None, cursor=None, limit=5),
        reading.log(scope, path="knowledge", cursor=None, limit=5),
        reading.diff(scope, old=None, new=None, path=None),
    )


def _find_in_wiki(world: World) -> Any:
    scope, finding = world.ana.student_scope, world.memory.find_in_wiki
    return (
        finding.search(scope, "number", levels=(), limit=5).hits,
        finding.start_files(scope, have={}, max_bytes=10**6).handed,
    )


def _recall_wiki(world: World) -> Any:
    found = world.memory.recall_wiki(
        world.ana.student_scope,
        "osmosis",
        now=world.now,
        zone=ZoneInfo("UTC"),
        limit=5,
        have={},
        max_bytes=10**6,
    )
    return found.text


def _keep_up(world: World) -> None:
    """What the wikis that readers are shown pass on of the store's upkeep."""
    scope, shown = world.ana.student_scope, world.memory.shown_wikis
    shown.sweep(scope, until=world.now - timedelta(hours=1))
    shown.rewrite(scope, lambda path, text: path != "notes/a.md")
    shown.erase(scope)


CALENDAR_URL = "https://example.org/school.ics"


def _publish_calendar(world: World, title: str = "Exam") -> None:
    world.memory.raw_web.pages[CALENDAR_URL] = (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\nBEGIN:VEVENT\r\nUID:e@s\r\n"
        f"DTSTART:{world.now:%Y%m%d}T200000Z\r\nSUMMARY:{title}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    ).encode()


def _register(world: World) -> Any:
    found, records = world.memory.connectors.register(
        world.ana.tenant, "school", kind=ConnectorKind.ICALENDAR, subject=None, url=CALENDAR_URL, text=None
    )
    return found.name, records


def _look_at_connectors(world: World) -> Any:
    connectors, tenant = world.memory.connectors, world.ana.tenant
    found = connectors.search(tenant, "school", "", limit=5)
    followed = connectors.record(tenant, "school", found[0].path, subjects=[world.ana.subject])
    return connectors.all(tenant), found, followed


def _changed_calendar(world: World) -> None:
    _publish_calendar(world)
    _register(world)
    _publish_calendar(world, "Moved exam")


def _clone_wiki(world: World) -> None:
    """In memory there is no git, which is said once the store was asked."""
    for ask in (
        lambda: world.memory.serve_git.advertise(world.ana.student_scope, version=2),
        lambda: world.memory.serve_git.upload_pack(world.ana.student_scope, b"", version=2),
    ):
        with suppress(InvalidInput):
            ask()


def _say_session(world: World) -> Any:
    return world.say("session", question("Why is salt water salty?", at=world.now, session_id="s 1"))


def _follow(world: World) -> Any:
    scope, subject = world.ana.student_scope, world.ana.subject
    told, file_id = world.kept["told"], world.kept["file"]
    addresses = (
        episode_address(subject, told[0]),
        session_address(subject, "s 1", 1),
        file_address(subject, file_id, 1),
    )
    return [world.memory.follow_evidence(scope, address) for address in addresses]


def _say_fifty(world: World) -> Any:
    asked = (question(f"Question {n} about osmosis?", at=world.now + timedelta(seconds=n)) for n in range(50))
    return world.say("fifty", *asked)


def _unprojected(world: World) -> None:
    """A log that is ahead of what was made of it: the stores of that were down."""
    plan, names = world.plan, frozenset({"save", "save_layer"})
    before = plan.call, plan.times, plan.error, plan.counted
    plan.call, plan.times, plan.counted, plan.armed = 1, 1_000, names, True
    plan.error = lambda: StoreUnavailable("down")
    _say_checks(world)
    _say_teaching(world)
    plan.armed = False
    plan.call, plan.times, plan.error, plan.counted = before
    plan.calls.clear(), plan.failed.clear()
    world.memory.fresh()


def _deleted_meanwhile(world: World) -> None:
    file_id, key = world.upload("plants.txt", PLANTS)
    world.memory.delete_file(world.student, world.ana, file_id)
    # The upload permission outlives the file by minutes.
    world.put(world.memory.uploads.ticket(_file(world, file_id), expires_at=world.now), PLANTS)
    world.kept["arrived"] = key


def _file(world: World, file_id: str) -> Any:
    record = world.memory.concepts.get_file(world.ana.scope, file_id)
    assert record is not None
    return record


def _never_offered(world: World) -> str:
    ticket = world.memory.uploads.ticket(
        replace(_file(world, world.kept["file"]), id="01NEVER"), expires_at=world.now
    )
    return world.put(ticket, PLANTS)


def _changed_map(world: World) -> None:
    _say_checks(world)
    world.say("of plants", check("Photosynthesis", at=world.now), check("Chlorophyll", at=world.now))
    world.add_file("plants.txt", PLANTS)


def _long_history(world: World) -> None:
    for batch in range(3):
        asked = (question(f"Number {batch} {n}?", at=world.now) for n in range(50))
        last = world.say(f"history {batch}", *asked)[-1].position
    world.kept["position"] = last - last % 25


def _cut(name: str) -> Callable[[World], None]:
    """Prepare an erasure that died right after it was begun."""

    def prepare(world: World) -> None:
        plan = world.plan
        before = plan.call, plan.times, plan.error, plan.counted
        plan.call, plan.times, plan.counted, plan.armed = 1, 1_000, WRITES - {"begin", "request"}, True
        plan.error = lambda: StoreUnavailable("down")
        with suppress(AnamnesisError):
            _erasing(name)(world)
        plan.armed = False
        plan.call, plan.times, plan.error, plan.counted = before
        plan.calls.clear(), plan.failed.clear()
        world.memory.fresh()

    return prepare


def _erasing(name: str) -> Callable[[World], Any]:
    def act(world: World) -> Any:
        if name == "episode":
            return world.memory.erase.episode(world.ana, world.kept["told"][0], Role.STUDENT, NEVER)
        if name == "subject":
            return world.memory.erase.subject(world.ana, Role.STUDENT, NEVER)
        return world.memory.erase.student(world.ana.tenant, "ana", Role.STUDENT, NEVER)

    return act


def _arrive(world: World) -> Any:
    record = world.arrives(world.kept["arrived"])
    return None if record is None else record.status


def _delete(world: World) -> Any:
    world.memory.delete_file(world.student, world.ana, world.kept["file"])


def _positions(world: World) -> list[int]:
    return [episode.position for episode in world.memory.log.scan(world.ana)]


def _ask(world: World) -> Any:
    return world.memory.reader(executor=AtOnce())(turn(pair=world.ana, now=world.now))


def _block(world: World) -> Any:
    """A block without what is missing from it; one that is not whole says so."""
    reply = _ask(world)
    world.kept["degraded"] = bool(reply.degraded or reply.dropped)
    return None if world.kept["degraded"] else reply.block


def _report(world: World) -> Any:
    report = world.memory.report(world.ana, zone=ZoneInfo("UTC"), deadline=NEVER)
    return report.beliefs, report.chain.verified


def _between(world: World) -> tuple[Any, Any]:
    return world.now - timedelta(days=2), world.now + timedelta(days=1)


def _uploaded(name: str, data: bytes) -> Callable[[World], None]:
    return _keep("arrived", lambda world: world.upload(name, data)[1])


def _same_bytes(world: World) -> None:
    world.add_file("copy.txt")


def _ground(world: World) -> Any:
    told = next(e for e in reversed(list(world.memory.log.scan(world.ana))) if e.kind is Kind.ANSWER)
    text = told.content.text if told.content else ""
    stance = world.memory.ground(world.ana, text, episode_id=told.id).grounding.stance
    return stance, len(world.memory.ground.unanswered(world.ana))


def _say_earlier(world: World) -> None:
    """What was said in the session before."""
    asked = question("Why is a membrane thin?", at=world.now, session_id="chat")
    world.say("earlier", asked, answer(LONG_TEXT, at=world.now, session_id="chat"))


def _start_answer(world: World) -> Any:
    """Ask in a chat, and ask again as a client does whose request failed."""
    key = question_key("chat")
    world.sent[world.ana, key] = [question(at=world.now)]
    started = world.memory.answering()(chat(pair=world.ana, now=world.now, session_id="chat"), "chat")
    world.acknowledged[world.ana, key] = [started.question.id]
    return started.question.content


def _write_answer(world: World) -> Any:
    """Deliver an answer's message; where somebody died over it, as long afterwards as it takes to come again."""
    memory, name = world.memory, answer_id(world.ana, "chat")
    world.sent[world.ana, answer_key(name)] = [answer("Osmosis is the movement of water.", at=world.now)]
    state = memory.raw_answers.states.get((world.ana, name))
    if state is not None and state.held_until is not None:
        memory.clock.at = max(memory.clock.at, state.held_until)
    return memory.write_answer(world.ana, name).outcome is not Outcome.FAILED


def _written(world: World) -> None:
    _start_answer(world)
    _write_answer(world)


SCENARIOS = (
    # appending
    Scenario("append a turn", _say_talk, paired=True),
    Scenario("append checks", _say_checks, paired=True),
    Scenario("append a teaching", _say_teaching, paired=True),
    Scenario("append a long text", lambda w: w.say("long", question(LONG_TEXT, at=w.now))),
    Scenario("append fifty", _say_fifty),
    Scenario("append what a pair begins with", lambda w: w.say("first", question(at=w.now), pair=w.new)),
    Scenario("append again under the key", _say_checks, _say_checks),
    Scenario("project", lambda w: w.memory.project(w.ana), _unprojected),
    Scenario("rederive", lambda w: w.memory.rederive(w.ana), _changed_map, paired=True),
    # files
    Scenario("offer a file", lambda w: w.offer("plants.txt", PLANTS).file.name, paired=True),
    Scenario("read a file", _arrive, _uploaded("plants.txt", PLANTS), paired=True),
    Scenario("read a file again", _arrive, lambda w: (_uploaded("plants.txt", PLANTS)(w), _arrive(w))),
    Scenario("read the same bytes", _arrive, _uploaded("copy.txt", CHAPTER)),
    Scenario("read a replacement", _arrive, _uploaded("cells.txt", OTHER_CELLS), paired=True),
    Scenario("refuse a file", _arrive, _uploaded("broken.txt", b"%REFUSE")),
    Scenario("read what was deleted", _arrive, _deleted_meanwhile),
    Scenario("read what was never offered", _arrive, _keep("arrived", _never_offered)),
    Scenario("delete a file", _delete, paired=True),
    Scenario("delete one of two copies", _delete, _same_bytes),
    Scenario("publish the map", lambda w: w.memory.publish(w.ana.scope)),
    # what is made of the log
    Scenario("index", lambda w: w.memory.index(w.ana, _positions(w)), _say_talk, paired=True),
    Scenario("index outside", lambda w: w.memory.index(w.ana, _positions(w)), _say_talk, external=True),
    Scenario("index a long tail", lambda w: w.memory.index(w.ana, [w.kept["position"]]), _long_history),
    Scenario(
        "index again",
        lambda w: [w.memory.index_again(p, *_between(w)) for p in w.memory.index_again.pairs(*_between(w))],
        _say_talk,
    ),
    Scenario(
        "refresh the working set", lambda w: w.memory.refresh(w.ana).last_position, _say_talk, paired=True
    ),
    # nights
    Scenario("start a night", lambda w: w.memory.start_night(w.now.date()), _say_talk),
    Scenario("run a night", lambda w: w.night().night, _say_checks, paired=True),
    Scenario("run a night again", lambda w: w.night().night, lambda w: (_say_checks(w), w.night())),
    Scenario(
        "run a first night", lambda w: w.night(w.new).night, lambda w: w.say("f", check(at=w.now), pair=w.new)
    ),
    Scenario("run a night much later", lambda w: w.night(days=100).night, _say_checks),
    Scenario("finish an erasure at night", lambda w: w.night().night, _cut("episode")),
    Scenario("finish a subject's erasure at night", lambda w: w.night().night, _cut("subject")),
    # erasing
    Scenario("erase an episode", _erasing("episode"), paired=True),
    Scenario("erase an episode outside", _erasing("episode"), external=True),
    Scenario("erase a subject", _erasing("subject"), paired=True),
    Scenario("erase a student", _erasing("student")),
    # looking
    Scenario("verify", lambda w: w.memory.verify(w.ana).breaks, _say_talk, looks=True),
    Scenario("prove", lambda w: w.memory.prove(w.ana, w.kept["told"][0]).episode.id, looks=True),
    Scenario("list checkpoints", lambda w: w.memory.list_checkpoints(w.ana, after=0, limit=9), looks=True),
    Scenario("list files", lambda w: w.memory.list_files.all(w.ana.scope), looks=True),
    Scenario("look at a file", lambda w: w.memory.list_files.one(w.ana.scope, w.kept["file"]), looks=True),
    Scenario("view the map", lambda w: w.memory.view_map(w.ana), _unprojected, paired=True),
    Scenario("view files' concepts", lambda w: w.memory.view_map.concepts_by_file(w.ana.scope), looks=True),
    Scenario(
        "list subjects",
        lambda w: w.memory.list_subjects(StudentScope(w.ana.tenant, w.ana.student)),
        looks=True,
    ),
    Scenario("list beliefs", lambda w: len(w.memory.list_beliefs(w.ana, history=True)), _unprojected),
    Scenario(
        "look at a belief",
        lambda w: w.memory.list_beliefs.chain_of(w.ana, w.memory.beliefs.current(w.ana)[0].id),
        looks=True,
    ),
    Scenario(
        "list episodes",
        lambda w: w.memory.list_episodes(w.ana, start=None, end=None, kind=None, cursor=None, limit=9),
        looks=True,
    ),
    Scenario(
        "look at an episode", lambda w: w.memory.list_episodes.one(w.ana, w.kept["told"][1]), looks=True
    ),
    Scenario("read the self-model", lambda w: w.memory.get_self_model(w.ana), looks=True),
    Scenario("read a block", _block, _say_talk, looks=True),
    Scenario("report", _report, _unprojected),
    Scenario("export", lambda w: w.memory.export(w.ana.tenant, "ana", cursor=None), looks=True),
    Scenario("ground an answer", _ground, _say_talk),
    Scenario("start an answer", _start_answer, _say_earlier, paired=True),
    Scenario("start an answer again", _start_answer, _start_answer),
    Scenario("write an answer", _write_answer, _start_answer, paired=True),
    Scenario("write an answer again", _write_answer, _written),
    Scenario(
        "look at an answer",
        lambda w: w.memory.read_answer(w.ana, answer_id(w.ana, "chat")).text,
        _written,
        looks=True,
    ),
    Scenario("erase an episode beside an answer", _erasing("episode"), _start_answer),
    Scenario("compile a wiki", _compile, paired=True),
    Scenario("compile a wiki that is ahead", _compile, lambda w: (_compiled(w), _say_talk(w))),
    Scenario("write a page of a wiki", _write_page, _compiled, paired=True),
    Scenario("erase an episode of a wiki", _erase_taught, _compiled),
    Scenario("erase a subject of a wiki", _erasing("subject"), _compiled),
    Scenario("erase a student of a wiki", _erasing("student"), _compiled),
    Scenario("read a wiki", _read_wiki, _wiki, looks=True),
    Scenario("keep up a wiki", _keep_up, _wiki),
    Scenario("clone a wiki", _clone_wiki, _wiki, looks=True),
    Scenario("find in a wiki", _find_in_wiki, _wiki, looks=True),
    Scenario("recall for an agent", _recall_wiki, lambda w: (_wiki(w), _say_talk(w)), looks=True),
    Scenario("register a connector", _register, _publish_calendar),
    Scenario("look at connectors", _look_at_connectors, _changed_calendar, looks=True),
    Scenario(
        "forget a connector", lambda w: w.memory.connectors.remove(w.ana.tenant, "school"), _changed_calendar
    ),
    Scenario("follow citations", _follow, _say_session, looks=True),
    Scenario("admit a request", lambda w: w.memory.admit(w.ana.tenant)),
)
