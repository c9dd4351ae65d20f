"""Every kind of corruption of a stored log is found and named by position and kind (EP-4, EP-5).

Corruptions are enumerated: from the attributes of the rows, from the positions of the log, from the versions of its
checkpoints. What is no evidence is not among them: receipts, digests of erased events, a head that counts more erasures
than there were (copies of the log are then made anew), and what annotations say.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from anamnesis.adapters.dynamodb.models import EpisodeRow, ErasureRow, HeadRow, Row
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import EMPTY_HEAD, committed, linked
from anamnesis.domain.log.checkpoints import checkpoint_of, filing_name, roots_at
from anamnesis.domain.log.episodes import Content
from anamnesis.domain.log.erasures import spelled
from anamnesis.domain.night.records import CitationCheck, Verification
from contracts.examples import fresh_pair
from support.aws_stores import AwsStores
from support.stored_logs import (
    ANNOTATED,
    ERASED,
    LENGTH,
    SIGNED,
    SIGNER,
    STRANGER,
    Item,
    StoredLog,
    at,
    erasure_of,
    store_log,
)

#: A citing answer, a check with a long text, the erased one.
POSITIONS = (2, 4, ERASED)
#: What a changed row may be called. A changed hash shows at the next row's link and at every checkpoint, too.
OF_ROWS = {
    "altered",
    "content_altered",
    "content_missing",
    "malformed_row",
    "index_altered",
    "missing",
    "link",
}
ERASURE = "ERASURE#01K0000000000000000000000A"
LAST = SIGNED[-1]
LIE = "It never happened"


@pytest.fixture(scope="module")
def log(aws: AwsStores) -> Iterator[StoredLog]:
    """The log, which each test leaves as it was."""
    stored = store_log(aws, fresh_pair())
    assert stored.found() == []
    yield stored
    assert stored.found() == []
    # Shown with -s: about one verdict a variant, each of which a test has held to what it must say.
    sys.stdout.write(f"\n{stored.verdicts} verdicts\n")


@pytest.fixture(scope="module")
def unsigned(aws: AwsStores) -> StoredLog:
    """The same without any checkpoint."""
    return store_log(aws, fresh_pair(), signed=())


@pytest.fixture(scope="module")
def rows(log: StoredLog) -> dict[str, Item]:
    """Its rows."""
    return log.rows()


@pytest.fixture
def only_rows_change(log: StoredLog) -> Iterator[None]:
    """Only episodes and head change in this test: everything else is read once."""
    with log.only_rows_change():
        yield


def attributes(model: type[Row]) -> list[str]:
    """Names of a model's attributes but for its keys."""
    return sorted(
        a.attr_name for a in model.get_attributes().values() if not (a.is_hash_key or a.is_range_key)
    )


def other_values(row: Item, name: str, others: list[Item]) -> list[Item | None]:
    """What an attribute can be changed to: what other rows have there, nonsense, another type, nothing at all."""
    stored = row.get(name)
    candidates: list[Item | None] = [other[name] for other in others if name in other]
    if stored is None or "S" in stored:
        text = "" if stored is None else stored["S"]
        candidates += [{"S": f"{text}x"}, {"S": ""}, {"N": "7"}]
        candidates += (
            [{"S": text.upper()}, {"S": f" {text}"}] if name in {"salt", "hash", "commitment"} else []
        )
    elif "BOOL" in stored:
        candidates += [{"BOOL": not stored["BOOL"]}, {"S": "true"}]
    else:
        number = int(stored["N"])
        candidates += [{"N": str(number + n)} for n in (1, -1, 10**6)] + [{"S": stored["N"]}, {"NULL": True}]
    candidates.append(None)
    if name == "occurred":  # the index by time has texts for keys, and DynamoDB takes nothing else
        candidates = [value for value in candidates if value is None or value.get("S")]
    distinct: list[Item | None] = []
    for value in candidates:
        if value != stored and value not in distinct:
            distinct.append(value)
    return distinct


def with_value(row: Item, name: str, value: Item | None) -> Item:
    """The row with another value of an attribute; None takes it out."""
    kept = {key: stored for key, stored in row.items() if key != name}
    return kept if value is None else {**kept, name: value}


