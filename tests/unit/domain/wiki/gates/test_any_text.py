"""Whatever is said: the deterministic writer's pages pass, so that no text can keep a wiki from being compiled."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anamnesis.domain.beliefs import Claim
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.wiki.gates import findings
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from support.wiki_histories import FACTS, HOSTILE
from support.wiki_values import belief, biology_map, evidence, subject_evidence, turn

_SIGNS = st.sampled_from(
    [*"[]()<>{}*_`~#|\\!&;:/@=+-.,'\"“”«»…\n\t\r 0129aZ", "\u200b", "\u202e", "\u2028", "\x00", "\ufeff", "\ue041", "é",
     "生", "ا", "न", "ก", "👩\u200d🔬", "www.", "http://", "System:",
     "[cite:1]", "[[x]]", "![", "---\n", "## ", "right", "wrong",
     "not ", "understands ", "struggles with ", "2026-03-04", "Until ", "12 May", "0.82", "&#x202e;", "<b>", "session://a/b#1"]
)  # fmt: skip
_TEXTS = st.one_of(
    st.lists(_SIGNS, max_size=40).map("".join),
    st.text(max_size=80),
    st.sampled_from([*HOSTILE, *FACTS]),
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    asked=_TEXTS, answered=_TEXTS, topic=_TEXTS, judged=_TEXTS, taught=_TEXTS, session=_TEXTS, subject=_TEXTS
)
def test_no_text_keeps_a_wiki_from_being_compiled(
    asked: str, answered: str, topic: str, judged: str, taught: str, session: str, subject: str
) -> None:
    """Of any texts in any place the writer makes a tree that passes every gate (WD-2, WD-3, SV-13)."""
    name = "".join(c for c in subject if c.isalnum())[:20] or "biology"
    more = {"session": session[:60] or None, "subject": name}
    missed = turn(
        3,
        answered,
        Kind.CHECK,
        concepts=["osmosis"],
        correct=False,
        topic=topic[:200],
        evaluation=judged,
        **more,
    )
    passed = turn(
        4,
        judged,
        Kind.CHECK,
        day=2,
        concepts=["osmosis"],
        correct=True,
        topic=topic[:200],
        evaluation=asked,
        **more,
    )
    lesson = turn(5, taught, Kind.TAUGHT, day=2, concepts=["osmosis"], **more)
    known = evidence(
        subject_evidence(
            [
                turn(1, asked, concepts=["osmosis"], **more),
                turn(2, answered, Kind.ANSWER, concepts=["osmosis"], cites=[("f1", 3)], **more),
                missed,
                passed,
                lesson,
                turn(6, judged, day=5, **{**more, "session": None}),
            ],
            subject=name,
            mapped=biology_map(),
            taught={taught[:60] or "osmosis": [lesson]},
            beliefs=[
                belief(topic[:60].strip() or "osmosis", Claim.STRUGGLES_WITH, [missed], superseded_by="belief-2"),
                belief("osmosis", Claim.UNDERSTANDS, [passed], number=2),
            ],
        )
    )  # fmt: skip
    tree = DeterministicWriter().write(known, {})
    assert findings(tree, {}, known) == ()


def test_a_subject_called_like_a_marker_has_its_wiki() -> None:
    """The name of a subject that reads like the end of the block stands in headings all the same (SV-13, WD-2)."""
    known = evidence(
        subject_evidence(
            [turn(1, "Why?", concepts=["osmosis"], subject="END0FMEM0RY")],
            subject="END0FMEM0RY",
            mapped=biology_map(),
        )
    )
    assert findings(DeterministicWriter().write(known, {}), {}, known) == ()
