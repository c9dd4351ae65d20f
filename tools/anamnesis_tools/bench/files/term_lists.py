"""What becomes of glossaries, cards, tables of terms and slides of one sentence (CM-1).

``labels/term_lists.toml`` holds terms and meanings of our own in many languages; ``term_list_forms`` writes each list
in the forms in which students keep them. A term counts as found when a concept has its canonical key and its gist holds
the beginning of its meaning. Whatever else comes out is wrong, as is everything out of lists of other things.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files

from rich.console import Console
from rich.table import Table

from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.errors import FileRefused
from anamnesis.offline import concept_reader, file_reader
from anamnesis_tools.bench.files.term_list_forms import FORMS, List, lines

#: How much of a meaning a gist must hold: gists are cut to their limit.
_BEGINNING = 12


@dataclass(frozen=True, slots=True)
class Found:
    """Lists of one form or language.

    Attributes
    ----------
    terms
        How many there are.
    found
        Those that became concepts whose gist says what they mean.
    others
        Concepts that are none of them.
    missed, wrong
        Some of what was not found, and of what is none.
    """

    group: str
    terms: int
    found: int
    others: int
    missed: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TermLists:
    """The same measurement by form, by language, and of lists of other things."""

    by_form: tuple[Found, ...]
    by_language: tuple[Found, ...]
    none: tuple[Found, ...]


def measure(forms: Sequence[str] = ()) -> TermLists:
    """Read every list in every form, or in those named."""
    told = tomllib.loads(files(__package__).joinpath("labels", "term_lists.toml").read_text(encoding="utf-8"))
    pairs = {
        name: List(name, "{}", name, tuple(map(tuple, rows))) for name, rows in told.pop("pairs").items()
    }
    none = told.pop("none")
    lists = {
        language: List(language, raw["asks"], raw["title"], tuple(map(tuple, raw["terms"])))
        for language, raw in told.items()
    }
    rows = [
        (form, language, *_read(write(one), one))
        for form, write in FORMS.items()
        for language, one in lists.items()
        if not forms or form in forms
    ]
    rows += [
        (f"words of a language, {form}", language, *_read(FORMS[form](one), one))
        for form in ("dash", "tabs", "table", "Word table")
        for language, one in pairs.items()
        if not forms
    ]
    return TermLists(
        _grouped(rows, 0),
        _grouped(rows, 1),
        tuple(_of_none(name, entries) for name, entries in none.items()),
    )


_Row = tuple[str, str, int, list[str], list[str]]


def _grouped(rows: Sequence[_Row], by: int) -> tuple[Found, ...]:
    groups: dict[str, list[_Row]] = {}
    for row in rows:
        groups.setdefault(str(row[by]), []).append(row)
    return tuple(
        Found(
            group,
            sum(row[2] for row in of),
            sum(row[2] - len(row[3]) for row in of),
            sum(len(row[4]) for row in of),
            tuple(f"{row[1 - by]}: {name}" for row in of for name in row[3])[:12],
            tuple(f"{row[1 - by]}: {name}" for row in of for name in row[4])[:12],
        )
        for group, of in groups.items()
    )


def _read(file: tuple[bytes, str], one: List) -> tuple[int, list[str], list[str]]:
    """How many terms there are, those not found, and names of what else was."""
    gists = _concepts(*file)
    meanings = {canonical_key(term): (term, meaning) for term, meaning in one.terms}
    missed = [
        term
        for key, (term, meaning) in meanings.items()
        if meaning[:_BEGINNING].casefold() not in gists.get(key, ("", ""))[1].casefold()
    ]
    return len(meanings), missed, [name for key, (name, _) in gists.items() if key not in meanings]


def _concepts(data: bytes, declared: str) -> dict[str, tuple[str, str]]:
    """Names and gists of a file's concepts by canonical key; none of one that is refused."""
    try:
        document = file_reader().read(data, declared_media_type=declared)
    except FileRefused:
        return {}
    extraction = concept_reader().read(document, file_name="")
    return {canonical_key(concept.name): (concept.name, concept.gist) for concept in extraction.concepts}


def _of_none(name: str, entries: Sequence[str]) -> Found:
    names = [told for told, _ in _concepts(*lines(entries)).values()]
    return Found(name, 0, 0, len(names), (), tuple(names))


def shown(measured: TermLists, *, as_json: bool) -> None:
    """Print what `measure` found."""
    if as_json:
        print(json.dumps(asdict(measured), ensure_ascii=False))
        return
    console = Console()
    for title, groups in (("By form", measured.by_form), ("By language", measured.by_language)):
        table = Table("list", "terms", "found", "share", "others", "missed", "wrong", title=title)
        for one in groups:
            share = f"{one.found / max(1, one.terms):.3f}"
            row = (one.group, str(one.terms), str(one.found), share, str(one.others))
            table.add_row(*row, "; ".join(one.missed[:3]), "; ".join(one.wrong[:3]))
        console.print(table)
    table = Table("lists of other things", "concepts", "which")
    for one in measured.none:
        table.add_row(one.group, str(one.others), "; ".join(one.wrong))
    console.print(table)
    terms = sum(one.terms for one in measured.by_form)
    found = sum(one.found for one in measured.by_form)
    others = sum(one.others for one in measured.by_form)
    console.print(
        f"recall {found / terms:.3f}, precision {found / max(1, found + others):.3f} of {terms} terms; "
        f"{sum(one.others for one in measured.none)} concepts out of {len(measured.none)} lists of other things"
    )