@pytest.mark.usefixtures("only_rows_change")
@pytest.mark.parametrize("name", attributes(EpisodeRow))
def test_every_attribute_of_an_episode(log: StoredLog, rows: dict[str, Item], name: str) -> None:
    """Whatever attribute of an episode's row is changed, added or removed, its position is named (EP-4)."""
    others = [rows[at(7)]]  # a quiz
    tried = 0
    for position in POSITIONS:
        row = rows[at(position)]
        for value in other_values(row, name, others):
            if position == ERASED and reads_as_erased(name, value):
                continue
            with log.changed({at(position): with_value(row, name, value)}, rows):
                found = log.found()
            assert position in {p for p, kind in found if kind in OF_ROWS}, (position, value, found)
            assert {p for p, kind in found if kind in OF_ROWS} <= {position, position + 1}, (position, value)
            tried += 1
    assert tried >= 2 * len(POSITIONS)


def reads_as_erased(name: str, value: Item | None) -> bool:
    """Whether an attribute with this value says no more than one that is not there."""
    nothing: dict[str, list[Item | None]] = {
        "salience": [{"S": "0.0"}],
        "about_record": [{"BOOL": False}],
    }
    return value in nothing.get(name, [])


@pytest.mark.usefixtures("only_rows_change")
def test_every_row_removed(log: StoredLog, rows: dict[str, Item]) -> None:
    """A row taken out, wherever and of whatever kind, is missing at its position (EP-4)."""
    for position in range(1, LENGTH + 1):
        with log.changed({at(position): None}, rows):
            found = log.found()
        assert (position, "missing") in found
        assert {p for p, kind in found if kind == "unknown_position"} == {n for n in SIGNED if n >= position}


@pytest.mark.usefixtures("only_rows_change")
def test_rows_swapped(log: StoredLog, rows: dict[str, Item]) -> None:
    """Two rows that changed places, neighbours or far apart, are named at both (EP-4)."""
    for one, other in [*itertools.pairwise(range(1, LENGTH + 1)), (1, LENGTH), (4, 8), (2, ERASED)]:
        with log.changed({at(one): rows[at(other)], at(other): rows[at(one)]}, rows):
            assert {one, other} <= {p for p, _ in log.found()}


@pytest.mark.usefixtures("only_rows_change")
def test_every_row_duplicated_elsewhere(log: StoredLog, rows: dict[str, Item]) -> None:
    """A row that stands at another's place as well, or behind the end, is named there (EP-4)."""
    for place in range(1, LENGTH + 2):
        for source in sorted({place - 1, place + 1, place % LENGTH + 2} & set(range(1, LENGTH + 1))):
            with log.changed({at(place): rows[at(source)]}, rows):
                assert place in {p for p, _ in log.found()}, (source, place)


@pytest.mark.usefixtures("only_rows_change")
@pytest.mark.parametrize("head_too", [False, True])
def test_a_row_inserted_or_closed_up(log: StoredLog, rows: dict[str, Item], head_too: bool) -> None:
    """A row slipped in, the rest moved up, or one left out, the rest moved down, is named where it was done (EP-4)."""
    for place in range(1, LENGTH + 1):
        up = {at(n + 1): rows[at(n)] for n in range(place, LENGTH + 1)} | {
            at(place): rows[at(2 if place == 1 else 1)]
        }
        down = {at(n): rows[at(n + 1)] for n in range(place, LENGTH)} | {at(LENGTH): None}
        for changes, length in ((up, LENGTH + 1), (down, LENGTH - 1)):
            last = changes.get(at(length)) or rows[at(length)]
            head = {"HEAD": {**rows["HEAD"], "length": {"N": str(length)}, "hash": last["hash"]}}
            with log.changed({**changes, **(head if head_too else {})}, rows):
                found = log.found()
            lowest = min((p for p, kind in found if kind != "dangling_annotation"), default=0)
            if place == LENGTH and length < LENGTH:
                # The last one left out is a cut tail: missing behind its head, or what only a checkpoint would tell.
                assert lowest == (0 if head_too else LENGTH)
            else:
                assert lowest == place, (place, length, found)


def cut(rows: dict[str, Item], length: int, *, head: bool) -> dict[str, Item | None]:
    """The changes that cut the log after a position, its head with it or not."""
    changes: dict[str, Item | None] = {at(n): None for n in range(length + 1, LENGTH + 1)}
    if head:
        last = rows[at(length)]["hash"] if length else {"S": "0" * 64}
        kept = {**rows["HEAD"], "length": {"N": str(length)}, "hash": last}
        changes["HEAD"] = kept if length else None
    return changes


