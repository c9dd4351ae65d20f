"""The turns before a question in its own conversation, from the log (SV-12, SV-13, EP-8)."""

from __future__ import annotations

from dataclasses import dataclass

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.tutoring.conversation import EarlierTurn, turns_before, within_budget
from anamnesis.ports import EpisodeLog
from anamnesis.service.withheld import NOTHING, Withheld, without

#: Episodes before the question among which its conversation is looked for, other sessions' included. Ours: rows of a
#: page of DynamoDB that is read in some milliseconds.
LOOK_BACK = 40


@dataclass(frozen=True, slots=True)
class GatherConversation:
    """The use case's part; call it with a question's session and its position.

    Two requests however long the log is, one when the question is the session's first, none without a session; one more
    for each text that is kept outside its row, and one while something of the log is being erased.
    """

    log: EpisodeLog
    withheld: Withheld

    def __call__(self, pair: Pair, session_id: str | None, position: int) -> tuple[EarlierTurn, ...]:
        """The last turns, oldest first, within their budget.

        By the question's position, so that a request that comes again much later finds the same ones.
        """
        if session_id is None or position <= 1:
            return ()
        after = max(0, position - 1 - LOOK_BACK)
        # With room for the question itself, behind which the store then sees the end of the log.
        run, erasing = self.log.tail(pair, after=after, limit=position - after + 1)
        # Known after the run was read: whatever is begun later has the whole turn begin anew.
        hidden = self.withheld.positions(pair) if erasing else NOTHING
        turns = turns_before(without(run, hidden), session_id, position)
        positions = [episode.position for turn in turns for episode in turn if episode is not None]
        if not positions:
            return ()
        # Long texts came as their beginnings.
        whole = {episode.position: _said(episode) for episode in self.log.read(pair, positions)}
        return within_budget(
            [
                EarlierTurn(question, None if answer is None else whole.get(answer.position))
                for asked, answer in turns
                if (question := whole.get(asked.position)) is not None
            ]
        )


def _said(episode: Episode) -> str | None:
    return None if episode.content is None else episode.content.text or episode.content.summary
