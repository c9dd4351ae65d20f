"""One list from the lists of a file's parts (CM-1)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.concepts import MAX_CONCEPTS_PER_FILE, ExtractedConcept
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.part_merging import merged
from anamnesis.domain.concepts.validation import validate

_names = st.sampled_from(
    [f"idea {a}{b}" for a in "abcdefgh" for b in "klmnopqrst"] + ["Osmosis", "osmosis", "OSMOSIS"]
)
_concepts = st.builds(
    ExtractedConcept,
    name=_names,
    gist=st.sampled_from(["It is one thing.", "It is another."]),
    definition=st.sampled_from(["", "One definition.", "Another."]),
    builds_on=st.lists(_names, max_size=4).map(tuple),
    assumed=st.lists(_names, max_size=2).map(tuple),
    pages=st.lists(st.integers(1, 50), min_size=1, max_size=3).map(lambda pages: tuple(sorted(set(pages)))),
)
_parts = st.lists(st.lists(_concepts, max_size=20), max_size=8)


def idea(name: str, page: int, *builds_on: str) -> ExtractedConcept:
    return ExtractedConcept(name, "Gist.", "Definition.", builds_on, (), (page,))


@given(_parts, st.randoms(use_true_random=False))
def test_the_order_of_parts_does_not_matter(found: list[list[ExtractedConcept]], random: object) -> None:
    """Whichever part was read first, the merged list is the same, to the last letter (CM-1)."""
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert merged(shuffled) == merged(found)


@settings(deadline=None)  # the first name loads the tables
@given(_parts, st.integers(1, 70))
def test_what_is_merged_is_bounded_and_sound(found: list[list[ExtractedConcept]], most: int) -> None:
    """The list is within its bound, holds each idea once, as full as can be, and its edges stay inside it (CM-1)."""
    one = merged(found, most=most)
    keys = [canonical_key(concept.name) for concept in one]
    said = {canonical_key(concept.name) for concepts in found for concept in concepts}
    assert len(set(keys)) == len(keys) == min(most, len(said))
    assert set(keys) <= said
    names = {concept.name for concept in one}
    for concept in one:
        assert set(concept.builds_on) <= names - {concept.name}
        assert len(concept.evidence) == len(concept.builds_on)
        assert all(1 <= count <= len(found) for count in concept.evidence)
    refused = {r.reason for r in validate(one, page_count=50)[1]}
    assert refused <= {"self-loop", "control-characters", "too-many-concepts"}


@given(st.integers(2, 120), st.integers(1, 15))
def test_places_go_to_all_of_the_book(number: int, each: int) -> None:
    """However many parts there are, each fifth of the pages has its share of the list (CM-1)."""
    found = [
        [idea(f"idea {page} {rank}".translate(_AS_LETTERS), page) for rank in range(each)]
        for page in range(1, number + 1)
    ]
    one = merged(found)
    total = min(MAX_CONCEPTS_PER_FILE, number * each)
    assert len(one) == total
    for fifth in range(5):
        pages = [p for p in range(1, number + 1) if fifth * number <= 5 * (p - 1) < (fifth + 1) * number]
        held = sum(concept.pages[0] in pages for concept in one)
        assert held >= int(total * len(pages) / number) - len(pages) - 1
        assert not pages or held


_AS_LETTERS = str.maketrans("0123456789", "abcdefghij")


def test_merging_takes_turns_and_unites() -> None:
    """Parts take turns, and what two parts say of one idea becomes one, its edges counted (CM-1)."""
    one = [idea("Osmosis", 1, "Diffusion"), idea("Diffusion", 1)]
    two = [idea("Membrane", 2), idea("osmosis", 3, "Membrane", "Diffusion")]
    united = merged([one, two])
    assert [c.name for c in united] == ["Osmosis", "Membrane", "Diffusion"]
    assert united[0].pages == (1, 3)
    assert united[0].weights() == {"Diffusion": 2, "Membrane": 1}


def test_what_several_parts_name_comes_before_what_one_names() -> None:
    """When places are few, an idea that comes back all over the book is not lost to ideas of one place (CM-1)."""
    found = [
        [*(idea(f"idea {a}{b}", page) for b in "mnop"), idea("Hub", page)]
        for page, a in enumerate("abcdefgh", 1)
    ]
    kept = merged(found, most=8)
    assert "Hub" in [c.name for c in kept]
    assert next(c for c in kept if c.name == "Hub").pages == tuple(range(1, 9))
