"""Values as bytes and attributes, and back."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.adapters.array_bundle import pack, unpack
from anamnesis.adapters.dynamodb.attributes import (
    ExactFloatAttribute,
    JsonAttribute,
    PackedJsonAttribute,
    instant_of,
)
from anamnesis.adapters.dynamodb.episode_rows import episode_of, episode_reference, row_of, text_object_key
from anamnesis.adapters.dynamodb.keys import at_position, pair_of, position_of
from anamnesis.adapters.dynamodb.models import EpisodeRow
from anamnesis.adapters.dynamodb.time_cursor import cursor_after, read_cursor
from anamnesis.adapters.segment_format import FORMAT, segment_from_bytes, segment_to_bytes
from anamnesis.adapters.system import SystemClock, SystemIds, jitter
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import timestamp
from anamnesis.domain.log.episodes import Citation, Content, Outcome
from contracts.examples import episode, fresh_pair
from contracts.record_store import assert_same, segment

_COLUMNS = (
    "ids", "occurred", "kinds", "salience", "outcome", "about_record", "cites", "folds", "lengths", "asking",
    "vectors",
)  # fmt: skip
ZONES = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
# A day from either end of the calendar, so that every zone's UTC time is on it. Bounds of a strategy bear no zone.
FIRST, LAST = (datetime.fromisoformat(day) for day in ("0001-01-02", "9999-12-30"))
INSTANTS = st.datetimes(FIRST, LAST, timezones=ZONES)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
NAMES = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters="/"), min_size=1, max_size=15
).filter(lambda name: name not in {".", ".."})


@given(INSTANTS, INSTANTS)
def test_times_sort_as_text(a: datetime, b: datetime) -> None:
    """Stored times come back as the same instants and sort as they do, from year 1 on (RC-5)."""
    assert instant_of(timestamp(a)) == a
    assert (timestamp(a) < timestamp(b)) is (a < b)


@given(st.floats(allow_nan=False))
def test_floats_come_back_exactly(value: float) -> None:
    """A stored score is the same number bit for bit, however small: it is hashed (EP-4)."""
    attribute = ExactFloatAttribute()
    assert attribute.deserialize(attribute.serialize(value)).hex() == value.hex()


@given(JSON)
def test_json_comes_back_exactly(value: object) -> None:
    """Stored JSON is the same value, in any script (EP-4)."""
    for attribute in (JsonAttribute(), PackedJsonAttribute()):
        assert attribute.deserialize(attribute.serialize(value)) == value


@given(st.integers(0, 10**12 - 1), st.integers(0, 10**12 - 1))
def test_positions_sort_as_text(a: int, b: int) -> None:
    """Sort keys of positions sort as the positions do (EP-4)."""
    assert (at_position("E#", a) < at_position("E#", b)) is (a < b)
    assert position_of(at_position("E#", a)) == a


@given(st.data())
def test_any_episode_comes_back_from_its_row(data: st.DataObject) -> None:
    """Whatever an episode says, in any script, its row gives it back equal in every field (EP-2)."""
    text = st.text(max_size=1_000)
    content = Content(
        data.draw(text), data.draw(text), data.draw(st.none() | text), data.draw(st.none() | text)
    )
    score = data.draw(st.floats(0, 1))
    written = replace(
        episode(Pair("a", "b", "c"), ""),
        position=data.draw(st.integers(1, 10**12 - 1)),
        content=data.draw(st.sampled_from([content, None])),
        occurred_at=data.draw(INSTANTS).astimezone(UTC),
        concepts=tuple(data.draw(st.lists(text, max_size=5))),
        salience=score,
        outcome=data.draw(
            st.sampled_from([None, Outcome(True, score, None, score), Outcome(False, 0.0, "k", None)])
        ),
        evidence=tuple(
            data.draw(st.lists(st.builds(Citation, text, st.none() | st.integers(1), text), max_size=3))
        ),
    )
    item = row_of(written, EpisodeRow).serialize()
    whole = {} if written.content is None else {text_object_key(written): written.content.text.encode()}
    assert episode_of(item, written.pair, whole) == written


@given(NAMES, NAMES, NAMES)
def test_pairs_come_back_from_their_keys(tenant: str, student: str, subject: str) -> None:
    """A storage key leads back to its pair and to no other (SV-11)."""
    pair = Pair(tenant, student, subject)
    assert pair_of(pair.key) == pair


@pytest.mark.parametrize(
    "key", ["", "a", "a#b", "a#b#c#d", "a#b#", "a#%61#c", "a#b c#d", "a#%2F#c", "a#%00#c"]
)
def test_foreign_keys_are_refused(key: str) -> None:
    """A key that no pair has is refused (SV-11)."""
    with pytest.raises(InvalidInput):
        pair_of(key)


FORGED_KEYS = [
    "",
    "#",
    "E#",
    "E#5",
    "E#zzz",
    "E#-00000000001",
    "E#0000000000001",
    "E# 00000000001",
    "E#00000000000٣",
]


@pytest.mark.parametrize("key", [*FORGED_KEYS, "E#000000000001\n", "#000000000001"])
def test_only_a_positions_own_spelling_is_read(key: str) -> None:
    """A sort key that a position is not written as is no position, however much it looks like one (EP-4)."""
    with pytest.raises(ValueError, match="not the sort key"):
        position_of(key)


@pytest.mark.parametrize(
    "keys",
    [
        None,
        {},
        {"pk": "a#b#c"},
        {"pk": "a#b", "sk": "E#000000000001"},
        {"pk": "a#b#c", "sk": "V#000000000001"},
    ]
    + [{"pk": "a#b#c", "sk": sk} for sk in (*FORGED_KEYS, "E#000000000000")],
)
def test_a_forged_key_refers_to_no_episode(keys: dict[str, str] | None) -> None:
    """A key that no episode has refers to none, so that the stream passes over it (SV-14)."""
    assert episode_reference(keys) is None
    assert episode_reference({"pk": "a#b#c", "sk": "E#000000000007"}) == (Pair("a", "b", "c"), 7)


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_no_text_is_a_cursor_by_chance(text: str) -> None:
    """Whatever a caller sends as a cursor is refused by name, without any other error (SV-7)."""
    with pytest.raises(InvalidInput) as refused:
        read_cursor(text, Pair("a", "b", "c"), first="0", last="9")
    assert refused.value.field == "cursor"


def test_cursors_lead_back() -> None:
    """A cursor means its place for its own pair (SV-6)."""
    pair = fresh_pair()
    place = "2026-07-03T09:30:15.123456Z#000000000007"
    assert read_cursor(cursor_after(pair, place), pair, first="0", last="9") == place


def test_only_long_texts_leave_the_row() -> None:
    """A text of 4,096 bytes stays in the row and one byte more does not, whatever its script (EP-2)."""
    pair = fresh_pair()
    for fits, outgrows in (
        ("x" * 4_096, "x" * 4_097),
        ("é" * 2_048, "é" * 2_048 + "x"),
        ("𝒙" * 1_024, "𝒙" * 1_025),
    ):
        assert text_object_key(episode(pair, fits)) is None
        assert text_object_key(episode(pair, outgrows)) is not None


def test_text_keys_say_nothing() -> None:
    """The same long text of two episodes lies under two keys: a key tells nothing about a text (EP-8)."""
    pair = fresh_pair()
    keys = {text_object_key(episode(pair, "x" * 5_000, number=n)) for n in range(2)}
    assert len(keys) == 2


@pytest.mark.parametrize("rows", [0, 1, 77])
def test_segments_come_back(rows: int) -> None:
    """A segment's bytes give the segment, the same bytes each time, and carry the name it is known by (NI-2)."""
    written = segment(rows, first=5)
    data = segment_to_bytes(written)
    assert segment_to_bytes(written) == data
    read = segment_from_bytes(data, version="here")
    assert_same(read, written)
    assert read is not None
    assert read.version == "here"


