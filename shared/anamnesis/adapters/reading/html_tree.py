"""A web page's tree without what is not its text (scripts, forms, hidden parts, navigation), and its main part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

#: Elements that are never text of the page.
_SILENT = frozenset(
    {"script", "style", "template", "noscript", "iframe", "frame", "frameset", "object", "embed", "applet", "canvas",
     "audio", "video", "svg", "map", "button", "input", "select", "textarea", "datalist", "dialog", "nav", "rp", "head",
     "annotation", "annotation-xml", "noframes", "progress", "meter", "link", "meta", "title", "base"}
)  # fmt: skip
_SILENT_ROLES = frozenset(
    {
        "navigation",
        "search",
        "menu",
        "menubar",
        "toolbar",
        "banner",
        "contentinfo",
        "dialog",
        "alertdialog",
        "tooltip",
    }
)
_HIDING_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
#: Furniture of a site where it stands outside the text; inside an article they are its own title, notes and boxes.
_SITE_FURNITURE = frozenset({"header", "footer", "aside"})
_CONTENT_TAGS = frozenset({"main", "article", "section"})
#: Words in classes and ids of what stands beside the text, wherever it stands.
_ALWAYS_OUT = frozenset(
    {"mw-editsection", "noprint", "headerlink", "anchorjs-link", "anchor-link", "permalink", "skip-link", "skiplink",
     "sr-only", "visually-hidden", "screen-reader-text", "mw-jump-link", "navbox", "catlinks", "printfooter",
     "breadcrumb", "breadcrumbs", "katex-html", "MathJax_Preview", "mw-indicators", "siteSub"}
)  # fmt: skip
#: Words in classes and ids of a page's furniture; counted only where links are a good part of the text.
_FURNITURE_WORDS = frozenset(
    {"nav", "navbar", "navigation", "menu", "sidebar", "footer", "header", "masthead", "cookie", "cookies", "consent",
     "banner", "share", "sharing", "social", "pagination", "pager", "toolbar", "advert", "advertisement", "ads",
     "promo", "newsletter", "skip", "toc", "contents", "jump", "related", "recommended", "login", "signin", "searchbox",
     "links"}
)  # fmt: skip
_LINK_LISTS = frozenset(
    {"ul", "ol", "div", "table", "section", "p", "aside", "header", "footer", "dl", "form"}
)
#: Least share of link text from which a block named like furniture, and one that is not, is a list of links.
_NAMED_LINK_SHARE, _LINK_SHARE = 0.4, 0.8
_LEAST_LINKS, _LONGEST_LINK = 4, 40
#: A content element with less than this share of the page's text is not the content.
_CONTENT_SHARE = 0.25
#: Elements nested deeper make the parser's time grow with the square of the page; honest pages stay below 300.
MAX_NESTING = 2_000
_PAIRED_TAG = re.compile(r"<(/?)([a-z][a-z0-9:-]*)", re.IGNORECASE)
#: Elements that have no end, or whose end is often left out: they do not nest.
_UNPAIRED = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr", "p",
     "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup", "colgroup", "rt", "rp",
     "html", "head", "body", "path", "circle", "rect", "line", "use", "polygon", "mspace", "none", "mprescripts"}
)  # fmt: skip


class TooNested(Exception):
    """The page is nested deeper than any is."""


@dataclass(slots=True)
class Node:
    """An element of a page, with what of it is text.

    Attributes
    ----------
    chars, link_chars, links
        Length of the text in it, of that the part in links, and how many links there are.
    """

    tag: str
    attributes: dict[str, str | None]
    children: list[Node | str] = field(default_factory=list)
    chars: int = 0
    link_chars: int = 0
    links: int = 0

    def attribute(self, name: str) -> str:
        """Value of an attribute, "" if it is not there."""
        return self.attributes.get(name) or ""

    def below(self) -> Iterator[Node]:
        """Yield the element and all below it, in order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += [child for child in reversed(node.children) if isinstance(child, Node)]

    def text(self) -> str:
        """All text below it."""
        parts: list[str] = []
        waiting: list[Node | str] = [self]
        while waiting:
            one = waiting.pop()
            if isinstance(one, str):
                parts.append(one)
            else:
                waiting += reversed(one.children)
        return "".join(parts)


@dataclass(frozen=True, slots=True)
class PageTree:
    """A page as it is read.

    Attributes
    ----------
    body
        Everything that may be text.
    title
        What the page calls itself.
    asks_for_password
        Whether it has a field for one.
    frames, scripted
        Whether it shows other pages in frames, and whether scripts may put text into it.
    """

    body: Node
    title: str
    asks_for_password: bool
    frames: bool
    scripted: bool


