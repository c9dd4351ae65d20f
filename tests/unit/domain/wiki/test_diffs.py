"""Unified diffs of pages."""

from __future__ import annotations

import re
from random import Random

import pytest

from anamnesis.domain.wiki.diffs import unified
from anamnesis.domain.wiki.revisions import PageChange

NO_END = "\\ No newline at end of file"
LINES = (
    "water\n",
    "浸透\n",
    "\n",
    "ماء\r\n",
    "a\u2028b\n",
    "--- x\n",
    "+++ y\n",
    "@@ -1,1 +1,1 @@\n",
    "पानी\n",
)


def applied(before: str, diff: str) -> str:
    """What a patch makes of a text, by the rules of patch(1): line feeds alone end lines."""
    old, made, at = before.split("\n"), [], 0
    # The name and the two lines of what is compared, before the first hunk.
    lines = diff.split("\n")[3:-1]
    for number, line in enumerate(lines):
        hunk = re.fullmatch(r"@@ -(\d+),(\d+) \+\d+,\d+ @@", line)
        if hunk:
            start = int(hunk[1]) - (hunk[2] != "0")
            made += [f"{text}\n" for text in old[at:start]]
            at = start
        elif line == NO_END:
            if lines[number - 1][0] != "-":
                made[-1] = made[-1].removesuffix("\n")
        elif line[:1] in {" ", "-"}:
            assert old[at] == line[1:]
            at += 1
            if line[0] == " ":
                made.append(f"{line[1:]}\n")
        else:
            assert line[0] == "+"
            made.append(f"{line[1:]}\n")
    rest = "\n".join(old[at:])
    return "".join(made) + rest


@pytest.mark.parametrize("seed", range(40))
def test_a_diff_makes_the_new_page_of_the_old(seed: int) -> None:
    """Whatever was changed where, in any script and with any end of lines, patching gives the new page (WU-2)."""
    random = Random(seed)
    before = [random.choice(LINES) for _ in range(random.randrange(40))]
    after = list(before)
    for _ in range(random.randrange(1, 6)):
        at = random.randrange(len(after) + 1)
        after[at : at + random.randrange(3)] = [random.choice(LINES) for _ in range(random.randrange(3))]
    one, other = "".join(before) + random.choice(("", "end")), "".join(after) + random.choice(("", "end"))
    diff = unified([PageChange("a.md", one, other)], most_chars=1_000_000)
    assert diff.whole
    assert applied(one, diff.text) == other


def test_made_and_removed_pages_say_so() -> None:
    """A page that is new or gone is shown against nothing, an empty one by its name alone (WU-2)."""
    changes = [PageChange("a.md", None, "1\n"), PageChange("b.md", "2", None), PageChange("c.md", None, "")]
    assert unified(changes, most_chars=10_000).text == (
        "diff --git a/a.md b/a.md\nnew file mode 100644\n--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,1 @@\n+1\n"
        "diff --git a/b.md b/b.md\ndeleted file mode 100644\n--- a/b.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-2\n"
        f"{NO_END}\n"
        "diff --git a/c.md b/c.md\nnew file mode 100644\n"
    )
    assert unified([], most_chars=0).text == ""


def test_a_diff_without_room_says_so() -> None:
    """Files that do not fit are left out whole, and the diff says that it is not all (WU-2)."""
    changes = [PageChange(f"{n}.md", None, f"{n}\n" * 100) for n in range(3)]
    one = len(unified(changes[:1], most_chars=10_000).text)
    cut = unified(changes, most_chars=one + 10)
    assert (len(cut.text), cut.whole) == (one, False)


def test_large_pages_without_a_common_line_take_no_longer_than_their_size() -> None:
    """Two texts of a hundred thousand lines each that share none are shown as taken out and put in (WU-2)."""
    one, other = ("".join(f"{letter}{n}\n" for n in range(100_000)) for letter in "ab")
    diff = unified([PageChange("a.md", f"same\n{one}", f"same\n{other}")], most_chars=5_000_000)
    assert diff.whole
    assert applied(f"same\n{one}", diff.text) == f"same\n{other}"
