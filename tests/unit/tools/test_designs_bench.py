"""Four designs on questions of a history's own record: how questions are made, graded, registered and told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from anamnesis.bootstrap import Draft
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.text.tokens import estimate_tokens
from anamnesis_tools.bench.cached_embedder import CachedEmbedder
from anamnesis_tools.bench.designs import ablation
from anamnesis_tools.bench.designs.figures import figures, measures_nothing, shown
from anamnesis_tools.bench.designs.grading import NO_RECORD, is_named, passes, stands_in
from anamnesis_tools.bench.designs.prompts import MEMORY_TOKENS, TURNS, Design, Prompt
from anamnesis_tools.bench.designs.questions import Category, Item, Question, asked_of
from anamnesis_tools.bench.designs.running import (
    DesignsRun,
    Memory,
    registered_questions,
    remembered,
    run,
)
from anamnesis_tools.bench.histories.generator import generated
from anamnesis_tools.bench.histories.values import History
from support.bench_material import CHAPTERS, write_material
from support.map_values import concept, contribution, record, subject_map
from support.wired_memory import HashEmbedder

#: Enough for every category, few enough for seconds.
EVENTS = 44


@pytest.fixture(scope="module")
def histories(tmp_path_factory: pytest.TempPathFactory) -> list[History]:
    """A practised subject, an English, a Spanish and a Polish book, and dialogues without a file."""
    made = generated(write_material(tmp_path_factory.mktemp("data")), count=10)
    return [replace(made[number], events=made[number].events[:EVENTS]) for number in (0, 1, 2, 3, 9)]


@pytest.fixture(scope="module", autouse=True)
def environment() -> Iterator[None]:
    """Recording gives the SDK credentials of its own: what was there before comes back."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
            patch.setenv(name, "")
        yield


@pytest.fixture(scope="module")
def memory(histories: list[History], environment: None) -> Iterator[Memory]:
    with remembered(histories, HashEmbedder()) as made:
        yield made


@pytest.fixture(scope="module")
def questions(memory: Memory, histories: list[History]) -> tuple[Question, ...]:
    return registered_questions(memory, histories, seed=1).questions


def of(questions: tuple[Question, ...], category: Category) -> list[Question]:
    found = [question for question in questions if question.category is category]
    assert found, category
    return found


def drafted(day: int, kind: Kind, text: str, **more: object) -> Draft:
    at = datetime(2026, 5, 1, 15, tzinfo=UTC) + timedelta(days=day)
    return Draft(kind, at, text, language="en", **more)  # type: ignore[arg-type]


def test_every_category_is_asked_in_the_historys_language(questions: tuple[Question, ...]) -> None:
    """Questions come in six categories, several of each where the record allows, in the student's language (EV-3)."""
    assert {question.category for question in questions} == set(Category)
    assert {question.language for question in questions} == {"en", "es", "pl"}
    for category in Category:
        assert len(of(questions, category)) >= 2


def test_wrong_answers_are_the_recorded_ones(
    questions: tuple[Question, ...], histories: list[History]
) -> None:
    """What must be found of wrong answers is exactly what the record has as missed, by topic (EV-3)."""
    by_name = {history.name: history for history in histories}
    wrong = of(questions, Category.WRONG)
    assert wrong
    for question in wrong:
        events = by_name[question.history].events
        assert all(
            events[number].correct is False or (events[number].score or 1.0) < 0.5
            for item in question.items
            for number in item.events
        )
        topics = [{events[number].topic for number in item.events} for item in question.items]
        assert all(len(topic) == 1 for topic in topics)
        assert 0 < question.needed <= len(question.items)


def test_months_are_asked_by_what_was_recorded(
    questions: tuple[Question, ...], histories: list[History]
) -> None:
    """A busy month's evidence is of one month and all of its days, and an empty month has no event (EV-3, BL-6)."""
    by_name = {history.name: history for history in histories}
    for question in of(questions, Category.MONTH):
        events = by_name[question.history].events
        stamps = {
            events[number].occurred_at.strftime("%Y-%m") for item in question.items for number in item.events
        }
        assert len(stamps) == 1
        assert not question.nothing
    assert all(question.nothing and not question.items for question in of(questions, Category.EMPTY))


def test_what_builds_on_what_is_asked_all_the_way_down(questions: tuple[Question, ...]) -> None:
    """Before a topic comes everything that the files say it builds on, directly or not (EV-3)."""
    asked = of(questions, Category.REVISE)
    known = {term for terms in CHAPTERS.values() for term in terms}
    assert all(
        name.casefold() in known for q in asked if q.language == "en" for i in q.items for name in i.names
    )
    before = {question.text: {name for item in question.items for name in item.names} for question in asked}
    plasmolysis = next((names for text, names in before.items() if "lasmolysis" in text), None)
    if plasmolysis is not None:
        assert {"osmosis", "diffusion"} <= {name.casefold() for name in plasmolysis}


