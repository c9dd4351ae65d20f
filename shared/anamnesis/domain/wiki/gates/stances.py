"""What pages say of how the student stands on a concept now, against the current beliefs and each other (WD-2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import regex

from anamnesis.domain.beliefs import Belief, Claim
from anamnesis.domain.concepts.subject_map import resolved_keys
from anamnesis.domain.grounding.claims import is_about_belief
from anamnesis.domain.grounding.statements import read_statement
from anamnesis.domain.text.languages import UNDETERMINED, detect_language
from anamnesis.domain.wiki.addresses import Address, Scheme
from anamnesis.domain.wiki.evidence import SubjectEvidence
from anamnesis.domain.wiki.gates.standing import Standing
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


@dataclass(frozen=True, slots=True)
class Stance:
    """How a page says that the student stands on a concept, by subject and key."""

    subject: str
    concept: str
    claim: Claim


@dataclass(slots=True)
class Stances:
    """Reads stances out of sentences, and knows the current ones."""

    standing: Standing
    _names: dict[str, Mapping[str, str]] = field(default_factory=dict)
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
        claim = self.stated(text, section, addresses)
        if claim is None:
            return None
        for name in (_QUOTED.sub(" ", text), title):
            for subject in subjects:
                if (key := self._named(subject, name)) is not None:
                    return Stance(subject, key, claim)
        return None

    def stated(self, text: str, section: str, addresses: tuple[Address, ...]) -> Claim | None:
        """What a sentence says of how the student stands now, whatever on; None when it says nothing of that."""
        if section == HISTORY or _WAS.match(text):
            return None
        of_files = any(address.scheme is Scheme.FILE for address in addresses)
        return _stated(_QUOTED.sub(" ", text), of_files=of_files)

    def current(self, stance: Stance) -> Claim | None:
        """What is believed now of the concept; None when nothing is."""
        if stance.subject not in self._current:
            self._current[stance.subject] = self._believed(stance.subject)
        belief = self._current[stance.subject].get(stance.concept)
        return None if belief is None else belief.claim

    def _believed(self, subject: str) -> Mapping[str, Belief]:
        found = self.standing.subjects.get(subject)
        if found is None:
            return {}
        resolved = resolved_keys(found.subject_map)
        rows = [row for row in found.beliefs if row.superseded_by is None]
        rows.sort(key=lambda row: (max((h.at for h in row.history), default=row.created_at), row.id))
        return {resolved.get(row.concept, row.concept): row for row in rows}

    def _named(self, subject: str, text: str) -> str | None:
        """Key of the concept with the longest name that a text holds as whole words."""
        if subject not in self._names:
            found = self.standing.subjects.get(subject)
            self._names[subject] = {} if found is None else _names_of(found)
        held = f" {_spaced(text)} "
        spaceless = held.replace(" ", "")
        best = ""
        for name in self._names[subject]:
            if len(name) > len(best) and (f" {name} " in held or (not name.isascii() and name in spaceless)):
                best = name
        return self._names[subject].get(best)


def _names_of(subject: SubjectEvidence) -> dict[str, str]:
    """Key by name, as ``_spaced`` has it."""
    resolved = resolved_keys(subject.subject_map)
    names = {_spaced(row.concept_name): resolved.get(row.concept, row.concept) for row in subject.beliefs}
    for key, name in subject.layer.own_concepts.items():
        names[_spaced(name)] = resolved.get(key, key)
    for concept in subject.subject_map.concepts:
        for name in (concept.name, *concept.aliases):
            names[_spaced(name)] = concept.key
    names.pop("", None)
    return names


def _spaced(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))


def _stated(text: str, *, of_files: bool) -> Claim | None:
    found = list(_PLAIN.finditer(text))
    if found:
        # The last one: "it was thought that she understands it, but she struggles with it".
        knows = found[-1]["knows"] is not None
        denied = found[-1]["not"] is not None
        return Claim.UNDERSTANDS if knows is not denied else Claim.STRUGGLES_WITH
    language = detect_language(text)
    if of_files or language in {UNDETERMINED, "en"}:
        return None
    statement = read_statement(text, language)
    believed = is_about_belief(statement)
    if believed is None:
        return None
    knows = (believed == "knows") is not bool(statement.denials)
    return Claim.UNDERSTANDS if knows else Claim.STRUGGLES_WITH
