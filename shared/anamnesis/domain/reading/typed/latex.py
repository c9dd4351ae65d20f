"""LaTeX source as sections of Markdown: headings, terms, lists, definitions, tables; formulas stay as they are typed.

Nothing is expanded or run: commands of the author's own making are taken for their arguments.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from anamnesis.domain.reading import markup
from anamnesis.domain.reading.markup import Span
from anamnesis.domain.reading.pagination import marked_sections
from anamnesis.domain.reading.typed.latex_commands import (
    ACCENTS,
    DEFINITIONS,
    DRAWINGS,
    HEADINGS,
    LISTS,
    MATHEMATICS,
    SIGNS,
    SILENT,
    STATEMENTS,
    TABLES,
    TERMS,
    VERBATIM,
)

_BEGIN, _END = "\\begin{document}", "\\end{document}"
#: Commands, comments, marks of mathematics, braces, ends of a table's cells, blank lines; all else is text.
_TOKEN = re.compile(
    r"\\(?P<command>[A-Za-z@]+)\*?[ \t]*|\\(?P<sign>[^A-Za-z])|(?P<math>\$\$?)|(?P<brace>[{}])|(?P<cell>&)|"
    r"(?P<gap>\n\s*\n)|(?P<comment>%[^\n]*\n?[ \t]*)|(?P<text>[^\\${}&%\n]+|\n)"
)
_TYPED = (
    (re.compile("---"), "—"),
    (re.compile("--"), "–"),
    (re.compile("``|''"), '"'),
    (re.compile("~"), " "),
)
_OPTION = re.compile(r"[ \t]*\[([^\[\]]{0,300})\]")
_BRACE = re.compile(r"\\.|[{}]", re.S)
#: The name and the number of arguments of a command that is being made.
_NEW_NAME = re.compile(r"\s*\\[A-Za-z@]+(?:\[[^\[\]]{0,20}\])*")
_TITLE = re.compile(r"\\title\s*(?:\[[^\]]*\])?(?=\{)")
_ROW_END = re.compile(r"\\\\(?:\[[^\]\n]{0,20}\])?")
_CELL_END = re.compile(r"(?<!\\)&")
#: Braces and environments nested deeper are read as if they were not there.
_DEEPEST = 12
_DEEPEST_LIST = 6


def latex_pages(text: str) -> list[str]:
    """Sections of a LaTeX source; what its preamble holds is left out, but for the title."""
    preamble, begun, body = text.partition(_BEGIN)
    if not begun:
        preamble, body = "", text
    body = body.partition(_END)[0]
    writer = _Writer()
    title = _TITLE.search(preamble)
    if title is not None:
        tokens = _Tokens(preamble, title.end())
        writer.read(f"\\title{{{tokens.group() or ''}}}")
    return marked_sections(writer.blocks_of(body))


@dataclass
class _Tokens:
    """What is still to be read of a source."""

    source: str
    place: int = 0
    ends: dict[int, int] | None = None

    def __iter__(self) -> Iterator[re.Match[str]]:
        while self.place < len(self.source):
            token = _TOKEN.match(self.source, self.place)
            self.place = token.end() if token else self.place + 1
            if token:
                yield token

    def option(self) -> str | None:
        """Return the bracket that follows, if one does, and pass it."""
        found = _OPTION.match(self.source, self.place)
        if found is None:
            return None
        self.place = found.end()
        return str(found[1])

    def group(self) -> str | None:
        """Return the group in braces that follows, if one does, and pass it."""
        start = self.place
        while self.source[start : start + 1] in {" ", "\t"}:
            start += 1
        end = self._ends().get(start)
        if end is None:
            return None
        self.place = end + 1
        return self.source[start + 1 : end]

    def _ends(self) -> dict[int, int]:
        """Where each group ends, found once: a search from each brace would take a hostile file's length squared."""
        if self.ends is None:
            self.ends = {}
            open_: list[int] = []
            for brace in _BRACE.finditer(self.source):
                if brace[0] == "{":
                    open_.append(brace.start())
                elif brace[0] == "}" and open_:
                    self.ends[open_.pop()] = brace.start()
        return self.ends

    def until(self, end: str) -> str:
        """Return what comes before a text, and pass both; all that is left where it does not come."""
        found = self.source.find(end, self.place)
        stop = len(self.source) if found < 0 else found
        held, self.place = self.source[self.place : stop], min(stop + len(end), len(self.source))
        return held