@pytest.mark.usefixtures("only_rows_change")
@pytest.mark.parametrize("length", range(LENGTH))
def test_every_cut_tail(log: StoredLog, unsigned: StoredLog, rows: dict[str, Item], length: int) -> None:
    """A tail cut off is missing behind the head or truncated by its checkpoints, or said not to be checked (EP-5)."""
    with log.changed(cut(rows, length, head=False), rows):
        assert (length + 1, "missing") in log.found()
    with log.changed(cut(rows, length, head=True), rows):
        found, verdict = log.found(), log.verdict()
    assert [p for p, kind in found if kind == "truncated"] == [n for n in SIGNED if n > length]
    assert (
        ((length + 1, "dangling_erasure") if length >= ERASED else (ERASED, "dangling_erasure")) in found
    ) == (length < ERASED)
    assert ((ANNOTATED, "dangling_annotation") in found) == (length < ANNOTATED)
    if length >= LAST:
        assert (found, len(verdict.not_checked)) == ([], int(length > LAST))
        assert all(f"{LAST + 1}–{length}" in said for said in verdict.not_checked)
    plain = unsigned.rows()
    with unsigned.changed(cut(plain, length, head=True), plain):
        kinds = {kind for _, kind in unsigned.found()}
        assert kinds <= {"dangling_erasure", "dangling_annotation", "head_erasures"}
        assert length == 0 or "no checkpoint" in unsigned.verdict().not_checked[0]


def rewritten(log: StoredLog, rows: dict[str, Item], first: int, *, head: bool) -> dict[str, Item | None]:
    """The changes that make another chain from a position on, which verifies against itself."""
    forged, before = [], log.written[first - 2] if first > 1 else None
    for stored in log.written[first - 1 :]:
        lie = replace(stored, content=Content(LIE, LIE, topic=None))
        forged.append(committed(lie) if stored.position == first != ERASED else stored)
    if first == ERASED:
        forged[0] = replace(forged[0], id="01K0000000000000000000000Z")
    start = EMPTY_HEAD if before is None else replace(EMPTY_HEAD, length=before.position, hash=before.hash)
    changes: dict[str, Item | None] = {}
    for episode in linked(forged, start):
        row = {**rows[at(episode.position)], "id": {"S": episode.id}}
        row |= {name: {"S": getattr(episode, name)} for name in ("commitment", "previous_hash", "hash")}
        if episode.position == first != ERASED:
            row |= {name: {"S": LIE} for name in ("summary", "text")}
            row = {
                name: value
                for name, value in row.items()
                if name not in {"topic", "text_object", "text_chars"}
            }
        changes[at(episode.position)] = row
    if head:
        changes["HEAD"] = {**rows["HEAD"], "hash": changes[at(LENGTH)]["hash"]}  # type: ignore[index]
    return changes


@pytest.mark.usefixtures("only_rows_change")
@pytest.mark.parametrize("first", range(1, LENGTH + 1))
def test_every_rewrite(log: StoredLog, unsigned: StoredLog, rows: dict[str, Item], first: int) -> None:
    """A chain rewritten from any position on is named by head and checkpoints, or said not to be checked (EP-5)."""
    covered = [(n, "rewritten") for n in SIGNED if n >= first]
    with log.changed(rewritten(log, rows, first, head=False), rows):
        assert log.found() == [*covered, (LENGTH, "head_hash")]
    with log.changed(rewritten(log, rows, first, head=True), rows):
        assert log.found() == covered
        assert f"{LAST + 1}–{LENGTH}" in log.verdict().not_checked[0]
    plain = unsigned.rows()
    with unsigned.changed(rewritten(unsigned, plain, first, head=True), plain):
        assert unsigned.found() == []
        assert "no checkpoint" in unsigned.verdict().not_checked[0]


@pytest.mark.usefixtures("only_rows_change")
@pytest.mark.parametrize("name", attributes(HeadRow))
def test_every_attribute_of_the_head(log: StoredLog, rows: dict[str, Item], name: str) -> None:
    """Whatever attribute of the head is changed or removed, or the whole of it, the break is named (EP-4)."""
    head = rows["HEAD"]
    values: list[Item | None] = other_values(head, name, [])
    if name == "erasures":
        values = [{"N": "0"}, {"N": "-1"}, {"S": "1"}, {"NULL": True}, None]
    for value in values:
        with log.changed({"HEAD": with_value(head, name, value)}, rows):
            found = log.found()
        assert found, value
        assert {kind for _, kind in found} & {"beyond_head", "missing", "head_hash", "head_erasures"}, (
            value,
            found,
        )
    with log.changed({"HEAD": None}, rows):
        assert {(n, "beyond_head") for n in range(1, LENGTH + 1)} <= set(log.found())


