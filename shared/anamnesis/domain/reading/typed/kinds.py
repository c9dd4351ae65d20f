"""What a text is by its shape: prose (also Markdown), or something that is read, or refused, in a way of its own.

Shapes are told strictly. What is taken for prose though it is not costs odd pages; prose that is taken for something
else costs the student a file.
"""

from __future__ import annotations

from enum import Enum

import regex

from anamnesis.domain.reading.typed.delimited import delimiter_of

#: How far a text is looked at.
_HEAD_CHARS, _HEAD_LINES = 200_000, 400


class TextKind(Enum):
    """How a text is read."""

    PROSE = "prose"
    JSON = "json"
    LATEX = "latex"
    TABLE = "table"
    SUBTITLES = "subtitles"
    PROGRAM = "program"
    MAIL = "mail"


_NOTEBOOK = regex.compile(r'^\s{0,100}\{\s{0,100}"(?:cells"\s*:\s*\[|nbformat|metadata"\s*:\s*\{)')
#: A header field of a message (RFC 5322, 2.2), fields that only machines write, and fields that every message has.
_FIELD = regex.compile(r"^([A-Za-z][A-Za-z0-9-]{1,60}):(?:[ \t]|$)")
_OF_MACHINES = frozenset(
    {"received", "message-id", "mime-version", "return-path", "delivered-to", "dkim-signature", "x-mailer"}
)
_OF_MESSAGES = frozenset({"from", "to", "subject", "date"})
_MBOX = regex.compile(r"^From \S+ .{0,40}\d\d:\d\d")
#: What a LaTeX source holds on a line of its own; three headings where it is a part of a larger one.
_LATEX_FRAME = regex.compile(r"^\s{0,20}\\(?:documentclass\b|begin\{document\})", regex.M)
_LATEX_HEADING = regex.compile(
    r"^\s{0,20}\\(?:part|chapter|(?:sub){0,2}section)\*?(?:\[[^\]\n]*\])?\{", regex.M
)
_LATEX_HEADINGS = 2
_FENCE = regex.compile(r"^ {0,3}(?:```|~~~)", regex.M)
#: When a cue is shown (WebVTT 4.3; SubRip).
_CUE = regex.compile(
    r"^\s{0,20}(?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{1,3} +--> +(?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{1,3}", regex.M
)
_CUE_SHARE, _CUES = 0.15, 2
#: Lines that only programs have: the ends of statements and blocks, and what begins them in the commonest languages.
_STATEMENT_END = regex.compile(r"(?:[{}]|\)\s*[:;]|[=()\[\]].*;|^\s*end)\s*(?://[^\n]*|#[^\n]*)?$")
_STATEMENT = regex.compile(
    r"^\s*(?:#\s*(?:include|define|ifdef|ifndef|pragma)\b|(?:import|from)\s+[\w.{*\"']+|package\s+[\w.]+|using\s+[\w.]+|"
    r"(?:async\s+)?def\s+\w+\s*\(|class\s+\w+\s*[:({]|(?:public|private|protected|static|final|virtual|override)\s+\w+|"
    r"(?:export\s+)?(?:function|const|let|var|fn|func|struct|enum|interface|impl|module|trait)\s+\w+|"
    r"(?:if|elif|else if|for|foreach|while|switch|try|except|catch|with)\b[^.!?]*[:{(]\s*$|return\b[^.!?]*;?$|"
    r"(?:else|try|finally)\s*[:{]\s*$|print(?:f|ln)?\s*\(|SELECT\s.+\sFROM\s|INSERT\s+INTO\s|CREATE\s+TABLE\s|@\w+\s*$|"
    r"[A-Za-z_][\w.\[\]]*\s*(?:=|\+=|-=|:=|<-)\s*[\w\[({\"'-][^.!?]*$|[A-Za-z_][\w.]*\([^()]*\)\s*;?$)"
)
_COMMENT = regex.compile(
    r"^\s*(?:#(?!\s*(?:include|define|ifdef|ifndef|pragma)\b)|//|/\*|\*|--|%|\"\"\"|''')"
)
#: A line of prose: words from a capital to a stop. This share of them makes a text with code no program. Ours.
_SENTENCE_LINE = regex.compile(
    r"^\p{Lu}[\p{L}\p{M}]*(?:,?\s[\p{L}\p{M}\p{N}'’-]+){3,}[.:!?]$|^[\p{Lo}\p{M}\s，、,]{12,}[。।.:：]$"
)
_TOLD_SHARE = 0.15
#: Of the lines without comments at least so many, and this share, are statements; of these this share is unmistakable.
_LEAST_STATEMENTS, _STATEMENT_SHARE, _ENDED_SHARE = 6, 0.7, 0.2


def text_kind(text: str, declared: str) -> TextKind:
    """What kind of text this is.

    Parameters
    ----------
    text
        The whole text.
    declared
        What its uploader calls it; asked only of tables, which a poem can look like.
    """
    head = text[:_HEAD_CHARS]
    whole = text.strip()
    if (whole[:1] in {"{", "["} and whole[-1:] in {"}", "]"}) or begins_a_notebook(whole):
        return TextKind.JSON
    if _is_mail(head):
        return TextKind.MAIL
    if _is_subtitles(head):
        return TextKind.SUBTITLES
    if _is_latex(head):
        return TextKind.LATEX
    if delimiter_of(text, declared) is not None:
        return TextKind.TABLE
    return TextKind.PROGRAM if _is_program(head) else TextKind.PROSE


def begins_a_notebook(text: str) -> bool:
    """Whether a text begins as a Jupyter notebook does (nbformat 4), which may be cut off."""
    return _NOTEBOOK.match(text) is not None


def _is_mail(head: str) -> bool:
    names: set[str] = set()
    lines = head.lstrip("\ufeff\n").split("\n")[:_HEAD_LINES]
    if lines and _MBOX.match(lines[0]):
        del lines[0]
    for line in lines:
        if line[:1] in {" ", "\t"} and names and line.strip():
            continue
        field = _FIELD.match(line)
        if field is None:
            break
        names.add(field[1].casefold())
    return len(names & _OF_MESSAGES) >= 2 and bool(names & _OF_MACHINES)


def _is_subtitles(head: str) -> bool:
    cues = len(_CUE.findall(head))
    if head.lstrip("\ufeff \n").startswith("WEBVTT") and cues:
        return True
    lines = sum(1 for line in head.split("\n") if line.strip())
    return cues >= _CUES and cues >= _CUE_SHARE * lines


def _is_latex(head: str) -> bool:
    if _FENCE.search(head):
        return False
    return _LATEX_FRAME.search(head) is not None or len(_LATEX_HEADING.findall(head)) >= _LATEX_HEADINGS


def _is_program(head: str) -> bool:
    if _FENCE.search(head):
        return False
    lines = [line for line in head.split("\n")[:_HEAD_LINES] if line.strip() and not _COMMENT.match(line)]
    # Sentences between the statements explain them: notes with code in them are notes.
    told = sum(1 for line in lines if _SENTENCE_LINE.match(line.strip()))
    if told > _TOLD_SHARE * len(lines):
        return False
    ended = sum(1 for line in lines if _STATEMENT_END.search(line[:500]))
    stated = sum(1 for line in lines if _STATEMENT_END.search(line[:500]) or _STATEMENT.match(line[:500]))
    return (
        stated >= _LEAST_STATEMENTS
        and stated >= _STATEMENT_SHARE * len(lines)
        and ended >= _ENDED_SHARE * len(lines)
    )
