"""Where a student stands on a concept, how it is known, and what was thought before."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from anamnesis.domain.beliefs import Claim
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.page_format import ReadPage, read
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from support.map_values import concept, contribution, record, subject_map
from support.wiki_checks import faults
from support.wiki_values import T0, ana, belief, biology_map, evidence, subject_evidence, turn

OSMOSIS = "knowledge/concepts/biology/osmosis.md"


def page(wiki: WikiEvidence, path: str = OSMOSIS) -> ReadPage:
    tree = DeterministicWriter().write(wiki, {})
    assert faults(tree, wiki) == []
    return read(path, tree[path])


def summary(read_page: ReadPage) -> str:
    return next(line.text for line in read_page.lines if line.text and not line.text.startswith("# "))


def check(position: int, *, correct: bool, day: int, **fields):
    return turn(
        position, f"answer {position}", Kind.CHECK, day=day, concepts=["osmosis"], correct=correct, **fields
    )


def test_the_current_state_is_what_one_reads_first() -> None:
    """A page begins with what is believed now, in words and as a number, and since which check (WK-2, WD-5)."""
    assert summary(page(ana())).startswith(
        "Understands osmosis: high confidence (0.82), last checked 2026-03-09. [cite:1]"
    )


def test_a_change_of_mind_is_dated_history() -> None:
    """What was believed before stands under "What changed" with its end, and nowhere as current (WK-4)."""
    read_page = page(ana())
    assert read_page.section("What changed").startswith(
        "- Until 2026-03-09: struggles with osmosis, fair confidence (0.60), since 2026-03-02"
    )
    assert "truggles with" not in summary(read_page)


def test_a_row_derived_anew_is_no_change_of_mind() -> None:
    """A belief that only took the place of one of the same claim makes no history (WK-4)."""
    first, second = check(1, correct=True, day=0), check(2, correct=True, day=5)
    rows = [
        belief("osmosis", Claim.UNDERSTANDS, [first], superseded_by="belief-osmosis-2"),
        belief("osmosis", Claim.UNDERSTANDS, [first, second], number=2),
    ]
    wiki = evidence(subject_evidence([first, second], beliefs=rows, mapped=biology_map()))
    assert page(wiki).section("What changed") == ""


def test_a_belief_that_faded_says_that_it_is_to_be_confirmed() -> None:
    """A belief lowered by time alone is shown as to be confirmed (WK-2)."""
    only = check(1, correct=True, day=0)
    rows = [belief("osmosis", Claim.UNDERSTANDS, [only], confidence=0.5, decayed_on=T0 + timedelta(days=45))]
    wiki = evidence(subject_evidence([only], beliefs=rows, mapped=biology_map()))
    read_page = page(wiki)
    assert "low confidence (0.50), last checked 2026-03-02; to be confirmed" in summary(read_page)
    assert read_page.front is not None
    assert read_page.front["updated"] == "2026-04-16"


def test_a_belief_whose_check_is_gone_is_not_shown() -> None:
    """A belief that rests on an erased check is left out, though its row may still be there (EP-8)."""
    kept, gone = check(1, correct=True, day=0), check(2, correct=True, day=1)
    rows = [belief("osmosis", Claim.UNDERSTANDS, [kept, gone])]
    wiki = evidence(subject_evidence([kept], beliefs=rows, mapped=biology_map()))
    assert summary(page(wiki)).startswith(
        "Came up in 1 turn, last on 2026-03-02; checked 1 time, no belief held."
    )


def test_mistakes_that_recur_are_counted_with_what_was_said_of_them() -> None:
    """Two misses of one kind are named as a recurring mistake, with how often and when last; one is not (WK-2)."""
    checks = [
        check(1, correct=False, day=0, evaluation="Took the direction the wrong way round."),
        check(2, correct=False, day=3, evaluation="took the direction the WRONG way round"),
        check(3, correct=True, day=4),
    ]
    found = page(evidence(subject_evidence(checks))).section("Recurring mistakes")
    assert "Missed 2 of 3 checks, last on 2026-03-05." in found
    assert "2 times, last on 2026-03-05: “took the direction the WRONG way round”" in found
    assert page(evidence(subject_evidence(checks[1:]))).section("Recurring mistakes") == ""


def test_the_files_say_what_it_is_and_on_which_pages() -> None:
    """Gist and definition cite the file and its pages, and the reference names the file (WK-3)."""
    read_page = page(ana())
    said = read_page.section("What the files say")
    assert "Osmosis is the movement of water" in said
    assert "Explained in cells.pdf, pages 3, 4." in said
    assert {str(a) for a in read_page.references.values() if a and a.scheme == "file"} == {
        "file://biology/f1#3",
        "file://biology/f1#4",
    }


def test_prerequisites_and_dependents_are_context_links() -> None:
    """From a concept one gets to what it builds on and to what builds on it (WK-3)."""
    related = page(ana()).section("Related pages")
    assert (
        "[[knowledge/concepts/biology/diffusion|diffusion]] ([diffusion](diffusion.md)): it builds on this"
        in related
    )
    assert "[[knowledge/concepts/biology/plasmolysis|plasmolysis]]" in related


def test_a_concept_that_the_student_has_not_met_has_a_short_page() -> None:
    """A prerequisite leads to a page of what the files say, small enough that hundreds of them are no burden (WK-1)."""
    tree = DeterministicWriter().write(ana(), {})
    text = tree["knowledge/concepts/biology/diffusion.md"]
    assert "Particles spread from where they are many." in text
    assert len(text.encode()) < 1_000


def test_a_concept_that_files_only_assume_says_so() -> None:
    """What two concepts assume and no file explains has a page that cites where it is assumed (CM-4, WK-3)."""
    mapped = subject_map(
        contribution("f1", concept("osmosis", assumed=("water",)), concept("tides", assumed=("water",))),
        files={"f1": record("f1")},
    )
    text = summary(page(evidence(subject_evidence([], mapped=mapped)), "knowledge/concepts/biology/water.md"))
    assert "is assumed by" in text
    assert "no file explains it" in text


def test_what_was_taught_last_stands_first() -> None:
    """Of two teachings about one thing the newer one is read first, and the older keeps its date (WD-5)."""
    old = turn(1, "Osmosis is what we call the water walk.", Kind.TAUGHT, concepts=["osmosis"])
    new = turn(2, "Osmosis is what we call the salt pull now.", Kind.TAUGHT, day=30, concepts=["osmosis"])
    read_page = page(evidence(subject_evidence([old, new], taught={"osmosis": [old, new]})))
    lines = read_page.section("Taught by the student").split("\n")
    assert "salt pull" in lines[0]
    assert lines[1].startswith("- 2026-03-02: the student taught “Osmosis is what we call the water walk.”")


def test_a_teaching_that_was_taken_back_is_dated_history() -> None:
    """What a later teaching contradicts stands under "What changed" with its end, and nowhere as current (WD-5)."""
    old = turn(1, "The exam covers osmosis.", Kind.TAUGHT, concepts=["osmosis"])
    new = turn(2, "The exam does not cover osmosis.", Kind.TAUGHT, day=30, concepts=["osmosis"])
    read_page = page(evidence(subject_evidence([old, new], taught={"osmosis": [old, new]})))
    assert read_page.section("Taught by the student").count("- ") == 1
    assert "does not cover" in read_page.section("Taught by the student")
    assert read_page.section("What changed").startswith(
        "- Until 2026-04-01: the student taught “The exam covers osmosis.”, since 2026-03-02."
    )


def test_a_concept_keeps_its_page_when_its_name_in_the_map_changes() -> None:
    """Episodes recorded under a name that is an alias now are told on the concept's own page (CM-3)."""
    mapped = biology_map()
    renamed = replace(
        mapped,
        concepts=tuple(
            replace(c, aliases=("water walk",)) if c.key == "osmosis" else c for c in mapped.concepts
        ),
    )
    wiki = evidence(subject_evidence([turn(1, concepts=["water walk"])], mapped=renamed))
    assert "1 turn" in summary(page(wiki))


def test_repeats_are_told_once() -> None:
    """The same question asked three times is one line that says how often and since when (RC-4)."""
    asked = [
        turn(n, text, day=n, concepts=["osmosis"]) for n, text in enumerate(["Why?", "why", "WHY ?"], start=1)
    ]
    found = page(evidence(subject_evidence(asked))).section("Asked and said by the student")
    assert found.startswith("- 2026-03-05: the student asked “WHY ?” (3 times, first on 2026-03-03)")
    assert "\n" not in found