def test_every_long_text(log: StoredLog, aws: AwsStores) -> None:
    """A long text changed, removed or swapped with another in its bucket is named at its episode (EP-4)."""
    keys = log.objects("content")
    texts = aws.content.get_many(keys)
    position = {f"texts/{log.pair.key}/{e.id}": e.position for e in log.written}
    assert sorted(position[key] for key in keys) == [4, 8]
    for key, whole in texts.items():
        for data in (whole + b"x", whole[:-1], whole[:500], b"", b"\xff\xfe", None):
            if data is None:
                aws.content.delete(key)
            else:
                aws.content.put(key, data)
            found = log.found()
            assert (position[key], "content_altered") in found, data
            assert {p for p, _ in found} == {position[key]}, data
            aws.content.put(key, whole)
    for one, other in itertools.combinations(keys, 2):
        aws.content.put(one, texts[other])
        aws.content.put(other, texts[one])
        assert {(position[key], "content_altered") for key in (one, other)} <= set(log.found())
        aws.content.put(one, texts[one])
        aws.content.put(other, texts[other])


def test_every_annotation_pointing_nowhere(log: StoredLog, aws: AwsStores) -> None:
    """A citation check of a position that is not there, or of another episode than stands there, is named (EP-3)."""
    [kept] = aws.record_store.citation_checks(log.pair)
    stray = [
        CitationCheck("nobody", position, Verification.HOLDS, (), date(2026, 7, 3))
        for position in (1, ANNOTATED, ERASED, LENGTH, LENGTH + 1, 10**6)
    ]
    for check in stray:
        aws.record_store.save_citation_checks(log.pair, [check])
        assert log.found() == [(check.position, "dangling_annotation")]
        aws.record_store.delete_citation_checks(log.pair, [check.position])
        aws.record_store.save_citation_checks(log.pair, [kept])


# ------------------------------------------------------------------ deletion records
@pytest.mark.parametrize("name", attributes(ErasureRow))
def test_every_attribute_of_a_deletion_record(log: StoredLog, rows: dict[str, Item], name: str) -> None:
    """A deletion record changed in any attribute covers nothing any more and is named as forged (EP-8)."""
    record = rows[ERASURE]
    values = other_values(record, name, [])
    more: dict[str, list[Item | None]] = {
        "positions": [{"S": text} for text in ("5-6", "6-7", "6 8", "1-9", "5", "1-999999999999")],
        "scope": [{"S": "subject"}],
        "by": [{"S": "teacher"}],
        "requested_at": [{"S": "2026-07-04T09:00:00.000001Z"}],
        "note": [{"S": erasure_of(log.pair, ERASED, STRANGER).note}, {"S": erasure_of(log.pair, 5).note}],
    }
    for value in (*values, *more.get(name, [])):
        if says_how_far(name, value):
            continue
        with log.changed({ERASURE: with_value(record, name, value)}, rows):
            found = log.found()
        assert (ERASED, "content_missing") in found, (value, found)
        assert "forged_erasure" in {kind for _, kind in found}, (value, found)


def says_how_far(name: str, value: Item | None) -> bool:
    """Whether this changes how far an erasure has come: what no signature can cover."""
    return (name, value) == ("staged_at", None)


def test_a_deletion_record_is_not_made_removed_or_moved(log: StoredLog, rows: dict[str, Item]) -> None:
    """A deletion record forged, taken from another log, removed or filed under another id deceives nobody (EP-8)."""
    record = rows[ERASURE]
    with log.changed({ERASURE: None}, rows):
        assert log.found() == [(ERASED, "content_missing")]
    with log.changed({ERASURE: None, "ERASURE#other": record}, rows):
        assert log.found() == [(ERASED, "content_missing"), (ERASED, "forged_erasure")]
    other = Pair("school", "ben", "biology")
    for forged in (
        erasure_of(log.pair, 3, STRANGER),
        erasure_of(other, 3),
        replace(erasure_of(log.pair, 3), note=""),
    ):
        added = {**record, "positions": {"S": spelled(forged.positions)}, "note": {"S": forged.note}}
        with log.changed({f"ERASURE#{forged.id[:-1]}B": added}, rows):
            assert log.found() == [(3, "forged_erasure")]


def test_what_an_erasure_left_is_not_filled_again(
    log: StoredLog, rows: dict[str, Item], unsigned: StoredLog
) -> None:
    """Contents put back where a carried-out erasure removed them are named, also when they are the true ones (EP-8)."""
    whole = log.written[ERASED - 1]
    assert whole.content is not None
    template = rows[at(1)]
    genuine = {
        **{name: value for name, value in template.items() if name not in rows[at(ERASED)]},
        **rows[at(ERASED)],
        "summary": {"S": whole.content.summary},
        "text": {"S": whole.content.text},
        "salt": {"S": str(whole.salt)},
    }
    genuine = with_value(
        genuine, "topic", None if whole.content.topic is None else {"S": whole.content.topic}
    )
    genuine |= {"session_id": {"S": whole.session_id}} if whole.session_id else {}
    genuine = genuine if whole.session_id else with_value(genuine, "session_id", None)
    genuine |= {"about_record": {"BOOL": whole.about_record}}
    with log.changed({at(ERASED): genuine}, rows):
        assert log.found() == [(ERASED, "restored")]
    # One that is under way may have left them, which the verdict says.
    begun = with_value(rows[ERASURE], "stage", {"S": "begun"})
    with log.changed({at(ERASED): genuine, ERASURE: begun}, rows):
        assert log.found() == []
        assert "under way" in log.verdict().not_checked[-1]


