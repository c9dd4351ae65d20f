"""Which stretch of a sentence is the name of an idea: reading a term to the left or to the right of a cue."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from anamnesis.domain.extraction.cues import CueTable

#: Longest name in words; key terms of textbooks have one to four, a few have up to seven.
MAX_TERM_WORDS = 7
_MAX_CONTENT_WORDS = 5
#: A number of so many digits is a figure or a year, not part of a name ("carbon 14").
_LEAST_FIGURE_DIGITS = 3
#: How often a name that begins with a plain adjective stands in the text at least ("general relativity").
_LEAST_FIXED = 3
#: Linkers that bind what follows to the name ("rate of change"), unlike those of place ("osmosis in plants").
TIGHT = frozenset({"of", "de", "del", "di", "do", "da", "du", "des", "d'", "von"})
_TOKEN = regex.compile(
    r"[\p{L}\p{M}\p{N}]+(?:['’ʼ·\u200c\u200d‑–-]+[\p{L}\p{M}\p{N}]+)*['’]?|[^\s\p{L}\p{M}\p{N}]"
)
#: An elided article or preposition is a word of its own: "l'osmose", "dell'acqua".
_ELISION = regex.compile(
    r"(?<![\p{L}\p{M}])((?:[ldcsnjmt]|qu|un|dell|all|nell|sull|dall|quest)['’])(?=\p{L})", regex.IGNORECASE
)
_ELIDING = frozenset({"fr", "it", "ca"})
_EMPHASIS = regex.compile(r"\*{1,3}|(?<![\p{L}\p{N}])_{1,3}|_{1,3}(?![\p{L}\p{N}])|`")
QUOTES = "\"“”„«»‚‘’'‹›「」『』"
_TRAILING_BRACKET = regex.compile(r"\s*[(\[（]([^()\[\]（）]{1,80})[)\]）]\s*$")
_APPOSITIVE = regex.compile(r"^(.{2,80}?),\s[^,]{2,90},\s*$")


def plain(text: str) -> str:
    """`text` without Markdown emphasis."""
    return str(_EMPHASIS.sub("", text))


def tokens(text: str, table: CueTable) -> list[str]:
    """Words and single signs of a text; elided articles stand alone in the languages that have them."""
    if table.language in _ELIDING:
        text = _ELISION.sub(r"\1 ", text)
    return list(_TOKEN.findall(text))


def is_word(token: str) -> bool:
    """Whether a token is a word rather than a sign."""
    return token[0].isalnum()


def joined(words: Sequence[str]) -> str:
    """Words as a name; an elided article takes no space behind it."""
    return str(regex.sub(r"(?<=\p{L}['’]) ", "", " ".join(words)))


def is_name(words: Sequence[str], table: CueTable, *, defined: bool = False) -> bool:
    """Whether these words can name an idea: content words, function words only where the language links them.

    Parameters
    ----------
    defined
        Whether the text says what they name: then a plain word can be a name too (``CueTable.terms``), and an article
        or an adjective may stand inside one ("order of a reaction", "law of large numbers").
    """
    terms = table.terms if defined else frozenset[str]()
    # "pH" is no "ph": a capital inside a word makes it a sign of its own.
    folded = [
        word if word[1:] != word[1:].lower() and word[0].islower() else word.casefold() for word in words
    ]
    if not words or len(words) > MAX_TERM_WORDS or not all(is_word(word) for word in words):
        return False
    content = [word for word in folded if word in terms or not _is_function(word, table)]
    if not content or len(content) > _MAX_CONTENT_WORDS or folded[0] not in content or _is_figure(words):
        return False
    if folded[-1] not in content and folded[-1] != "się":
        return False
    inside = table.linkers | table.articles | table.openers if defined else table.linkers
    if any(word not in content and word not in inside for word in folded):
        return False
    plain_words = table.generic - terms
    if (
        (not defined and _is_verb_form(folded, table))
        or folded[0] in table.openers - terms
        or " ".join(folded) in plain_words
        or all(word in plain_words for word in content)
    ):
        return False
    return any(len(word) > 2 or not word.isascii() or word[-1].isupper() for word in words) and any(
        char.isalpha() for char in content[0]
    )


def _is_verb_form(words: Sequence[str], table: CueTable) -> bool:
    ending = table.no_name_ending
    return ending is not None and len(words) == 1 and ending.search(words[0]) is not None


def _is_figure(words: Sequence[str]) -> bool:
    numbers = [word for word in words if word.isdigit()]
    return len(numbers) > 1 or any(len(number) >= _LEAST_FIGURE_DIGITS for number in numbers)


def _is_function(word: str, table: CueTable) -> bool:
    return word in table.stops or word in table.articles or word in table.linkers


def without_articles(words: Sequence[str], table: CueTable) -> list[str]:
    """Words without leading articles."""
    start = 0
    while start < len(words) and words[start].casefold().replace("’", "'") in table.articles:
        start += 1
    return list(words[start:])


def _as_defined(part: Sequence[str], table: CueTable, counts: dict[str, int] | None = None) -> list[str]:
    """The words of a subject whose sentence says what it is, without articles; none where they cannot name it.

    "A function is …" speaks of any, "the function is …" mostly of the one at hand. An adjective such as "small" begins
    a name that comes back ("small intestine").
    """
    words = without_articles(part, table)
    if not is_name(words, table, defined=True) and not _is_fixed(words, table, counts or {}):
        return []
    one = words[0].casefold() if len(words) == 1 else ""
    articles = {word.casefold() for word in part[: len(part) - len(words)]}
    definite = table.indefinite and articles - table.indefinite
    return [] if definite and one in table.generic - table.definite_terms else words


def _is_fixed(words: Sequence[str], table: CueTable, counts: dict[str, int]) -> bool:
    """Whether a plain adjective and the name behind it come back as one."""
    rest = words[1:]
    return (
        bool(rest)
        and words[0].casefold() in table.openers
        and rest[-1].casefold() not in table.generic
        and is_name(rest, table, defined=True)
        and counts.get(" ".join(words).casefold(), 0) >= _LEAST_FIXED
    )


def terms_before(
    left: str, table: CueTable, counts: dict[str, int] | None = None, *, defined: bool = False
) -> tuple[list[list[str]], str, bool]:
    """Term that ends where a cue begins: the whole clause before it must be its name; "X and Y" gives two.

    Parameters
    ----------
    counts
        How often phrases (casefolded) recur in the text.
    defined
        Whether what follows says what its subject is; see ``is_name``.

    Returns
    -------
    tuple
        The names, none when the clause is no name; what stood in brackets behind them ("(ER)"), or ""; and whether they
        open the sentence.
    """
    bracket = _TRAILING_BRACKET.search(left)
    aside = bracket[1] if bracket else ""
    if bracket:
        left = left[: bracket.start()]
    left = left.rstrip(" –—-")
    appositive = _APPOSITIVE.match(left.strip())
    clauses = [appositive[1]] if appositive else []
    # The last clause too: "In biology, osmosis is …".
    clauses.append(regex.split(r"[,;:，；：—]\s|\s[–-]\s", left)[-1])
    for clause in clauses:
        read = [t for t in tokens(clause.strip(" " + QUOTES + ",–—-"), table) if t not in QUOTES]
        parts = _at_conjunctions(read, table)
        if defined:
            names = [_as_defined(part, table, counts) for part in parts]
        else:
            names = [words for part in parts if is_name(words := without_articles(part, table), table)]
        if names and len(names) == len(parts) and all(names):
            return names, aside, clause is clauses[0] and (appositive is not None or clause == left)
    return [], aside, False


def _at_conjunctions(read: Sequence[str], table: CueTable) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for token in read:
        if token.casefold() in table.conjunctions and parts[-1]:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts if len(parts) <= 2 else []


def terms_after(
    right: str, table: CueTable, counts: dict[str, int] | None = None, *, defined: bool = False
) -> list[list[str]]:
    """Terms that begin where a cue ends: up to a function word or a sign; "X or Y" gives two.

    Parameters
    ----------
    counts
        How often phrases (casefolded) recur in the text; decides how far a name reaches where no sign ends it.
    defined
        Whether the sentence gives something its name, so that a plain word before a sign is one ("is called a set.").
    """
    right = right.lstrip(" :,")
    if right[:1] in QUOTES and right:
        quoted = regex.match(rf"[{QUOTES}]([^{QUOTES}]{{2,80}})[{QUOTES}]", right)
        if quoted:
            words = without_articles(tokens(quoted[1].rstrip(",.;:"), table), table)
            return [words] if is_name(words, table) else []
    read = tokens(right[:200], table)
    if defined and (plain_word := _plain_word(read, table)):
        return [plain_word]
    found: list[list[str]] = []
    start = 0
    while start < len(read) and len(found) < 3:
        words, end = _one_term(read, start, table)
        name = _recurring(words, table, counts, bounded=end < len(read) and not is_word(read[end]))
        if not is_name(name, table):
            break
        found.append(name)
        if end >= len(read) or read[end].casefold() not in _ALTERNATIVES | table.conjunctions:
            break
        start = end + 1
    return found


def _plain_word(read: Sequence[str], table: CueTable) -> list[str]:
    """The single plain word, with its article before it and a sign behind it, that these tokens begin with."""
    end = next((i for i, token in enumerate(read) if not is_word(token)), len(read))
    words = without_articles(read[:end], table)
    if len(words) != 1 or words[0].casefold() not in table.terms:
        return []
    return _as_defined(read[:end], table)


_ALTERNATIVES = frozenset(
    ["or", "/", "o", "u", "ou", "oder", "lub", "albo", "czyli", "atau", "या", "أو", "или", "veya", "hoặc"]
)


def _one_term(read: Sequence[str], start: int, table: CueTable) -> tuple[list[str], int]:
    while start < len(read) and (read[start].casefold() in table.articles or read[start] in QUOTES):
        start += 1
    end = start
    while end < len(read) and end - start < MAX_TERM_WORDS and is_word(read[end]):
        word = read[end].casefold()
        if _is_function(word, table) and word not in table.linkers:
            break
        if word in _ALTERNATIVES:
            break
        end += 1
    words = list(read[start:end])
    while words and _is_function(words[-1].casefold(), table) and words[-1].casefold() != "się":
        words.pop()
    return words, end


def _recurring(
    words: list[str], table: CueTable, counts: dict[str, int] | None, *, bounded: bool
) -> list[str]:
    """How far a name reaches: to the first linking word, or beyond it as far as the text repeats the phrase.

    A run of more than three words that no sign ends is cut to its longest beginning that recurs: the rest is likely
    what happens to the thing ("sister chromatids attach").
    """
    links = [i for i, word in enumerate(words) if word.casefold() in table.linkers and word != "się"]
    # "Juntas de Revisión Institucional": capitals on both sides make one name.
    links = [i for i in links if not (words[0][0].isupper() and words[-1][0].isupper())]
    first = links[0] if links else len(words)
    if bounded and len(words) <= _MAX_CONTENT_WORDS and all(words[i].casefold() in TIGHT for i in links):
        return words
    if counts is None or (first == len(words) and (len(words) <= 2 or (bounded and len(words) <= 4))):
        return words
    for length in range(len(words), 1, -1):
        if is_name(words[:length], table) and counts.get(" ".join(words[:length]).casefold(), 0) >= 2:
            return words[:length]
    return words[: min(first, 3)]


#: How often a name stands at least, as a share of its words without the first: "involve marginal analysis" is rare
#: beside "marginal analysis".
_LEAST_SHARE = 1 / 3


def _is_whole(words: Sequence[str], counts: dict[str, int]) -> bool:
    own = counts.get(" ".join(words).casefold(), 0)
    shorter = counts.get(" ".join(words[1:]).casefold(), 0) if len(words) > 2 else 0
    return own >= 2 and own >= _LEAST_SHARE * shorter


def last_term(left: str, table: CueTable, usual: int = 4, counts: dict[str, int] | None = None) -> list[str]:
    """Name that ends where a cue begins.

    Parameters
    ----------
    usual
        Words that it has where nothing else is known: those of its other name.
    counts
        How often phrases recur; a longer run that recurs is the whole name ("rozkład wzmocnień o stałych odstępach").
    """
    # "X (another name) (its foreign name)": the name stands before all brackets.
    while (bracket := _TRAILING_BRACKET.search(left)) is not None:
        left = left[: bracket.start()]
    run: list[str] = []
    for token in reversed([token for token in tokens(left[-200:], table) if token not in QUOTES]):
        folded = token.casefold()
        if len(run) == MAX_TERM_WORDS or not token[0].isalnum():
            break
        if folded in table.articles or (folded in table.stops and folded not in table.linkers):
            break
        run.insert(0, token)
    if counts is not None:
        for start in range(len(run)):
            longest = run[start:]
            if len(longest) > 1 and is_name(longest, table) and _is_whole(longest, counts):
                return longest
    linked = [i for i, word in enumerate(run) if word.casefold() in table.linkers and word != "się"]
    words = run[linked[-1] + 1 if linked else 0 :][-max(1, usual) :]
    while words and not is_name(words, table):
        words.pop(0)
    return words
