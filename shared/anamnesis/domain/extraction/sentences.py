"""Sentences of a block, as definitions are looked for in them.

Not those of ``domain.text.sentences``, which finds them in any text, with their places, for answers and wikis: here a
text is one block of a page on one line, what chapters are printed with is left out (marks of notes, a heading run into
its paragraph), and a sentence in Thai ends where a definition begins.
"""

from __future__ import annotations

import regex

#: A longer "sentence" is a list or a table that lost its signs; its beginning is read.
_MAX_SENTENCE_CHARS = 1_500
#: Abbreviations whose full stop ends no sentence, in the languages of the cue tables.
_ABBREVIATED = (
    r"e\.g|i\.e|etc|vs|cf|ca|np|m\.in|tzw|tzn|p\.ej|z\.B|d\.h|bzw|Dr|Mr|Mrs|St|Fig|No|al|approx|ej|ex|dll|dsb"
    r"|др|т\.е"
)
#: A German ordinal, whose full stop ends no sentence though a capital follows: behind an article ("der 2. Hauptsatz",
#: "im 18. Jahrhundert"), or before a century or a month, as other languages of Europe write them too.
_ORDINAL = (
    r"(?<!(?<![\p{L}\p{N}])(?i:der|die|das|des|dem|den|am|im|zum|zur|vom|beim|seit dem|bis zum)\s\p{Nd}{1,2}\.)"
    r"(?!(?<=(?<![\p{L}\p{N}.])\p{Nd}{1,2}\.)\s(?:Jahrh|Jh\b|Januar|Februar|März|April|Mai\b|Juni|Juli|August|Septem"
    r"|Oktober|Novem|Dezem|Yüzyıl|Ocak|Şubat|Mart\b|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık))"
)
#: A mark of a footnote, which is no part of either sentence: "[1]", "[^1]", a raised figure, or figures that stand
#: right behind a full stop after a word ("of its domain.1 A coefficient"), where a decimal has a figure before it.
_NOTE_MARK = (
    r"(?:\[\^?[\p{L}\p{N}]{1,12}\]|[¹²³⁰⁴-⁹†‡]{1,3}|(?<=\p{L}[)\]'’”]?[.!?।。]['’”)\]]?)\p{Nd}{1,3}(?=\s|$))"
)
_SENTENCE_END = regex.compile(
    rf"(?<=[.!?]['\"”’»)\]]{{0,2}})(?<!\b\p{{L}}\.)(?<!\b(?:{_ABBREVIATED})\.){_ORDINAL}{_NOTE_MARK}{{0,3}}\s+"
    rf"(?=[\p{{Lu}}\p{{Lo}}\p{{N}}\"“„«¿¡(*_])|(?<=[।。！？؟]){_NOTE_MARK}{{0,3}}\s*(?=\S)"
    # Thai ends a sentence with a space alone: where a name and its verb "is" follow, one has ended.
    r"|(?<=\p{Thai})\s+(?=\p{Thai}{2,40}+(?:\s?\([^()]{1,40}\))?\s(?:คือ|หมายถึง)\s)"
    r"|(?<=\p{Thai})\s+(?=(?:(?!คือ|หมายถึง)\p{Thai}){2,40}(?:คือ|หมายถึง)(?!\s|$))"
)
_FINAL_NOTE = regex.compile(rf"(?<=[.!?।。！？؟]['\"”’»)\]]{{0,2}}){_NOTE_MARK}{{1,3}}\s*$")

_HEADED_TWICE = regex.compile(r"^(\p{Lu}[\p{L}\p{M}\p{N} -]{2,60}?)\s+(?=\1\s)")


def sentences(text: str) -> list[str]:
    """Sentences of a block; abbreviations, initials and decimals do not end one.

    A heading that was run into its paragraph ("Transcription Transcription is …") is left out where the sentence says
    it again.
    """
    return [
        _HEADED_TWICE.sub("", _FINAL_NOTE.sub("", sentence))[:_MAX_SENTENCE_CHARS]
        for part in _SENTENCE_END.split(text)
        if (sentence := part.strip())
    ]
