"""What a sentence says of a thing, without what it says that the thing is not or lacks.

"A prokaryote is a cell without a nucleus" needs the idea of a cell; that of a nucleus it only keeps away.
"""

from __future__ import annotations

import regex

from anamnesis.domain.extraction.cues import CueTable

#: Words that a negation reaches, and signs that end its reach in any case. Ours: a noun phrase with its adjectives.
_REACH_WORDS = 6
_SIGNS = r",;:.!?()\[\]،؛।。，、；：—–"
_AFTER = regex.compile(rf"(?:\s*[^\s{_SIGNS}]+){{0,{_REACH_WORDS}}}")
_BEFORE = regex.compile(rf"(?:[^\s{_SIGNS}]+\s*){{0,{_REACH_WORDS}}}$")
#: Languages whose negation follows what it negates (Hindi "नाभिक के बिना").
_FOLLOWS = frozenset({"hi", "tr", "ja", "ko"})
#: What turns "not" into "and also": "not only", "no solo".
_ONLY = regex.compile(
    r"\s+(?:only|just|merely|solo|sólo|solamente|apenas|somente|seulement|soltanto|nur|bloß|tylko|hanya|saja|только|yalnızca"
    r"|chỉ|केवल|सिर्फ|فقط)\b",
    regex.IGNORECASE,
)


def affirmed(sentence: str, table: CueTable) -> str:
    """`sentence` with a comma in the place of everything that it negates."""
    if table.negations is None:
        return sentence
    follows = table.language in _FOLLOWS
    kept: list[str] = []
    start = 0
    for negation in table.negations.finditer(sentence):
        if negation.start() < start or _ONLY.match(sentence, negation.end()):
            continue
        if follows:
            reach = _BEFORE.search(sentence[start : negation.start()])
            kept.append(sentence[start : start + (reach.start() if reach else 0)])
            start = negation.end()
        else:
            kept.append(sentence[start : negation.start()])
            reach = _AFTER.match(sentence, negation.end())
            start = reach.end() if reach else negation.end()
    return ", ".join([*kept, sentence[start:]])
