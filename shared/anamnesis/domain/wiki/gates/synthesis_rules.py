"""What a model's synthesis of a page must fulfil, sentence by sentence, before and as long as it stands (WD-2, WD-3).

Its sentences are held to the rules for pages, and to four more, since nobody but the evidence vouches for them: how
the student stands on a concept is said of what is believed only, and of no word of theirs; an order or a question is no
synthesis; what rests on nothing but what the student said is told as theirs; and a number stands on the page already or
in what is cited, so that nothing is counted anew.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import regex

from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.wiki.addresses import Address
from anamnesis.domain.wiki.gates.findings import Finding, Findings, Rule
from anamnesis.domain.wiki.gates.lines import take_apart
from anamnesis.domain.wiki.gates.meaning import check_meaning
from anamnesis.domain.wiki.gates.page_rules import check_page, is_factual
from anamnesis.domain.wiki.gates.sources import Sources
from anamnesis.domain.wiki.gates.stances import Stances
from anamnesis.domain.wiki.gates.standing import Standing
from anamnesis.domain.wiki.gates.support import Support
from anamnesis.domain.wiki.gates.trees import check_tree
from anamnesis.domain.wiki.page_format import ReadPage, read
from anamnesis.domain.wiki.pages import Statement, Tree
from anamnesis.domain.wiki.writing.synthesis import SYNTHESIS, Synthesis

#: Kinds of episodes that are a student's words and nobody's knowledge.
_THEIRS: Final = frozenset({Kind.QUESTION, Kind.TAUGHT})
_NUMBER: Final = regex.compile(r"\p{Nd}+")
_TOLD_AS_THEIRS: Final = regex.compile(r"“[^“”]+”|«[^«»]+»|\bstudent", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SentenceFinding:
    """Why a sentence of a synthesis may not stand; `sentence` counts from 1, 0 stands for the page as a whole."""

    sentence: int
    rule: Rule
    detail: str


@dataclass(slots=True)
class SynthesisGate:
    """Holds syntheses against evidence that is the same for all of them."""

    standing: Standing
    _sources: Sources = field(init=False)
    _support: Support = field(init=False)
    _stances: Stances = field(init=False)

    def __post_init__(self) -> None:
        self._sources = Sources(self.standing)
        self._support = Support(self._sources)
        self._stances = Stances(self._sources)

    def of_citation(self, address: Address) -> Rule | None:
        """What is wrong with citing an address, or None."""
        return self.standing.fault(address)

    def findings(
        self, path: str, text: str, plain: str, synthesis: Synthesis, paths: Collection[str]
    ) -> list[SentenceFinding]:
        """Why a page may not stand with a synthesis; nothing when it may.

        Parameters
        ----------
        text, plain
            The page with and without it; the latter is what passes.
        paths
            Of all pages of the tree.
        """
        before = read(path, plain)
        own = [
            SentenceFinding(number, rule, detail)
            for number, statement in enumerate(synthesis.statements, start=1)
            for rule, detail in self._of_statement(before, statement)
        ]
        if own:
            return own
        found = Findings()
        if path not in check_tree({path: text}, found):
            return _by_sentence(found.found, {})
        page = check_page(path, text, paths, self.standing, found)
        lines = [line.number for line in page.lines if line.section == SYNTHESIS and line.text[:2] == "- "]
        if not found.found:
            staged: Tree = {path: text}
            check_meaning(
                {path: page}, staged, {path: plain}, self.standing, found,
                support=self._support, stances=self._stances,
            )  # fmt: skip
        return _by_sentence(found.found, {line: number for number, line in enumerate(lines, start=1)})

    def stands(self, title: str, synthesis: Synthesis) -> bool:
        """Whether a synthesis that passed before, on a page of this title, still may stand by today's evidence."""
        return not any(
            any(self.of_citation(address) for address in statement.cites)
            or self._support.refusal(statement.text, statement.cites)
            or any(self._of_standing(title, statement))
            for statement in synthesis.statements
        )

    def _of_statement(self, page: ReadPage, statement: Statement) -> Iterator[tuple[Rule, str]]:
        """What is wrong with a sentence by the rules for syntheses; the first fault is told."""
        if not statement.cites:
            yield Rule.UNCITED, "a sentence without a citation"
        elif any(fault := self.of_citation(address) for address in statement.cites):
            yield fault or Rule.NOWHERE, "cites what is not there"
        elif not is_factual(statement.text):
            yield Rule.STRUCTURE, "says nothing: a question, an order or a courtesy"
        elif self._is_of(_THEIRS, statement, all) and not _TOLD_AS_THEIRS.search(statement.text):
            yield Rule.UNSUPPORTED, "rests on the student's words alone: say that the student said it"
        elif self._counts_anew(page, statement):
            yield Rule.AGAINST_EVIDENCE, "a number that neither the page nor the evidence has"
        else:
            yield from self._of_standing(page.title, statement)

    def _of_standing(self, title: str, statement: Statement) -> Iterator[tuple[Rule, str]]:
        """What is wrong with what a sentence says of how the student stands now, if it does."""
        if self._stances.stated(statement.text, SYNTHESIS, statement.cites) is None:
            return
        if self._is_of(_THEIRS, statement, any):
            yield Rule.UNSUPPORTED, "how the student stands is known from checks, not from what they say"
            return
        subjects = tuple(dict.fromkeys(address.where for address in statement.cites))
        stance = self._stances.of(statement.text, SYNTHESIS, statement.cites, title, subjects)
        if stance is not None and self._stances.current(stance) is not stance.claim:
            yield Rule.AGAINST_BELIEF, "what is believed now of how the student stands on it is not this"

    def _counts_anew(self, page: ReadPage, statement: Statement) -> bool:
        numbers = set(_NUMBER.findall(statement.text))
        if not numbers:
            return False
        claims = (said for line in page.lines for said, _ in take_apart(line.text).claims)
        known = {number for said in claims for number in _NUMBER.findall(said)}
        for said in self._sources.at(statement.cites):
            known.update(number for text in said.source.texts for number in _NUMBER.findall(text))
            known.update(number for day in said.source.days for number in _NUMBER.findall(day.isoformat()))
        return not numbers <= known

    def _is_of(
        self, kinds: frozenset[Kind], statement: Statement, quantified: Callable[[Iterable[bool]], bool]
    ) -> bool:
        """Whether all, or any, of what a sentence cites are episodes of some kinds."""
        return quantified(
            bool(told) and all(episode.kind in kinds for episode in told)
            for told in map(self.standing.episodes_at, statement.cites)
        )


def _by_sentence(found: list[Finding], numbers: Mapping[int, int]) -> list[SentenceFinding]:
    return [SentenceFinding(numbers.get(each.line, 0), each.rule, each.detail) for each in found]
