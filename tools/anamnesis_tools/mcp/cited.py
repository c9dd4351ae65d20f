"""Follow a citation inside a checkout: to the turn in its transcript, or to the pages that name a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from anamnesis.agents.wiki import Followed, Refused
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.wiki.addresses import Address, Scheme, read_address
from anamnesis.domain.wiki.finding.places import places_of
from anamnesis.domain.wiki.finding.written_turns import continued_in, is_transcript, part_of, turns_in
from anamnesis.domain.wiki.pages import Tree

#: Turns of a session in one answer, as over the API.
MAX_TURNS: Final = 50
#: Pages named that cite a file. Ours.
MAX_CITING: Final = 20


def following(tree: Tree, text: str, from_turn: int) -> Followed:
    """What a tree holds of what stands at an address.

    Raises
    ------
    Refused
        If it is no address, or nothing in the tree stands there.
    """
    try:
        address = read_address(text)
    except InvalidInput as error:
        raise Refused(error.detail, field="address") from None
    if address.scheme is Scheme.EPISODE:
        place = places_of(tree, [address]).get(address)
        if place is None:
            raise _nothing()
        return _turns(tree, read_address(place.turn), from_turn)
    if address.scheme is Scheme.SESSION:
        return _turns(tree, address, from_turn)
    return _named(tree, address)


def turn_at(text: str, line: int) -> str | None:
    """Address of the turn that a line (from 1) of a transcript belongs to; None outside of any."""
    return next((turn.address for turn in reversed(list(turns_in(text))) if turn.line <= line), None)


def _turns(tree: Tree, address: Address, from_turn: int) -> Followed:
    first, most = (address.part, 1) if address.part else (from_turn, MAX_TURNS)
    whole = str(Address(address.scheme, address.where, address.what))
    found = [turn for turn in _session(tree, whole) if turn[0] >= first]
    kept = [turn for turn in found if turn[0] < first + most]
    if not kept:
        raise _nothing()
    # Named first: what a long turn says has no room in one answer, and is read where it goes on.
    parts = [f"{path}, line {line}" for number, path, line, _ in kept if number == address.part]
    more = [f"This turn goes on in {where}." for where in parts[1:]]
    told = "\n\n".join([*more, *(f"{path}, line {line}:\n\n{text}" for _, path, line, text in kept)])
    goes_on = not address.part and len(kept) < len(found)
    return Followed(told, first + most if goes_on else None)


def _session(tree: Tree, whole: str) -> Iterator[tuple[int, str, int, str]]:
    """Turns of a session, those that go on in later files part by part: number, path, line and text, in order."""
    marker = f"`{whole}#"
    turns = [
        (turn.number, part_of(path), path, turn)
        for path, text in tree.items()
        if is_transcript(path) and marker in text
        for turn in (continued_in(text), *turns_in(text))
        if turn is not None and turn.address.partition("#")[0] == whole
    ]
    for number, _, path, turn in sorted(turns, key=lambda one: one[:3]):
        yield number, path, turn.line, turn.text


def _named(tree: Tree, address: Address) -> Followed:
    """What references say of a file or a connector's record, whose text is not in a checkout."""
    entry = re.compile(rf"^\d+\. `{re.escape(str(address))}`(?: · (.*))?$", re.MULTILINE)
    found = [
        (path, text.count("\n", 0, match.start()) + 1, match[1] or "")
        for path, text in sorted(tree.items())
        if str(address) in text
        for match in entry.finditer(text)
    ]
    if not found:
        raise _nothing()
    what = next((words for _, _, words in found if words), str(address))
    citing = "\n".join(f"- {path}, line {line}" for path, line, _ in found[:MAX_CITING])
    return Followed(f"{what}\n\nIts text is not in a checkout. Pages that cite it:\n\n{citing}")


def _nothing() -> Refused:
    return Refused("nothing in this checkout stands at this address", field="address")
