"""The hash chain: what is hashed, and that every kind of corruption shows at its position."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import (
    EMPTY_HEAD,
    GENESIS_HASH,
    MAX_BREAKS,
    Break,
    commitment_to,
    committed,
    episode_hash,
    linked,
    verify_chain,
)
from anamnesis.domain.log.episodes import Citation, Content, Episode, Head, Kind, Outcome, erased

PAIR = Pair("school", "ana", "biology")
T0 = datetime(2026, 3, 1, 9, tzinfo=UTC)
SALT = "00112233445566778899aabbccddeeff"


def unlinked(number: int, text: str = "What is a cell?") -> Episode:
    content = Content(summary=f"{text} {number}", text=text, topic="cells", evaluation="good")
    episode = Episode(
        id=f"id-{number}",
        pair=PAIR,
        position=0,
        kind=Kind.CHECK,
        occurred_at=T0 + timedelta(days=number),
        recorded_at=T0 + timedelta(days=number, seconds=1),
        content=content,
        salt=SALT,
        commitment="",
        concepts=("cell",),
        salience=0.6,
        language="en",
        session_id="s1",
        outcome=Outcome(True, 1.0, "cell", 0.4),
        evidence=(Citation("f1", 3, "ab" * 32),),
        memory_ids=("m1",),
        about_record=False,
        previous_hash="",
        hash="",
    )
    return committed(episode)


def chain(length: int = 5) -> tuple[list[Episode], Head]:
    episodes = linked([unlinked(n) for n in range(1, length + 1)], EMPTY_HEAD)
    return episodes, Head(length, episodes[-1].hash)


def breaks_of(episodes: list[Episode], head: Head) -> tuple[Break, ...]:
    return verify_chain(episodes, head, PAIR).breaks


def test_an_untouched_chain_verifies() -> None:
    """A chain as written has no break, positions from 1, and starts from the genesis hash (EP-4)."""
    episodes, head = chain()
    report = verify_chain(episodes, head, PAIR)
    assert report.verified
    assert [e.position for e in episodes] == [1, 2, 3, 4, 5]
    assert episodes[0].previous_hash == GENESIS_HASH
    assert all(a.hash == b.previous_hash for a, b in itertools.pairwise(episodes))


def test_the_hash_can_be_recomputed_by_an_outsider() -> None:
    """The hash is SHA-256 over canonical JSON that any RFC 8785 library produces, written out here by hand (EP-4)."""
    episode = chain(1)[0][0]
    said = (
        '{"about_record":false,"concepts":["cell"],"evaluation":"good",'
        '"evidence":[{"file_id":"f1","fingerprint":"' + "ab" * 32 + '","page":3}],"language":"en",'
        '"memory_ids":["m1"],"outcome":{"concept":"cell","correct":true,"predicted":0.4,"score":1},'
        '"salience":0.6,"session_id":"s1","summary":"What is a cell? 1","text":"What is a cell?","topic":"cells"}'
    )
    commitment = hashlib.sha256(bytes.fromhex(SALT) + said.encode()).hexdigest()
    by_hand = (
        '{"commitment":"' + commitment + '","id":"id-1","kind":"check",'
        '"occurred_at":"2026-03-02T09:00:00.000000Z","position":1,"previous_hash":"' + GENESIS_HASH + '",'
        '"recorded_at":"2026-03-02T09:00:01.000000Z","student":"ana","subject":"biology","tenant":"school",'
        '"utc_offset_minutes":0,"version":3}'
    )
    assert json.loads(by_hand)["position"] == 1
    assert hashlib.sha256(by_hand.encode()).hexdigest() == episode.hash


OTHER_VALUES: dict[str, object] = {
    "id": "other",
    "pair": Pair("school", "bob", "biology"),
    "kind": Kind.QUIZ,
    "occurred_at": T0,
    "recorded_at": T0,
    "commitment": "f" * 64,
    "concepts": (),
    "salience": 0.7,
    "language": "es",
    "session_id": None,
    "outcome": Outcome(False, 1.0, "cell", 0.4),
    "evidence": (),
    "memory_ids": (),
    "about_record": True,
    "previous_hash": "e" * 64,
    "hash": "d" * 64,
    "utc_offset_minutes": 60,
}


def test_every_field_of_an_episode_is_covered_by_the_corruption_test() -> None:
    """No field can be added to an episode without a corruption of it being tried (EP-4)."""
    separately = {"position", "content", "salt"}
    assert {f.name for f in fields(Episode)} == set(OTHER_VALUES) | separately


@pytest.mark.parametrize("field", sorted(OTHER_VALUES))
@pytest.mark.parametrize("position", [1, 3, 5])
def test_a_changed_field_shows_at_its_position(field: str, position: int) -> None:
    """Any immutable field changed in place breaks the chain at that very position (EP-4)."""
    episodes, head = chain()
    index = position - 1
    episodes[index] = replace(episodes[index], **{field: OTHER_VALUES[field]})
    assert position in {b.position for b in breaks_of(episodes, head)}


@pytest.mark.parametrize("part", ["summary", "text", "topic", "evaluation"])
def test_changed_content_shows_at_its_position(part: str) -> None:
    """Changed words no longer match their commitment (EP-4)."""
    episodes, head = chain()
    content = episodes[2].content
    assert content is not None
    episodes[2] = replace(episodes[2], content=replace(content, **{part: "changed"}))
    assert breaks_of(episodes, head) == (Break(3, "content_altered"),)


def test_a_changed_or_lost_salt_shows() -> None:
    """Content without the very salt that committed to it does not verify (EP-4)."""
    episodes, head = chain()
    for salt in ("11" * 16, None, SALT.upper(), f" {SALT}"):
        episodes[1] = replace(episodes[1], salt=salt)
        assert breaks_of(episodes, head) == (Break(2, "content_altered"),)


def test_a_rehashed_change_breaks_the_link_after_it() -> None:
    """Changing a row and recomputing its own hash only moves the break to the next position (EP-4)."""
    episodes, head = chain()
    forged = replace(committed(replace(episodes[2], language="es")), hash="")
    episodes[2] = replace(forged, hash=episode_hash(forged))
    assert breaks_of(episodes, head) == (Break(4, "link"),)
    last = replace(committed(replace(episodes[4], language="es")), hash="")
    episodes, head = chain()
    episodes[4] = replace(last, hash=episode_hash(last))
    assert breaks_of(episodes, head) == (Break(5, "head_hash"),)


Corruption = Callable[[list[Episode]], list[Episode]]


@pytest.mark.parametrize(
    "corrupt, expected",
    [
        (lambda e: e[:2] + e[3:], Break(3, "missing")),
        (lambda e: e[1:], Break(1, "missing")),
        (lambda e: e[:-1], Break(5, "missing")),
        (lambda e: [], Break(1, "missing", count=5)),
        (lambda e: [e[0], e[2], e[1], e[3], e[4]], Break(2, "position")),
        (lambda e: [*e[:3], e[2], *e[3:]], Break(3, "position")),
        (lambda e: [*e, *linked([unlinked(9)], Head(5, e[4].hash))], Break(6, "beyond_head")),
    ],
    ids=[
        "removed",
        "first removed",
        "tail cut",
        "all removed",
        "swapped",
        "duplicated",
        "inserted after the head",
    ],
)
def test_rows_removed_swapped_duplicated_or_added_show(corrupt: Corruption, expected: Break) -> None:
    """Removal, reordering, duplication and insertion of rows each show at a named position (EP-4)."""
    episodes, head = chain()
    assert expected in breaks_of(corrupt(episodes), head)


def test_an_inserted_row_shows_even_when_it_is_hashed_well() -> None:
    """A row forged into the middle collides with the position that stands there (EP-4)."""
    episodes, head = chain()
    forged = linked([unlinked(9)], Head(2, episodes[1].hash))[0]
    assert Break(3, "position") in breaks_of([*episodes[:2], forged, *episodes[2:]], head)


def test_a_full_rewrite_verifies_against_itself() -> None:
    """A chain alone cannot show that all of it was rewritten; only checkpoints can (EP-5)."""
    rewritten = linked([unlinked(n, "Rewritten") for n in range(1, 6)], EMPTY_HEAD)
    assert breaks_of(rewritten, Head(5, rewritten[-1].hash)) == ()


def test_an_erased_position_verifies_and_is_shown() -> None:
    """With its contents gone the chain still verifies and names the gap (EP-8)."""
    episodes, head = chain()
    episodes[3] = erased(episodes[3])
    report = verify_chain(episodes, head, PAIR, deleted={4})
    assert report.verified
    assert report.erased == (4,)


@pytest.mark.parametrize("deleted", [(), {3}, {5}])
def test_content_gone_without_a_deletion_record_is_a_break(deleted: set[int]) -> None:
    """Content taken out of a position that no deletion record covers is named and never counts as erased (EP-8)."""
    episodes, head = chain()
    episodes[3] = replace(episodes[3], content=None, salt=None)
    report = verify_chain(episodes, head, PAIR, deleted=deleted)
    assert report.breaks == (Break(4, "content_missing"),)
    assert report.erased == ()


@pytest.mark.parametrize(
    "left", ["salt", "concepts", "salience", "language", "session_id", "outcome", "evidence", "memory_ids"]
)
def test_anything_left_behind_is_no_erasure(left: str) -> None:
    """Content erased without its salt, result or citations is named, because they tell what was erased (EP-8)."""
    episodes, head = chain()
    episodes[3] = replace(erased(episodes[3]), **{left: getattr(episodes[3], left)})
    assert verify_chain(episodes, head, PAIR, deleted={4}).breaks == (Break(4, "content_altered"),)


@pytest.mark.parametrize("length", [10**12, 10**100])
def test_a_head_far_beyond_the_log_is_one_break(length: int) -> None:
    """However long the head says the log is, what is missing is one break that says how much (EP-4)."""
    episodes, head = chain()
    assert breaks_of(episodes, replace(head, length=length)) == (Break(6, "missing", count=length - 5),)


def test_a_row_far_beyond_the_log_is_few_breaks() -> None:
    """A row at the last position there can be costs no more than any other row (EP-4)."""
    episodes, head = chain()
    far = replace(episodes[4], position=10**12 - 1)
    found = breaks_of([*episodes, far], head)
    assert found[0] == Break(6, "missing", count=10**12 - 7)
    assert {(b.position, b.kind) for b in found[1:]} == {(10**12 - 1, k) for k in ("beyond_head", "altered")}


def test_a_report_names_so_many_breaks_and_counts_the_rest() -> None:
    """When everything is altered, the report stays short enough to send and says how many breaks it left out (EP-4)."""
    episodes, head = chain(MAX_BREAKS + 7)
    found = breaks_of([replace(e, language="es") for e in episodes], head)
    assert found[:-1] == tuple(Break(n, "content_altered") for n in range(1, MAX_BREAKS + 1))
    assert found[-1] == Break(MAX_BREAKS + 1, "more", count=7)


def test_what_the_store_finds_wrong_is_a_break() -> None:
    """A break that only the store can see is reported, and hides none of the chain's own (EP-4)."""
    episodes, head = chain()
    stray = Break(0, "malformed_row")
    report = verify_chain([stray, *episodes[:2], *episodes[3:]], head, PAIR)
    assert report.breaks == (stray, Break(3, "missing"))


