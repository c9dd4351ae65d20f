"""What pages say of how the student stands on a concept now, against the current beliefs and each other (WD-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import regex

from anamnesis.domain.beliefs import Belief, Claim
from anamnesis.domain.concepts.subject_map import resolved_keys
from anamnesis.domain.grounding.claims import how_understood
from anamnesis.domain.grounding.statements import read_statement
from anamnesis.domain.text.containment import contained
from anamnesis.domain.text.languages import UNDETERMINED, detect_language
from anamnesis.domain.wiki.addresses import Address, Scheme
from anamnesis.domain.wiki.gates.letters import name_forms, plain, without_names, words
from anamnesis.domain.wiki.gates.naming import ConceptNames
from anamnesis.domain.wiki.gates.quotations import without_quotations
from anamnesis.domain.wiki.gates.sources import Sources, Witness
from anamnesis.domain.wiki.pages import PageKind

#: Kinds of pages that say how things are; the others say what happened.
CURRENT: Final = frozenset(
    {PageKind.CONCEPT, PageKind.ENTITY, PageKind.PROJECT, PageKind.LEARNING, PageKind.INDEX}
)
#: Section of what was, and how a sentence of what was begins.
HISTORY: Final = "What changed"
_WAS: Final = regex.compile(
    r"\s*(?:until|before|earlier|at first|used to|once|formerly|previously)\b|^\s*\d{4}-\d{2}-\d{2}:",
    regex.IGNORECASE,
)
_QUOTED: Final = regex.compile(r"“[^“”]*”|«[^«»]*»|\"[^\"]*\"")
_PLAIN: Final = regex.compile(
    r"(?P<not>\b(?:not|never|no longer|doesn't|does not|don't)\s+(?:\w+\s+)?)?"
    r"\b(?:(?P<knows>understands?|masters|mastered)|(?P<struggles>struggles? with|struggling with))\b",
    regex.IGNORECASE,
)
_WORDS: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+")
#: Words of a name that are looked at behind a stance; titles have fewer.
_MOST_WORDS: Final = 80


@dataclass(frozen=True, slots=True)
class Stance:
    """How a page says that the student stands on a concept.

    Attributes
    ----------
    concepts
        Keys of the concepts of the subject that the sentence may mean: "C" and "C++" have one name in words.
    """

    subject: str
    concepts: frozenset[str]
    claim: Claim


@dataclass(slots=True)
class Stances:
    """Reads stances out of sentences, and knows the current ones.

    Parameters
    ----------
    sources
        Of the evidence: what a sentence quotes, and what it says in a file's words, is no stance of the page's.
    """

    sources: Sources
    _names: dict[str, Mapping[str, frozenset[str]]] = field(default_factory=dict)
    _stating: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _current: dict[str, Mapping[str, Belief]] = field(default_factory=dict)

    def of(
        self, text: str, section: str, addresses: tuple[Address, ...], title: str, subjects: tuple[str, ...]
    ) -> Stance | None:
        """The stance that a sentence states as current; None when it states none, or of what is no concept.

        Parameters
        ----------
        title
            Of the page, which a sentence without a name of its own is about.
        subjects
            Where the concept is looked for.
        """
        own = self._own_words(text, section, addresses)
        if own is None:
            return None
        for subject in subjects:
            if (found := self._told(own, subject)) is not None:
                return Stance(subject, *found)
        if not words(title):
            # The page of what is called by signs alone speaks of that, whatever names the rest of a sentence holds.
            return None
        # A name that sounds like a stance is none by itself.
        names = [name for subject in subjects for name in self._stating_names(subject)]
        claim = _stated(without_names(own, names), of_files=_of_files(addresses))
        if claim is None:
            return None
        for name in (own, title):
            for subject in subjects:
                if keys := self._named(subject, name):
                    return Stance(subject, keys, claim)
        return None

    def stated(self, text: str, section: str, addresses: tuple[Address, ...]) -> Claim | None:
        """What a sentence says of how the student stands now, whatever on; None when it says nothing of that."""
        own = self._own_words(text, section, addresses)
        return None if own is None else _stated(own, of_files=_of_files(addresses))

    def current(self, stance: Stance) -> Claim | None:
        """What is believed now of the concept, of what it may mean that which agrees; None when nothing is."""
        if stance.subject not in self._current:
            self._current[stance.subject] = self._believed(stance.subject)
        of_subject = self._current[stance.subject]
        believed = [of_subject[key].claim for key in sorted(stance.concepts) if key in of_subject]
        return stance.claim if stance.claim in believed else next(iter(believed), None)

    def _own_words(self, text: str, section: str, addresses: tuple[Address, ...]) -> str | None:
        """The sentence without others' words; None for one that tells of what was."""
        if section == HISTORY or _WAS.match(text):
            return None
        if _PLAIN.search(text) is None and text.isascii():
            return text
        said = self.sources.at(addresses)
        rest = _without_words_of_files(text, said)
        unquoted = without_quotations(rest, said) if said else None
        return _QUOTED.sub(" ", rest) if unquoted is None else unquoted

    def _told(self, text: str, subject: str) -> tuple[frozenset[str], Claim] | None:
        """What a sentence says in plain words of the concept that it names right behind them.

        Names may hold such words themselves, and the name of another concept may stand in the rest of the sentence.
        """
        last, end = None, 0
        for match in _PLAIN.finditer(text):
            if match.start() < end:
                continue
            keys, length = self._named_first(subject, text[match.end() :])
            end = match.end() + length
            last = (keys, _claim(match)) if keys else None
        return last

    def _named_first(self, subject: str, text: str) -> tuple[frozenset[str], int]:
        """Keys of the longest name that a text begins with, as whole words, and its length there."""
        found = list(islice(_WORDS.finditer(text), _MOST_WORDS))
        names = self._names_in(subject)
        spelled = [" ".join(words(word[0])) for word in found]
        for count in range(len(found), 0, -1):
            keys = names.get(" ".join(filter(None, spelled[:count])))
            if keys:
                return keys, found[count - 1].end()
        return frozenset(), 0

    def _believed(self, subject: str) -> Mapping[str, Belief]:
        found = self.sources.standing.subjects.get(subject)
        if found is None:
            return {}
        resolved = resolved_keys(found.subject_map)
        rows = [row for row in found.beliefs if row.superseded_by is None and self._rests(row)]
        rows.sort(key=lambda row: (max((h.at for h in row.history), default=row.created_at), row.id))
        return {resolved.get(row.concept, row.concept): row for row in rows}

    def _rests(self, row: Belief) -> bool:
        """Whether all that a row rests on still stands."""
        told = (self.sources.standing.episodes.get((row.pair.subject, id_)) for id_ in row.evidence)
        return bool(row.evidence) and all(
            e is not None and e.content is not None and not e.about_record for e in told
        )

    def _named(self, subject: str, text: str) -> frozenset[str]:
        """Keys of the concepts with the longest name that a text holds as whole words."""
        names = self._names_in(subject)
        held = f" {' '.join(words(text))} "
        spaceless = held.replace(" ", "")
        best = ""
        for name in names:
            if len(name) > len(best) and (f" {name} " in held or (not name.isascii() and name in spaceless)):
                best = name
        return names.get(best, frozenset())

    def _names_in(self, subject: str) -> Mapping[str, frozenset[str]]:
        if subject not in self._names:
            self._names[subject] = _keys_by_name(self.sources.names(subject))
        return self._names[subject]

    def _stating_names(self, subject: str) -> tuple[str, ...]:
        if subject not in self._stating:
            told = (name for names in self.sources.names(subject).by_key.values() for name in names)
            self._stating[subject] = tuple(filter(_sounds_like_one, told))
        return self._stating[subject]


