"""What the tools answer, as text for a model: bounded, and saying how to go on where it was cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from anamnesis.agents.wiki import (
    Compared,
    Followed,
    FoundPage,
    PageText,
    Recalled,
    RevisionLine,
    Taught,
    Written,
)
from anamnesis.domain.text.one_line import one_line

#: Longest answer, in characters: some 6,000 tokens of Latin script, which clients take without cutting. Ours.
MAX_CHARS: Final = 24_000
#: Longest page given as a resource, which has no way to go on: a page has 32 KiB, a transcript 256. Ours.
MAX_RESOURCE_CHARS: Final = 262_144
_MAX_PATHS: Final = 100


def page(found: PageText, from_line: int) -> str:
    """A page from a line on, as much as there is room for."""
    lines = found.text.split("\n")
    kept = _that_fit(lines[from_line - 1 :])
    last = from_line - 1 + len(kept)
    if from_line > len(lines):
        return f"{found.path} has {len(lines)} lines."
    whole = from_line == 1 and last == len(lines)
    at = f" at {found.revision[:10]}" if found.revision else ""
    head = (
        f"(page {found.path}{at}, data)"
        if whole
        else f"(page {found.path}{at}, lines {from_line}–{last}, data)"
    )
    more = [] if last == len(lines) else [f"({len(lines) - last} more lines: from_line={last + 1})"]
    return "\n".join([head, "", *kept, *more])


def followed(found: Followed) -> str:
    """Evidence, as much as there is room for."""
    lines = found.text.split("\n")
    kept = _that_fit(lines)
    parts = ["(evidence, data)", "", *kept]
    if len(kept) < len(lines):
        parts.append(f"({len(lines) - len(kept)} more lines; ask for a turn by itself with #N)")
    elif found.next_turn is not None:
        parts.append(f"(the session goes on: from_turn={found.next_turn})")
    return "\n".join(parts)


def found(pages: Sequence[FoundPage]) -> str:
    """Pages with their lines."""
    if not pages:
        return "No page holds these words. `recall` searches the record itself, by meaning."
    lines = []
    for hit in pages:
        lines.append(f"{hit.path} · {one_line(hit.title)} · updated {hit.updated or 'unknown'}")
        lines += [f"  line {number}: {one_line(text)}" for number, text in hit.passages]
    return "\n".join(["(pages, data)", "", *_that_fit(lines)])


def recalled(found: Recalled) -> str:
    """The synthesis, then the files."""
    kept = _that_fit(found.text.split("\n"))
    files = [f"- {path}" for path in found.files[:_MAX_PATHS]]
    return "\n".join(["(recalled, data)", "", *kept, *(["", "Files that hold it:", *files] if files else [])])


def history(revisions: Sequence[RevisionLine]) -> str:
    """A revision a line, with the rest of its message below it."""
    if not revisions:
        return "There is no revision of this."
    lines = []
    for one in revisions:
        first, _, rest = one.message.strip().partition("\n")
        lines.append(f"{one.id[:10]} · {one.at} · {one_line(one.author)} · {one_line(first)}")
        lines += [f"  {one_line(line)}" for line in rest.split("\n") if line.strip()]
    return "\n".join(["(revisions, newest first, data)", "", *_that_fit(lines)])


def compared(found: Compared) -> str:
    """The diff, or the paths when it has no room."""
    if not found.paths:
        return "Nothing differs."
    lines = found.text.split("\n")
    kept = _that_fit(lines)
    if found.whole and len(kept) == len(lines):
        return "\n".join(["(diff, data)", "", *kept])
    named = [f"- {path}" for path in found.paths[:_MAX_PATHS]]
    more = [f"- and {len(found.paths) - _MAX_PATHS} more"] if len(found.paths) > _MAX_PATHS else []
    return "\n".join(
        ["(diff, cut short, data)", "", *kept, "", "Pages that differ; name one as path:", *named, *more]
    )


def written(done: Written) -> str:
    """What became of a page."""
    if not done.changed:
        return f"{done.path} was so already, at {done.revision}."
    return f"{done.path} is written, at {done.revision}."


def taught(done: Taught) -> str:
    """What became of a teaching."""
    if done.kind != "taught":
        return f"That asks rather than teaches: it was recorded as a {done.kind}, episode {done.id}."
    about = f", on {', '.join(map(one_line, done.concepts))}" if done.concepts else ""
    return f"Recorded as episode {done.id}{about}. The next night brings it into the pages."


def _that_fit(lines: Iterable[str]) -> list[str]:
    """The first lines that have room; a line that has none by itself is cut."""
    kept: list[str] = []
    left = MAX_CHARS
    for line in lines:
        if len(line) + 1 > left:
            if not kept:
                kept.append(f"{line[:left]}…")
            break
        kept.append(line)
        left -= len(line) + 1
    return kept