@pytest.mark.parametrize(
    "changes, kind",
    [
        ({"salt": "no hex"}, "content_altered"),
        ({"salience": float("nan")}, "content_altered"),
        ({"evidence": (Citation("f1", 10**30, ""),)}, "content_altered"),
        ({"concepts": ("\ud800",)}, "content_altered"),
    ],
)
def test_values_that_cannot_be_hashed_are_breaks(changes: dict[str, object], kind: str) -> None:
    """A value that has no canonical form is altered at its position and never ends verification (EP-4)."""
    episodes, head = chain()
    episodes[2] = replace(episodes[2], **changes)
    assert breaks_of(episodes, head) == (Break(3, kind),)


@given(st.text(), st.text(), st.binary(min_size=16, max_size=16))
def test_a_commitment_binds_every_text_in_every_script(text: str, other: str, salt: bytes) -> None:
    """Different words or different salts never share a commitment (EP-4)."""
    one = commitment_to({"text": text}, salt.hex())
    assert (one == commitment_to({"text": other}, salt.hex())) == (text == other)
    assert one != commitment_to({"text": text}, bytes(b ^ 1 for b in salt).hex())


def test_the_same_instant_hashes_the_same_in_every_zone() -> None:
    """A clock in another zone changes nothing: times are hashed in UTC (EP-2)."""
    episode = chain(1)[0][0]
    moved = replace(episode, occurred_at=episode.occurred_at.astimezone(timezone(timedelta(hours=9))))
    assert episode_hash(moved) == episode.hash
