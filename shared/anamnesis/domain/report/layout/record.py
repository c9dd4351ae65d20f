"""The sections on the work, the material, and how far the record can be trusted."""

from __future__ import annotations

from datetime import date, timedelta

from anamnesis.domain.concepts.readiness import CONFIRMED, EXPLAINED, NAMED, TAUGHT
from anamnesis.domain.night.calibration import MIN_PREDICTIONS
from anamnesis.domain.report.document import (
    Block,
    Bullets,
    Code,
    Figure,
    Line,
    Meter,
    Paragraph,
    Quoted,
    ReliabilityChart,
    ReliabilityPoint,
    Section,
    Table,
    Text,
    Tone,
    WeekBar,
    WeeksChart,
    joined,
)
from anamnesis.domain.report.layout.limits import calibrated
from anamnesis.domain.report.layout.phrases import Phrases
from anamnesis.domain.report.values import Chain, ChangedFile, CheckedWhen, Month, NotChecked

_BANDS = {TAUGHT: "taught", CONFIRMED: "confirmed", EXPLAINED: "explained", NAMED: "named"}


def activity_section(phrases: Phrases) -> Section:
    """Work by week as a chart."""
    words, weeks = phrases.words, phrases.report.activity.weeks
    title = words.say("activity.title")
    if not weeks.shown:
        return Section("activity", title, (Paragraph(words.line("checks.no_checks")),))
    legend = (words.say("activity.turns"), words.say("activity.passed"), words.say("activity.missed"))
    first = weeks.shown[0].monday
    figure = Figure(
        caption=words.say("activity.caption"),
        text=words.say(
            "activity.text",
            weeks=len(weeks.shown),
            first=words.day(first),
            last=words.day(weeks.shown[-1].monday),
            most=max(week.turns for week in weeks.shown),
        ),
        chart=WeeksChart(
            tuple(
                WeekBar(_month_label(week.monday, phrases), week.turns, week.passed, week.missed)
                for week in weeks.shown
            ),
            legend,
        ),
        as_table=words.say("page.table"),
        table=Table(
            words.say("activity.caption"),
            (words.say("activity.week"), *legend),
            tuple(
                ((Text(words.day(week.monday)),), *_numbers(phrases, week.turns, week.passed, week.missed))
                for week in weeks.shown
                if week.turns or week.passed or week.missed
            ),
            frozenset({1, 2, 3}),
        ),
    )
    more: list[Block] = []
    if weeks.left_out:
        more.append(Paragraph(words.line("activity.left_out_note", day=words.day(first))))
    return Section("activity", title, (figure, *more))


def _month_label(monday: date, phrases: Phrases) -> str:
    """The month that begins in a week."""
    days = [monday + timedelta(days=n) for n in range(7)]
    return next((phrases.words.short_month(day) for day in days if day.day == 1), "")


def _numbers(phrases: Phrases, *numbers: int) -> tuple[Line, ...]:
    return tuple((Text(phrases.words.number(number)),) for number in numbers)


def months_section(phrases: Phrases) -> Section:
    """What was covered in each month."""
    words, months = phrases.words, phrases.report.activity.months
    heads = ("month", "days", "questions", "result", "taught", "topics")
    table = Table(
        words.say("activity.months_caption"),
        tuple(words.say(f"activity.{head}") for head in heads),
        tuple(_month_row(month, phrases) for month in reversed(months.shown)),
        frozenset({1, 2, 3, 4}),
    )
    more = phrases.left_out("activity.months_left_out", months.left_out)
    return Section("months", words.say("activity.months"), (table, *more))


def _month_row(month: Month, phrases: Phrases) -> tuple[Line, ...]:
    words = phrases.words
    checks = month.passed + month.missed
    result = words.say("tiles.checks_value", passed=month.passed, recorded=checks) if checks else "–"
    topics: list[Line] = [(Quoted(name),) for name in month.concepts.shown]
    if month.concepts.left_out:
        topics.append(words.line("page.more", month.concepts.left_out))
    days, questions, taught = _numbers(phrases, month.days, month.questions, month.taught)
    return (
        (Text(words.month(month.first)),),
        days,
        questions,
        (Text(result),),
        taught,
        joined(topics, words.say("page.list")) if topics else words.line("activity.no_topics"),
    )


