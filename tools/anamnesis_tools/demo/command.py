"""`anamnesis demo`: a stranger's first five minutes with a tutor's memory, on the real template and real input."""

from __future__ import annotations

import shlex
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from anamnesis_tools.api_client import ApiClient
from anamnesis_tools.demo import story
from anamnesis_tools.demo.tampering import edited_row
from anamnesis_tools.patience import patient, run_night
from anamnesis_tools.stack.local_stack import LocalStack
from anamnesis_tools.stack.places import DEFAULT_STATE

ZONE = "Europe/Madrid"
QUESTIONS = (
    ("An ordinary question", "Why does a cell burst in pure water?"),
    ("A question about the record", "What did I get wrong so far?"),
    ("A month", "What did we cover in July?"),
    ("An empty month", "What did we do in August?"),
    ("Another language", "¿Por qué la célula necesita mitocondrias?"),
    ("A memory from the first week", "What did you tell me about coffee in the kitchen?"),
    ("What was taught", "What is the powerhouse of the cell?"),
    ("Nothing in the record matches", "Who won the football match in Istanbul?"),
)
#: Turns timed for the latency table.
TIMED_TURNS = 60
#: Of the wiki's index; and the page that is shown, one whose belief changed.
INDEX_TOKENS = 400
WIKI_PAGE = "knowledge/concepts/biology/osmosis.md"
OTHERS_WORDS = ("axolotl", "tardigrade", "narwhal")

console = Console()


def demo(
    keep: Annotated[bool, typer.Option(help="Leave the stack running with the demo's data in it")] = False,
    state: Annotated[Path, typer.Option(help="State folder when --keep is given")] = DEFAULT_STATE,
) -> None:
    """Deploy the real template locally, live through a student's summer, and read the memory back."""
    started = time.monotonic()
    if keep:
        stack = LocalStack(state, persist=True)
        with console.status("Building layers and deploying template.yaml to a local emulator …"):
            stack.start(tied=False)
        play(stack, started)
        options = "" if state == DEFAULT_STATE else f" --state {shlex.quote(str(state))}"
        show_next(time.monotonic() - started, options)
        console.print(f"The stack goes on at '{stack.api_url}'", markup=False)
        return
    with tempfile.TemporaryDirectory(prefix="anamnesis-demo-") as folder:
        stack = LocalStack(Path(folder))
        with console.status("Building layers and deploying template.yaml to a local emulator …"):
            stack.__enter__()
        try:
            play(stack, started)
        finally:
            stack.stop()
    show_next(time.monotonic() - started)


def play(stack: LocalStack, started: float) -> None:
    """Everything the demo shows, on a deployed stack."""
    console.rule("[b]1 · Deployed")
    console.print(f"API at {stack.api_url} after {time.monotonic() - started:.0f} s")
    first = ApiClient(stack.api_url, stack.token(story.TENANT, story.FIRST))
    second = ApiClient(stack.api_url, stack.token(story.TENANT, story.SECOND))
    service = ApiClient(stack.api_url, stack.token(story.TENANT, story.FIRST, "service"), student=story.FIRST)
    files = show_course(first)
    show_months(first, second, service, files)
    cold = show_blocks(service)
    show_beliefs(first)
    show_chain(stack, first)
    show_wiki(first, service)
    show_latency(first, cold)


def show_course(client: ApiClient) -> dict[str, str]:
    """Upload the course files and show what was read from them; return file ids by name."""
    console.rule("[b]2 · Course files → concept map")
    files: dict[str, str] = {}
    read_files = []
    for path in sorted(story.COURSE.iterdir()):
        with console.status(f"Reading {path.name} …"):
            files[path.name] = client.upload(story.SUBJECT, path)
            read = client.wait_until_read(story.SUBJECT, files[path.name])
        read_files.append(read)
    concepts = client.call("GET", client.subject(story.SUBJECT, "map"))["concepts"]
    names = {concept["key"]: concept["name"] for concept in concepts}
    table = Table("file", "language", "pages", "concepts found")
    for read in read_files:
        found = ", ".join(names[key] for key in read["concepts"])
        table.add_row(read["name"], read["language"], str(read["pages"]), found)
    console.print(table)
    return files


