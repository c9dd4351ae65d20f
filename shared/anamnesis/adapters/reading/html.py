"""Web pages (HTML, XHTML) as sections of Markdown: the main text, with its headings, lists, terms, tables, formulas."""

from __future__ import annotations

import re

from anamnesis.adapters.reading import refusals
from anamnesis.adapters.reading.html_blocks import PageWriter
from anamnesis.adapters.reading.html_tree import PageTree, TooNested, content_of, page_tree
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.reading import markup
from anamnesis.domain.reading.pagination import marked_sections
from anamnesis.domain.reading.web_encoding import decode_web_page

#: A page that says to switch scripts on, and little else, is empty without them: a notice is a sentence or two.
_NOTICE_CHARS = 300
_WANTS_SCRIPTS = re.compile(r"\bjava\s?script\b", re.IGNORECASE)
#: A page that asks for a password and says less is a sign-in form saved in the place of what it guards.
_SIGN_IN_CHARS = 1_500
#: A title or heading of HTTP's failures (RFC 9110, 15.5 and 15.6), as servers and their proxies write them.
_FAILED = re.compile(
    r"^(?:#{1,6}\s*)?(?:(?:HTTP\s+)?(?:error|status|fehler|erreur|ошибка|错误|錯誤|エラー|오류)?\s*:?\s*"
    r"(?:40[0134589]|410|429|50[0234])\b"
    r"(?=\s*(?:$|[:–|-]|not|error|forbidden|bad|unauth|service|gateway|internal|too|gone|request))"
    r"|(?:Not Found|Forbidden|Access Denied|Bad Gateway|Service Unavailable|Internal Server Error|Gateway Time-?out)"
    r"\s*$)",
    re.IGNORECASE | re.MULTILINE,
)


def html_pages(data: bytes) -> list[str]:
    """Sections of a web page.

    Raises
    ------
    FileRefused
        As ``page_blocks``.
    """
    return marked_sections(page_blocks(data))


def page_blocks(data: bytes) -> list[str]:
    """Blocks of a web page's main text, in order.

    Raises
    ------
    FileRefused
        If it has no text of its own, is a sign-in form, or cannot be decoded or parsed.
    """
    html = decode_web_page(data)
    if html is None:
        raise refusals.unknown_encoding()
    try:
        page = page_tree(html)
    except TooNested as error:
        raise refusals.malformed_web_page() from error
    content = content_of(page.body)
    if page.asks_for_password and content.chars < _SIGN_IN_CHARS:
        raise refusals.unsupported(
            "a web page that asks to sign in",
            "It was saved in the place of the page behind it: sign in, save that page or download the file again.",
        )
    blocks = PageWriter().blocks(content)
    chars = sum(len(block.strip()) for block in blocks)
    if not chars or (page.scripted and _only_asks_for_scripts(blocks, chars)):
        raise _refusal_without_text(page)
    if chars < _SIGN_IN_CHARS and _FAILED.search(f"{page.title}\n" + "\n".join(blocks)):
        raise refusals.unsupported(
            "a web page that says that something failed",
            "It was saved in the place of the file that was meant: download that again.",
        )
    if page.title and not any(block.startswith("#") for block in blocks):
        blocks.insert(0, markup.heading(1, page.title))
    return blocks


def _only_asks_for_scripts(blocks: list[str], chars: int) -> bool:
    return chars <= _NOTICE_CHARS and _WANTS_SCRIPTS.search("\n".join(blocks)) is not None


def _refusal_without_text(page: PageTree) -> FileRefused:
    if page.frames:
        return refusals.page_of_frames()
    return refusals.page_of_scripts() if page.scripted else refusals.without_text("web page")