# ------------------------------------------------------------------ checkpoints
def test_every_checkpoint_changed_or_added(log: StoredLog, aws: AwsStores) -> None:
    """A checkpoint overwritten, filed elsewhere, signed by another key or taken from another log is named (EP-5)."""
    bucket = f"{aws.prefix}-checkpoints"
    other = Pair("school", "ben", "biology")
    true_roots = roots_at({e.position: e.hash for e in log.written}, range(LENGTH + 1))
    tried = 0
    for key in log.objects("checkpoints"):
        kept = aws.s3.get_object(Bucket=bucket, Key=key)
        note, metadata = kept["Body"].read().decode(), kept["Metadata"]
        length = int(note.split("\n")[1])
        root = true_roots[length]
        lied = "ab" * 32
        elsewhere = f"{filing_name(log.pair)}/{LENGTH:012d}-{root[:16]}.note"

        def signed(pair: Pair, at_length: int, at_root: str, by: Any = SIGNER) -> tuple[str, dict[str, str]]:
            return checkpoint_of(pair, at_length, at_root, by).note, {"root-hash": at_root}

        versions: list[tuple[str, tuple[str, dict[str, str]], int, str]] = [
            (key, ("", metadata), length, "malformed_checkpoint"),
            (key, (note[:-1], metadata), length, "malformed_checkpoint"),
            (key, (note.replace(f"\n{length}\n", f"\n{length - 1}\n"), metadata), length, "bad_signature"),
            (key, (note.replace("anamnesis/log/", "anamnesis/log/0"), metadata), length, "bad_signature"),
            (key, signed(log.pair, length, lied), length, "rewritten"),
            (key, signed(log.pair, length, root, STRANGER), length, "unknown_key"),
            (key, signed(other, length, root), length, "foreign_origin"),
            (key, (note, {}), length, "mislabelled_checkpoint"),
            (key, (note, {"root-hash": lied}), length, "mislabelled_checkpoint"),
            (key, signed(log.pair, length - 1, true_roots[length - 1]), length, "mislabelled_checkpoint"),
            (elsewhere, (note, metadata), LENGTH, "mislabelled_checkpoint"),
            (elsewhere, signed(log.pair, LENGTH, root), LENGTH, "rewritten"),
        ]
        for place, (body, labels), position, kind in versions:
            version = log.put_note(place, body.encode(), labels)
            assert log.found() == [(position, kind)], kind
            log.delete_note(place, version)
            tried += 1
    assert tried == 24


def test_a_hidden_checkpoint_still_counts(log: StoredLog, aws: AwsStores, rows: dict[str, Item]) -> None:
    """A checkpoint hidden under a delete marker is held against the log all the same (EP-5)."""
    for key in log.objects("checkpoints"):
        marker = aws.s3.delete_object(Bucket=f"{aws.prefix}-checkpoints", Key=key)["VersionId"]
        assert log.found() == []
        with log.changed(cut(rows, 1, head=True), rows):
            assert [p for p, kind in log.found() if kind == "truncated"] == list(SIGNED)
        log.delete_note(key, marker)


def test_a_checkpoint_removed_for_good_is_said(log: StoredLog, aws: AwsStores) -> None:
    """Where Object Lock was overcome and checkpoints are gone, the verdict says what nothing vouches for (EP-5)."""
    first, last = log.objects("checkpoints")
    notes = {key: aws.s3.get_object(Bucket=f"{aws.prefix}-checkpoints", Key=key) for key in (first, last)}
    kept = {
        key: (answer["VersionId"], answer["Body"].read(), answer["Metadata"]) for key, answer in notes.items()
    }
    log.delete_note(last, kept[last][0])
    assert f"{SIGNED[0] + 1}–{LENGTH}" in log.verdict().not_checked[0]
    log.delete_note(first, kept[first][0])
    assert "no checkpoint" in log.verdict().not_checked[0]
    for key, (_, body, metadata) in kept.items():
        log.put_note(key, body, metadata)