def test_sets_of_the_format_before_are_read() -> None:
    """A working set that was stored before its numbers were kept in planes is read as it is (NI-2)."""
    written = segment(77, first=5)
    arrays = {name: getattr(written, name) for name in _COLUMNS}
    for kind, postings in (("term", written.term_postings), ("concept", written.concept_postings)):
        arrays |= {
            f"{kind}_{name}": getattr(postings, name) for name in ("terms", "offsets", "rows", "counts")
        }
    meta = {"format": 3, "first_position": 5, "embedder": written.embedder, "erasures": 0}
    assert_same(segment_from_bytes(pack(meta, arrays)), written)


@pytest.mark.parametrize("name", ["vectors", "folds", "term_rows", "ids"])
def test_a_damaged_column_is_refused(name: str) -> None:
    """One byte that is not as it was written, deflated or not, makes the whole set an error (SV-14)."""
    data = bytearray(segment_to_bytes(segment(77)))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entry = archive.getinfo(f"{name}.npy")
    data[entry.header_offset + 30 + len(entry.filename) + entry.compress_size - 3] ^= 1
    with pytest.raises(ValueError, match="not a"):
        segment_from_bytes(bytes(data))


@given(st.integers(0, 3_000))
def test_a_set_cut_short_is_refused(length: int) -> None:
    """The beginning of a working set is none (SV-14)."""
    data = segment_to_bytes(segment(20))
    assert len(data) > 3_000
    with pytest.raises(ValueError, match="not a"):
        segment_from_bytes(data[:length])


