"""Files of text that are not prose: notebooks, LaTeX, tables, transcripts are read; programs, data, mail refused."""

from __future__ import annotations

import json
import time

import pytest

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import Document
from anamnesis.domain.reading.typed.delimited import delimiter_of
from anamnesis.domain.reading.typed.kinds import TextKind, text_kind
from anamnesis.domain.reading.typed.latex import latex_pages

PICTURE = "iVBORw0KGgo" * 4_000
CODE = {"cell_type": "code", "source": ["x = 3\n", "print(x)"], "outputs": [{"data": {"image/png": PICTURE}}]}


def read(data: str | bytes, declared: str = "") -> Document:
    """Read as the service does."""
    return ContentFileReader().read(
        data.encode() if isinstance(data, str) else data, declared_media_type=declared
    )


def text(data: str | bytes, declared: str = "") -> str:
    """All text of a file."""
    return "\n\n".join(page.text for page in read(data, declared).pages)


def refusal(data: str | bytes, declared: str = "") -> FileRefused:
    """The refusal of a file that is refused."""
    with pytest.raises(FileRefused) as refused:
        read(data, declared)
    return refused.value


def notebook(*cells: dict[str, object]) -> str:
    """A notebook of these cells."""
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def said(words: str) -> dict[str, object]:
    """A cell of text."""
    return {"cell_type": "markdown", "source": words.splitlines(keepends=True)}


# ---------------------------------------------------------------------------------------------- notebooks and data
def test_notebooks_are_read_for_their_words() -> None:
    """A notebook is its text cells, with its code as code and without what the code printed or drew (CM-1)."""
    document = read(
        notebook(said("# Rivers\nA river flows.\n![map](a.png)"), CODE, said("## Lakes\n湖は水である。"))
    )
    assert document.media_type == "application/x-ipynb+json"
    assert [page.text for page in document.pages] == [
        "# Rivers\nA river flows.\n\n```\nx = 3\nprint(x)\n```",
        "## Lakes\n湖は水である。",
    ]
    assert text(notebook(said("A river flows."), CODE)) == "A river flows."
    old = {
        "nbformat": 3,
        "worksheets": [{"cells": [{"cell_type": "heading", "level": 2, "source": "Rivers"}]}],
    }
    assert text(json.dumps(old)) == "## Rivers"


@pytest.mark.parametrize(
    "data, reason",
    [
        (notebook(CODE), "empty"),
        ('{"a": [1, 2, 3], "b": {"c": "d"}}', "unsupported-type"),
        ('[{"a": 1},\n {"a": 2}]', "unsupported-type"),
        ('{"a": 1}\n{"a": 2}\n', "unsupported-type"),
        (json.dumps({"nbformat": 4, "cells": 7}), "unsupported-type"),
    ],
)
def test_data_is_refused(data: str, reason: str) -> None:
    """JSON that is no notebook, and a notebook without a word, are refused with what to do (SV-12)."""
    refused = refusal(data)
    assert refused.reason == reason
    assert "upload" in refused.detail


@pytest.mark.parametrize(
    "start", ["[1] The river is a body of water.\n\n[2]", "{A note on rivers: they flow.}\n\n{", "[" * 9]
)
def test_brackets_alone_make_no_data(start: str) -> None:
    """A text in brackets, however deep, is a text (CM-1)."""
    body = f"{start} The river flows to the sea, and the sea is where its water goes in the end. [3]"
    assert text_kind(body, "") is TextKind.JSON
    assert "The river" in text(body)


# ---------------------------------------------------------------------------------------------- LaTeX
TEX = r"""
\documentclass{article} % a comment
\newcommand{\R}{\mathbb{R}}
\title{Notes on \emph{Groups}}
\begin{document}
\maketitle
\section{Groups}\label{sec:g}
A \textbf{group} is a set $G$ with 50\% more --- see \cite{x}. Caf\'e, \v{C}ech, na\"{\i}ve, Erd\H{o}s, r\'eelle.

\begin{definition}[Subgroup]
A subgroup is a subset of a group that is itself a group: \[ H \subseteq G. \]
\end{definition}
\begin{enumerate}
\item first % not this
\item second \footnote{A note.}
\end{enumerate}
\subsection*{Terms}
\begin{tabular}{ll}
\hline
Name & Meaning \\ \hline
Ring & a set with two operations that behave well \\
Field & a ring in which one can divide by anything but zero \\
\end{tabular}
\begin{verbatim}
x = 50%2
\end{verbatim}
\end{document}
not this
"""


