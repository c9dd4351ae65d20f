"""Transcripts of lectures and films (WebVTT, SubRip) without their times."""

from __future__ import annotations

import regex

from anamnesis.domain.reading.pagination import plain_parts

_TIME = regex.compile(r"^\s*(?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{1,3} +-->")
_NUMBER = regex.compile(r"^\s*\d{1,7}\s*$")
_TAG = regex.compile(r"<[^<>\n]{0,100}>|\{\\[^{}\n]{0,100}\}")
#: Blocks of WebVTT that are not spoken (WebVTT 4.1), each up to the next blank line.
_UNSPOKEN = ("WEBVTT", "NOTE", "STYLE", "REGION")
_SENTENCE_END = regex.compile(r"[.!?…。！？؟।]['\"”’»)\]]*$")
#: Characters from which on a paragraph ends with its sentence, and with its line. Ours.
_PARAGRAPH_CHARS, _LONGEST_PARAGRAPH = 600, 1_500


def spoken_pages(text: str) -> list[str]:
    """Parts of what is said. A line that is shown twice in a row, as rolling captions do, is told once."""
    paragraphs: list[str] = []
    said, chars, last = [], 0, ""
    for line in _spoken(text):
        if line == last:
            continue
        last = line
        said.append(line)
        chars += len(line)
        if (chars >= _PARAGRAPH_CHARS and _SENTENCE_END.search(line)) or chars >= _LONGEST_PARAGRAPH:
            paragraphs.append(" ".join(said))
            said, chars = [], 0
    paragraphs.append(" ".join(said))
    return plain_parts("\n\n".join(one for one in paragraphs if one))


def _spoken(text: str) -> list[str]:
    lines = text.lstrip("\ufeff").split("\n")
    spoken = []
    silent, in_cue = False, False
    for place, line in enumerate(lines):
        if not line.strip():
            silent = in_cue = False
        elif _TIME.match(line):
            silent, in_cue = False, True
        elif not in_cue and (silent or line.startswith(_UNSPOKEN)):
            silent = True
        elif in_cue:
            words = " ".join(_TAG.sub("", line).split())
            if words:
                spoken.append(words)
        elif not _NUMBER.match(line) and not (place + 1 < len(lines) and _TIME.match(lines[place + 1])):
            # A file whose cues were cut apart by hand: what is no time, number or name of a cue is said.
            spoken.append(" ".join(_TAG.sub("", line).split()))
    return spoken
