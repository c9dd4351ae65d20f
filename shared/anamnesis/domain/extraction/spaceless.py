"""Marked terms of Chinese, Japanese, Korean and Thai, where it reaches from one cue, bracket or sign to the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from anamnesis.domain.extraction.blocks import Block, BlockKind
from anamnesis.domain.extraction.cues import CueTable
from anamnesis.domain.extraction.definitions import code_spans, listed
from anamnesis.domain.extraction.mentions import Cue, Mention
from anamnesis.domain.extraction.sentences import sentences
from anamnesis.domain.extraction.terms_in_text import plain
from anamnesis.domain.reading.section_headings import is_section_heading

#: A term: two to twelve characters, Latin words and digits among them, no punctuation.
_TERM = r"[\p{Han}\p{Hiragana}\p{Katakana}ー・\p{Hangul}\p{Latin}\p{N}々〆-]{2,14}"
#: Up to three words, the earlier ones without a particle at their end; lazy, for particles join the last one.
_KOREAN_TERM = (
    r"(?:[\p{Hangul}\p{Latin}\p{N}]+(?<![을를은는이가에의로와과고며한된]) ){0,2}"
    r"[\p{Hangul}\p{Latin}\p{N}]{2,}?"
)
_JAPANESE_TERM = r"(?:(?![をはがに])[\p{Han}\p{Hiragana}\p{Katakana}ー・\p{Latin}\p{N}々〆-]){2,14}"
#: Thai writes its vowels and tones as signs of their own, and puts spaces between phrases.
_THAI_TERM = r"[\p{Thai}]{2,40}?"
_BRACKET = r"(?:\s*[(（][^()（）]{1,40}[)）])?"
_MOST_SIGNS, _MOST_THAI_SIGNS = 20, 40
_QUOTES = '「『“‘"《'
_CLOSING = '」』”’"》'
_EMPHASISED = regex.compile(r"(\*{1,3}|_{2})([^*_\n]{2,40}?)\1")
_ENTRY = regex.compile(
    rf"^\**_*({_TERM}|{_KOREAN_TERM}|{_THAI_TERM}|\p{{Han}})\**_*{_BRACKET}\**\s*(?:[:：]|——?|\s[–-]\s)\s*(\S.{{3,}})$"
)
_QUOTED = regex.compile(rf"[「『“]({_TERM}|{_KOREAN_TERM})[」』”]")
#: How a sentence ends that says of what class its subject is: "… 的过程。", "… である。", "… 이다.".
_SAYS_WHAT = regex.compile(
    r"(?:的\p{Han}{1,6}|である|です|をいう|を指す|のことだ|[\p{Hangul}](?:이다|입니다|을 말한다|를 말한다))[。.]?$"
)
#: Hangul syllables are ordered by consonant and vowel, 28 to each: the first without a final consonant.
_FIRST_SYLLABLE, _SYLLABLES_OF_A_VOWEL = 0xAC00, 28
_FUNCTION = regex.compile(
    r"^[\p{Hiragana}]+$|[\p{Hiragana}]{3}$|[はをがのにでもへと]$|^[はをがのにでもへと]"
    r"|[的了着过是在和与就都也不]$|^[的了是在和与就都也不把被]|^[它他她这那這我你您其该該此每某]"
)


def mentions(blocks: Sequence[Block], table: CueTable) -> Iterator[Mention]:
    """Every marked term of the blocks, in reading order."""
    patterns = _patterns(table)
    for order, block in enumerate(blocks):
        if block.term:
            yield from listed(block, order)
            continue
        if block.kind is BlockKind.HEADING:
            name = regex.sub(r"^[\d.\s第章节節]+|[(（].*", "", plain(block.text)).strip()
            if not is_section_heading(block.text) and _is_name(name, table):
                yield Mention(name, Cue.HEADING, block.page, order)
            continue
        if not block.explains:
            continue
        code = code_spans(block)
        yield from (m for m in _in_text(block, order, table, patterns) if m.term not in code)


def _in_text(
    block: Block, order: int, table: CueTable, patterns: Sequence[tuple[regex.Pattern[str], Cue]]
) -> Iterator[Mention]:
    entry = _ENTRY.match(plain(block.text))
    if (
        entry
        and (block.glossary or block.kind is BlockKind.ITEM or block.text.startswith("*"))
        and _is_name(entry[1], table, least=1)
    ):
        yield Mention(entry[1], Cue.GLOSSARY, block.page, order, plain(block.text))
    for raw in sentences(block.text):
        sentence = plain(raw)
        for match in _EMPHASISED.finditer(raw):
            if _is_name(match[2], table):
                yield Mention(match[2].strip(), Cue.EMPHASIS, block.page, order, sentence)
        if sentence.endswith(("？", "?", "吗。")):
            continue
        for pattern, cue in [*patterns, (_QUOTED, Cue.QUOTED)]:
            kind = Cue.DEFINITION if cue is Cue.WEAK_DEFINITION and _SAYS_WHAT.search(sentence) else cue
            terms = [
                term
                for match in pattern.finditer(sentence)
                if _is_name(
                    term := _without_particle(match[1].strip(), sentence[match.end(1) :], table), table
                )
            ]
            yield from (Mention(term, kind, block.page, order, sentence) for term in terms)
        one = _of_one_sign(sentence, table)
        if one:
            yield Mention(one, Cue.DEFINITION, block.page, order, sentence)


def _without_particle(term: str, behind: str, table: CueTable) -> str:
    """`term` without the first syllable of Korean "이란", which follows a consonant: "군이란" is 군, "차이란" 차이."""
    if table.language != "ko" or len(term) < 2 or term[-1] != "이" or not behind.startswith("란"):
        return term
    ends_in_consonant = (ord(term[-2]) - _FIRST_SYLLABLE) % _SYLLABLES_OF_A_VOWEL != 0
    return term[:-1] if ends_in_consonant else term


def _of_one_sign(sentence: str, table: CueTable) -> str:
    """Name of one character whose sentence says what it is from its beginning on ("力是…的原因"); else ""."""
    name = sentence.lstrip(_QUOTES)[:1]
    if regex.fullmatch(r"[\p{Han}\p{Hangul}]", name) is None or name in table.generic or name in table.stops:
        return ""
    said = sentence.lstrip(_QUOTES)[1:].lstrip(_CLOSING)
    cue = next((cue for cue in table.subject_cues if said.startswith(cue)), "")
    plain_cue = cue in _WEAK_SUBJECT_CUES
    return (
        name if cue and (not plain_cue or _SAYS_WHAT.search(sentence)) and not _FUNCTION.search(name) else ""
    )


def _patterns(table: CueTable) -> list[tuple[regex.Pattern[str], Cue]]:
    term = _KOREAN_TERM if table.language == "ko" else _TERM
    lazy = term.replace("{2,14}", "{2,14}?") if table.language != "ko" else term
    prefixes = "|".join(table.topic_prefixes)
    start = rf"(?:^|[。，、；：,;:]\s*)(?:{prefixes})?+" if prefixes else r"(?:^|[。，、；：,;:]\s*)"
    found = []
    gap = r"\s?" if table.language == "th" else ""
    if table.language == "th":
        term = lazy = _THAI_TERM
        start = r"(?:^|[\s,;:.])"
    if table.language == "ja":
        # The object and topic particles end a noun; within a name they hardly ever stand.
        term = _JAPANESE_TERM
        lazy = term.replace("{2,14}", "{2,14}?")
    strong = [cue for cue in table.subject_cues if cue not in _WEAK_SUBJECT_CUES]
    weak = [cue for cue in table.subject_cues if cue in _WEAK_SUBJECT_CUES]
    for cues, kind in ((strong, Cue.DEFINITION), (weak, Cue.WEAK_DEFINITION)):
        if cues:
            # "指定" is "appoint", not "mean".
            ends = "|".join(
                regex.escape(cue) + ("(?![定出导導数數标標向令明])" if cue == "指" else "") for cue in cues
            )
            found.append(
                (
                    regex.compile(
                        rf"{start}[{_QUOTES}]?({lazy})[{_CLOSING}]?{_BRACKET}[，、,]?{gap}(?:{ends})"
                    ),
                    kind,
                )
            )
    if table.names_before:
        begins = "|".join(map(regex.escape, table.names_before))
        found.append(
            (
                regex.compile(
                    rf"(?:{begins}){gap}[{_QUOTES}]?({term})(?=[{_CLOSING}。，、；,;（(]|{gap and '[ .]|'}$)"
                ),
                Cue.NAMING,
            )
        )
    if table.names_after:
        ends = "|".join(map(regex.escape, table.names_after))
        before = r"[をは、，,\s]" if table.language == "ja" else r"\s"
        found.append((regex.compile(rf"(?:{before}|[{_QUOTES}])({lazy})[{_CLOSING}]?(?:{ends})"), Cue.NAMING))
    return found


#: Cues that mark the topic of any sentence, definitions among them.
_WEAK_SUBJECT_CUES = frozenset({"は", "は、", "은", "는", "是", "就是", "指", "表示"})


def _is_name(text: str, table: CueTable, *, least: int = 2) -> bool:
    name = text.strip()
    most = _MOST_THAI_SIGNS if table.language == "th" else _MOST_SIGNS
    if not least <= len(name) <= most or name in table.generic or not any(c.isalpha() for c in name):
        return False
    if any(name.startswith(word) for word in table.generic if len(word) > 1) or _FUNCTION.search(name):
        return False
    return name not in table.stops