def test_a_topic_is_asked_about_where_its_checks_are_clear() -> None:
    """A belief is asked about only when a topic's latest checks agree, and its older ones are no evidence (EV-3)."""
    events = (
        drafted(0, Kind.CHECK, "one", topic="cell", correct=False),
        drafted(1, Kind.CHECK, "two", topic="cell", correct=True),
        drafted(2, Kind.CHECK, "three", topic="cell", correct=True),
        drafted(3, Kind.CHECK, "four", topic="membrane", correct=True),
        drafted(4, Kind.CHECK, "five", topic="membrane", correct=False),
    )
    history = History("s", "biology", "en", "UTC", datetime(2026, 5, 20, tzinfo=UTC), events)
    cells = subject_map(
        contribution("cells", concept("cell"), concept("membrane")), files={"cells": record("cells")}
    )
    asked = [q for q in asked_of(history, cells, seed=1) if q.category is Category.BELIEVED]
    assert {item.events for question in asked for item in question.items} == {(2, 1)}
    assert {item.phrases for question in asked for item in question.items} == {("understands cell",)}
    assert [question.understood for question in asked] == [None, True]


def test_designs_differ_in_nothing_but_their_own_part(
    memory: Memory, questions: tuple[Question, ...]
) -> None:
    """The same passages of files and the same question stand in every design's prompt; only memory differs (EV-3)."""
    question = of(questions, Category.EXPLAIN)[0]
    maker = memory.makers[question.history]
    prompts = {design: maker.made(design, question.text) for design in Design}
    assert len({prompt.passages for prompt in prompts.values()}) == 1
    assert prompts[Design.PLAIN].passages
    plain = prompts[Design.PLAIN].text
    for design, prompt in prompts.items():
        assert prompt.text.startswith(plain)
        assert prompt.whole.endswith(question.text)
        assert estimate_tokens(prompt.text[len(plain) :]) <= MEMORY_TOKENS + 2, design
    assert not prompts[Design.PLAIN].episode_ids


def test_a_window_is_the_last_twenty_turns(memory: Memory, histories: list[History]) -> None:
    """The window holds the latest turns, as many of twenty as fit, and none before them (EV-3)."""
    maker = memory.makers[histories[0].name]
    ids = [episode.id for episode in maker.recorded.episodes]
    kept = maker.made(Design.WINDOW, "anything").episode_ids
    assert 5 <= len(kept) <= TURNS
    assert kept == frozenset(ids[-len(kept) :])


def test_ranked_recall_alone_tells_neither_map_nor_beliefs(
    memory: Memory, questions: tuple[Question, ...]
) -> None:
    """Without map and beliefs the block holds memories alone, by the same use case as the whole one (EV-3, EV-5)."""
    question = next(q for q in of(questions, Category.WRONG) if q.history == "student-001")
    maker = memory.makers[question.history]
    alone, full = (maker.made(design, question.text) for design in (Design.EPISODES, Design.FULL))
    assert "SUBJECT MAP" not in alone.text
    assert "WHAT YOU CURRENTLY BELIEVE" not in alone.text
    assert "WHAT YOU CURRENTLY BELIEVE" in full.text
    assert alone.episode_ids
    assert full.text == maker.without(question.text, frozenset()).text


def prompt(text: str = "", *, ids: frozenset[str] = frozenset()) -> Prompt:
    return Prompt(text, "?", ids, (), 0.0)


def test_an_empty_month_needs_the_words_and_no_memory(memory: Memory, histories: list[History]) -> None:
    """A prompt passes an empty month only if it says that there is no record and lists nothing (EV-3, BL-6)."""
    name = histories[0].name
    question = Question(name, Category.EMPTY, "What did we do in May?", "en", nothing=True)
    recorded = memory.recorded(name)
    assert passes(question, prompt("There is NO RECORD for May."), recorded)
    assert not passes(question, prompt(""), recorded)
    assert not passes(question, prompt(NO_RECORD, ids=frozenset({recorded.episodes[0].id})), recorded)


def test_evidence_counts_once_for_each_thing(memory: Memory, histories: list[History]) -> None:
    """Any event of a thing shows it, ten of one show no other, and so many things as needed must be shown (EV-3)."""
    name = histories[0].name
    recorded = memory.recorded(name)
    items = (Item(events=(0, 1, 2)), Item(events=(3,), phrases=("struggles with cell",)))
    question = Question(name, Category.WRONG, "?", "en", items, needed=2)
    ids = [episode.id for episode in recorded.episodes]
    assert not passes(question, prompt(ids=frozenset(ids[:3])), recorded)
    assert passes(question, prompt(ids=frozenset({ids[1], ids[3]})), recorded)
    assert passes(question, prompt("- struggles with  CELL (0.60)", ids=frozenset({ids[2]})), recorded)
    assert not passes(question, prompt("struggles with cells", ids=frozenset({ids[2]})), recorded)