def material_section(phrases: Phrases) -> Section:
    """How well the files cover the subject: about the material, never about the student (CM-6)."""
    words, material = phrases.words, phrases.report.material
    title = words.say("material.title")
    if not material.concepts:
        return Section("material", title, (Paragraph(words.line("material.none")),))
    covered = words.line(
        "material.readiness",
        concepts=words.line("material.concepts", material.concepts),
        readiness=words.percent(material.readiness),
    )
    blocks: list[Block] = [
        Paragraph(joined((words.line("material.lead"), covered), " ")),
        Table(
            words.say("material.caption"),
            (words.say("material.band"), words.say("material.number")),
            tuple(
                (
                    words.line(f"material.{_BANDS[band.readiness]}"),
                    (Meter(band.concepts / material.concepts, words.number(band.concepts)),),
                )
                for band in material.bands
            ),
        ),
    ]
    if material.unexplained.shown:
        blocks.append(Paragraph(words.line("material.unexplained")))
        blocks.append(
            Bullets(
                tuple(
                    joined(((Quoted(hub.name),), words.line("material.builds", hub.builds_on_it)), " · ")
                    for hub in material.unexplained.shown
                )
            )
        )
        blocks += phrases.left_out("material.left_out", material.unexplained.left_out)
    blocks += phrases.left_out("material.cycles", material.cycles)
    if material.files:
        counts: list[Line] = [
            (Text(f"{words.number(f.files)} {words.say(f'material.status_{f.status.value}')}"),)
            for f in material.files
        ]
        blocks.append(Paragraph(words.line("material.files", list=joined(counts, words.say("page.list")))))
    return Section("material", title, tuple(blocks))


def calibration_section(phrases: Phrases) -> Section:
    """Predictions against outcomes (NI-3)."""
    words, measured = phrases.words, phrases.report.calibration
    title = words.say("calibration.title")
    if measured is None or not measured.predictions:
        key = "calibration.before" if measured is None else "calibration.none"
        return Section("calibration", title, (Paragraph(words.line(key)),))
    error = measured.expected_calibration_error
    if measured.calibrated and error is not None:
        lead = Paragraph(calibrated(measured.predictions, error, words))
    else:
        predicted = words.line("calibration.checks", measured.predictions)
        lead = Paragraph(
            words.line("calibration.not_yet", predicted=predicted, needed=MIN_PREDICTIONS), Tone.WARNING
        )
    figure = Figure(
        caption=words.say("calibration.caption"),
        text=words.say("calibration.text"),
        chart=ReliabilityChart(
            tuple(
                ReliabilityPoint(b.mean_predicted, b.share_correct, b.count, words.number(b.count))
                for b in measured.buckets
            ),
            across=words.say("calibration.predicted"),
            up=words.say("calibration.correct"),
            ticks=(words.percent(0.0), words.percent(0.5), words.percent(1.0)),
        ),
        as_table=words.say("page.table"),
        table=Table(
            words.say("calibration.caption"),
            tuple(words.say(f"calibration.{head}") for head in ("bucket", "mean", "share", "count")),
            tuple(
                (
                    (Text(f"{words.percent(b.lower)} – {words.percent(b.upper)}"),),
                    (Text(words.percent(b.mean_predicted)),),
                    (Text(words.percent(b.share_correct)),),
                    (Text(words.number(b.count)),),
                )
                for b in measured.buckets
            ),
            frozenset({1, 2, 3}),
        ),
    )
    return Section("calibration", title, (lead, figure))