@pytest.mark.parametrize("planes", [np.zeros((3, 77), np.uint8), np.zeros((4, 77), np.int8)])
def test_planes_of_no_number_are_refused(planes: npt.NDArray[np.generic]) -> None:
    """Planes that make no numbers of a column's size are an error, never other numbers (SV-14)."""
    meta, arrays = unpack(segment_to_bytes(segment(77)))
    with pytest.raises(ValueError, match="not a working set"):
        segment_from_bytes(pack(meta, {**arrays, "lengths": planes}))


def test_other_formats_are_rebuilt() -> None:
    """A working set of another format is as if there were none (NI-2)."""
    assert segment_from_bytes(pack({"format": 0}, {})) is None
    assert segment_from_bytes(pack([], {})) is None


@pytest.mark.parametrize("data", [b"", b"PK", b"\x93NUMPY", b"x" * 1_000, pack({"format": FORMAT}, {})])
def test_damaged_segments_are_refused(data: bytes) -> None:
    """Bytes that hold no working set are an error, never a wrong one (SV-14)."""
    with pytest.raises(ValueError, match="not a"):
        segment_from_bytes(data)


def test_bundles_are_never_unpickled() -> None:
    """A bundle that carries a pickle is refused: loading one would run its code (SV-13)."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, archive.open("meta.npy", "w") as file:
        np.save(file, np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="not a bundle"):
        unpack(buffer.getvalue())


def test_the_machine_gives_time_ids_and_salts() -> None:
    """Time is in UTC; ids are ULIDs of the time they are given; salts are 16 fresh bytes (EP-2)."""
    assert SystemClock().now().utcoffset() == timedelta(0)
    ids = SystemIds()
    early, late = (ids.new_id(datetime(2026, 7, day, tzinfo=UTC)) for day in (3, 4))
    assert len(early) == 26
    assert early[:10] < late[:10]
    salts = {ids.new_salt() for _ in range(50)}
    assert len(salts) == 50
    assert all(len(bytes.fromhex(salt)) == 16 for salt in salts)
    assert all(0 <= jitter() < 1 for _ in range(50))