def test_latex_is_read_as_it_is_meant() -> None:
    """LaTeX source gives headings, terms, lists, tables and accents, without its commands and comments (CM-1)."""
    document = read(TEX)
    assert document.media_type == "application/x-tex"
    whole = "\n\n".join(page.text for page in document.pages)
    assert whole == (
        "# Notes on Groups\n\n## Groups\n\n"
        "A **group** is a set $G$ with 50% more — see . Café, Čech, naïve, Erdős, réelle.\n\n"
        "**Subgroup**: A subgroup is a subset of a group that is itself a group: H \\subseteq G.\n\n"
        "1. first\n2. second (A note.)\n\n### Terms\n\n| Name | Meaning |\n\n"
        "**Ring**: a set with two operations that behave well\n\n"
        "**Field**: a ring in which one can divide by anything but zero\n\n```\nx = 50%2\n```"
    )
    part = "\\section{Rivers}\nA river flows.\n\n\\subsection{Lakes}\nA lake does not."
    assert text(part) == "## Rivers\n\nA river flows.\n\n### Lakes\n\nA lake does not."


@pytest.mark.parametrize(
    "script", ["细胞是生命的基本单位。", "الخلية وحدة الحياة.", "कोशिका जीवन की इकाई है।", "เซลล์คือหน่วยของชีวิต"]
)
def test_latex_in_any_script(script: str) -> None:
    """Letters of any script in a LaTeX source stay as they are (CM-1)."""
    assert latex_pages(f"\\section{{{script}}}\n{script} \\textbf{{{script}}}")[0].count(script) == 3
    assert latex_pages("") == []


@pytest.mark.parametrize(
    "piece",
    [
        "{",
        "\\textbf{",
        "\\begin{itemize}\\item x",
        "\\begin{verbatim}",
        "\\begin{tabular}{l}",
        "\\item[",
        "$",
        "\\'",
        "%",
        "\\x[",
    ],
)
def test_latex_is_read_in_linear_time(piece: str) -> None:
    """Four times as much of what never ends takes no sixteen times as long (SV-14)."""
    times = []
    for count in (3_000, 12_000):
        start = time.perf_counter()
        latex_pages(piece * count)
        times.append(time.perf_counter() - start)
    assert times[1] < 10 * times[0] + 0.2


# ---------------------------------------------------------------------------------------------- tables
def test_lists_of_words_are_read() -> None:
    """A list of terms in CSV, or parted by tabs, is read as a glossary, other tables of words row by row (CM-1)."""
    terms = 'term,meaning\nRing,"a set with two operations, that behave well"\nField,a ring in which one can divide\n'
    assert text(terms, "text/csv") == (
        "| term | meaning |\n\n**Ring**: a set with two operations, that behave well\n\n"
        "**Field**: a ring in which one can divide"
    )
    tabs = "dog\tpies\ncat\tkot\nriver\trzeka\nsea\tmorze\n"
    assert text(tabs).splitlines()[2] == "| river | rzeka |"
    named = "word;Wort;słowo\n" + "".join(f"river {n};Fluss {n};rzeka {n}\n" for n in "abcdefgh")
    assert "| river a | Fluss a | rzeka a |" in text(named)
    quoted = 'a,b\n"one\ntwo",three four\nfive,six\n'
    assert "| one two | three four |" in text(quoted, "text/csv")


@pytest.mark.parametrize(
    "data, declared",
    [
        ("time,speed,height\n" + "".join(f"{n},{n * 1.5},{-n}\n" for n in range(20)), "text/csv"),
        ("time,speed,height\n" + "".join(f"2026-11-{n:02},{n * 1.5},-{n}\n" for n in range(10, 30)), ""),
        ("x\ty\n" + "".join(f"{n} kg\t{n},5 €\n" for n in range(20)), ""),
    ],
)
def test_tables_of_figures_are_refused(data: str, declared: str) -> None:
    """A table of measurements is refused as a spreadsheet is, with what to do (SV-12)."""
    refused = refusal(data, declared)
    assert refused.reason == "unsupported-type"
    assert "figures" in refused.detail


POEM = "Rivers run, and seas, and lakes, run too,\nand rain, and snow, and ice, and dew;\n" * 6
VERSE = "Roses are red;\nViolets are blue;\nSugar is sweet;\nAnd so are you;\n" * 4


@pytest.mark.parametrize(
    "prose", [POEM, VERSE, "\tAn indented line\n\tand another one\n" * 6, "a, b, c\n" * 9, ""]
)
def test_poems_are_no_tables(prose: str) -> None:
    """Verse with as many commas in each line, or indented by tabs, is no table (CM-1)."""
    assert delimiter_of(prose, "") is None
    assert text_kind(prose, "") is TextKind.PROSE


