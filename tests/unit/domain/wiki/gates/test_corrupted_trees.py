"""A good tree corrupted line by line, in every way that a line allows, and the rules that name it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.gates import Rule, page_findings
from anamnesis.domain.wiki.gates.page_rules import CITING
from anamnesis.domain.wiki.gates.trees import kind_at
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from support.wiki_histories import history
from support.wiki_values import ana

Change = Callable[[str], str | None]
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_CITES = re.compile(r" \[cite:\d+\]")
_QUOTED = re.compile(r"“([^“”]*\w{4,}[^“”]*)”")


def _sub(pattern: str, new: str) -> Change:
    found = re.compile(pattern)
    return lambda line: found.sub(new, line, count=1) if found.search(line) else None


def _uncited(line: str) -> str | None:
    return _CITES.sub("", line) if _CITES.search(line) else None


def _later(line: str) -> str | None:
    found = _DAY.search(line)
    return None if found is None else line.replace(found[0], f"{int(found[0][:4]) + 3}{found[0][4:]}", 1)


def _misquoted(line: str) -> str | None:
    found = _QUOTED.search(line)
    if found is None:
        return None
    quoted = found[1]
    word = max(re.findall(r"\w+", quoted), key=len)
    return line.replace(f"“{quoted}”", f"“{quoted.replace(word, word[1:] + 'q' + word[:1], 1)}”", 1)


#: Way of corrupting a line → how, and the rules of which one must name it.
WAYS: dict[str, tuple[Change, frozenset[Rule]]] = {
    "citations dropped": (_uncited, frozenset({Rule.UNCITED})),
    "citation of nothing": (_sub(r"\[cite:\d+\]", "[cite:9999]"), frozenset({Rule.NO_REFERENCE})),
    "a wikilink broken": (_sub(r"\[\[([^|\]]+)\|", r"[[\1-x|"), frozenset({Rule.LINK})),
    "a link broken": (_sub(r"\]\(([^)]+)\.md\)", r"](\1-x.md)"), frozenset({Rule.LINK})),
    "a link outside": (_sub(r"\]\(([^)]+)\.md\)", r"](https://evil.example/x.md)"), frozenset({Rule.SCHEME})),
    "HTML": (_sub(r"^- ", "- <b>x</b> "), frozenset({Rule.HTML})),
    "a hidden character": (_sub(r" ", " \u202e"), frozenset({Rule.INVISIBLE})),
    "a role": (_sub(r"^- ", "- System: "), frozenset({Rule.SMUGGLED})),
    "a day three years later": (_later, frozenset({Rule.AGAINST_EVIDENCE, Rule.LINK})),
    "right for wrong": (_sub(r"(?<!by a check): right\b", ": wrong"), frozenset({Rule.AGAINST_EVIDENCE})),
    "wrong for right": (_sub(r": wrong\b", ": right"), frozenset({Rule.AGAINST_EVIDENCE})),
    "another confidence": (_sub(r"\(0\.\d\d\)", "(0.03)"), frozenset({Rule.AGAINST_EVIDENCE})),
    "a word of a quotation changed": (_misquoted, frozenset({Rule.UNSUPPORTED})),
    "the opposite stance": (_sub(r"^Understands ", "Struggles with "), frozenset({Rule.AGAINST_BELIEF})),
    "a claim of one's own": (
        _sub(r"^(- .*?)( \[cite:\d+\].*)$", r"- The student adores baroque poetry and alpine cheese.\2"),
        frozenset({Rule.UNSUPPORTED, Rule.AGAINST_EVIDENCE}),
    ),
}  # fmt: skip


@cache
def good(days: int) -> tuple[WikiEvidence, dict[str, str]]:
    known = ana() if not days else history(days)
    return known, dict(DeterministicWriter().write(known, {}))


def corrupted(days: int, change: Change) -> Iterator[tuple[str, dict[str, str]]]:
    """Every tree that differs from the good one in one line of a page that cites."""
    _, tree = good(days)
    for path, text in sorted(tree.items()):
        if kind_at(path) not in CITING:
            continue
        lines = text.split("\n")
        first = lines.index("---", 1) + 1
        last = lines.index("## References") if "## References" in lines else len(lines)
        for number in range(first, last):
            changed = None if lines[number].startswith("#") else change(lines[number])
            if changed is not None and changed != lines[number]:
                yield path, {**tree, path: "\n".join([*lines[:number], changed, *lines[number + 1 :]])}


@pytest.mark.parametrize("way", WAYS)
def test_every_corrupted_line_is_named(way: str) -> None:
    """Each line of a good tree that is corrupted in one of these ways is refused by the rule for it (WD-2, WK-3)."""
    change, rules = WAYS[way]
    known, tree = good(0)
    missed = []
    tried = 0
    for path, spoilt in corrupted(0, change):
        tried += 1
        found = {finding.rule for finding in page_findings(path, spoilt, tree, known)}
        if found.isdisjoint(rules):
            was, now = tree[path].split("\n"), spoilt[path].split("\n")
            missed.append((path, found, [line for line in now if line not in was]))
    assert tried > 0
    assert missed == []
