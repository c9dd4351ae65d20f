"""Whether a claim is supported by what it cites (WD-2): quotations, days, numbers, outcomes, and what it says.

A claim is taken apart before it is compared. What it quotes must stand there; days and numbers must be of what it
cites; what a writer frames these with ("the student asked …") is known by its words; what is left is held against the
sentences of the evidence as an answer's claims are (``domain.grounding``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Final

import regex

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.grounding.statements import Statement, read_statement
from anamnesis.domain.grounding.support import judge
from anamnesis.domain.grounding.tables import plain as folded
from anamnesis.domain.grounding.tables import table_of
from anamnesis.domain.grounding.values import SUPPORTED, Shortfall
from anamnesis.domain.grounding.vocabulary import Surroundings, Vocabulary
from anamnesis.domain.text.languages import UNDETERMINED, detect_language
from anamnesis.domain.text.sentences import sentences
from anamnesis.domain.wiki.addresses import Address, episode_address
from anamnesis.domain.wiki.facts.coming_days import coming_days
from anamnesis.domain.wiki.facts.cues import cues_for
from anamnesis.domain.wiki.facts.preferences import LENGTH, LONG, SHORT, find_preferences
from anamnesis.domain.wiki.facts.said import said_by_student
from anamnesis.domain.wiki.gates.findings import Rule
from anamnesis.domain.wiki.gates.frames import COUNTED, FRAMES, HARMLESS
from anamnesis.domain.wiki.gates.letters import plain, without_names, words
from anamnesis.domain.wiki.gates.lines import PLACE
from anamnesis.domain.wiki.gates.quotations import QUOTATION_MARKS, without_quotations
from anamnesis.domain.wiki.gates.sources import Sources, Witness

#: Share of a claim from which on a sentence that says otherwise contradicts it, as for answers.
_NEARLY_ALL: Final = 0.75
#: Sentences of a claim that are compared one by one. Ours: definitions out of files have two to four.
_MOST_SENTENCES: Final = 8
#: Sentences of a message that are read for the days that they name.
_MAX_DATED: Final = 20
_DAY: Final = regex.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_MONTH: Final = regex.compile(r"(?<!\d)(\d{4})-(\d{2})(?!\d|-)")
_CLOCK: Final = regex.compile(r"(?<!\d)(\d{1,2}):(\d{2})(?!\d)")
_NUMBER: Final = regex.compile(r"(?<![\p{L}\p{M}\p{N}.])\p{Nd}+(?:[.,٫]\p{Nd}+)*(?:\s?%)?(?![\p{L}\p{M}])")
_LEADING: Final = regex.compile(r"^(?:[Uu]ntil )?(\d{4}-\d{2}-\d{2}):")
#: Words of frames that say something by themselves, where they are no part of a name.
_DENYING: Final = frozenset({"not", "no", "without"})
_TELLING: Final = _DENYING | {"right", "wrong"}
_QUOTE: Final = regex.compile(f"[{QUOTATION_MARKS}]")
_TALLY: Final = regex.compile(r"\b\d+ (?:right|wrong)\b")
#: What the writer reads out of a wish in any language, in its own words.
_LENGTH: Final = regex.compile(rf"^Prefers ({SHORT}|{LONG}) answers\b")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a claim is not supported."""

    rule: Rule
    detail: str


