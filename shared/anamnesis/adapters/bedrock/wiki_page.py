"""One page and one model: show the page and its evidence, answer calls of tools, take what the gate lets pass (WD-3).

The model writes nothing but sentences and the addresses that they rest on. It has one page in hand, so that whatever a
text talks it into stays on the page that the text is evidence of, and there it meets the gate.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from anamnesis.adapters.bedrock.calls import ConverseCalls, ToolCall, Turn
from anamnesis.adapters.bedrock.wiki_material import MAX_PIECE_CHARS, MAX_PIECES, Material, address_of
from anamnesis.adapters.bedrock.wiki_prompt import (
    FINISH,
    READ_EVIDENCE,
    READ_PAGE,
    SEARCH,
    SYSTEM,
    WRITE,
    marked,
    prompt,
    refusals,
    tool_configuration,
)
from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.text.fences import fenced
from anamnesis.domain.wiki.addresses import Address, Scheme
from anamnesis.domain.wiki.gates.findings import Rule
from anamnesis.domain.wiki.gates.synthesis_rules import SentenceFinding, SynthesisGate
from anamnesis.domain.wiki.pages import Statement, Tree
from anamnesis.domain.wiki.writing.synthesis import MAX_CITES, MAX_SENTENCES, Synthesis, as_written

#: Answers of the model for one page, and corrections of what the gate refused. Each is paid for with all before it.
MAX_ROUNDS: Final = 6
MAX_CORRECTIONS: Final = 2
#: Longest answer in tokens: eight sentences of 400 characters with six addresses each, in any script.
MAX_ANSWER_TOKENS: Final = 3_000
#: Calls of tools that are answered in one turn, and characters that all of a page's answers hold. Ours.
MAX_CALLS: Final = 6
MAX_READ_CHARS: Final = 24_000
_NO_MORE: Final = "no more can be read for this page"


class Ending(StrEnum):
    """How the work on a page ended."""

    WRITTEN = "written"
    LEFT = "left"
    REFUSED = "refused"
    ASTRAY = "astray"


class Allowance:
    """Tokens and time that a compile may take of the model; threads share it."""

    def __init__(self, tokens: int, seconds_left: Callable[[], float] = lambda: math.inf) -> None:
        self.seconds_left = seconds_left
        self._tokens = tokens
        self._lock = threading.Lock()

    def spend(self, use: ModelUse) -> None:
        """Take what an answer took."""
        with self._lock:
            self._tokens -= use.input_tokens + use.output_tokens

    @property
    def spent(self) -> bool:
        """Whether no tokens are left."""
        return self._tokens <= 0


@dataclass(frozen=True, slots=True)
class PageInHand:
    """A page to write a synthesis for.

    Attributes
    ----------
    text
        As it is without one.
    fingerprint
        Of its evidence.
    with_synthesis
        Makes its text with one.
    """

    path: str
    text: str
    fingerprint: str
    with_synthesis: Callable[[Synthesis], str]


class _Sentence(BaseModel):
    model_config = ConfigDict(strict=True)

    text: str
    cites: list[str]


class _Writing(BaseModel):
    model_config = ConfigDict(strict=True)

    path: str
    sentences: list[_Sentence]


@dataclass(slots=True)
class PageWriting:
    """The conversation about one page.

    Attributes
    ----------
    writer
        Name that the synthesis is marked with.
    gate, gate_lock
        The gate, which all pages of a compile share, and who may ask it.
    paths
        Of all pages of the tree.
    """

    calls: ConverseCalls
    writer: str
    page: PageInHand
    material: Material
    gate: SynthesisGate
    gate_lock: threading.Lock
    paths: Tree
    allowance: Allowance
    _shown: set[Address] = field(default_factory=set)
    _corrections: int = 0
    _read_chars: int = 0

    def write(self) -> tuple[Synthesis, Ending] | None:
        """The synthesis, without sentences if the page is to stay as it is; None when the allowance ran out.

        Raises
        ------
        ModelUnavailable
            If the model cannot be had, or not in the time there is.
        """
        messages: list[Mapping[str, Any]] = [{"role": "user", "content": [{"text": self._prompt()}]}]
        for _ in range(MAX_ROUNDS):
            if self.allowance.spent:
                return None
            turn = self.calls.turn(
                system=SYSTEM,
                messages=messages,
                tools=tool_configuration(),
                max_tokens=MAX_ANSWER_TOKENS,
                seconds_left=self.allowance.seconds_left,
            )
            self.allowance.spend(turn.use)
            answers: list[tuple[str, bool]] = []
            for number, call in enumerate(turn.calls):
                done = self._answered(call, turn, answers) if number < MAX_CALLS else None
                if done is not None:
                    return done
                if number >= MAX_CALLS:
                    answers.append((f"at most {MAX_CALLS} calls at once", False))
            messages += [turn.message, _reply(turn, answers)]
        return self._nothing(), Ending.ASTRAY

    def _prompt(self) -> str:
        cited = self.material.addresses_on(self.page.text)
        self._shown.update(cited)
        pieces = [(str(a), self.material.evidence(a, MAX_PIECE_CHARS) or "") for a in cited[:MAX_PIECES]]
        return prompt(self.page.path, self.page.text, [piece for piece in pieces if piece[1]])

    def _nothing(self) -> Synthesis:
        return Synthesis(self.writer, self.page.fingerprint)

    def _answered(
        self, call: ToolCall, turn: Turn, answers: list[tuple[str, bool]]
    ) -> tuple[Synthesis, Ending] | None:
        """Answer one call, which is added to `answers`; how the work ends, if it does."""
        given = call.given if isinstance(call.given, dict) else {}
        if call.name == FINISH:
            return self._nothing(), Ending.LEFT
        if call.name == WRITE:
            if turn.cut_off:
                answers.append(
                    ("cut off, so that nothing is written: use fewer and shorter sentences", False)
                )
                return None
            return self._taken(given, answers)
        if self._read_chars >= MAX_READ_CHARS:
            answers.append((_NO_MORE, False))
            return None
        text = self._read(call.name, given)
        if text is None:
            answers.append(
                ("there is no such tool, or nothing there, or the input is not as its schema", False)
            )
        else:
            self._read_chars += len(text)
            answers.append((text, True))
        return None

    def _read(self, tool: str, given: Mapping[str, Any]) -> str | None:
        wanted = next((given.get(name) for name in ("path", "address", "query") if name in given), None)
        if not isinstance(wanted, str):
            return None
        if tool == READ_PAGE:
            page = self.material.page(wanted)
            return None if page is None else fenced(page)
        if tool == SEARCH:
            return fenced(self.material.found(wanted))
        address = address_of(wanted) if tool == READ_EVIDENCE else None
        found = None if address is None else self.material.evidence(address)
        if address is None or found is None:
            return None
        self._shown.add(address)
        return marked([(str(address), found)])

    # ------------------------------------------------------------------ writing
    def _taken(
        self, given: Mapping[str, Any], answers: list[tuple[str, bool]]
    ) -> tuple[Synthesis, Ending] | None:
        try:
            asked = _Writing.model_validate(given)
        except ValidationError:
            answers.append((f"the input of {WRITE} is not as its schema", False))
            return None
        if asked.path != self.page.path:
            answers.append(("that page is not in your hands: write your own", False))
            return None
        if not asked.sentences:
            return self._nothing(), Ending.LEFT
        statements, found = self._statements(asked.sentences)
        synthesis = Synthesis(self.writer, self.page.fingerprint, tuple(statements))
        if not found:
            text = self.page.with_synthesis(synthesis)
            with self.gate_lock:
                found = self.gate.findings(self.page.path, text, self.page.text, synthesis, self.paths)
        if not found:
            return synthesis, Ending.WRITTEN
        if self._corrections == MAX_CORRECTIONS:
            return self._nothing(), Ending.REFUSED
        self._corrections += 1
        answers.append((refusals(found, MAX_CORRECTIONS - self._corrections + 1), False))
        return None

    def _statements(self, sentences: Sequence[_Sentence]) -> tuple[list[Statement], list[SentenceFinding]]:
        statements: list[Statement] = []
        found: list[SentenceFinding] = []
        if len(sentences) > MAX_SENTENCES:
            found.append(SentenceFinding(0, Rule.SIZE, f"more than {MAX_SENTENCES} sentences"))
        for number, sentence in enumerate(sentences[:MAX_SENTENCES], start=1):
            try:
                text = as_written(sentence.text)
            except ValueError as error:
                found.append(SentenceFinding(number, Rule.STRUCTURE, str(error)))
                continue
            if text is None:
                found.append(SentenceFinding(number, Rule.STRUCTURE, "empty"))
                continue
            cites = [address_of(cite) for cite in sentence.cites[: MAX_CITES + 1]]
            refused = self._refused_cites(cites)
            if refused is not None:
                found.append(SentenceFinding(number, *refused))
                continue
            statements.append(Statement(text, tuple(dict.fromkeys(a for a in cites if a is not None))))
        return statements, found

    def _refused_cites(self, cites: Sequence[Address | None]) -> tuple[Rule, str] | None:
        if not cites:
            return Rule.UNCITED, "a sentence without a citation"
        if len(cites) > MAX_CITES:
            return Rule.CITATION, f"more than {MAX_CITES} addresses"
        for address in cites:
            if address is None:
                return Rule.CITATION, "no address"
            if (fault := self.gate.of_citation(address)) is not None:
                return fault, "leads to no evidence"
            if not self._was_shown(address):
                return Rule.NOWHERE, f"was not shown to you: {READ_EVIDENCE} first"
        return None

    def _was_shown(self, address: Address) -> bool:
        whole = Address(address.scheme, address.where, address.what)
        return address in self._shown or (address.scheme is Scheme.SESSION and whole in self._shown)


def _reply(turn: Turn, answers: Sequence[tuple[str, bool]]) -> dict[str, Any]:
    """The turn that answers every call; Converse refuses one that leaves any out."""
    if not turn.calls:
        return {"role": "user", "content": [{"text": f"Answer by a call of {WRITE} or {FINISH}."}]}
    return {
        "role": "user",
        "content": [
            {
                "toolResult": {
                    "toolUseId": call.id,
                    "content": [{"text": text}],
                    "status": "success" if good else "error",
                }
            }
            for call, (text, good) in zip(turn.calls, answers, strict=True)
        ],
    }