def show_months(first: ApiClient, second: ApiClient, service: ApiClient, files: dict[str, str]) -> None:
    """Play both students' summers, with every night in between."""
    console.rule("[b]3 · A summer of work, night by night")
    days = list(story.first_student(files))
    with progress() as bar:
        task = bar.add_task(f"{story.FIRST}'s days and nights", total=len(days))
        recorded = 0
        for batch in days:
            recorded += len(first.record(story.SUBJECT, batch.key, batch.episodes))
            run_night(service, story.SUBJECT, batch.day.isoformat())
            bar.advance(task)
        for batch in story.second_student():
            second.record(story.SUBJECT, batch.key, batch.episodes)
    # The month without work has nights too: beliefs decay over it.
    run_night(service, story.SUBJECT, (story.asked_on().date() - timedelta(days=1)).isoformat())
    span = days[-1].day - days[0].day
    console.print(
        f"{recorded} episodes over {span.days} days in two languages; {len(days) + 1} nights, one after each day "
        "of work and one after the summer. Files and nights add episodes of their own."
    )


@dataclass(frozen=True, slots=True)
class Took:
    """How long a turn took: in the function by its own account, and over HTTP, both in milliseconds."""

    in_function: float
    over_http: float


def show_blocks(service: ApiClient) -> Took:
    """Ask as of the day after the summer, print each block as the tutor would get it, and time the first, cold turn."""
    console.rule("[b]4 · What the tutor is given, turn by turn")
    took: list[Took] = []
    for title, question in QUESTIONS:
        begun = time.perf_counter()
        reply = service.block(
            story.SUBJECT, question, time_zone=ZONE, budget_tokens=900, now=story.asked_on().isoformat()
        )
        took.append(Took(reply["elapsed_ms"], (time.perf_counter() - begun) * 1000))
        block = reply["block"] or "(dropped: the memory was late, the turn goes on without it)"
        leaked = [word for word in OTHERS_WORDS if word in block]
        if leaked:
            raise SystemExit(f"another student's memory showed up: {leaked}")
        facts = (
            f"{reply['tokens']} tokens of 900 · {reply['elapsed_ms']:.0f} ms · intent {reply['intent']}"
            f" · {'matched' if reply['matched'] else 'nothing matched'} · {len(reply['memory_ids'])} memories"
        )
        console.print(Panel(Text(block), title=f"{title}: “{question}”", subtitle=facts, title_align="left"))
    return took[0]


def show_beliefs(client: ApiClient) -> None:
    """Show current beliefs, and the history of one that changed."""
    console.rule("[b]5 · What the tutor believes, and since when")
    rows = client.call("GET", client.subject(story.SUBJECT, "beliefs"), params={"history": "true"})["beliefs"]
    claims = {row["id"]: f"{row['claim']}, {row['created_at'][:10]}" for row in rows}
    table = Table("claim", "confidence", "since", "superseded by")
    for row in rows:
        followed_by = claims.get(row["superseded_by"], "")
        table.add_row(row["claim"], f"{row['confidence']:.2f}", row["created_at"][:10], followed_by)
    console.print(table)


def show_chain(stack: LocalStack, client: ApiClient) -> None:
    """Verify the chain, edit a stored row behind the service's back, and show that it is found."""
    console.rule("[b]6 · The log cannot be edited unseen")
    chain = client.call("GET", client.subject(story.SUBJECT, "chain"))
    console.print(
        f"{chain['length']} episodes, {_verified(chain)}, {chain['checkpoints_checked']} checkpoints held against them"
    )
    position = 7
    with edited_row(stack, story.TENANT, story.FIRST, story.SUBJECT, position):
        found = client.call("GET", client.subject(story.SUBJECT, "chain"))
        named = ", ".join(f"{b['kind']} at position {b['position']}" for b in found["breaks"])
        console.print(f"A word added to episode {position} behind the service's back: {named}")
        if found["verified"]:
            raise SystemExit("the edited row was not found")
    repaired = client.call("GET", client.subject(story.SUBJECT, "chain"))
    console.print(f"Put back: {_verified(repaired)}")


