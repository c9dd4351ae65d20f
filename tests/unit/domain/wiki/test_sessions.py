import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from anamnesis.domain.log.episodes import Kind, erased
from anamnesis.domain.wiki.addresses import read_address
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.sessions import PAUSE, sessions_of
from support.wiki_values import T0, evidence, subject_evidence, turn


def numbers(wiki: WikiEvidence) -> dict[str, dict[int, int]]:
    """Number of each turn by session and position."""
    return {s.id: {t.episode.position: t.number for t in s.turns} for s in sessions_of(wiki)}


def one(*episodes) -> WikiEvidence:
    return evidence(subject_evidence(episodes))


def test_a_session_is_what_has_one_id_and_its_turns_are_numbered_from_one() -> None:
    """Episodes of one id are one session however far apart; its turns count from 1 in the log's order (WK-1)."""
    assert numbers(one(turn(1), turn(2, session="s2"), turn(3, day=9))) == {"s1": {1: 1, 3: 2}, "s2": {2: 1}}


def test_what_has_no_id_is_parted_by_pauses() -> None:
    """Without an id a pause ends a session, whatever the order in which its turns were recorded (WK-1)."""
    pause = PAUSE.total_seconds() / 60
    wiki = one(
        turn(1, session=None, minute=pause),
        turn(2, session=None, minute=0),
        turn(3, session=None, minute=2 * pause + 1),
    )
    assert numbers(wiki) == {"bio1": {1: 1, 2: 2}, "bio3": {3: 1}}


def test_turns_keep_their_numbers_when_an_earlier_time_is_recorded_later() -> None:
    """A turn's address stays when something about an earlier time comes in later: pages that cite it hold (WK-3)."""
    before = numbers(one(turn(1), turn(2)))["s1"]
    after = numbers(one(turn(1), turn(2), turn(3, minute=-30)))["s1"]
    assert {position: after[position] for position in before} == before


def test_an_erased_turn_keeps_its_place() -> None:
    """Erasing a turn leaves the numbers of those behind it, though the erased one has lost its session (EP-8)."""
    turns = [turn(n) for n in range(1, 5)]
    wiki = one(turns[0], erased(turns[1]), turns[2], erased(turns[3]))
    assert numbers(wiki) == {"s1": {1: 1, 2: 2, 3: 3, 4: 4}}


def test_a_session_stays_where_it_is_when_its_first_turn_is_erased() -> None:
    """Erasing the turn that a session without a name goes by moves neither its folder nor its addresses (EP-8)."""
    turns = [turn(n, session=None) for n in range(1, 4)]
    before, after = sessions_of(one(*turns)), sessions_of(one(erased(turns[0]), *turns[1:]))
    assert (
        [(s.id, s.name) for s in before] == [(s.id, s.name) for s in after] == [("bio1", "2026-03-02-bio1")]
    )


def test_a_session_of_which_all_is_erased_is_none() -> None:
    """A session whose every turn was erased leaves no session behind (EP-8)."""
    assert sessions_of(one(erased(turn(1)), erased(turn(2)))) == ()


def test_what_nights_wrote_is_no_turn() -> None:
    """A night's summary of a day is no turn of any session (WK-1)."""
    assert sessions_of(one(turn(1, kind=Kind.CONSOLIDATION, session=None))) == ()


def test_two_subjects_with_one_session_id_have_two_folders() -> None:
    """One session id in two subjects gives two folders, and the one recorded first keeps its plain name (WK-1)."""
    wiki = evidence(
        subject_evidence([turn(2, subject="art")], subject="art"),
        subject_evidence([turn(1)], subject="biology"),
    )
    names = {session.subject: session.name for session in sessions_of(wiki)}
    assert names["biology"] == "2026-03-02-s1"
    assert names["art"].startswith("2026-03-02-s1-")


def test_a_session_called_after_an_episode_is_not_taken_for_another() -> None:
    """A caller may call a session as an unnamed one would be called: both stand (SV-13)."""
    wiki = one(turn(1, session=None), turn(2, session="bio1", day=3))
    assert len({s.id for s in sessions_of(wiki)}) == len({s.name for s in sessions_of(wiki)}) == 2


def test_any_id_has_an_address_that_can_be_read_back() -> None:
    """A session id of 200 characters of any script, or of signs, has an address that reads back (WK-3)."""
    ids = ["細" * 200, "a/b#c d", "..", "\ud800", "x" * 200, "😀" * 200]
    wiki = one(*(turn(n, session=i, day=n) for n, i in enumerate(ids, start=1)))
    found = sessions_of(wiki)
    assert len({s.id for s in found}) == len(ids)
    for session in found:
        address = session.address(1)
        assert read_address(str(address)) == address


def test_the_order_of_evidence_does_not_matter() -> None:
    """The same episodes in any order give the same sessions (WD-1)."""
    episodes = [
        turn(n, session=random.Random(n).choice([None, "a", "b"]), minute=17 * n) for n in range(1, 40)
    ]
    subject = subject_evidence(episodes)
    shuffled = list(subject.episodes)
    random.Random(7).shuffle(shuffled)
    assert sessions_of(evidence(replace(subject, episodes=tuple(shuffled)))) == sessions_of(evidence(subject))


def test_a_session_knows_when_it_was() -> None:
    """A session begins with the earliest of its turns, and lasts until the latest (WK-1)."""
    session = sessions_of(one(turn(1, minute=20), turn(2, minute=5)))[0]
    assert session.started == T0 + timedelta(minutes=5)
    assert session.ended == T0 + timedelta(minutes=20)
    assert session.day == datetime(2026, 3, 2, tzinfo=UTC).date()
