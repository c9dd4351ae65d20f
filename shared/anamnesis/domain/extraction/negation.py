"""What a sentence says of a thing, without what it says that the thing is not or lacks, and without examples.

"A prokaryote is a cell without a nucleus" needs the idea of a cell; that of a nucleus it only keeps away. "A polymer is
a long molecule, such as starch" needs that of a molecule; who knows polymers may not know starch yet.
"""

from __future__ import annotations

import regex

from anamnesis.domain.extraction.cues import CueTable

#: Words that a negation reaches, and signs that end its reach in any case. Ours: a noun phrase with its adjectives.
_REACH_WORDS = 6
_SIGNS = r",;:.!?()\[\]،؛।。，、；：—–"
#: Possessive: a word is never read as several, so that a text takes time in proportion to its length. What stands
#: before a negation is read by the same pattern, from its end.
_REACH = regex.compile(rf"(?:\s*+[^\s{_SIGNS}]++){{0,{_REACH_WORDS}}}+")
#: How far the examples of a sentence reach: to the end of its clause.
_CLAUSE = regex.compile(r"[^;:.!?()\[\]؛।。；：—–]*+")
#: Languages whose negation follows what it negates (Hindi "नाभिक के बिना").
_FOLLOWS = frozenset({"hi", "tr", "ja", "ko"})
#: What turns "not" into "and also": "not only", "no solo".
_ONLY = regex.compile(
    r"\s+(?:only|just|merely|solo|sólo|solamente|apenas|somente|seulement|soltanto|nur|bloß|tylko|hanya|saja|только|yalnızca"
    r"|chỉ|केवल|सिर्फ|فقط)\b",
    regex.IGNORECASE,
)


def affirmed(sentence: str, table: CueTable) -> str:
    """`sentence` with a comma in the place of everything that it negates or names as an example."""
    sentence = _without_examples(sentence, table)
    if table.negations is None:
        return sentence
    follows = table.language in _FOLLOWS
    kept: list[str] = []
    start = 0
    for negation in table.negations.finditer(sentence):
        if negation.start() < start or _ONLY.match(sentence, negation.end()):
            continue
        if follows:
            kept.append(sentence[start : negation.start() - _reach(sentence[start : negation.start()][::-1])])
            start = negation.end()
        else:
            kept.append(sentence[start : negation.start()])
            start = negation.end() + _reach(sentence, negation.end())
    return ", ".join([*kept, sentence[start:]])


def _without_examples(sentence: str, table: CueTable) -> str:
    kept: list[str] = []
    start = 0
    for cue in table.examples.finditer(sentence) if table.examples else ():
        if cue.start() >= start:
            kept.append(sentence[start : cue.start()])
            clause = _CLAUSE.match(sentence, cue.end())
            start = clause.end() if clause else cue.end()
    return ", ".join([*kept, sentence[start:]])


def _reach(text: str, start: int = 0) -> int:
    """How many characters of `text` from `start` on a negation reaches."""
    reach = _REACH.match(text, start)
    return reach.end() - start if reach else 0
