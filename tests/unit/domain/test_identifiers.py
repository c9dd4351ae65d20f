"""Names are opaque, and no choice of names lets two owners share a key."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from urllib.parse import quote, unquote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.errors import Forbidden, InvalidInput
from anamnesis.domain.identifiers import (
    MAX_STUDENT_BYTES,
    MAX_SUBJECT_BYTES,
    MAX_TENANT_BYTES,
    Pair,
    SubjectScope,
    checked_name,
    joined,
)
from anamnesis.domain.log.checkpoints import origin_of

#: What a key could take for its own: separators, escapes, the folders and rows of the stores, and paths.
PIECES = (
    *(
        "#",
        "%",
        "%23",
        "%2523",
        "%2F",
        "..",
        ".",
        "%2e%2e",
        "\\",
        ":",
        "*",
        "?",
        "+",
        " ",
        "E#",
        "HEAD",
        "DAY",
    ),
    *(
        "a",
        "A",
        "а",
        "ａ",
        "é",
        "e\u0301",
        "1",
        "10",
        "é1",
        "🔬",
        "ß",
        "ss",
        "İ",
        "i",
        "ı",
        "１",
        "-",
        "_",
        "~",
    ),
    *("'", '"', "`"),
)


def possible(name: str) -> bool:
    """Whether it can name anybody."""
    try:
        checked_name(name, field="name", max_bytes=MAX_TENANT_BYTES)
    except InvalidInput:
        return False
    return True


NAMES = st.one_of(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join),
    st.text(
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cs", "Cn")), min_size=1, max_size=8
    ),
).filter(possible)
OWNERS = st.tuples(NAMES, NAMES, NAMES)
KEYS: dict[str, Callable[[Pair], str]] = {
    "pair": lambda pair: pair.key,
    "origin": origin_of,
    "folder": lambda pair: f"working-sets/{pair.key}/",
}


# ---------------------------------------------------------------------------------------- keys
@pytest.mark.parametrize("key", KEYS)
@given(one=OWNERS, other=OWNERS)
def test_two_pairs_never_share_a_key(
    key: str, one: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    """Pairs that differ in any name have different keys and origins, and neither folder lies in the other (SV-11)."""
    assume(one != other)
    mine, theirs = KEYS[key](Pair(*one)), KEYS[key](Pair(*other))
    assert not mine.startswith(theirs) if key == "folder" else mine != theirs


def cuts(pieces: list[str]) -> st.SearchStrategy[tuple[int, int]]:
    """Two places to part a list at, so that each of three parts has something."""
    return st.integers(1, len(pieces) - 2).flatmap(
        lambda i: st.tuples(st.just(i), st.integers(i + 1, len(pieces) - 1))
    )


@given(data=st.data(), separator=st.sampled_from(["#", "%23", "%2523", "#E#", ":", "\\", ".."]))
def test_moving_a_separator_moves_the_key(data: st.DataObject, separator: str) -> None:
    """The same characters parted otherwise into tenant, student and subject are another owner (SV-11)."""
    pieces = data.draw(st.lists(st.sampled_from(["a", "b", "#", "%", "é"]), min_size=4, max_size=7))
    one, other = data.draw(cuts(pieces)), data.draw(cuts(pieces))

    def owner(i: int, j: int) -> Pair:
        return Pair(*(separator.join(part) for part in (pieces[:i], pieces[i:j], pieces[j:])))

    assert (owner(*one).key == owner(*other).key) is (owner(*one) == owner(*other))


@given(one=OWNERS, other=st.tuples(NAMES, NAMES))
def test_a_subject_s_key_is_no_pair_s(one: tuple[str, str, str], other: tuple[str, str]) -> None:
    """What belongs to a subject lies under no key that a pair could have, and the other way round (SV-11)."""
    pair, scope = Pair(*one), SubjectScope(*other)
    assert pair.key != scope.key
    assert not pair.key.startswith(f"{scope.key}/")
    assert not scope.key.startswith(f"{pair.key}/")


@given(one=st.tuples(NAMES, NAMES), other=st.tuples(NAMES, NAMES))
def test_two_subjects_never_share_a_key(one: tuple[str, str], other: tuple[str, str]) -> None:
    """Subjects of tenants that differ in any name have different keys (SV-11)."""
    assume(one != other)
    assert SubjectScope(*one).key != SubjectScope(*other).key


@given(OWNERS)
def test_a_key_tells_its_owner(names: tuple[str, str, str]) -> None:
    """A key gives back exactly the names it was made of, holds no slash, and is plain ASCII (SV-11)."""
    key = Pair(*names).key
    assert tuple(unquote(part) for part in key.split("#")) == names
    assert key.isascii()
    assert "/" not in key
    assert not {".", ".."} & set(f"uploads/{key}/x".split("/"))


PARTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=6), min_size=1, max_size=4)


@given(one=PARTS, other=PARTS)
def test_joining_is_injective(one: list[str], other: list[str]) -> None:
    """Different lists of parts, whatever they hold and however many they are, join to different keys (SV-11)."""
    assume(one != other)
    assert joined(*one) != joined(*other)


def test_no_name_makes_a_key_of_the_house() -> None:
    """Keys that begin with ``#``, as the stores' own do, cannot be had by any name (SV-11)."""
    for name in ("#", "#DAY", "%23DAY", "DAY", "REQUESTS", "ROSTER"):
        assert not Pair(name, "2026-07-03", "4").key.startswith("#")
    with pytest.raises(InvalidInput):
        Pair("", "DAY", "4")


# ---------------------------------------------------------------------------------------- names
LIMITS = {"tenant": MAX_TENANT_BYTES, "student": MAX_STUDENT_BYTES, "subject": MAX_SUBJECT_BYTES}


