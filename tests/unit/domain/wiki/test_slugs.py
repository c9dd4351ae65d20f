import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.wiki.pages import checked_path
from anamnesis.domain.wiki.slugs import MAX_SLUG_BYTES, slug, slugs

ANY_TEXT = st.text(max_size=60)


@pytest.mark.parametrize(
    "name, expected",
    [
        ("osmosis", "osmosis"),
        ("Cell Membrane", "cell-membrane"),
        ("fotosíntesis", "fotosíntesis"),
        ("細胞膜", "細胞膜"),
        ("ミトコンドリア", "ミトコンドリア"),
        ("세포막", "세포막"),
        ("الخلية الحيوانية", "الخلية-الحيوانية"),
        ("תא הצמח", "תא-הצמח"),
        ("कोशिका झिल्ली", "कोशिका-झिल्ली"),
        ("เยื่อหุ้มเซลล์", "เยื่อหุ้มเซลล์"),
        ("митоз", "митоз"),
        ("ЭНЕРГИЯ", "энергия"),
        ("lực đàn hồi", "lực-đàn-hồi"),
    ],
)
def test_a_slug_reads_like_the_name_in_its_own_script(name: str, expected: str) -> None:
    """A page's name is its thing's name in the thing's own script, case-folded (WK-1)."""
    assert slug(name) == expected


@given(ANY_TEXT)
def test_any_name_gives_a_path_that_may_be(name: str) -> None:
    """Whatever a thing is called, its page's path is one that file systems and git take (WK-1)."""
    short = slug(name)
    assert checked_path(f"knowledge/concepts/{short}/{short}.md")
    assert len(short.encode()) <= MAX_SLUG_BYTES
    assert short == unicodedata.normalize("NFC", short.casefold())


@given(st.lists(ANY_TEXT, max_size=8, unique=True), st.randoms())
def test_no_two_things_share_a_name_in_any_order(names: list[str], random) -> None:
    """Different things have different paths, without regard to case, and the same ones in any order (WK-1)."""
    given_names = slugs(names)
    assert len({short.casefold() for short in given_names.values()}) == len(names)
    shuffled = list(names)
    random.shuffle(shuffled)
    assert slugs(shuffled) == given_names


def test_what_only_signs_tell_apart_is_told_apart_for_good() -> None:
    """C, C++ and C# have three names, and C++ has the same one whether C is there or not (WK-1)."""
    together = slugs(["c", "c++", "c#"])
    assert len(set(together.values())) == 3
    assert together["c"] == "c"
    assert together["c++"] == slugs(["c++"])["c++"]


def test_a_thing_called_index_does_not_take_the_place_of_one() -> None:
    """A concept called "index" has another name than the index of its folder (WK-1)."""
    assert slug("index") != "index"
    assert slug("INDEX 2") != "index-2"


def test_a_very_long_name_is_cut_and_still_told_apart() -> None:
    """Two names of a million characters that differ in the last have two short slugs (WK-1)."""
    names = ["細" * 1_000_000, "細" * 999_999 + "胞"]
    assert len({slug(name) for name in names}) == 2