@dataclass(slots=True)
class Support:
    """Holds claims against what they cite.

    Attributes
    ----------
    sources
        Of the evidence.
    """

    sources: Sources
    _statements: dict[tuple[str, str], Statement] = field(default_factory=dict)

    def refusal(self, text: str, addresses: Sequence[Address]) -> Refusal | None:
        """Why the evidence at `addresses` does not support a claim; None when it does."""
        said = self.sources.at(addresses)
        if not said:
            return Refusal(Rule.UNSUPPORTED, "cites nothing that says anything")
        if _is_in_a_file(text, said):
            return None
        rows = self.sources.beliefs(addresses)
        names = _names(said, rows)
        rest = without_quotations(without_names(text, filter(_QUOTE.search, names)), said)
        if rest is None:
            return Refusal(Rule.UNSUPPORTED, "quotes what its evidence does not say")
        refused = _wish(rest, said) or self._days(rest, said, addresses)
        if refused is not None:
            return refused
        content = _undated(_unframed(rest))
        # Words of a frame may be those of a name as well: what is taken out first leaves less of the other.
        for framed in (
            _undated(_unframed(without_names(rest, names))),
            _undated(without_names(_unframed(rest), names)),
        ):
            refused = (
                self._outcome(framed, addresses)
                or self._numbers(framed, said, addresses, rows)
                or self._meaning(_TALLY.sub(" ", _MONTH.sub(" ", content)), framed, said)
            )
            if refused is None:
                return None
        return refused

    # ------------------------------------------------------------------ days
    def _days(self, rest: str, said: Sequence[Witness], addresses: Sequence[Address]) -> Refusal | None:
        found = {_as_date(match.groups()) for match in _DAY.finditer(rest) if not _stands(match[0], said)}
        if not found:
            return None
        if None in found:
            return Refusal(Rule.AGAINST_EVIDENCE, "a day that no calendar has")
        leading = _LEADING.match(rest)
        first = _as_date(leading[1].split("-")) if leading else None
        own = frozenset().union(*(each.source.days for each in said))
        subjects = {address.where for address in addresses}
        for day in sorted(d for d in found if d is not None):
            around = own if day == first else own.union(*(self.sources.days_of(s) for s in subjects))
            if day not in around and not any(_speaks_of(day, each) for each in said):
                return Refusal(Rule.AGAINST_EVIDENCE, "a day that its evidence has not")
        return None

    # ------------------------------------------------------------------ outcomes
    def _outcome(self, rest: str, addresses: Sequence[Address]) -> Refusal | None:
        """Whether a claim of right or wrong has a check that came out so."""
        outcomes = {
            episode.outcome.correct
            for address in addresses
            for episode in self.sources.standing.episodes_at(address)
            if episode.outcome is not None
        }
        if not outcomes:
            return None
        table = table_of("en")
        told = folded(_TALLY.sub(" ", rest), "en")
        for key, correct in (("wrong", False), ("right", True)):
            if table.of(key).search(told) is not None and correct not in outcomes:
                return Refusal(Rule.AGAINST_EVIDENCE, "another result than its evidence has")
        return None

    # ------------------------------------------------------------------ numbers
    def _numbers(
        self, rest: str, said: Sequence[Witness], addresses: Sequence[Address], rows: Sequence[Belief]
    ) -> Refusal | None:
        numbers = list(_NUMBER.finditer(_MONTH.sub(" ", rest)))
        if not numbers:
            return None
        told = frozenset().union(*(each.words for each in said))
        texts = " ".join(each.plain for each in said)
        known = _derived(rows) | {str(address.part) for address in addresses if address.part is not None}
        known |= {str(page) for page in self._pages(addresses)}
        scores = [
            episode.outcome.score
            for address in addresses
            for episode in self.sources.standing.episodes_at(address)
            if episode.outcome is not None
        ]
        known |= {f"{score * 100:.0f}" for score in scores} | {f"{score:g}" for score in scores}
        for match in numbers:
            shown = match[0].rstrip("% ")
            if shown in known or shown in told or plain(shown) in texts:
                continue
            if shown.isascii() and shown.isdigit() and self._counts(rest, match, int(shown), addresses):
                continue
            return Refusal(Rule.AGAINST_EVIDENCE, "a number that its evidence has not")
        return None

    def _counts(self, rest: str, match: regex.Match[str], number: int, addresses: Sequence[Address]) -> bool:
        """Whether a number counts what there may be so many of."""
        near = words(rest[max(0, match.start() - 24) : match.end() + 24])
        most = sum(
            len(subject.episodes)
            for name in {address.where for address in addresses}
            if (subject := self.sources.standing.subjects.get(name)) is not None
        )
        return number <= most and not COUNTED.isdisjoint(near)

    def _pages(self, addresses: Sequence[Address]) -> set[int]:
        """Pages of files that cited episodes cited, and of what cited files explain together."""
        return {
            citation.page
            for address in addresses
            for episode in self.sources.standing.episodes_at(address)
            for citation in episode.evidence
            if citation.page is not None
        }

    # ------------------------------------------------------------------ meaning
    def _meaning(self, content: str, framed: str, said: Sequence[Witness]) -> Refusal | None:
        """Compare what is neither quoted nor a writer's frame."""
        left = _TALLY.sub(" ", _MONTH.sub(" ", framed))
        telling = [word for word in words(left) if word not in FRAMES and not word.isdigit()]
        if not telling and _DENYING.isdisjoint(words(left)):
            return None
        # A short sentence is in the language of what it cites, or in the writer's.
        language = detect_language(content)
        if language == UNDETERMINED:
            language = next((each.language for each in said if each.language != UNDETERMINED), "en")
        denials = self._read(left, language).denials
        if not telling and not denials:
            return None
        refusal = self._compared(content, said, language, denies=bool(denials))
        parts = sentences(content) if refusal is not None else ()
        # Where each sentence is said, wherever, no sentence of a source need say all of them.
        if 1 < len(parts) <= _MOST_SENTENCES and all(
            self._compared(part.text, said, language, denies=bool(denials)) is None for part in parts
        ):
            return None
        return refusal

    def _compared(self, text: str, said: Sequence[Witness], language: str, *, denies: bool) -> Refusal | None:
        """Compare sentence with sentence, and where no one says it, with all of them together.

        Parameters
        ----------
        denies
            Whether it denies anything outside the names of what it is about.
        """
        own = self._read(text.replace(PLACE, " "), language)
        telling = [(forms, at) for forms, at in own.units if own.words[at].text not in FRAMES]
        if not telling and not own.denials:
            return None
        best, against = 0.0, None
        held: set[str] = set()
        for each in said:
            claim = own if each.language == language else self._read(text, each.language)
            for line in each.lines:
                verdict = judge(claim, line, Surroundings(), Vocabulary(), lambda _: 1.0)
                if verdict.supports:
                    return None
                if verdict.problem is not Shortfall.NOTHING and verdict.shared >= _NEARLY_ALL:
                    against = verdict.problem
                best = max(best, verdict.score)
                held.update(form for forms, _ in line.units for form in forms)
            held.update(each.words)
        if against is not None:
            return Refusal(Rule.AGAINST_EVIDENCE, f"its evidence says otherwise: {against.value}")
        if denies and own.denials and not any(line.denials for each in said for line in each.lines):
            return Refusal(Rule.AGAINST_EVIDENCE, "it denies what nothing that it cites denies")
        covered = sum(not forms.isdisjoint(held) or own.words[at].text in held for forms, at in telling)
        if telling and covered / len(telling) < SUPPORTED:
            return Refusal(Rule.UNSUPPORTED, "its evidence does not say so")
        return None

    def _read(self, text: str, language: str) -> Statement:
        key = (text, language)
        if key not in self._statements:
            if len(self._statements) > 4_096:
                self._statements.clear()
            self._statements[key] = read_statement(text, language)
        return self._statements[key]