def pair_with(field: str, value: str) -> Pair:
    return Pair(**{**dict.fromkeys(LIMITS, "x"), field: value})


@pytest.mark.parametrize("field", LIMITS)
@pytest.mark.parametrize("letter", ["x", "é", "ж", "語", "🔬"])
def test_names_have_a_limit_in_bytes(field: str, letter: str) -> None:
    """A name may have so many bytes and not one more, in every script (SV-12)."""
    limit = LIMITS[field]
    most = letter * (limit // len(letter.encode()))
    longest = most + "x" * (limit - len(most.encode()))
    assert getattr(pair_with(field, longest), field) == longest
    with pytest.raises(InvalidInput) as refused:
        pair_with(field, longest + "x")
    assert refused.value.field == field
    assert len(Pair("🔬" * 16, "🔬" * 32, "🔬" * 32).key) <= 1_024


@pytest.mark.parametrize("field", LIMITS)
@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "\t", "\u00a0", " a", "a ", "a\u3000", "\u2003a", "a\n"),
        *("a\x00b", "\x00", "a\nb", "a\rb", "a\tb", "a\x1bb", "a\x7fb", "a\x85b"),
        *("a/b", "/", "../a", "a/..", "/etc/passwd", ".", ".."),
        *(
            "a\u200bb",
            "a\u200d",
            "a\u202eb",
            "\ufeffa",
            "a\u2060b",
            "a\u00adb",
            "a\u2028b",
            "a\u2029b",
            "a\U000e0041",
        ),
        *("a\ud800", "\udfff", "a\u0378", "a\uffff"),
    ],
)
def test_names_that_hide_something_are_refused(field: str, name: str) -> None:
    """Separators of paths, controls, invisible and unassigned characters name nobody (SV-11)."""
    with pytest.raises(InvalidInput) as refused:
        pair_with(field, name)
    assert refused.value.field == field
    assert not name.strip() or name not in refused.value.detail


#: Names that people or programs might take for one another.
CONFUSABLE = (
    ("ana", "Ana", "ANA", "аnа", "ａｎａ", "a n a", "añа", "ana.", "ana1", "ana10", "𝐚𝐧𝐚", "ɑnɑ"),
    ("Zoë", "Zoe\u0308", "Zoe", "Zoê"),
    ("Å", "A\u030a", "\u212b"),
    ("straße", "strasse", "STRASSE", "straſſe"),
    ("file", "ﬁle", "fi1e", "fiIe"),
    ("İstanbul", "istanbul", "ıstanbul", "i\u0307stanbul"),
    ("٣", "3", "３", "③", "3\ufe0f"),
    ("a#b", "a%23b", "a%2523b", "a＃b"),
    ("...", "%2e%2e", "．．", "‥", ". .", "…"),
    ("한", "한", "\u1112\u1161\u11ab"),
)


def distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


@pytest.mark.parametrize("names", CONFUSABLE, ids=lambda names: quote(names[0], safe=""))
def test_spellings_are_owners_of_their_own(names: tuple[str, ...]) -> None:
    """Names are opaque: two spellings are two owners, even where they look or sort alike, or normalise to one (SV-11).

    A rule that folded some of them would have to be every caller's and every identity provider's rule as well, and
    where it was not, one person would read another's memory.
    """
    spellings = distinct(names)
    for field, name in product(LIMITS, spellings):
        assert getattr(pair_with(field, name), field) == name
    for field in LIMITS:
        assert len({pair_with(field, name).key for name in spellings}) == len(spellings)


@given(OWNERS)
def test_nothing_is_normalised(names: tuple[str, str, str]) -> None:
    """No normal form or case of a name has the key of another form (SV-11)."""
    for change in (
        str.upper,
        str.casefold,
        *(partial(unicodedata.normalize, form) for form in ("NFC", "NFKD")),
    ):
        changed = tuple(change(name) for name in names)
        if changed != names and all(possible(name) for name in changed):
            assert Pair(*changed).key != Pair(*names).key


# ---------------------------------------------------------------------------------------- callers
@given(named=st.one_of(st.text(max_size=10), NAMES), own=NAMES)
def test_a_student_s_token_never_names(named: str, own: str) -> None:
    """Whatever a student's token names by ``?student=``, nothing and their own name included, it is refused (SV-11)."""
    with pytest.raises(Forbidden) as refused:
        Caller("school", own, Role.STUDENT).pair("biology", named)
    assert refused.value.field == "student"
    assert Caller("school", own, Role.STUDENT).pair("biology", None) == Pair("school", own, "biology")


@pytest.mark.parametrize("role", [Role.TEACHER, Role.SERVICE])
@given(named=NAMES, own=st.one_of(st.none(), NAMES))
def test_others_name_within_their_tenant(role: Role, named: str, own: str | None) -> None:
    """A teacher or a service reaches exactly the student it names, in its own tenant and no other (SV-11)."""
    assert Caller("school", own, role).pair("biology", named) == Pair("school", named, "biology")


def test_a_token_without_its_student_is_nobody_s() -> None:
    """A student's token that does not say whose it is acts for nobody, named or not (SV-11)."""
    for named in (None, "ana"):
        with pytest.raises(Forbidden):
            Caller("school", None, Role.STUDENT).pair("biology", named)


@pytest.mark.parametrize(
    "tenant, student", [("", "ana"), ("a/b", "ana"), ("x" * 65, "ana"), ("a", "a\x00"), ("a", "")]
)
def test_a_token_with_an_impossible_name_is_no_caller(tenant: str, student: str) -> None:
    """A tenant or a student that can name nobody makes no caller (SV-11)."""
    with pytest.raises(InvalidInput):
        Caller(tenant, student, Role.STUDENT)
