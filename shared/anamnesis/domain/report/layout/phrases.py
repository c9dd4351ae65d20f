"""What several sections say alike: times in the report's zone, an episode in a line, how much was left out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from anamnesis.domain.beliefs import Claim
from anamnesis.domain.beliefs.revision import UNDERSTANDS_FROM
from anamnesis.domain.report.document import Badge, Block, Inline, Line, Paragraph, Quoted, Text, Tone
from anamnesis.domain.report.values import Cut, Report, ToldEpisode
from anamnesis.domain.report.wording import Wording


@dataclass(frozen=True, slots=True)
class Phrases:
    """A report and the words that it is told in."""

    report: Report
    words: Wording

    def local(self, moment: datetime) -> datetime:
        """A moment in the report's time zone."""
        return moment.astimezone(ZoneInfo(self.report.time_zone))

    def day(self, moment: datetime) -> str:
        """The local day of a moment."""
        return self.words.day(self.local(moment).date())

    def claim(self, claim: Claim, confidence: float) -> Badge:
        """A claim as a badge, said no more surely than it is held: what faded below even odds "may" be so.

        Parameters
        ----------
        confidence
            0–1.
        """
        sure = confidence >= UNDERSTANDS_FROM
        if claim is Claim.UNDERSTANDS:
            tone = Tone.GOOD if sure else Tone.PLAIN
            return Badge(self.words.say("claim.understands" if sure else "claim.may_understand"), tone)
        return Badge(self.words.say("claim.struggles" if sure else "claim.may_struggle"), Tone.WARNING)

    def what(self, evidence: ToldEpisode) -> Line:
        """What an episode was, and for a check how it went."""
        parts: list[Inline] = []
        if evidence.topic is not None and evidence.kind is not None:
            score = "" if evidence.score is None else self.words.percent(evidence.score)
            parts += self.words.line(f"page.{evidence.kind.value}", topic=Quoted(evidence.topic), score=score)
        elif evidence.summary is not None:
            parts.append(Quoted(evidence.summary))
        else:
            parts.append(Text(self.words.say("page.erased" if evidence.position else "page.unreadable")))
        if evidence.correct is not None:
            right = evidence.correct
            parts += [
                Text(" "),
                Badge(
                    self.words.say("page.right" if right else "page.wrong"), Tone.GOOD if right else Tone.BAD
                ),
            ]
        return tuple(parts)

    def dated(self, evidence: ToldEpisode) -> Line:
        """An episode with its day."""
        if evidence.at is None:
            return self.what(evidence)
        return self.words.line("misconceptions.evidence", day=self.day(evidence.at), what=self.what(evidence))

    def left_out(self, key: str, cut: Cut[object] | int) -> tuple[Block, ...]:
        """A paragraph that says how many are left out; nothing when none is."""
        count = cut if isinstance(cut, int) else cut.left_out
        return (Paragraph(self.words.line(key, count)),) if count else ()