def _names(said: Sequence[Witness], rows: Sequence[Belief]) -> list[str]:
    """Names of what a claim is about, but those that are no more than words of a frame."""
    told = {name for each in said for name in each.source.names} | {row.concept_name for row in rows}
    return [name for name in told if not _is_framed(name) or not _TELLING.isdisjoint(words(name))]


def _unframed(text: str) -> str:
    """A claim without the denials of a writer's frame."""
    return str(HARMLESS.sub(" ", _LENGTH.sub(PLACE, text)))


def _undated(text: str) -> str:
    """A claim without days and times."""
    return str(_CLOCK.sub(" ", _DAY.sub(" ", text)))


def _is_in_a_file(text: str, said: Sequence[Witness]) -> bool:
    """Whether a claim is a file's or a connector's own words, all of them, which need no more support."""
    wanted = plain(text.strip().removesuffix("…"))
    return bool(wanted) and any(wanted in each.plain for each in said if each.source.episode is None)


def _is_framed(left: str) -> bool:
    """Whether nothing but a writer's frame is left."""
    return all(word in FRAMES or word.isdigit() for word in words(left))


def _derived(rows: Sequence[Belief]) -> set[str]:
    confidences = {row.confidence for row in rows} | {step.confidence for row in rows for step in row.history}
    return {f"{value:.2f}" for value in confidences} | {f"{value * 100:.0f}" for value in confidences}


def _wish(rest: str, said: Sequence[Witness]) -> Refusal | None:
    """Whether answers of a length that a claim tells of are wished for by one of the sources, in any language."""
    told = _LENGTH.match(rest)
    if told is None:
        return None
    for each in said:
        episode = each.source.episode
        if episode is None:
            continue
        told_here = said_by_student(
            episode.pair.subject, [episode], lambda e: episode_address(e.pair.subject, e.id)
        )
        if any((p.about, p.value) == (LENGTH, told[1]) for p in find_preferences(told_here)):
            return None
    return Refusal(Rule.UNSUPPORTED, "its evidence does not wish for that")


def _stands(figures: str, said: Sequence[Witness]) -> bool:
    """Whether figures that look like a day stand so in a source's own words or names, whatever they mean there."""
    return any(figures in text for each in said for text in (*each.source.texts, *each.source.names))


def _speaks_of(day: date, said: Witness) -> bool:
    """Whether a source names a day by the calendar of whoever said it ("on Friday")."""
    source = said.source
    if source.episode is None:
        return False
    subject = source.episode.pair.subject
    told = said_by_student(subject, [source.episode], lambda e: episode_address(subject, e.id))
    for sentence in islice(told, _MAX_DATED):
        for cues in cues_for(sentence.text, sentence.language):
            found = coming_days(sentence, cues)
            if found is not None and day in found:
                return True
    return False


def _as_date(parts: Sequence[str]) -> date | None:
    try:
        return date(*map(int, parts))
    except ValueError:
        return None
