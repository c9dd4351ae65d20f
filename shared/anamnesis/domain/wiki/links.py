"""Context links whose page is gone: they become their words, so that no link dangles (WK-3)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container
from typing import Final
from urllib.parse import unquote

from anamnesis.domain.wiki.page_format import REFERENCES

_WIKILINK: Final = re.compile(r"(?<!\\)\[\[([^\[\]|\n]+)(?:\|((?:\\.|[^\[\]\\\n])*))?\]\]")
#: A line of an index or of related pages.
_LISTED: Final = re.compile(r"- \[\[([^\[\]|\n]+)\|")
_LINK: Final = re.compile(r"(?<![\\!])\[((?:\\.|[^\[\]\\\n])*)\]\(([^()\s]*)\)")


def leads_to(path: str, target: str) -> str:
    """The path that a relative link on the page at `path` leads to."""
    bare = unquote(target.partition("#")[0])
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), bare))


def named_page(link: str, paths: Container[str]) -> str:
    """The path of the page that a wikilink names, or would name: a part of a page may be named behind ``#``."""
    whole = f"{link}.md"
    return whole if whole in paths else f"{link.partition('#')[0]}.md"


def without_dangling(path: str, text: str, paths: Container[str]) -> str:
    """The text, at `path`, with the words of each link that leads to none of `paths` in its place.

    Parameters
    ----------
    paths
        Of all pages, with ``.md``.
    """
    head, mark, references = text.partition(f"\n## {REFERENCES}\n")
    if "[[" in head:
        head = _WIKILINK.sub(lambda m: m[0] if named_page(m[1], paths) in paths else m[2] or m[1], head)
    if "](" in head:
        head = _LINK.sub(lambda m: m[0] if leads_to(path, m[2]) in paths else m[1], head)
    return head + mark + references


def without_lines_to(path: str, text: str, paths: Container[str]) -> str:
    """As ``without_dangling``, of a compiled page: lines of lists that begin with such a link go whole."""
    kept = [
        line
        for line in text.split("\n")
        if not (listed := _LISTED.match(line)) or named_page(listed[1], paths) in paths
    ]
    return without_dangling(path, "\n".join(kept), paths)