@dataclass
class _Writer:
    """Writes blocks; its state is the paragraph that is being gathered and the lists that are open."""

    blocks: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    lists: list[tuple[str, int]] = field(default_factory=list)
    marker: str | None = None
    term: str = ""
    accent: str = ""
    depth: int = 0

    def blocks_of(self, source: str) -> list[str]:
        """Blocks of a source."""
        self.read(source)
        self._end()
        return [block for block in self.blocks if block.strip()]

    def read(self, source: str, *, bold: bool = False) -> None:
        """Take in a source, or a part of one."""
        self.depth += 1
        tokens = _Tokens(source)
        for token in tokens:
            kind = token.lastgroup or ""
            value = str(token[kind])
            if kind == "gap":
                self._end()
            elif kind == "math":
                formula = tokens.until(value)
                if value == "$":
                    self._add(f"${formula.strip()}$")
                else:
                    self._formula(formula)
            elif kind == "text":
                self._add(" " if value == "\n" else _typed(value), bold=bold)
            elif kind == "sign":
                self._sign(value, tokens)
            elif kind == "cell":
                self._add(" ")
            elif kind == "command":
                self._command(value, tokens, bold=bold)
        self.depth -= 1

    def _add(self, text: str, *, bold: bool = False) -> None:
        if self.accent and text.strip():
            text = unicodedata.normalize(
                "NFC", text[0].translate({0x131: "i", 0x237: "j"}) + self.accent + text[1:]
            )
            self.accent = ""
        if text:
            self.spans.append(Span(text, bold))

    def _end(self) -> None:
        spans, self.spans = self.spans, []
        text = markup.emphasised(spans)
        text = " ".join(text.split())
        if not text:
            return
        if self.term:
            self.blocks.append(markup.entry(self.term, text))
        elif self.marker is not None:
            self.blocks.append(
                markup.item(text, marker=self.marker, level=min(max(0, len(self.lists) - 1), _DEEPEST_LIST))
            )
        else:
            self.blocks.append(markup.paragraph(text))
        self.term, self.marker = "", None

    def _formula(self, formula: str) -> None:
        self._add(f" {' '.join(formula.split())} ")

    def _sign(self, sign: str, tokens: _Tokens) -> None:
        if sign == "[":
            self._formula(tokens.until("\\]"))
        elif sign == "(":
            formula = tokens.until("\\)")
            self._add(f"${formula.strip()}$")
        elif sign in ACCENTS:
            self._accent(sign, tokens)
        elif sign == "\\":
            tokens.option()
            self._add(" ")
        elif sign in "%&_#${}":
            self._add(sign)
        else:
            self._add(" " if sign in ",; :!" else "")

    def _accent(self, name: str, tokens: _Tokens) -> None:
        group = tokens.group()
        self.accent = ACCENTS[name]
        if group is not None and self.depth < _DEEPEST:
            self.read(group)
            self.accent = ""

    def _command(self, name: str, tokens: _Tokens, *, bold: bool) -> None:
        if name in SIGNS:
            self._add(SIGNS[name])
            if name == "par":
                self._end()
        elif name in HEADINGS:
            tokens.option()
            self._heading(HEADINGS[name], tokens.group() or "")
        elif name == "begin":
            self._begin((tokens.group() or "").rstrip("*"), tokens)
        elif name == "end":
            self._ended((tokens.group() or "").rstrip("*"))
        elif name == "item":
            self._item(tokens)
        elif len(name) == 1 and name in ACCENTS and self._is_accented(tokens):
            self._accent(name, tokens)
        elif name == "footnote":
            self._inner(f" ({tokens.group() or ''})", bold=False)
        else:
            self._other(name, tokens, bold=bold)

    @staticmethod
    def _is_accented(tokens: _Tokens) -> bool:
        return tokens.source[tokens.place : tokens.place + 1].isalpha() or tokens.source.startswith(
            "{", tokens.place
        )

    def _other(self, name: str, tokens: _Tokens, *, bold: bool) -> None:
        tokens.option()
        for _ in range(SILENT.get(name, 0)):
            tokens.option()
            if tokens.group() is None:
                # ``\newcommand\name{…}``: the name is no group.
                passed = _NEW_NAME.match(tokens.source, tokens.place)
                tokens.place = passed.end() if passed else tokens.place
        if name in TERMS:
            self._inner(tokens.group() or "", bold=True)
        elif name not in SILENT:
            group = tokens.group()
            if group is not None:
                self._inner(group, bold=bold)

    def _inner(self, source: str, *, bold: bool) -> None:
        if self.depth < _DEEPEST:
            self.read(source, bold=bold)

    def _heading(self, level: int, source: str) -> None:
        self._end()
        self._inner(source, bold=False)
        text = "".join(span.text for span in self.spans)
        self.spans = []
        self.blocks.append(markup.heading(level, text))

    def _begin(self, name: str, tokens: _Tokens) -> None:
        if name in MATHEMATICS:
            self._formula(tokens.until(f"\\end{{{name}"))
            tokens.until("}")
            return
        self._end()
        option = tokens.option()
        if name in VERBATIM:
            if name == "minted":
                tokens.group()
            code = tokens.until(f"\\end{{{name}").strip("\n")
            tokens.until("}")
            self.blocks.append(f"```\n{code}\n```" if "```" not in code else f"~~~~\n{code}\n~~~~")
        elif name in DRAWINGS:
            tokens.until(f"\\end{{{name}}}")
        elif name in TABLES:
            if name in {"tabularx", "tabular*", "tabulary"}:
                tokens.group()
            tokens.group()
            self._table(tokens.until(f"\\end{{{name}"))
            tokens.until("}")
        elif name in LISTS:
            self.lists.append((name, 0))
        elif name in DEFINITIONS and option:
            self.term = _plain(option, self.depth)
        elif name in DEFINITIONS | STATEMENTS and option:
            self._add(f"{_plain(option, self.depth)}. ")

    def _ended(self, name: str) -> None:
        self._end()
        if name in LISTS and self.lists:
            self.lists.pop()

    def _item(self, tokens: _Tokens) -> None:
        self._end()
        option = tokens.option()
        kind, number = self.lists[-1] if self.lists else ("itemize", 0)
        if kind == "description" and option:
            self.term = _plain(option, self.depth)
            return
        if self.lists:
            self.lists[-1] = (kind, number + 1)
        self.marker = f"{number + 1}." if kind == "enumerate" else "-"

    def _table(self, source: str) -> None:
        rows = []
        for line in _ROW_END.split(source):
            cells = [_plain(cell, self.depth) for cell in _CELL_END.split(line)]
            rows.append([[cell] if cell else [] for cell in cells])
        self.blocks += markup.table([row for row in rows if any(row)])


def _plain(source: str, depth: int) -> str:
    """A part of a source as a line of text."""
    if depth >= _DEEPEST:
        return ""
    writer = _Writer(depth=depth)
    writer.read(source)
    return " ".join("".join(span.text for span in writer.spans).split())


def _typed(text: str) -> str:
    for pattern, sign in _TYPED:
        text = pattern.sub(sign, text)
    return text
