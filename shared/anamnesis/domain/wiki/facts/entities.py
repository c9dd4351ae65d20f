"""People, organisations, tools and places that recur in what a student says (WK-1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import regex

from anamnesis.domain.concepts.proper_names import is_organisation
from anamnesis.domain.text.folding import fold
from anamnesis.domain.text.languages import stop_words
from anamnesis.domain.wiki.facts.cues import FactCues, cues_for
from anamnesis.domain.wiki.facts.said import Said

#: A name that recurs is named in this many sessions at least. Ours.
MIN_SESSIONS = 2
#: Languages that write nouns with a capital anywhere: only a title makes a name of a word there.
_NOUNS_CAPITALISED = frozenset({"de"})
#: A run of words with capitals where no sentence begins; particles may stand inside.
_NAME = regex.compile(
    r"(?<=[\p{L}\p{N},;)»”\"']\s|[\p{Lo}]\s?)(?P<name>\p{Lu}[\p{L}\p{M}\p{N}'’+#-]*(?:\s(?:(?:de|del|della|di|da|do|van|von|der|bin|ibn|al|el|y|of)\s)?\p{Lu}[\p{L}\p{M}\p{N}'’+#-]*){0,4})"
)
_WORD_AFTER = regex.compile(r"\.?\s+(?P<name>[\p{L}\p{M}'’-]{2,40}(?:\s\p{Lu}[\p{L}\p{M}'’-]{1,40}){0,2})")
_UNCAPITALISED = regex.compile(r"\b\p{Ll}[\p{L}\p{M}'’]*")
_CASED = regex.compile(r"\p{Lu}|\p{Ll}")
_ENGLISH_CAPITALS = frozenset(
    {"i", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
    | {"january", "february", "march", "april", "may", "june", "july", "august", "september", "october"}
    | {"november", "december", "english", "spanish", "french", "german", "ok"}
)


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something with a name.

    Attributes
    ----------
    name
        As it is mostly written.
    kind
        ``person``, ``organisation``, or ``name`` where nothing says more.
    said
        Every sentence that names it, oldest first.
    spellings
        Other ways in which it is written.
    """

    name: str
    kind: str
    said: tuple[Said, ...]
    spellings: tuple[str, ...]


def find_entities(sentences: Iterable[Said], *, concepts: Collection[str]) -> list[Entity]:
    """Names said in ``MIN_SESSIONS`` sessions or more, the most often named first.

    Parameters
    ----------
    sentences
        Of all subjects, in the order in which they were said.
    concepts
        Names and aliases of the concepts, folded: ideas of a subject are no entities.
    """
    sentences = list(sentences)
    # A word that the student also writes without a capital had one for its place, or for its weight: "Thanks", "Wow".
    plain = {word for said in sentences for word in _UNCAPITALISED.findall(said.text)}
    said_of: dict[str, dict[tuple[str, int], Said]] = defaultdict(dict)
    spelled: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    persons: set[str] = set()
    for said in sentences:
        for written, person in _names(said):
            name = written if person else _bare(written, plain)
            key = fold(name).strip()
            if (
                len(key) < 2
                or key in concepts
                or key in _ENGLISH_CAPITALS
                or key in stop_words(said.language)
            ):
                continue
            said_of[key][(said.subject, said.position)] = said
            spelled[key][name] += 1
            if person:
                persons.add(key)
    found = [
        _entity(key, list(said_of[key].values()), spelled[key], person=key in persons)
        for key in said_of
        if len({said.session for said in said_of[key].values()}) >= MIN_SESSIONS
    ]
    return sorted(found, key=lambda e: (-len(e.said), fold(e.name)))


def _entity(key: str, said: list[Said], spelled: dict[str, int], *, person: bool) -> Entity:
    name = max(spelled, key=lambda spelling: (spelled[spelling], spelling))
    kind = "person" if person else "organisation" if is_organisation(name) else "name"
    return Entity(name, kind, tuple(said), tuple(sorted(s for s in spelled if s != name and fold(s) == key)))


def _names(said: Said) -> Iterator[tuple[str, bool]]:
    """Names in a sentence, and whether a title says that one is a person's."""
    told: set[str] = set()
    cues = next(cues_for(said.text, said.language), None)
    if cues is not None:
        for match in cues.named.finditer(said.fold.text) if cues.named else ():
            if cues.is_no_name(match["name"]):
                continue
            # A single character says too little without its title.
            alone = match.end("name") - match.start("name") > 1
            yield said.fold.quote(*match.span("name" if alone else 0)), True
        for match in cues.person.finditer(said.fold.text) if cues.person else ():
            after = said.fold.quote(match.end(), len(said.fold.text))
            name_after = _WORD_AFTER.match(after)
            if name_after is None:
                continue
            name = _untitled(name_after["name"], cues)
            # Where a script has capitals, a name has one.
            if (
                name
                and not cues.is_no_name(name.split()[0])
                and (not _CASED.match(name) or name[0].isupper())
            ):
                name = name if name[0].isupper() else name.split()[0]
                told.add(name)
                yield name, True
    if said.language in _NOUNS_CAPITALISED:
        return
    for match in _NAME.finditer(said.text):
        name = _untitled(match["name"], cues) if cues else match["name"]
        if name and name not in told:
            yield name, False


def _bare(name: str, plain: Collection[str]) -> str:
    """Without words before and behind it that are no part of any name."""
    words = name.split()
    while words and words[0].lower() in plain:
        words = words[1:]
    while words and words[-1].lower() in plain:
        words = words[:-1]
    return " ".join(words)


def _untitled(name: str, cues: FactCues) -> str:
    """Without titles before it: "Ms Rivera" is told of as Rivera."""
    words = name.split()
    while words and cues.person is not None and cues.person.fullmatch(fold(words[0])):
        words = words[1:]
    return " ".join(words)
