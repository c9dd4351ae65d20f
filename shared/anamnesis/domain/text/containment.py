"""Content from students and files made safe for one line of the memory block (BL-8, SV-13).

Stored text is data. Whatever stands in it, one line of the block stays one line, and nothing in that line can pass for
a marker, a label or a heading of the block, for a turn of the conversation, or for a control token of a model. The
words stay readable: a student may well ask about "the end of memory".

Matching works on a *skeleton*: the text with each character replaced by the plain lower-case Latin letter or ASCII sign
that it looks like, of the same length as the text, so that a place in the skeleton is a place in the text. The idea is
that of UTS #39 (Unicode Security Mechanisms), section 4, cut down to the letters that our labels use.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache

import regex

#: Joins the words of a neutralised label. It is no gap for the label patterns, hence a second pass finds nothing.
JOINER = "·"
ELLIPSIS = "…"
#: Combining marks kept on one character: no orthography stacks more. Those of no script of their own ("zalgo") fewer.
MAX_MARKS = 8
MAX_INHERITED_MARKS = 4

#: Fixed wordings of the block that content must not repeat, in lower case.
LABELS = (
    "your memory of this student",
    "end of memory",
    "what you currently believe",
    "earlier work with this student",
    "the student is asking about their own record",
    "answer from the beliefs and the earlier work",
)
#: Labels that are ordinary words unless a bracket or colon follows.
PUNCTUATED_LABELS = (
    "subject map",
    "how to use this",
    "no record",
    "nothing matched",
    "limits of this memory",
    "checks without a concept",
)
ROLES = "system|assistant|user|human|ai|developer|tool|model|function|instructions?|prompt"

_INVISIBLE = regex.compile(
    r"""(?V1)
    (?P<keep>
        \U0001F3F4\U000E0067\U000E0062(?:\U000E0065\U000E006E\U000E0067|\U000E0073\U000E0063\U000E0074
            |\U000E0077\U000E006C\U000E0073)\U000E007F        # the three flags that are spelt with tag characters
      | [\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\U000110BD\U000110CD\U00013430-\U0001345F]  # visible format signs
      | (?<=[[\p{Arabic}\p{Syriac}\p{Mongolian}\p{Nko}\p{Mandaic}\p{Adlam}]&&[\p{L}\p{M}]])[\u200C\u200D\u180E]
            (?=[[\p{Arabic}\p{Syriac}\p{Mongolian}\p{Nko}\p{Mandaic}\p{Adlam}]&&\p{L}])
      | (?<=[\p{InSC=Virama}\p{InSC=Invisible_Stacker}])[\u200C\u200D]
      | (?<=[[\p{L}\p{M}]&&[\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}\p{Kannada}
            \p{Malayalam}\p{Sinhala}\p{Khmer}\p{Myanmar}\p{Thai}\p{Lao}\p{Tibetan}]])[\u200C\u200D]
            (?=[[\p{L}\p{M}]&&[\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}
            \p{Kannada}\p{Malayalam}\p{Sinhala}\p{Khmer}\p{Myanmar}\p{Thai}\p{Lao}\p{Tibetan}]])
      | (?<=[\p{Extended_Pictographic}\uFE0F\U0001F3FB-\U0001F3FF])\u200D(?=\p{Extended_Pictographic})
      | (?<=[\p{Extended_Pictographic}0-9#*])[\uFE0E\uFE0F]
      | (?<=[\u2205\u2229\u222A\u2268-\u22FF\u2A00-\u2A73\p{Han}\p{Myanmar}])[\uFE00-\uFE0D]
      | (?<=\p{Han})[\U000E0100-\U000E01EF]
      | (?<=\p{Mongolian})[\u180B-\u180D\u180F]
      | [\t\n\v\f\r\x1C-\x1F\x85]
    )
    | [\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]
    """,
    regex.VERBOSE,
)
#: Invisible characters that count as printable: with none of these, ``str.isprintable`` tells that nothing must go.
_INVISIBLE_MARK = regex.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U0001f3f4\U000e0100-\U000e01ef]"
)
_MARK_FLOOD = regex.compile(rf"(\p{{M}}{{{MAX_MARKS}}})\p{{M}}+")
_INHERITED_FLOOD = regex.compile(
    rf"(?V1)([\p{{Inherited}}&&\p{{M}}]{{{MAX_INHERITED_MARKS}}})[\p{{Inherited}}&&\p{{M}}]+"
)
#: Information separators, which Python takes for white space and Unicode does not.
_SEPARATORS = {0x1C: "\n", 0x1D: "\n", 0x1E: "\n", 0x1F: " "}
_LINE_BREAK = r"[\n\v\f\r\x85\u2028\u2029]"
#: What a line of Markdown may begin with, and a role label there.
_LINE_START = regex.compile(rf"(?P<before>^|{_LINE_BREAK})(?:\s|(?P<mark>[-*+•‣◦⁃−‐‑–#>＃＞－]++(?=\s|$)))++")
_GRAPHEME = regex.compile(r"\X")
MAX_GRAPHEME_CHARS = 64
#: One change may uncover another, such as a role label behind a heading; each pass takes structure away.
_MAX_PASSES = 6
#: Characters read beyond twice the wanted length, so that a label or tag is seen whole where the cut will fall.
_CONTEXT_CHARS = 1_000
_SPACES = regex.compile(r"\s{2,}|[\t\n\v\f\r\x85\u2028\u2029]")

_LOOK_ALIKES = {
    "a": "аαɑᴀԱ",
    "b": "вβьʙᏏ",
    "c": "сϲᴄⅽ",
    "d": "ԁᴅժⅾ",
    "e": "еεєᴇҽ℮",
    "f": "ꜰϝք",
    "g": "ɡɢց",
    "h": "һнηʜհ",
    "i": "іιıɪӏᎥ",
    "j": "јϳᴊ",
    "k": "кκᴋ",
    "l": "ʟⅼӏ",
    "m": "мμᴍⅿ",
    "n": "пɴոν",
    "o": "оοσᴏօ0",
    "p": "рρᴘ",
    "q": "ԛզ",
    "r": "гʀᴦ",
    "s": "ѕꜱտ",
    "t": "тτᴛ",
    "u": "υᴜսц",
    "v": "ѵᴠⅴ",
    "w": "ԝωᴡա",
    "x": "хχⅹ",
    "y": "уүγʏ",
    "z": "ᴢζ",
    "=": "═＝꞊⹀゠᐀〓≡⩵⩶═",
    ":": "：︰﹕꞉∶ː։׃",
    "<": "＜﹤",
    ">": "＞﹥",
    "|": "｜∣│ǀ",
    "(": "（﹙❨",
    "[": "［",
    "]": "］",
    "#": "＃﹟",
}
_PLAIN = {ord(like): plain for plain, likes in _LOOK_ALIKES.items() for like in likes}


class _Skeleton(dict[int, str]):
    """Table for ``str.translate`` that works a character out when first met; it stays below 0x110000 entries."""

    def __missing__(self, code: int) -> str:
        plain = _plain(chr(code))
        self[code] = plain
        return plain


def _plain(character: str) -> str:
    """Return the one ASCII or lower-case character that `character` looks like, or itself."""
    if (found := _PLAIN.get(ord(character))) is not None:
        return found
    code = ord(character)
    if 0x1F130 <= code <= 0x1F189:  # squared and negative circled capitals have no compatibility mapping
        return chr(0x61 + (code - 0x1F130) % 0x20) if (code - 0x1F130) % 0x20 < 26 else character
    if 0x1F1E6 <= code <= 0x1F1FF:  # regional indicators
        return chr(0x61 + code - 0x1F1E6)
    base = unicodedata.normalize("NFKD", character)
    if len(base) > 1 and base[1:].strip() and not all(unicodedata.combining(mark) for mark in base[1:]):
        base = base[:1] if base[0] != " " and not base[0].isalnum() else base.strip("() ")
    if len(base) == 0:
        return character
    lower = base[0].lower()[:1]
    return _PLAIN.get(ord(lower), lower) if len(base) == 1 or unicodedata.combining(base[1]) else character


_SKELETON = _Skeleton()
#: Between the letters of a label: up to two signs; between its words up to eight. Never the joiner.
_IN_WORD_LAZY = rf"[^\w{JOINER}]{{0,2}}"
_BETWEEN = rf"[^\w{JOINER}]{{0,8}}_?[^\w{JOINER}]{{0,4}}"


def _label_pattern(label: str) -> str:
    words = (_IN_WORD_LAZY.join(word) for word in label.split())
    return _BETWEEN.join(f"({word})" for word in words)


_LABELS = regex.compile("|".join(_label_pattern(label) for label in LABELS))
_PUNCTUATED = regex.compile(
    "|".join(rf"{_label_pattern(label)}(?=[^\w{JOINER}]{{0,3}}[(:\[])" for label in PUNCTUATED_LABELS)
    + rf"|{_label_pattern('no record for')}"
)
_RULE = regex.compile(r"=(?:[^\w=]{0,2}=){3,}")
_FENCE = regex.compile(r"`{3,}|~{4,}")
_ROLE = regex.compile(rf"(?<=(?:^|\n|•|[.!?…。！？।۔؟=\"”»')\]⟧›>\-|:])\s{{0,3}})(?P<role>{ROLES})\s?:")
#: What a line of the map says about a concept in brackets, where content could seem to say it.
_MAP_LABEL = regex.compile(
    r"(?<=(?:^|\n|[•.!?…。！？।۔؟\-:;\[(\](){}（）［］【】])\s{0,3})(?P<role>taught|builds\s{1,3}on|assumes)\s{0,3}:"
)
_INSTRUCTION_HEADING = regex.compile(rf"(?<!#)#++(?=\s*(?:{ROLES}|response|input|output))")
_CONTROL_TOKEN = regex.compile(
    r"<(?=[|｜])|(?<=\|)>|<<(?=/?sys\b)|(?<=\bsys)>>|\[(?=/?\s?inst\s?\])|(?<=\binst\s?)\]"
)
_TAG = regex.compile(r"<(?P<slash>\s?/\s?)?(?P<name>[a-z][\w:.\-]{0,63})(?P<rest>\s[^<>]{0,200})?/?\s?>")
#: Elements of HTML, SVG and MathML that students of those write about; they fake nothing of the block.
_MARKUP_NAMES = (
    "a abbr article aside audio b blockquote body br button canvas caption center circle cite code col dd del details "
    "dfn div dl dt em fieldset figcaption figure font footer form frame g h1 h2 h3 h4 h5 h6 head header hr html i "
    "iframe img input ins kbd label legend li line link main mark math menu meta mfrac mi mn mo mrow msub msup nav ol "
    "optgroup option p path pre q rect script section select small span strong style sub summary sup svg table tbody "
    "td template text textarea tfoot th thead title tr track tt u ul var video wbr"
)
_MARKUP = frozenset(_MARKUP_NAMES.split())
#: Names whose opening tag alone already speaks to a model.
_LOADED = regex.compile(
    r"s|bos|eos|pad|unk|mask|(?:.*[_:\-])?(?:memory|think|thinking|reasoning|scratchpad|reflection|system|assistant|"
    r"user|human|developer|instructions?|prompt|context|documents?|messages?|tools?|tool_(?:call|use|result)s?|"
    r"functions?|function_(?:calls?|results?)|results?|answer|response|role|turn|im_start|im_end|admin|override|"
    r"policy|rules?|invoke|parameter)(?:[_:\-].*)?"
)
_BRACKETS: Mapping[str, str] = {"<": "‹", ">": "›", "[": "⟦", "]": "⟧"}


def contained(text: str, *, max_chars: int | None = None) -> str:
    """Make `text` safe to stand in one line of the memory block (BL-8, SV-13).

    Line breaks become spaces; control, format, bidi, private-use, surrogate and needless zero-width characters go;
    floods of combining marks are bounded; block markers and labels (in any case, width, look-alike or spacing),
    Markdown line starts, role labels, control tokens of models and XML-like tags are changed so that they fake nothing,
    with their words still readable. Ordinary text of any language, maths and code stay as they are. Idempotent; linear
    time.

    Parameters
    ----------
    max_chars
        Longest result in characters (code points), at least 1; longer ones are cut on a grapheme boundary and end in an
        ellipsis. None cuts nothing.

    Returns
    -------
    str
        One line without leading or trailing space; empty when nothing readable is left.

    Raises
    ------
    ValueError
        If `max_chars` is below 1.
    """
    if max_chars is not None and max_chars < 1:
        raise ValueError("max_chars must be at least 1")
    visible = text
    if not text.isprintable() or _INVISIBLE_MARK.search(text):
        visible = _INVISIBLE.sub(lambda match: match["keep"] or "", text).translate(_SEPARATORS)
    visible = _MARK_FLOOD.sub(r"\1", visible)
    visible = _INHERITED_FLOOD.sub(r"\1", visible)
    lines = _LINE_START.sub(_line_joint, visible)
    cut = max_chars is not None and len(lines) > 2 * max_chars + _CONTEXT_CHARS
    if max_chars is not None and cut:
        lines = lines[: 2 * max_chars + _CONTEXT_CHARS]
    line: str = _SPACES.sub(" ", _without_structure(lines)).strip()
    if max_chars is not None and (cut or len(line) > max_chars):
        line = _cut(line, max_chars)
    return line


def without_map_labels(text: str) -> str:
    """`text` whose words cannot pass for what a line of the map says of a concept ("taught:", "builds on:").

    Apart from ``contained``, which whole lines of the map go through as well.
    """
    return _replaced(
        text,
        text.translate(_SKELETON),
        _MAP_LABEL,
        lambda match, found: f"{found[: match.end('role') - match.start()]} –",
    )


def _line_joint(match: regex.Match[str]) -> str:
    """Join two lines without the Markdown start of the second; the items of a list stay apart by a bullet."""
    if not match["before"]:
        return ""
    mark: str | None = match["mark"]
    return "\n• " if mark and mark[0] not in "#＃>＞" else "\n"


def _replaced(
    line: str, skeleton: str, pattern: regex.Pattern[str], new: Callable[[regex.Match[str], str], str]
) -> str:
    """Replace what `pattern` finds in the skeleton by ``new(match, text at the match)``."""
    parts: list[str] = []
    last = 0
    for match in pattern.finditer(skeleton):
        start, end = match.span()
        parts.append(line[last:start])
        parts.append(new(match, line[start:end]))
        last = end
    parts.append(line[last:])
    return "".join(parts)


def _joined_words(match: regex.Match[str], found: str) -> str:
    """Put the joiner between the words of a label; spaced-out letters close up."""
    start = match.start()
    words = [
        "".join(c for c in found[match.start(g) - start : match.end(g) - start] if c.isalnum() or c.isalpha())
        for g in range(1, len(match.groups()) + 1)
        if match[g] is not None
    ]
    return JOINER.join(words)


def _bracketed(_match: regex.Match[str], found: str) -> str:
    return "".join(_BRACKETS.get(_SKELETON[ord(c)], c) for c in found)


def _tag(skeleton: str) -> Callable[[regex.Match[str], str], str]:
    """Tell the tags that fake a structure from those of ordinary markup, generics and headers."""
    closed = {match["name"] for match in _TAG.finditer(skeleton) if match["slash"]}

    def changed(match: regex.Match[str], found: str) -> str:
        name = match["name"]
        fakes = _LOADED.fullmatch(name) or (name in closed and name not in _MARKUP)
        return _bracketed(match, found) if fakes else found

    return changed


def _without_structure(line: str) -> str:
    """Neutralise what could pass for structure of the block, of a conversation or of a prompt."""
    for _ in range(_MAX_PASSES):
        changed = _one_pass(line)
        if changed == line:
            break
        line = changed
    return line


def _one_pass(line: str) -> str:
    skeleton = line.translate(_SKELETON)
    for needs, pattern, new in _STEPS:
        if not needs(skeleton):
            continue
        changed = _replaced(line, skeleton, pattern, new)
        if changed != line:
            line, skeleton = changed, changed.translate(_SKELETON)
    return _replaced(line, skeleton, _TAG, _tag(skeleton)) if "<" in skeleton else line


def _holds(signs: str) -> Callable[[str], bool]:
    """Tell cheaply whether a pattern can match at all: nearly all lines hold none of these signs."""
    return lambda skeleton: any(sign in skeleton for sign in signs)


_COMPACT_LABELS = tuple(label.replace(" ", "") for label in (*LABELS, *PUNCTUATED_LABELS))


@lru_cache(maxsize=2)  # two steps ask it of one line, one after the other
def _holds_label(skeleton: str) -> bool:
    """Tell cheaply whether the letters of a label stand in a row, whatever stands between them."""
    letters = "".join(filter(str.isalpha, skeleton))
    return any(label in letters for label in _COMPACT_LABELS)


_STEPS: tuple[
    tuple[Callable[[str], bool], regex.Pattern[str], Callable[[regex.Match[str], str], str]], ...
] = (
    (_holds("="), _RULE, lambda _match, _found: "==="),
    (_holds("`~"), _FENCE, lambda _match, found: found[0]),
    (_holds("#"), _INSTRUCTION_HEADING, lambda _match, _found: ""),
    (_holds_label, _LABELS, _joined_words),
    (_holds_label, _PUNCTUATED, _joined_words),
    (_holds("<>[]"), _CONTROL_TOKEN, _bracketed),
    (_holds(":"), _ROLE, lambda match, found: f"{found[: match.end('role') - match.start()]} –"),
)


def _cut(line: str, max_chars: int) -> str:
    """Cut to `max_chars` characters on a grapheme boundary (UAX #29), the ellipsis included."""
    room = max_chars - len(ELLIPSIS)
    end = 0
    for grapheme in _GRAPHEME.finditer(line, 0, max_chars + MAX_GRAPHEME_CHARS):
        if grapheme.end() > room:
            break
        end = grapheme.end()
    return line[:end].rstrip().rstrip("\u200c\u200d") + ELLIPSIS
