"""What several sections say alike: times in the report's zone, an episode in a line, how much was left out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from anamnesis.domain.beliefs import Claim
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

    def claim(self, claim: Claim) -> Badge:
        """A claim as a badge."""
        if claim is Claim.UNDERSTANDS:
            return Badge(self.words.say("claim.understands"), Tone.GOOD)
        return Badge(self.words.say("claim.struggles"), Tone.WARNING)

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