# ---------------------------------------------------------------------------------------------- transcripts
def test_transcripts_are_read_without_their_times() -> None:
    """Subtitles give what is said, in paragraphs, once, without times, numbers, names of voices and notes (CM-1)."""
    vtt = (
        "WEBVTT\n\nNOTE made by hand\nin two lines\n\nSTYLE\n::cue {}\n\nintro\n00:01.000 --> 00:03.000 align:start\n"
        "<v Ana>A river flows\n\n00:03.000 --> 00:05.000\nA river flows\nto the <i>sea</i>.\n"
    )
    document = read(vtt)
    assert document.media_type == "text/vtt"
    assert [page.text for page in document.pages] == ["A river flows to the sea."]
    cue = "{}\n00:00:0{},000 --> 00:00:0{},500\nZdanie numer {} jest tutaj.\n\n"
    srt = "".join(cue.format(n, n, n, n) for n in range(1, 9))
    assert text(srt) == " ".join(f"Zdanie numer {n} jest tutaj." for n in range(1, 9))
    long = "".join(cue.format(n, n % 10, n % 10, n) for n in range(1, 400))
    pages = read(long).pages
    assert len(pages) > 2
    assert sum(page.text.count("Zdanie") for page in pages) == 399


# ---------------------------------------------------------------------------------------------- programs and mail
PYTHON = '''"""Rivers."""
import math
from rivers import flow


class River:
    """A river."""

    def __init__(self, length):
        # how long it is
        self.length = length
        self.water = flow(length)

    def speed(self):
        if self.length > 3:
            return math.sqrt(self.length)
        return 0
'''
JAVA = (
    "public class River {\n  private int length;\n  public int length() {\n    return length;\n  }\n}\n" * 3
)
C = '#include <stdio.h>\n\nint main(void) {\n  /* a river */\n  printf("river\\n");\n  int x = 3;\n  return x;\n}\n'
SQL = "CREATE TABLE river (id INT);\nINSERT INTO river VALUES (1);\nSELECT id FROM river;\n" * 3


@pytest.mark.parametrize("source", [PYTHON, JAVA, C, SQL], ids=["python", "java", "c", "sql"])
def test_programs_are_refused(source: str) -> None:
    """A program's source is refused with the advice to put what it shows into a text (SV-12)."""
    refused = refusal(source)
    assert refused.reason == "unsupported-type"
    assert "source code" in refused.detail


@pytest.mark.parametrize(
    "notes",
    [
        f"# Loops\n\nA loop repeats.\n\n```python\n{PYTHON}```\n",
        "A class is a plan for things. It has:\n\n- fields;\n- methods;\n- a name.\n\n"
        + "class River:\n    length = 3\n" * 2,
        "E = mc^2\nF = ma\np = mv\n\nEnergy, force and momentum are what mechanics is about.\n" * 3,
        "For each river (in the north):\nIt flows fast.\nIf it is flat:\nIt flows slowly.\n" * 5,
        "lesson: rivers\nauthor: Ana\nSubject: geography\n\nA river flows to the sea.\n",
        "From: the mountains\nTo: the sea\nSubject: rivers\n\nA river flows from the mountains to the sea.\n",
    ],
)
def test_notes_about_programs_are_read(notes: str) -> None:
    """Notes with code, formulae or lists in them, or with fields at their head, are read as notes (CM-1)."""
    assert read(notes).media_type in {"text/plain", "text/markdown"}


@pytest.mark.parametrize(
    "mail",
    [
        "From: Ana <ana@example.org>\nTo: Ben <ben@example.org>\nMessage-ID: <1@example.org>\n\nA river flows.\n",
        "From ana Mon Nov 30 10:00:00 2026\nReceived: from a\n by b\nSubject: Rivers\nDate: today\n\nA river flows.\n",
    ],
)
def test_mail_is_refused_as_mail(mail: str) -> None:
    """An e-mail is refused as one, as Outlook's are, with what to do (SV-12)."""
    refused = refusal(mail)
    assert refused.reason == "unsupported-type"
    assert "e-mail" in refused.detail


@pytest.mark.parametrize(
    "piece", ["a", "a\n", "a,b\n", "a\tb\n", "x = 3;\n", "{", "a: b\n", "00:01.000 --> 00:02.000\n", "\\x{"]
)
def test_a_texts_kind_is_told_in_bounded_time(piece: str) -> None:
    """A million characters of anything are told apart within some seconds' work, by a part of them (SV-14)."""
    few, more = piece * (100_000 // len(piece)), piece * (1_000_000 // len(piece))
    times = []
    for sample in (few, more):
        start = time.perf_counter()
        text_kind(sample, "text/csv")
        times.append(time.perf_counter() - start)
    assert times[1] < 15 * times[0] + 0.5
