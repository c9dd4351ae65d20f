"""What a model's synthesis of a page must fulfil, sentence by sentence, before and as long as it stands (WD-2, WD-3).

Its sentences are held to the rules for pages, and to three more, since nobody but the evidence vouches for them: how
the student stands on a concept is said of what is believed only; an order or a question is no synthesis; and what rests
on nothing but what the student said is told as theirs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

import regex

from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.wiki.addresses import Address, Scheme
from anamnesis.domain.wiki.gates.findings import Finding, Findings, Rule
from anamnesis.domain.wiki.gates.meaning import check_meaning
from anamnesis.domain.wiki.gates.pages import check_page, is_factual
from anamnesis.domain.wiki.gates.sources import Sources
from anamnesis.domain.wiki.gates.stances import Stances
from anamnesis.domain.wiki.gates.standing import Standing
from anamnesis.domain.wiki.gates.support import Support
from anamnesis.domain.wiki.gates.trees import check_tree
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import Statement, Tree
from anamnesis.domain.wiki.writing.synthesis import SYNTHESIS, Synthesis

#: Kinds of episodes that are a student's words and nobody's knowledge.
_THEIRS: Final = frozenset({Kind.QUESTION, Kind.TAUGHT})
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
    _support: Support = field(init=False)
    _stances: Stances = field(init=False)

    def __post_init__(self) -> None:
        self._support = Support(Sources(self.standing))
        self._stances = Stances(self.standing)

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
        own = [
            SentenceFinding(number, rule, detail)
            for number, statement in enumerate(synthesis.statements, start=1)
            for rule, detail in self._of_statement(path, text, statement)
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

    def _of_statement(self, path: str, text: str, statement: Statement) -> list[tuple[Rule, str]]:
        if not statement.cites:
            return [(Rule.UNCITED, "a sentence without a citation")]
        faults = [fault for address in statement.cites if (fault := self.of_citation(address)) is not None]
        if faults:
            return [(faults[0], "cites what is not there")]
        if not is_factual(statement.text):
            return [(Rule.STRUCTURE, "says nothing: a question, an order or a courtesy")]
        if self._is_theirs(statement) and not _TOLD_AS_THEIRS.search(statement.text):
            return [(Rule.UNSUPPORTED, "rests on the student's words alone: say that the student said it")]
        subjects = tuple(dict.fromkeys(a.where for a in statement.cites)) or tuple(self.standing.subjects)
        title = read(path, text).title
        stance = self._stances.of(statement.text, SYNTHESIS, statement.cites, title, subjects)
        if stance is not None and self._stances.current(stance) is None:
            return [(Rule.AGAINST_BELIEF, "nothing is believed now of how the student stands on it")]
        return []

    def _is_theirs(self, statement: Statement) -> bool:
        """Whether a sentence rests on nothing but what the student said."""
        if any(address.scheme not in {Scheme.EPISODE, Scheme.SESSION} for address in statement.cites):
            return False
        told = [e for address in statement.cites for e in self.standing.episodes_at(address)]
        return all(episode.kind in _THEIRS for episode in told)


def _by_sentence(found: list[Finding], numbers: Mapping[int, int]) -> list[SentenceFinding]:
    return [SentenceFinding(numbers.get(each.line, 0), each.rule, each.detail) for each in found]