def _verified(chain: Mapping[str, Any]) -> str:
    return "verified" if chain["verified"] else "NOT verified"


def show_wiki(client: ApiClient, service: ApiClient) -> None:
    """Show the wiki that the nights have compiled: its index within a budget, and what one page says."""
    console.rule("[b]7 · The same as a wiki, compiled behind every night")
    # The last night's compile is in a queue: this does its work now, or finds it done.
    patient(lambda: service.call("POST", "/v1/wiki/compile"))
    index = client.call("GET", "/v1/wiki/index", params={"budget_tokens": INDEX_TOKENS})
    page = client.call("GET", f"/v1/wiki/pages/{WIKI_PAGE}")
    # Without its head and from its links on, for the length.
    said = page["text"].partition("\n# ")[2].partition("\n## Related pages")[0]
    for title, text in (
        (f"Index for an agent's first message, {index['tokens']} tokens", index["text"]),
        (f"{WIKI_PAGE}, its numbered references left out", said),
    ):
        console.print(Panel(Text(text.strip()), title=title, title_align="left"))


def show_latency(client: ApiClient, cold: Took) -> None:
    """Time turns over HTTP, as a frontend would see them, beside the first turn of a fresh process."""
    console.rule("[b]8 · How long a turn takes")
    warm: list[Took] = []
    with progress() as bar:
        for turn in bar.track(list(turns(TIMED_TURNS)), description="Turns"):
            begun = time.perf_counter()
            reply = client.block(story.SUBJECT, turn)
            warm.append(Took(reply["elapsed_ms"], (time.perf_counter() - begun) * 1000))
    table = Table("milliseconds", "warm p50", "warm p95", "warm max", "cold")
    for name, values, first in (
        ("read block, in the function", [t.in_function for t in warm], cold.in_function),
        ("whole HTTP call, emulator and start-up included", [t.over_http for t in warm], cold.over_http),
    ):
        cuts = statistics.quantiles(values, n=20)
        shown = (statistics.median(values), cuts[18], max(values), first)
        table.add_row(name, *(f"{value:.0f}" for value in shown))
    console.print(table)


def turns(count: int) -> Iterator[str]:
    """Questions of the kinds above, `count` of them."""
    for number in range(count):
        yield QUESTIONS[number % len(QUESTIONS)][1]


def show_next(seconds: float, kept: str | None = None) -> None:
    """Say what to try next; `kept` holds the options that find a stack which was left running, None when none was."""
    console.rule(f"[b]Done in {seconds:.0f} s")
    ours, options = story.SUBJECT, kept or ""
    again = (
        "" if kept is not None else "  .venv/bin/anamnesis demo --keep      the same, left running; then:\n"
    )
    console.print(
        Text(
            "Try next, in this folder:\n"
            f"{again}"
            f"  .venv/bin/anamnesis ask {ours} 'what did I get wrong?'{options}\n"
            f"  .venv/bin/anamnesis teach {ours} 'Remember that osmosis is on the exam.'{options}\n"
            f"  .venv/bin/anamnesis upload {ours} YOUR-NOTES.pdf{options}\n"
            f"  .venv/bin/anamnesis episodes {ours}{options}\n"
            f"  .venv/bin/anamnesis verify {ours}{options}\n"
            f"  .venv/bin/anamnesis wiki checkout my-wiki{options}\n"
            f"  .venv/bin/anamnesis page{options}      a link to open: look at all of it, and chat\n"
            f"  .venv/bin/anamnesis down{options}\n"
            "README.md says how to deploy to AWS and how the parts fit."
        )
    )


def progress() -> Progress:
    """A progress bar that also reads well when output goes to a file."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )
