"""The sections on what the student knows and what is open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from anamnesis.domain.beliefs import ChangeReason, Claim
from anamnesis.domain.grounding.values import Stance
from anamnesis.domain.report.document import (
    Badge,
    Block,
    Bullets,
    Line,
    Meter,
    Paragraph,
    Quoted,
    Section,
    Story,
    Table,
    Text,
    Tone,
    Trend,
    joined,
)
from anamnesis.domain.report.layout.phrases import Phrases
from anamnesis.domain.report.values import Stage, ToldBelief, ToldEpisode

#: Points of a trend: more cannot be told apart at its size.
MAX_TREND = 24


def misconceptions_section(phrases: Phrases) -> Section:
    """Current struggles, the newest first, each with its evidence."""
    words, open_now = phrases.words, phrases.report.misconceptions
    blocks: list[Block] = [_misconception(standing, phrases) for standing in open_now.shown]
    if not blocks:
        blocks.append(Paragraph(words.line("misconceptions.none")))
    blocks += phrases.left_out("misconceptions.left_out", open_now.left_out)
    return Section("misconceptions", words.say("misconceptions.title"), tuple(blocks))


def _misconception(standing: ToldBelief, phrases: Phrases) -> Story:
    words = phrases.words
    lead = words.line(
        "misconceptions.since",
        day=phrases.day(standing.since),
        confidence=words.percent(standing.confidence),
    )
    if standing.needs_confirmation:
        lead = joined((lead, words.line("misconceptions.confirm")), " ")
    now = standing.stages.shown[-1]
    lines = [phrases.dated(evidence) for evidence in now.evidence.shown]
    if now.evidence.left_out:
        lines.append(words.line("page.more", now.evidence.left_out))
    return Story((Quoted(standing.name),), lead, tuple(lines))


def standings_section(phrases: Phrases) -> Section:
    """Every belief that nothing supersedes, in a table."""
    words, beliefs = phrases.words, phrases.report.beliefs
    title = words.say("beliefs.title")
    if not beliefs.standings.shown:
        return Section("beliefs", title, (Paragraph(words.line("beliefs.none")),))
    heads = ("concept", "claim", "confidence", "course", "last_check", "state")
    table = Table(
        words.say("beliefs.caption"),
        tuple(words.say(f"beliefs.{head}") for head in heads),
        tuple(_standing_row(standing, phrases) for standing in beliefs.standings.shown),
    )
    more = phrases.left_out("beliefs.left_out", beliefs.standings.left_out)
    return Section("beliefs", title, (Paragraph(words.line("beliefs.lead")), table, *more))


def _standing_row(standing: ToldBelief, phrases: Phrases) -> tuple[Line, ...]:
    words = phrases.words
    tone = Tone.GOOD if standing.claim is Claim.UNDERSTANDS else Tone.WARNING
    confirm = standing.needs_confirmation
    return (
        (Quoted(standing.name),),
        (phrases.claim(standing.claim, standing.confidence),),
        (Meter(standing.confidence, words.percent(standing.confidence), tone),),
        _trend(standing, phrases),
        (Text(phrases.day(standing.last_check)),) if standing.last_check else (),
        (Badge(words.say("beliefs.confirm"), Tone.WARNING),)
        if confirm
        else (Text(words.say("beliefs.firm")),),
    )


def _trend(standing: ToldBelief, phrases: Phrases) -> Line:
    """How likely the student knew the concept after each check: a struggle held firmly is a low likelihood.

    Decay is left out: it says that the memory is less sure, not that the student knows more or less.
    """
    known = [
        step.confidence if stage.claim is Claim.UNDERSTANDS else 1.0 - step.confidence
        for stage in standing.stages.shown
        for step in stage.steps
        if step.reason is ChangeReason.CHECK
    ][-MAX_TREND:]
    if len(known) < 2:
        return ()
    words = phrases.words
    text = words.say("beliefs.course_text", first=words.percent(known[0]), last=words.percent(known[-1]))
    return (Trend(tuple(known), text),)


def changes_section(phrases: Phrases) -> Section:
    """The chains of supersession, dated, with the episodes behind each change."""
    words, beliefs = phrases.words, phrases.report.beliefs
    changed = [standing for standing in beliefs.standings.shown if standing.stages.total > 1]
    blocks: list[Block] = []
    if beliefs.changes_of_mind:
        blocks.append(Paragraph(words.line("changes.count", beliefs.changes_of_mind)))
    blocks += [_story(standing, phrases) for standing in changed]
    if not blocks:
        blocks.append(Paragraph(words.line("changes.none")))
    return Section("changes", words.say("changes.title"), tuple(blocks))


def _story(standing: ToldBelief, phrases: Phrases) -> Story:
    lines = [_stage_line(stage, phrases) for stage in standing.stages.shown]
    if standing.stages.left_out:
        lines.insert(0, phrases.words.line("changes.earlier", standing.stages.left_out))
    return Story((Quoted(standing.name),), (), tuple(lines))


def _stage_line(stage: Stage, phrases: Phrases) -> Line:
    words = phrases.words
    shared: dict[str, str | Badge] = {
        "day": phrases.day(stage.since),
        "claim": phrases.claim(stage.claim, stage.confidence),
        "confidence": words.percent(stage.confidence),
    }
    if stage.because is None:
        told = words.line("changes.stage_unknown", **shared)
    elif stage.because.position:
        told = words.line("changes.stage", **shared, what=phrases.what(stage.because))
    else:
        told = words.line("changes.stage", **shared, what=words.say("changes.unnamed"))
    notes = [told]
    if stage.evidence.total > 1:
        notes.append(words.line("changes.evidence", stage.evidence.total))
    if stage.decays:
        notes.append(words.line("changes.decays", stage.decays))
    return joined(notes, " · ")


def unanswered_section(phrases: Phrases) -> Section:
    """Questions whose answers the files did not hold, as far as answers were traced (GR-3)."""
    words, traced = phrases.words, phrases.report.traced
    title = words.say("unanswered.title")
    if not traced.traced:
        return Section("unanswered", title, (Paragraph(words.line("unanswered.untraced")),))
    blocks: list[Block] = [Paragraph(words.line("unanswered.traced", traced.traced))]
    lines: list[Line] = []
    for found in traced.unanswered.shown:
        stance = "unanswered.partial" if found.stance is Stance.PARTIAL else "unanswered.could_not"
        question = (
            Quoted(found.question) if found.question is not None else Text(words.say("unanswered.unknown"))
        )
        dated = words.line("misconceptions.evidence", day=phrases.day(found.at), what=(question,))
        lines.append((*dated, Text(" "), Badge(words.say(stance), Tone.WARNING)))
    blocks.append(Bullets(tuple(lines)) if lines else Paragraph(words.line("unanswered.none")))
    blocks += phrases.left_out("unanswered.left_out", traced.unanswered.left_out)
    return Section("unanswered", title, tuple(blocks))


def _folded(phrases: Phrases, checks: Sequence[ToldEpisode]) -> Iterator[Line]:
    """One line for checks that say the same and ended the same: the latest, and how many it stands for."""
    alike: dict[ToldEpisode, list[ToldEpisode]] = {}
    for check in checks:
        alike.setdefault(replace(check, episode_id="", position=0, at=None), []).append(check)
    for members in alike.values():
        times = (Text(f" × {len(members)}"),) if len(members) > 1 else ()
        yield (*phrases.dated(members[0]), *times)


def checks_section(phrases: Phrases) -> Section:
    """Checks that are behind no belief, said as such (BE-6)."""
    words, checks = phrases.words, phrases.report.checks
    title = words.say("checks.title")
    untied = checks.tied_to_nothing
    if not checks.recorded:
        return Section("checks", title, (Paragraph(words.line("checks.no_checks")),))
    if not untied:
        return Section("checks", title, (Paragraph(words.line("checks.all_tied")),))
    if untied >= checks.recorded:
        count = Paragraph(words.line("checks.none_tied", checks.recorded), Tone.WARNING)
    else:
        count = Paragraph(words.line("checks.some", untied, recorded=checks.recorded))
    blocks: list[Block] = [count, Paragraph(words.line("checks.note"))]
    if checks.examples.shown:
        blocks.append(Bullets(tuple(_folded(phrases, checks.examples.shown))))
    blocks += phrases.left_out("checks.left_out", checks.examples.left_out)
    return Section("checks", title, tuple(blocks))
