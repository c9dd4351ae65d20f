"""The measurement of merging, on names in its formats."""

from __future__ import annotations

import json
from pathlib import Path

from anamnesis_tools.bench.files.concept_names import Decisions, measure
from support.wired_memory import HashEmbedder


def written(folder: Path, glossary: list[dict[str, str]], school: list[dict[str, object]]) -> Path:
    (folder / "same_term_two_languages.json").write_text(json.dumps({"biology_en_es": glossary}))
    (folder / "school_concepts_many_languages.json").write_text(json.dumps(school))
    return folder


def row(english: str, spanish: str) -> dict[str, str]:
    return {"en": english, "es": spanish, "en_definition": "one. two", "es_definition": "uno; dos"}


def test_merged_names_are_counted_right_and_wrong(tmp_path: Path) -> None:
    """Names that meet by key count as right when they mean one concept and as wrong when they do not (CM-3)."""
    glossary = [row("Osmosis", "Ósmosis"), row("Media", "Medios"), row("Mean", "Media")]
    (closed, _) = measure(written(tmp_path, glossary, []), HashEmbedder())
    assert (closed.source, closed.languages, closed.setting) == ("biology_en_es", "en–es", "closed")
    assert closed.by_key == Decisions(3, 1, 1, ("Media = Media",))
    assert (closed.by_key.precision, closed.by_key.recall) == (1 / 2, 1 / 3)


def test_names_of_two_concepts_are_left_out_and_rows_of_one_name_are_one(tmp_path: Path) -> None:
    """A name that two school concepts share is not asked about, and glossary rows that share one mean one (CM-3)."""
    school = [
        {
            "synset": str(i),
            "en": [f"name {i}"],
            "translations": {"es": {"both": [], "wikt": [f"nombre {min(i, 18)}"]}},
        }
        for i in range(20)
    ]
    glossary = [row("Mean", "Media"), row("Average", "Media")]
    lines = measure(written(tmp_path, glossary, school), HashEmbedder())
    same = {(line.source, line.setting): line.by_key.same for line in lines}
    assert same["biology_en_es", "closed"] == 2
    assert same["school", "closed"] == 18


def test_opening_leaves_partners_to_a_part_only(tmp_path: Path) -> None:
    """In the open setting some terms lose their partner and none gains one (CM-3)."""
    glossary = [row(f"Term {i}", f"Palabra {i} x") for i in range(60)]
    closed, opened = measure(written(tmp_path, glossary, []), HashEmbedder())
    assert closed.by_key.same == 60
    assert 0 < opened.by_key.same < 40