def _keys_by_name(names: ConceptNames) -> dict[str, frozenset[str]]:
    """Keys by name, as ``name_forms`` has it."""
    found: dict[str, set[str]] = {}
    for key, told in names.by_key.items():
        for name in told:
            for form in name_forms(name):
                found.setdefault(form, set()).add(key)
    return {name: frozenset(keys) for name, keys in found.items()}


def _without_words_of_files(text: str, said: Sequence[Witness]) -> str:
    """The sentence without what files and connectors say of themselves; nothing is left of one that is all theirs."""
    theirs = [each for each in said if each.source.episode is None]
    if not theirs:
        return text
    whole = plain(text)
    if whole and any(whole in each.plain for each in theirs):
        return ""
    names = (name for each in theirs for name in each.source.names)
    return without_names(text, filter(_sounds_like_one, names))


def _sounds_like_one(name: str) -> bool:
    """Whether a name has the words of a stance, as it is or as a page shows it."""
    return _PLAIN.search(name) is not None or _PLAIN.search(contained(name)) is not None


def _of_files(addresses: tuple[Address, ...]) -> bool:
    return any(address.scheme is Scheme.FILE for address in addresses)


def _claim(match: regex.Match[str]) -> Claim:
    knows = match["knows"] is not None
    denied = match["not"] is not None
    return Claim.UNDERSTANDS if knows is not denied else Claim.STRUGGLES_WITH


def _stated(text: str, *, of_files: bool) -> Claim | None:
    found = list(_PLAIN.finditer(text))
    if found:
        # The last one: "it was thought that she understands it, but she struggles with it".
        return _claim(found[-1])
    language = detect_language(text)
    if of_files or language in {UNDETERMINED, "en"}:
        return None
    statement = read_statement(text, language)
    understood = how_understood(statement)
    if understood is None:
        return None
    knows = (understood == "knows") is not bool(statement.denials)
    return Claim.UNDERSTANDS if knows else Claim.STRUGGLES_WITH
