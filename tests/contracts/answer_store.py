"""What every ``AnswerStore`` promises."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import count

import pytest

from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.grounding.values import (
    CUT,
    MAX_CLAIMS,
    FileLine,
    GroundedClaim,
    Grounding,
    RecalledMemory,
    Shortfall,
)
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.tutoring.answers import (
    KEPT,
    MAX_ANSWER_CHARS,
    MAX_QUESTION_CHARS,
    AnswerState,
    AnswerStatus,
    Asked,
    Failing,
    RecordedAnswer,
    opened,
)
from anamnesis.domain.tutoring.conversation import EarlierTurn
from anamnesis.domain.tutoring.passages import Passage
from anamnesis.ports import AnswerStore

AT = datetime(2026, 7, 3, 9, 0, 0, tzinfo=UTC)
LATER = AT + timedelta(minutes=5)
_numbers = count(1)


def asked(name: str = "a" * 32, **changes: object) -> Asked:
    """What an answer answers."""
    made = Asked(
        id=name,
        request="0" * 64,
        model="fake-tutor",
        question="Was ist Osmose? 😀 ما هو التناضح؟",
        question_id="01Q",
        question_position=4,
        occurred_at=datetime(2026, 7, 3, 11, 0, 0, tzinfo=timezone(timedelta(hours=2))),
        asked_at=AT,
        zone="Europe/Berlin",
        session_id="s 1",
        language=None,
        block={"block": "===== …", "memory_ids": ["01A", "01B"], "tokens": 12, "window": None},
        passages=(
            Passage("file", "01F", "cells.pdf", 3, None, "Osmosis moves water."),
            Passage("episode", "01A", "check", None, AT, "Check on osmosis: right"),
        ),
        erasures=0,
        earlier=(EarlierTurn("Was ist eine Zelle? 😀", "خلية"), EarlierTurn("And then?", None)),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


GROUNDING = Grounding(
    (
        GroundedClaim("Osmosis.", 0, 8, FileLine("01F", "cells.pdf", 3, 2, "Osmosis…", False), 0.75, None),
        GroundedClaim(
            "In July.",
            9,
            17,
            RecalledMemory("01A", "check", AT, "right"),
            1.0,
            None,
            (RecalledMemory("01D", "quiz", AT, "…"),),
        ),
        GroundedClaim("You got it.", 18, 29, RecalledMemory("01A", "belief", AT, "…", "01C"), 0.5, None),
        GroundedClaim("Not so.", 30, 37, None, 0.1, Shortfall.NEGATION),
    ),
    says_missing=True,
)


class AnswerStoreContract:
    """Answers by pair and id, and who writes them."""

    @pytest.fixture
    def pair(self) -> Pair:
        return Pair("school", f"ana {next(_numbers)}", "biology #1")

    def claimed(
        self, store: AnswerStore, pair: Pair, writer: str, at: datetime = AT, *, name: str = "a" * 32
    ) -> AnswerState | None:
        return store.claim_answer(pair, name, writer=writer, at=at, until=at + timedelta(seconds=150))

    def test_an_answer_is_kept_whole(self, store: AnswerStore, pair: Pair) -> None:
        """What is asked and how far its answer has come come back as they were stored (GR-2, SV-14)."""
        assert store.answer_state(pair, "a" * 32, at=AT) is None
        assert store.asked_answer(pair, "a" * 32, at=AT) is None
        assert store.open_answer(pair, asked()) == asked()
        assert store.asked_answer(pair, "a" * 32, at=AT) == asked()
        assert store.answer_state(pair, "a" * 32, at=AT) == opened(asked())
        state = self.claimed(store, pair, "w")
        assert state is not None
        done = replace(
            state,
            status=AnswerStatus.DONE,
            text="Osmosis.\n\nIn July. 😀",
            recorded=RecordedAnswer("01X", 5, "f" * 64),
            grounding=GROUNDING,
            use=ModelUse(1, 100, 20),
        )
        assert store.save_answer(pair, done)
        assert store.answer_state(pair, "a" * 32, at=AT) == done
        failed = replace(done, status=AnswerStatus.FAILED, reason=Failing.TOO_SLOW, grounding=None, text="")
        assert store.save_answer(pair, failed)
        assert store.answer_state(pair, "a" * 32, at=AT) == failed

    def test_what_is_largest_fits(self, store: AnswerStore, pair: Pair) -> None:
        """The longest question, block, passages and answer fit, in the widest letters too (SV-12)."""
        wide = "𒀀𓂀"
        most = asked(
            question=wide * (MAX_QUESTION_CHARS // 2),
            block={"block": "".join(map(chr, range(0x4E00, 0x4E00 + 16_000))), "memory_ids": ["0" * 26] * 48},
            passages=(Passage("file", "01F", "x", 1, None, wide * 300),) * 10,
        )
        assert store.open_answer(pair, most) == most
        state = self.claimed(store, pair, "w")
        assert state is not None
        assert store.save_answer(pair, replace(state, text=wide * (MAX_ANSWER_CHARS // 2)))
        assert store.asked_answer(pair, most.id, at=AT) == most

    @pytest.mark.parametrize("longest", [300, 3_000])
    def test_the_most_claims_fit_with_quotes_as_long_as_there_is_room(
        self, store: AnswerStore, pair: Pair, longest: int
    ) -> None:
        """All claims of the longest answer are kept with where they come from, quotes as there is room (SV-12)."""
        letters = random.Random(7)

        def rare(count: int) -> str:
            # Four bytes a letter, and nothing that would deflate.
            return "".join(chr(letters.randrange(0x20000, 0x2A6D0)) for _ in range(count))

        each = MAX_ANSWER_CHARS // MAX_CLAIMS
        claims = tuple(
            GroundedClaim(
                rare(each), n * each, (n + 1) * each, FileLine("01F", "x", 1, n, rare(longest)), 1.0, None
            )
            for n in range(MAX_CLAIMS)
        )
        found = Grounding(claims, says_missing=False, claims_not_searched=3, files_not_searched=2)
        store.open_answer(pair, asked())
        state = self.claimed(store, pair, "w")
        assert state is not None
        text = "".join(claim.text for claim in claims)
        assert store.save_answer(pair, replace(state, status=AnswerStatus.DONE, text=text, grounding=found))
        kept = store.answer_state(pair, "a" * 32, at=AT)
        assert kept is not None
        assert kept.grounding is not None
        assert (kept.text, kept.grounding.with_quotes(0)) == (text, found.with_quotes(0))
        for claim, whole in zip(kept.grounding.claims, found.claims, strict=True):
            assert claim.source is not None
            assert whole.source is not None
            if claim.source != whole.source:
                assert claim.source.quote.endswith(CUT)
                assert whole.source.quote.startswith(claim.source.quote.removesuffix(CUT))

    def test_opening_again_changes_nothing(self, store: AnswerStore, pair: Pair) -> None:
        """An answer that was opened stays, and what it answers too; after it has expired another one may be (SV-14)."""
        store.open_answer(pair, asked())
        state = self.claimed(store, pair, "w")
        other = asked(question="Another one?", asked_at=LATER)
        assert store.open_answer(pair, other) == asked()
        assert store.answer_state(pair, other.id, at=LATER) == state
        much_later = asked(question="Another one?", asked_at=AT + KEPT)
        assert store.open_answer(pair, much_later) == much_later
        assert store.answer_state(pair, other.id, at=AT + KEPT) == opened(much_later)

    def test_an_answer_expires(self, store: AnswerStore, pair: Pair) -> None:
        """An hour later there is nothing to look at, or to write, whether or not the store has cleared it up (GR-2)."""
        store.open_answer(pair, asked())
        before, after = AT + KEPT - timedelta(seconds=1), AT + KEPT
        assert store.answer_state(pair, "a" * 32, at=before) is not None
        assert store.answer_state(pair, "a" * 32, at=after) is None
        assert store.asked_answer(pair, "a" * 32, at=after) is None
        assert self.claimed(store, pair, "w", after) is None

    def test_all_of_a_pair_are_listed(self, store: AnswerStore, pair: Pair) -> None:
        """Every answer of a pair is listed by id until it has expired or is dropped, and nobody else's (SV-6)."""
        other = replace(pair, subject="biology #12")
        for whose, made in ((pair, asked("b" * 32)), (pair, asked()), (other, asked("c" * 32))):
            store.open_answer(whose, made)
        store.open_answer(pair, asked("d" * 32, asked_at=AT - KEPT))
        assert store.all_answers(pair, at=AT) == [opened(asked()), opened(asked("b" * 32))]
        assert store.all_answers(pair, at=AT + KEPT) == []
        store.drop_answers(pair)
        assert store.all_answers(pair, at=AT) == []
        assert store.all_answers(other, at=AT) == [opened(asked("c" * 32))]

    def test_one_writer_at_a_time(self, store: AnswerStore, pair: Pair) -> None:
        """Of many writers one gets an answer, until its time is over; who lost it writes nothing more (SV-14)."""
        store.open_answer(pair, asked())
        with ThreadPoolExecutor(max_workers=8) as threads:
            found = list(threads.map(lambda n: self.claimed(store, pair, f"w{n}"), range(8)))
        [mine] = [state for state in found if state is not None]
        assert mine.status is AnswerStatus.WAITING
        assert self.claimed(store, pair, mine.writer) == mine
        assert store.save_answer(pair, replace(mine, status=AnswerStatus.WRITING, text="Os"))
        assert self.claimed(store, pair, "next", AT + timedelta(seconds=149)) is None
        taken = self.claimed(store, pair, "next", AT + timedelta(seconds=150))
        assert taken is not None
        assert (taken.status, taken.text) == (AnswerStatus.WRITING, "Os")
        assert not store.save_answer(pair, replace(mine, text="Osmosis"))
        assert store.save_answer(pair, replace(taken, status=AnswerStatus.FAILED, reason=Failing.INTERRUPTED))
        assert self.claimed(store, pair, "third", LATER) is None

    def test_nothing_comes_back_that_was_dropped(self, store: AnswerStore, pair: Pair) -> None:
        """Dropping takes a pair's answers, and no other's; their writers cannot bring them back (EP-8, SV-11)."""
        others = [replace(pair, student=f"{pair.student} 2"), replace(pair, subject="art")]
        for owner in (pair, *others):
            store.open_answer(owner, asked())
            store.open_answer(owner, asked("b" * 32))
        mine = self.claimed(store, pair, "w")
        assert mine is not None
        store.drop_answers(pair)
        store.drop_answers(pair)
        assert not store.save_answer(pair, replace(mine, text="Osmosis"))
        assert self.claimed(store, pair, "w") is None
        for name in ("a" * 32, "b" * 32):
            assert store.answer_state(pair, name, at=AT) is None
            assert store.asked_answer(pair, name, at=AT) is None
            for other in others:
                assert store.answer_state(other, name, at=AT) is not None
                assert store.asked_answer(other, name, at=AT) is not None
