"""What a report says, in the words of one language: a ``Report`` as a ``Document``."""

from __future__ import annotations

from anamnesis.domain.report.document import Code, Document, Line, Paragraph, Quoted, Section, Tile, Tone
from anamnesis.domain.report.layout.learning import (
    changes_section,
    checks_section,
    misconceptions_section,
    standings_section,
    unanswered_section,
)
from anamnesis.domain.report.layout.limits import limits_section
from anamnesis.domain.report.layout.phrases import Phrases
from anamnesis.domain.report.layout.record import (
    activity_section,
    calibration_section,
    chain_section,
    citations_section,
    material_section,
    months_section,
)
from anamnesis.domain.report.values import Report
from anamnesis.domain.report.wording import Wording

#: The parts of a report in their order: first what a teacher can act upon, last how far it can be trusted.
_SECTIONS = (
    misconceptions_section,
    standings_section,
    changes_section,
    unanswered_section,
    checks_section,
    activity_section,
    months_section,
    material_section,
    calibration_section,
    citations_section,
    chain_section,
    limits_section,
)


def document_of(report: Report, words: Wording) -> Document:
    """A report in the language of `words`; a report on nothing says so and leaves out what would be empty."""
    phrases = Phrases(report, words)
    names = {"student": Quoted(report.student), "subject": Quoted(report.subject)}
    sections = (chain_section, limits_section) if report.empty else _SECTIONS
    built = [build(phrases) for build in sections]
    if report.empty:
        built.insert(0, Section("nothing", "", (Paragraph(words.line("page.empty"), Tone.WARNING),)))
    return Document(
        language=words.language,
        right_to_left=words.right_to_left,
        name=words.line("page.name", **names),
        title=words.line("page.title", **names),
        lead=_lead(phrases),
        tiles=() if report.empty else _tiles(phrases),
        contents=words.say("page.contents"),
        sections=tuple(built),
    )


def _lead(phrases: Phrases) -> tuple[Line, ...]:
    report, words = phrases.report, phrases.words
    composed = words.line(
        "page.composed", when=words.moment(phrases.local(report.composed_at)), zone=Code(report.time_zone)
    )
    if report.first_at is None or report.last_at is None:
        return (composed,)
    period = words.line("page.period", first=phrases.day(report.first_at), last=phrases.day(report.last_at))
    return (period, composed)


def _tiles(phrases: Phrases) -> tuple[Tile, ...]:
    report, words = phrases.report, phrases.words
    say, number = words.say, words.number
    beliefs, chain = report.beliefs, report.chain
    state, tone = {
        True: ("tiles.verified", Tone.GOOD),
        False: ("tiles.broken", Tone.BAD),
        None: ("tiles.unverified", Tone.WARNING),
    }[chain.verified]
    return (
        Tile(say("tiles.days"), number(report.activity.days), ""),
        Tile(say("tiles.questions"), number(report.activity.turns), ""),
        Tile(
            say("tiles.checks"),
            say("tiles.checks_value", passed=report.checks.passed, recorded=report.checks.recorded),
            "",
        ),
        Tile(
            say("tiles.understands"),
            number(beliefs.understood),
            say("tiles.to_confirm", number=beliefs.to_confirm) if beliefs.to_confirm else "",
        ),
        Tile(
            say("tiles.struggles"),
            number(beliefs.struggling),
            "",
            Tone.WARNING if beliefs.struggling else Tone.PLAIN,
        ),
        Tile(say("tiles.chain"), say(state), "", tone),
    )
