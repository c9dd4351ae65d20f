"""What kind of mistake a wrong name is, told by where it stands in its chapter."""

from __future__ import annotations

from collections.abc import Sequence

from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.extraction.blocks import BlockKind, blocks
from anamnesis_tools.bench.files.key_terms import Chapter

KINDS = ("heading", "person", "example", "exercise", "caption", "other")


class Places:
    """Where the names of a chapter stand, to tell what kind of error a wrong one is."""

    def __init__(self, chapter: Chapter) -> None:
        read_blocks = list(blocks(chapter.document.pages, markdown=True))
        self._headings = {canonical_key(b.text) for b in read_blocks if b.kind is BlockKind.HEADING}
        self._explaining = [b.text for b in read_blocks if b.explains and b.kind is not BlockKind.HEADING]
        silent = [b.text for b in read_blocks if not b.explains and b.kind is not BlockKind.HEADING]
        self._captions = [text for text in silent if text.startswith("[")]
        self._exercises = [text for text in silent if not text.startswith("[")]

    def kind(self, name: str) -> str:
        """Kind of a wrong name.

        A *heading* is one of the chapter's headings, a *person* has only capitalised words wherever it stands inside
        the text, an *example* stands only in sentences that give one, an *exercise* or a *caption* stands nowhere else.
        """
        folded = name.casefold()
        told = [text for text in self._explaining if folded in text.casefold()]
        if canonical_key(name) in self._headings:
            return "heading"
        if told and _is_person(name, told):
            return "person"
        if told and all(_gives_an_example(text, folded) for text in told):
            return "example"
        if not told and any(folded in text.casefold() for text in self._exercises):
            return "exercise"
        if not told and any(folded in text.casefold() for text in self._captions):
            return "caption"
        return "other"


_EXAMPLE_CUES = (
    "for example", "for instance", "e.g.", "such as", "imagine", "suppose", "por ejemplo", "supongamos",
    "na przykład", "np.", "wyobraź", "załóżmy", "misalnya", "contohnya", "उदाहरण", "مثل", "على سبيل المثال",
    "par exemple", "zum beispiel", "z. b.", "por exemplo", "например", "örneğin", "例如", "例えば",
)  # fmt: skip
#: How far before a name the words may stand that make it an example, in characters.
_EXAMPLE_REACH = 200


def _gives_an_example(text: str, folded: str) -> bool:
    lowered = text.casefold()
    place = lowered.find(folded)
    return any(cue in lowered[max(0, place - _EXAMPLE_REACH) : place] for cue in _EXAMPLE_CUES)


def _is_person(name: str, told: Sequence[str]) -> bool:
    words = name.split()
    spelled = [
        text[place : place + len(name)]
        for text in told
        if (place := text.casefold().find(name.casefold())) >= 0
    ]
    return len(words) >= 2 and all(word[:1].isupper() for text in spelled for word in text.split())
