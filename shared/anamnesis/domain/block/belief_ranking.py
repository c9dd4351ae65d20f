"""Which beliefs one block tells, and in what order (BE-1, BL-4)."""

from __future__ import annotations

from collections.abc import Sequence

from anamnesis.domain.beliefs import Belief, Claim
from anamnesis.domain.messages.intents import Intent, RecordFocus

#: Beliefs considered for one block.
BELIEFS = 16


def ranked_beliefs(
    beliefs: Sequence[Belief],
    routed: tuple[str, ...],
    intent: Intent,
    focus: RecordFocus | None = None,
) -> list[Belief]:
    """At most ``BELIEFS`` beliefs in the order in which a block needs them.

    Those on what the question is about come first, in a question about the record all others behind them, else only
    the ones that speak most clearly; within each group what the student struggles with comes first, unless the
    question is about what went right.
    """
    first = Claim.UNDERSTANDS if focus is RecordFocus.RIGHT else Claim.STRUGGLES_WITH

    def order(belief: Belief) -> tuple[bool, bool, float, str]:
        return (belief.concept not in routed, belief.claim is not first, -belief.confidence, belief.concept)

    ranked = sorted(beliefs, key=order)
    if intent is Intent.HISTORY or not routed:
        return ranked[:BELIEFS]
    about = [belief for belief in ranked if belief.concept in routed]
    others = [belief for belief in ranked if belief.concept not in routed][: BELIEFS // 2]
    return (about + others)[:BELIEFS]