def page_tree(html: str) -> PageTree:
    """Parse a page as browsers do (HTML Living Standard), and leave out what never is text.

    Raises
    ------
    TooNested
        If its elements go deeper than ``MAX_NESTING``.
    """
    depth = 0
    for match in _PAIRED_TAG.finditer(html):
        if match[2].casefold() not in _UNPAIRED:
            depth = max(0, depth - 1) if match[1] else depth + 1
            if depth > MAX_NESTING:
                raise TooNested
    page = LexborHTMLParser(html)
    title = page.css_first("title")
    password = page.css_first("input[type='password' i]") is not None
    name = " ".join((title.text() or "").split()) if title is not None else ""
    body = _copied(page.body) if page.body is not None else Node("body", {})
    return PageTree(
        body,
        name,
        password,
        frames=page.css_first("frame[src], iframe[src]") is not None,
        scripted=page.css_first("script") is not None,
    )


def _copied(top: LexborNode) -> Node:
    """Copy what may be text, and count it from the inside out."""
    root = Node("body", {})
    parents = [root]
    current = top.child
    while current is not None:
        below: Node | None = None
        if current.is_text_node:
            text = current.text_content or ""
            parents[-1].children.append(text)
            parents[-1].chars += len("".join(text.split()))
        elif current.is_element_node:
            below = _kept(current)
        if below is not None:
            parents[-1].children.append(below)
        if below is not None and current.child is not None:
            parents.append(below)
            current = current.child
            continue
        following = current.next
        while following is None:
            above = current.parent
            if above is None or above.mem_id == top.mem_id:
                return root
            current = above
            _count(parents.pop(), parents[-1])
            following = current.next
        current = following
    return root


def _count(node: Node, parent: Node) -> None:
    if node.tag == "a" and "href" in node.attributes:
        node.links, node.link_chars = 1, node.chars
    parent.chars += node.chars
    parent.link_chars += node.link_chars
    parent.links += node.links


def _kept(element: LexborNode) -> Node | None:
    tag = element.tag or ""
    attributes = element.attributes
    if tag == "script":
        kind = attributes.get("type") or ""
        return Node("script", attributes) if kind.startswith("math/tex") else None
    if tag in _SILENT or (attributes.get("role") or "") in _SILENT_ROLES:
        return None
    if attributes:
        hidden = (
            ("hidden" in attributes and attributes["hidden"] != "until-found")
            or attributes.get("aria-hidden") == "true"
            or _HIDING_STYLE.search(attributes.get("style") or "") is not None
        )
        formula = hidden and (tag == "math" or element.css_first("math") is not None)
        if hidden and not formula and not _is_default(element):
            return None
        if _ALWAYS_OUT & set(f"{attributes.get('class') or ''} {attributes.get('id') or ''}".split()):
            return None
    return Node(tag, attributes)


def _is_default(hidden: LexborNode) -> bool:
    """Whether a hidden part of a line is the last of several that a script chooses from: without one, it is shown."""
    parent = hidden.parent
    if hidden.tag != "span" or hidden.next is not None or parent is None or parent.tag != "span":
        return False
    others = list(parent.iter(include_text=True))
    return len(others) > 1 and all(one.is_element_node and "hidden" in one.attributes for one in others)


def content_of(body: Node) -> Node:
    """Return the element with the page's text, with navigation and the site's furniture taken out of it."""
    content = _main(body)
    whole = body.chars
    if content is body:
        _prune(body, lambda node: node.tag in _SITE_FURNITURE and node.chars <= 0.5 * whole, inside=False)
        _prune(body, _is_link_list, inside=True)
    else:
        _prune(content, lambda node: _is_named(node) and _is_link_list(node), inside=True)
    return content


def _main(body: Node) -> Node:
    mains = [n for n in body.below() if n.tag == "main" or n.attributes.get("role") == "main"]
    articles = [
        n for n in body.below() if n.tag == "article" or n.attributes.get("itemprop") == "articleBody"
    ]
    for found in (mains[:1], articles[:1] if len(articles) == 1 else []):
        if found and found[0].chars >= _CONTENT_SHARE * body.chars:
            return found[0]
    return body


def _prune(top: Node, unwanted: Callable[[Node], bool], *, inside: bool) -> None:
    """Take elements out.

    Parameters
    ----------
    inside
        Whether elements of an article or section are looked at too.
    """
    waiting = [top]
    while waiting:
        node = waiting.pop()
        node.children = [c for c in node.children if isinstance(c, str) or not unwanted(c)]
        waiting += [
            c for c in node.children if isinstance(c, Node) and (inside or c.tag not in _CONTENT_TAGS)
        ]


def _is_named(node: Node) -> bool:
    told = f"{node.attribute('class')} {node.attribute('id')}"
    return any(word in _FURNITURE_WORDS for word in re.split(r"[^a-z]+", told.casefold()))


def _is_link_list(node: Node) -> bool:
    named = _is_named(node)
    if node.tag not in _LINK_LISTS or node.links < (1 if named else _LEAST_LINKS):
        return False
    short = node.link_chars <= _LONGEST_LINK * node.links
    return short and node.link_chars >= (_NAMED_LINK_SHARE if named else _LINK_SHARE) * node.chars