def citations_section(phrases: Phrases) -> Section:
    """What looking citations up found (VE-1)."""
    words, found = phrases.words, phrases.report.citations
    title = words.say("citations.title")
    if not found.holding + found.changed + found.unchecked:
        return Section("citations", title, (Paragraph(words.line("citations.none")),))
    counts = {
        "holds": found.holding,
        "changed": found.changed,
        "unverifiable": found.unverifiable,
        "unchecked": found.unchecked,
    }
    blocks: list[Block] = [
        Paragraph(words.line("citations.lead")),
        Table(
            words.say("citations.caption"),
            (words.say("citations.result"), words.say("citations.memories")),
            tuple(
                ((Text(words.say(f"citations.{name}")),), (Text(words.number(count)),))
                for name, count in counts.items()
                if count is not None
            ),
            frozenset({1}),
        ),
    ]
    if found.files.shown:
        heads = ("file", "became", "answers")
        blocks.append(
            Table(
                words.say("citations.files"),
                tuple(words.say(f"citations.{head}") for head in heads),
                tuple(_file_row(file, phrases) for file in found.files.shown),
                frozenset({2}),
            )
        )
        blocks += phrases.left_out("citations.left_out", found.files.left_out)
    if found.last_checked is not None:
        blocks.append(Paragraph(words.line("citations.checked", day=words.day(found.last_checked))))
    return Section("citations", title, tuple(blocks))


def _file_row(file: ChangedFile, phrases: Phrases) -> tuple[Line, ...]:
    words = phrases.words
    if file.deleted:
        became = words.line("citations.deleted")
    elif file.replaced_by:
        became = words.line("citations.replaced_by", file=Quoted(file.replaced_by))
    else:
        became = words.line("citations.replaced")
    name: Line = (Quoted(file.name),) if file.name else words.line("citations.nameless")
    return name, became, *_numbers(phrases, file.answers)


def chain_section(phrases: Phrases) -> Section:
    """The state of the log (EP-4, EP-5)."""
    words, chain = phrases.words, phrases.report.chain
    facts = [words.line("chain.length", chain.length)]
    if chain.checkpoints is not None:
        facts.append(words.line("chain.checkpoints", chain.checkpoints))
    if chain.erasures:
        facts.append(words.line("chain.erasures", chain.erasures))
    if chain.erased:
        facts.append(words.line("chain.erased", chain.erased))
    blocks: list[Block] = [_verdict(chain, phrases), Paragraph(joined(facts, " · "))]
    if chain.breaks is not None and chain.breaks.shown:
        breaks = [
            words.line("chain.break", position=b.position, kind=Code(b.kind)) for b in chain.breaks.shown
        ]
        if chain.breaks.left_out:
            breaks.append(words.line("chain.more", number=chain.breaks.left_out))
        blocks += [Paragraph(words.line("chain.breaks")), Bullets(tuple(breaks))]
    if chain.not_checked:
        unchecked = tuple(_not_checked(item, phrases) for item in chain.not_checked)
        blocks += [Paragraph(words.line("chain.unchecked")), Bullets(unchecked)]
    return Section("chain", words.say("chain.title"), tuple(blocks))


def _verdict(chain: Chain, phrases: Phrases) -> Paragraph:
    words = phrases.words
    if chain.verified is None:
        return Paragraph(words.line("chain.never"), Tone.WARNING)
    tone = Tone.GOOD if chain.verified else Tone.BAD
    state = "verified" if chain.verified else "broken"
    if chain.when is CheckedWhen.NIGHT and chain.night is not None:
        return Paragraph(words.line(f"chain.{state}_night", day=words.day(chain.night)), tone)
    return Paragraph(words.line(f"chain.{state}_now"), tone)


def _not_checked(item: NotChecked, phrases: Phrases) -> Line:
    if item.code is None:
        return (Text(item.text),)
    key = f"chain.{item.code.replace('-', '_')}"
    if item.first:
        return phrases.words.line(key, first=item.first, last=item.last)
    return phrases.words.line(key)
