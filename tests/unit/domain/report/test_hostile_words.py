"""What somebody wrote stays text in every form of a report."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from markdown_it import MarkdownIt

from anamnesis.domain.report.document import (
    Bullets,
    Document,
    Line,
    Paragraph,
    Quoted,
    Section,
    Story,
    Table,
    Text,
    Tile,
)
from anamnesis.domain.report.html import html_of
from anamnesis.domain.report.markdown import markdown_of

MARKUP = (
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "' onfocus='alert(1)' autofocus='",
    "<svg/onload=alert(1)><animate onbegin=alert(1)>",
    "</svg></bdi></td></table><h1>New</h1>",
    "<a href=javascript:alert(1)>x</a>",
    "<style>*{display:none}</style>",
    '<meta http-equiv="refresh" content="0;url=//evil.example">',
    "<!-- --><![CDATA[ x ]]><?php x ?>",
    "&lt;script&gt; &#60;b&#62; &amp;amp;",
    "<base href=//evil.example><link rel=stylesheet href=//evil.example>",
    "# Heading",
    "## Open misconceptions ##",
    "- item",
    "+ item",
    "* item",
    "1. item",
    "12345) item",
    "> quote",
    "---",
    "***",
    "===",
    "```js",
    "~~~",
    "    code",
    "\tcode",
    "`code` ``more``",
    "**bold** __bold__ *em* _em_ ~~gone~~",
    "[x](http://evil.example)",
    "![x](http://evil.example/p.png)",
    "[x][y]\n\n[y]: http://evil.example",
    "[^1] [[wiki]] $x^2$ ==mark==",
    "http://evil.example https://evil.example ftp://evil.example",
    "www.evil.example WWW.evil.example",
    "<http://evil.example> <a@evil.example>",
    "a@evil.example mailto:a@evil.example",
    "a | b | c",
    "| --- | --- |",
    "\\",
    "\\\\ \\` \\*",
    "ends with a backslash \\",
    "two\n\n# lines\n- and a list\r\n\r\n| a | b |\u2028# more\u2029# still\x85# on\x0b# and\x0c# on",
    "",
    " ",
)
INVISIBLE = (
    "\u202eevil\u202c",
    "\u202d\u202e\u2066\u2067\u2068",
    "\u2069\u2069\u2069 out of the isolate",
    "hidden \U000e0041\U000e0042 tags",
    "a\x00b\x08c\x1bd\x7fe",
    "\ud800 lone \udfff",
    "\ufffe\uffff\ufdd0",
    "\ufeffmark",
    "Zalgo " + "a" + "\u0301" * 500,
)
WORDS = (
    "مرحبا بالعالم",
    "שלום עולם",
    "कोशिका झिल्ली",
    "細胞膜",
    "ผนังเซลล์",
    "세포막",
    "семь-пять + 3",
    "👩‍👩‍👧‍👦 family",
    "3 < 4 & 5 > 2",
)


def document(said: str, *, right_to_left: bool = False) -> Document:
    """A document that says it in every place where somebody's words may stand."""
    line: Line = (Quoted(said),)
    after: Line = (Text("2 May: "), Quoted(said), Text(" · "), Quoted(said))
    blocks = (
        Paragraph(line),
        Paragraph(after),
        Bullets((line, after)),
        Story(line, line, (line, after)),
        Table("Caption", ("One", "Two"), ((line, after), (after, line)), frozenset({1})),
    )
    tiles = (Tile("Label", "1", ""),)
    return Document(
        "en", right_to_left, line, line, (line, after), tiles, "Contents", (Section("a", "A", blocks),)
    )


class Structure(HTMLParser):
    """The tags and attributes of a page, and its text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, str, tuple[Any, ...]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(("<", tag, tuple(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.tags.append((">", tag, ()))

    def handle_comment(self, data: str) -> None:
        self.tags.append(("!", data, ()))

    def handle_decl(self, decl: str) -> None:
        self.tags.append(("d", decl, ()))

    def handle_pi(self, data: str) -> None:
        self.tags.append(("?", data, ()))

    def unknown_decl(self, data: str) -> None:
        self.tags.append(("u", data, ()))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def structure(page: str) -> Structure:
    found = Structure()
    found.feed(page)
    found.close()
    return found


@pytest.mark.parametrize("said", [*MARKUP, *INVISIBLE, *WORDS])
def test_no_words_become_html(said: str) -> None:
    """Whatever was said, the page has the tags of one in which nothing was, and shows it whole (SV-13)."""
    page = structure(html_of(document(said)))
    assert page.tags == structure(html_of(document("plain"))).tags
    shown = "".join(page.text)
    assert shown.count(Quoted(said).text) >= 14


def tokens(text: str) -> list[tuple[str, str]]:
    """What a Markdown reader with HTML and tables makes of a text: kinds of tokens with their tags."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    found = []
    for token in reader.parse(text):
        found.append((token.type, token.tag))
        kinds = [(child.type, child.tag) for child in token.children or () if child.type != "text"]
        found += [kind for kind in kinds if kind[0] not in {"text_special"}]
    return found


@pytest.mark.parametrize("right_to_left", [False, True])
@pytest.mark.parametrize("said", [*MARKUP, *INVISIBLE, *WORDS])
def test_no_words_become_markdown(said: str, right_to_left: bool) -> None:
    """Whatever was said, a reader of Markdown finds the headings, lists, tables and links of plain words (SV-13)."""
    written = markdown_of(document(said, right_to_left=right_to_left))
    assert tokens(written) == tokens(markdown_of(document("plain", right_to_left=right_to_left)))
    # What GFM would make a link of by itself.
    assert not re.search(r"https?://|ftp://|mailto:|\bwww\.|@\w", written, re.IGNORECASE)


@pytest.mark.parametrize("said", [*MARKUP, *WORDS])
def test_markdown_shows_what_was_said(said: str) -> None:
    """Read by a Markdown reader, the words are those that were said (SV-13)."""
    written = markdown_of(document(said))
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table"])
    inline = [token for token in reader.parse(written) if token.type == "inline"]
    texts = ["".join(child.content for child in token.children or ()) for token in inline]
    bare = [re.sub("[\u2060\u2068\u2069]", "", text) for text in texts]
    assert sum(Quoted(said).text in text for text in bare) >= 10


@pytest.mark.parametrize("said", INVISIBLE)
def test_what_cannot_be_shown_is_left_out(said: str) -> None:
    """Overrides, isolates, controls, tags and lone surrogates reach no form of a report (SV-13)."""
    for written in (html_of(document(said)), markdown_of(document(said))):
        written.encode()
        ours = written.replace("\u2068", "", 99).replace("\u2069", "", 99)
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f\ufeff\ufffe\uffff]", ours)
        assert not re.search("[\U000e0000-\U000e0fff]", ours)