@pytest.mark.parametrize(
    "name,text,language,expected",
    [
        ("bodziec obojętny", "Dźwięk to bodziec obojętny.", "pl", True),
        ("cell", "All cells divide.", "en", True),
        ("cell", "Excellent!", "en", False),
        ("cell membrane", "The cell divides. A membrane is thin.", "en", False),
        ("बल", "बल से वेग बदलता है।", "hi", True),
        ("बल", "बलवान आदमी", "hi", False),
        ("التكاثف", "بعد التكاثف يهطل المطر", "ar", True),
        ("细胞", "细胞分裂。", "zh", True),
        ("", "anything", "en", False),
        ("cell", "", "en", False),
        ("cell", "x" * 1_000_000, "en", False),
    ],
)
def test_names_are_found_in_any_inflection(name: str, text: str, language: str, expected: bool) -> None:
    """A name counts as it stands or inflected within one sentence, in any script, and never inside a word (EV-3)."""
    assert is_named(name, text, language) is expected


def test_a_phrase_stands_as_it_is() -> None:
    """What must stand word for word is not found in another form (EV-3)."""
    assert stands_in("understands cell", "- Understands  cell (0.7)")
    assert not stands_in("understands cell", "understands cells")


@pytest.fixture(scope="module")
def measured(histories: list[History], environment: None) -> DesignsRun:
    """Two runs over a history."""
    return run(histories[1:2], CachedEmbedder(HashEmbedder()), seed=1)


def test_questions_are_registered_before_any_design_runs(histories: list[History]) -> None:
    """The set's hash is told before the first prompt is made, and is the same whenever it is made (EV-3)."""
    told: list[str] = []
    asked: list[tuple[int, str]] = []
    for _ in range(2):
        run(
            [replace(histories[1], events=histories[1].events[:20])],
            HashEmbedder(),
            seed=1,
            times=1,
            on_registered=lambda registered: told.append(registered.sha256),
            progress=lambda done, total, what: asked.append((len(told), what)),
        )
    assert len(set(told)) == 1
    assert all(known > 0 for known, what in asked if what.startswith("asking"))


def test_the_figures_hold_shares_intervals_costs_and_noise(
    measured: DesignsRun, capsys: pytest.CaptureFixture[str]
) -> None:
    """For each category and design there are share, interval, tokens, latency and what a second run changed (EV-3)."""
    found = figures(measured)
    assert found["questions"] == len(measured.registered.questions) == len(found["of_category"])
    assert (
        sum(of["questions"] for name, of in found["categories"].items() if name != "all")
        == found["questions"]
    )
    for of_category in found["categories"].values():
        for design in Design:
            one = of_category["designs"][design.value]
            assert one["interval"][0] <= one["share"] <= one["interval"][1]
            assert one["tokens"] > 0
            assert one["changed_when_repeated"] >= 0
            assert one["ms"]["p50"] <= one["ms"]["p95"]
    assert found["categories"]["all"]["designs"]["full"]["passed"] == found["grades"]["full"].count("1")
    assert json.loads(json.dumps(found)) == found
    shown(found, as_json=False)
    assert found["questions_sha256"] in "".join(capsys.readouterr().out.split())


def test_full_beats_what_it_is_made_of(measured: DesignsRun) -> None:
    """On made-up material too the whole block passes more than a window of turns, and that more than none (EV-3)."""
    designs = figures(measured)["categories"]["all"]["designs"]
    assert designs["full"]["share"] > designs["window"]["share"] > designs["plain"]["share"]


@pytest.mark.parametrize("shares,nothing", [((1.0, 0.97, 0.95, 1.0), True), ((0.5, 0.97, 0.99, 1.0), False)])
def test_a_category_that_all_pass_measures_nothing(shares: tuple[float, ...], nothing: bool) -> None:
    """A category is called out when every design passes it (EV-3)."""
    of_category = {"designs": {design.value: {"share": s} for design, s in zip(Design, shares, strict=True)}}
    assert measures_nothing(of_category) is nothing


def test_each_layer_is_left_out_by_itself(
    histories: list[History], capsys: pytest.CaptureFixture[str]
) -> None:
    """An ablation asks the same registered questions without each layer, and names those that add nothing (EV-5)."""
    found = ablation.figures(ablation.measure(histories[1:2], CachedEmbedder(HashEmbedder()), seed=1))
    layers = {name for name in ablation.left_out() if name != "full"}
    assert layers >= {"pool.recent", "pool.terms", "pool.concepts", "pool.semantic", "gate", "folding"}
    assert layers >= {"time_filter", "map", "beliefs", "routing"}
    for of_category in found["categories"].values():
        assert set(of_category["adds"]) == layers
    empty = found["categories"][Category.EMPTY.value]["adds"]
    assert empty["time_filter"]["difference"] == 1.0
    assert empty["beliefs"]["difference"] == 0.0
    # Two questions of one history prove nothing, however they go.
    assert "time_filter" in found["adds_nothing"]
    ablation.shown(found, as_json=False)
    assert "Adds nothing here" in capsys.readouterr().out
