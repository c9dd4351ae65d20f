"""The files of a subject together, and the line of them that a claim comes from (GR-1)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from anamnesis.domain.concepts.cognates import NameEvidence, name_evidence
from anamnesis.domain.grounding.exchanged_terms import takes_place
from anamnesis.domain.grounding.indexed_files import FileText
from anamnesis.domain.grounding.statements import Statement, read_statement
from anamnesis.domain.grounding.support import Verdict, judge, matched_units
from anamnesis.domain.grounding.tables import plain
from anamnesis.domain.grounding.values import SUPPORTED, FileLine, Shortfall
from anamnesis.domain.grounding.vocabulary import Surroundings, Vocabulary
from anamnesis.domain.text.languages import UNDETERMINED
from anamnesis.domain.text.terms import index_terms

#: Pages looked at for one claim, over all files, and lines of them compared in full.
PAGES_A_CLAIM = 8
LINES_A_CLAIM = 10
#: Lines of a page of which any two together may say what a claim says.
LINES_JOINED = 4
#: Rows or items before and behind one with which a claim may have mixed it up. Ours.
LISTED_AROUND = 12
#: Characters around a line in which names of concepts are looked for. Ours.
MAX_AROUND_CHARS = 2_000
#: Longest quotation of a line, in characters.
MAX_QUOTE_CHARS = 300
#: A claim in another language than the file is compared by what both can share; that much is its score at most.
OTHER_LANGUAGE_AT_MOST = 0.7
#: What such a claim must share at least with its line: one number or name in common is chance. Ours.
_LEAST_ANCHORS = 2
#: Its score where the line has another number or month, and at most where one of the two denies. Ours.
_OTHER_FIGURES, _ONE_DENIES = 0.3, 0.4
#: The most that a claim without a source has.
_JUST_BELOW = SUPPORTED - 0.01
#: How much more of a claim a line must share that contradicts it than one that supports it. Ours.
_AHEAD = 0.1
#: Share of a claim from which on what a line says otherwise contradicts it, and is not another matter. Ours.
_NEARLY_ALL = 0.75
#: What the line before or after may supply.
_MORE_MAY_HELP = frozenset({Shortfall.NOTHING, Shortfall.NUMBER, Shortfall.NAME, Shortfall.DATE})


@dataclass(frozen=True, slots=True)
class Traced:
    """The best line found for a claim; without `line` none was worth comparing."""

    verdict: Verdict
    line: FileLine | None


class Library:
    """Some files of a subject, in which claims are looked for.

    Parameters
    ----------
    files
        Indexed files.
    vocabulary
        The subject's own words.
    """

    def __init__(self, files: Iterable[FileText], vocabulary: Vocabulary) -> None:
        self._files = tuple(files)
        self._vocabulary = vocabulary
        self._pages = sum(len(file.pages) for file in self._files)
        self._weights: dict[str, float] = {}
        self._surroundings: dict[tuple[int, int, int, int], Surroundings] = {}
        #: Of the claim that is traced now: several candidates are each other's neighbours.
        self._verdicts: dict[tuple[int, int, int, int], Traced] = {}

    def weigh(self, forms: frozenset[str]) -> float:
        """How much a word tells, 1–2: the more the fewer pages hold it; a word that none holds is in between."""
        return max((self._weight(form) for form in forms), default=1.0)

    def _weight(self, form: str) -> float:
        if form not in self._weights:
            held = sum(len(file.holding(form)) for file in self._files)
            rare = math.log((self._pages + 1) / (held + 0.5)) / math.log(self._pages + 2) if held else 0.5
            self._weights[form] = 1.0 + min(1.0, max(0.0, rare))
        return self._weights[form]

    def trace(self, claim: Statement) -> Traced:
        """Find the line that a claim comes from."""
        self._verdicts.clear()
        best = against = Traced(Verdict(0.0, Shortfall.NOTHING), None)
        candidates = self._candidates(claim)
        for file, page, line in candidates:
            found = self._compared(claim, file, page, line)
            if found.verdict.problem in {None, Shortfall.NOTHING}:
                best = max(best, found, key=_rank)
            else:
                against = max(against, found, key=lambda f: f.verdict.shared)
            if best.verdict.supports and best.verdict.score >= 1:
                break
        if not best.verdict.supports and not _contradicts(against.verdict):
            best = max(best, self._of_two(claim, candidates[:LINES_JOINED]), key=_rank)
        # A line that says nearly all of it, and something else, is what the claim was changed from.
        if _contradicts(against.verdict) and against.verdict.shared > best.verdict.shared + _AHEAD:
            return against
        return best if best.verdict.supports or against.line is None else against

    def _of_two(self, claim: Statement, candidates: Sequence[tuple[FileText, int, int]]) -> Traced:
        """Compare a claim with two lines of one page that need not stand together."""
        best = Traced(Verdict(0.0, Shortfall.NOTHING), None)
        for (file, page, one), (other_file, other_page, other) in combinations(candidates, 2):
            if (
                file is not other_file
                or page != other_page
                or not self._may_join(claim, file, page, one, other)
            ):
                continue
            if not any(_settles(self._with(claim, file, page, at, at).verdict) for at in (one, other)):
                best = max(best, self._with(claim, file, page, *sorted((one, other))), key=_rank)
        return best

    def _candidates(self, claim: Statement) -> list[tuple[FileText, int, int]]:
        """The lines that share most with a claim, best first."""
        looked_for = [
            *(forms for forms, _ in claim.units),
            *(frozenset([_shown(v)]) for n in claim.numbers for v in n.values),
        ]
        pages: Counter[tuple[int, int]] = Counter()
        weighed = [(forms, self.weigh(forms)) for forms in looked_for]
        for forms, weight in weighed:
            for number, file in enumerate(self._files):
                for page in {int(p) for form in forms for p in file.holding(form)}:
                    pages[number, page] += weight  # type: ignore[assignment]
        lines: list[tuple[float, int, int, int]] = []
        for (number, page), _ in pages.most_common(PAGES_A_CLAIM):
            file = self._files[number]
            for line, held in enumerate(file.forms(page)):
                if file.lines(page)[line].is_heading:
                    continue
                shared = sum(weight for forms, weight in weighed if not forms.isdisjoint(held))
                if shared:
                    lines.append((shared, number, page, line))
        lines.sort(key=lambda found: (-found[0], found[1:]))
        return [(self._files[number], page, line) for _, number, page, line in lines[:LINES_A_CLAIM]]

    def _compared(self, claim: Statement, file: FileText, page: int, line: int) -> Traced:
        """Compare a claim with a line, and where that alone says too little, with it and the one before or after."""
        alone = self._with(claim, file, page, line, line)
        best, lines = alone, file.lines(page)
        for first, last in ((line - 1, line), (line, line + 1)):
            if _decided(alone.verdict) or first < 0 or last >= len(lines):
                continue
            other = first if last == line else last
            # A line that contradicts the claim does so whatever stands beside it.
            if lines[other].is_heading or _settles(self._with(claim, file, page, other, other).verdict):
                continue
            if not self._may_join(claim, file, page, line, other):
                continue
            best = max(best, self._with(claim, file, page, first, last), key=_rank)
        return best

    def _may_join(self, claim: Statement, file: FileText, page: int, one: int, other: int) -> bool:
        """Whether two lines may say together what a claim says, and not each of its own thing.

        Of "Mitochondria release energy. Ribosomes make proteins." nobody may take the one's name and the other's work:
        the line that shares more has a word of its own where the claim has the other line's.
        """
        lines = file.lines(page)
        if lines[one].listed and lines[other].listed:
            return False
        own = claim if claim.language == file.language else _statement(claim.text, file.language)
        read = [_statement(lines[at].text, file.language) for at in (one, other)]
        more, less = sorted(read, key=lambda line: -len(matched_units(own, line)))
        return not takes_place(own, more, less)

    def _is_another_rows(self, claim: Statement, line: Statement, file: FileText, page: int, at: int) -> bool:
        """Whether a claim gives a row or an item what one of those around it has: "gold has the symbol Ag"."""
        lines = file.lines(page)
        if not lines[at].listed:
            return False
        near = range(max(0, at - LISTED_AROUND), min(len(lines), at + LISTED_AROUND + 1))
        return any(
            takes_place(claim, line, _statement(lines[other].text, file.language))
            for other in near
            if other != at and lines[other].listed
        )

    def _with(self, claim: Statement, file: FileText, page: int, first: int, last: int) -> Traced:
        key = (id(file), page, first, last)
        if key not in self._verdicts:
            self._verdicts[key] = self._judged(claim, file, page, first, last)
        return self._verdicts[key]

    def _judged(self, claim: Statement, file: FileText, page: int, first: int, last: int) -> Traced:
        lines = file.lines(page)
        text = lines[first].text if first == last else f"{lines[first].text} {lines[last].text}"
        line = _statement(text, file.language)
        # Of a short sentence the language is a guess: whatever shares half its words with the file is in the file's.
        own = claim if claim.language == file.language else _statement(claim.text, file.language)
        verdict = judge(own, line, self._around(file, page, first, last), self._vocabulary, self.weigh)
        if verdict.supports and first == last and self._is_another_rows(own, line, file, page, first):
            verdict = replace(verdict, score=_JUST_BELOW, problem=Shortfall.TERM)
        same = UNDETERMINED in {claim.language, file.language} or claim.language == file.language
        if not same and verdict.shared < SUPPORTED:
            verdict = _across(claim, line)
        else:
            same = True
        number = file.pages[page].number
        source = FileLine(file.file_id, file.name, number, lines[first].number, text[:MAX_QUOTE_CHARS], same)
        return Traced(verdict, source)

    def _around(self, file: FileText, page: int, first: int, last: int) -> Surroundings:
        key = (id(file), page, first, last)
        if key not in self._surroundings:
            self._surroundings[key] = self._read_around(file, page, first, last)
        return self._surroundings[key]

    def _read_around(self, file: FileText, page: int, first: int, last: int) -> Surroundings:
        lines, forms = file.lines(page), file.forms(page)
        near = [i for i in range(max(0, first - 2), min(len(lines), last + 2)) if not first <= i <= last]
        heading = lines[first].heading
        terms = frozenset().union(*(forms[i] for i in near), index_terms(heading, file.language))
        # Only names of scripts without spaces are looked for in the text.
        text = " ".join([heading, *(lines[i].text for i in near)]) if self._vocabulary.names else ""
        return Surroundings(terms, plain(text[:MAX_AROUND_CHARS], file.language))


def _contradicts(verdict: Verdict) -> bool:
    """Whether a line says nearly what the claim says, and something else."""
    if verdict.problem in {Shortfall.TERM, Shortfall.ORDER}:
        return True  # said of copies only
    return verdict.problem not in {None, Shortfall.NOTHING} and verdict.shared >= _NEARLY_ALL


def _settles(verdict: Verdict) -> bool:
    """Whether a line contradicts a claim whatever stands beside it: a "not" in the next sentence is not its own."""
    return _contradicts(verdict) or (verdict.problem is Shortfall.NEGATION and verdict.shared >= SUPPORTED)


def _decided(verdict: Verdict) -> bool:
    return verdict.supports or (_settles(verdict) and verdict.problem not in _MORE_MAY_HELP)


def _rank(found: Traced) -> tuple[bool, float]:
    return found.verdict.supports, found.verdict.score


def _shown(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


@lru_cache(maxsize=4_096)
def _statement(text: str, language: str) -> Statement:
    return read_statement(text, language)


def _across(claim: Statement, line: Statement) -> Verdict:
    """Compare a claim with a line in another language: by numbers, names and signs, and words that are cognates."""
    if claim.numbers and _numbers_missing(claim, line):
        return Verdict(_OTHER_FIGURES, Shortfall.NUMBER)
    if claim.months != line.months:
        return Verdict(_OTHER_FIGURES, Shortfall.DATE)
    anchors = len(claim.numbers) + len(claim.months)
    total = anchors
    for forms, at in claim.units:
        word = claim.words[at]
        total += 1
        anchors += any(
            not forms.isdisjoint(its)
            or _cognate(word.text, claim.language, line.words[i].text, line.language)
            for its, i in line.units
        )
    share = anchors / total if total else 0.0
    if bool(claim.denials) != bool(line.denials):
        return Verdict(min(share, _ONE_DENIES), Shortfall.NEGATION)
    if anchors >= _LEAST_ANCHORS and share >= SUPPORTED:
        return Verdict(round(min(share, OTHER_LANGUAGE_AT_MOST), 3), None)
    return Verdict(round(min(share, _JUST_BELOW), 3), Shortfall.NOTHING)


def _numbers_missing(claim: Statement, line: Statement) -> bool:
    there = {value for number in line.numbers for value in number.values}
    return any(there.isdisjoint(number.values) for number in claim.numbers)


@lru_cache(maxsize=65_536)
def _cognate(one: str, one_language: str, other: str, other_language: str) -> bool:
    return (
        len(one) > 3 and len(other) > 3
        and name_evidence(one, one_language, other, other_language) is NameEvidence.AGREE
    )  # fmt: skip
