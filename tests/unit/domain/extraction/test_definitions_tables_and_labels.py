"""What a definition is made of, and what tables, labels and ordinals do to it (CM-1, CM-2)."""

from __future__ import annotations

import pytest

from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.concepts import ExtractedConcept
from anamnesis.domain.concepts.proper_names import is_place
from anamnesis.domain.extraction.blocks import blocks
from anamnesis.domain.extraction.labels import is_reference, unlabelled
from anamnesis.domain.extraction.sentences import sentences
from anamnesis.domain.files import Document, Page

ROCKS = (
    "| Term | Definition |\n|---|---|\n| Igneous rock | A rock formed from cooled magma |\n"
    "| Ore | A rock that metal is got from |"
)
WORTE = (
    "| Begriff | Bedeutung |\n|:--|--:|\n| Osmose | Bewegung von Wasser durch eine Membran |\n"
    "| Zellwand | Die feste Hülle, die Zellen von Pflanzen umgibt |"
)


def concepts(text: str) -> dict[str, ExtractedConcept]:
    """Concepts of a page of Markdown, by casefolded name."""
    read = OfflineConceptReader().read(Document("text/markdown", (Page(1, text),)), file_name="x")
    return {concept.name.casefold(): concept for concept in read.concepts}


@pytest.mark.parametrize(
    "name, told, other",
    [
        (
            "plagiarism",
            "Plagiarism is the use of another's words without a source.",
            "Attendance is mandatory.",
        ),
        ("dîme", "La dîme est un impôt versé à l'Église.", "La Bastille tombe en 1789."),
        ("оброк", "Оброк — это денежная или натуральная повинность крестьян.", "Вопросы для самопроверки"),
        ("光合作用", "光合作用是指植物利用光能制造有机物的过程。", "参考书目：高等教育出版社，2010年。"),
        (
            "host",
            "A host is a computer that is connected to a network.",
            "Lord Denning wrote the opinion in 1951.",
        ),
    ],
)
def test_a_definition_takes_in_no_sentence_that_speaks_of_something_else(
    name: str, told: str, other: str
) -> None:
    """What merely stands behind a definition is no part of it (CM-1)."""
    assert concepts(f"{told} {other}")[name].definition == told


@pytest.mark.parametrize(
    "name, told, more",
    [
        ("pivot", "The pivot is the element that others are compared with.", "It is often the first one."),
        (
            "pivot",
            "The pivot is the element that others are compared with.",
            "Any element can serve as pivot.",
        ),
        ("lithosphäre", "Die Lithosphäre ist die starre Schicht der Erde.", "Sie bricht in große Platten."),
        ("osmosis", "La osmosis es el paso de agua por una membrana.", "Se debe a la concentración."),
        ("литосфера", "Литосфера — это твёрдая оболочка Земли.", "Она разделена на плиты."),
        ("الاندساس", "الاندساس هو عملية غوص صفيحة تحت أخرى.", "وهو يسبب الزلازل القوية."),
        ("俯冲", "俯冲是指一个板块沉入另一个板块之下的过程。", "它会引起地震。"),
    ],
)
def test_a_definition_takes_in_the_sentence_that_goes_on_about_its_name(
    name: str, told: str, more: str
) -> None:
    """A pronoun or the name itself carries a definition on (CM-1)."""
    assert concepts(f"{told} {more}")[name].definition == f"{told} {more}"


def test_german_ordinals_end_no_sentence() -> None:
    """A number with a full stop before a noun in capitals is an ordinal, and no beginning of a definition (CM-2)."""
    assert sentences("Das Blatt ist bis zum 1. März abzugeben. Es ist im 18. Jahrhundert üblich.") == [
        "Das Blatt ist bis zum 1. März abzugeben.",
        "Es ist im 18. Jahrhundert üblich.",
    ]
    assert sentences("Siehe Kapitel 3. Die Lösung folgt. See chapter 3. The rest is easy.") == [
        "Siehe Kapitel 3.",
        "Die Lösung folgt.",
        "See chapter 3.",
        "The rest is easy.",
    ]
    found = concepts(
        "Im 18. Jahrhundert war die Dampfmaschine eine Maschine, die Wärme in Arbeit umwandelt. "
        "Ein Manufakturbetrieb ist ein Betrieb, in dem Waren von Hand hergestellt werden."
    )
    assert "jahrhundert" not in found
    assert "manufakturbetrieb" in found


@pytest.mark.parametrize(
    "table, name, gist",
    [
        (
            ROCKS,
            "igneous rock",
            "Igneous rock: A rock formed from cooled magma",
        ),
        (
            WORTE,
            "osmose",
            "Osmose: Bewegung von Wasser durch eine Membran",
        ),
    ],
)
def test_a_table_of_terms_in_markdown_is_a_glossary(table: str, name: str, gist: str) -> None:
    """Two columns of terms and meanings are read as in Word (CM-1)."""
    assert concepts(f"# Geology\n\n{table}\n\nAn old sentence.")[name].gist == gist


@pytest.mark.parametrize(
    "table",
    [
        "| el perro | the dog |\n|---|---|\n| el gato | the cat |",
        "| Country | 2021 | 2022 |\n|---|---|---|\n| Germany | 2.6 | 1.8 |",
        "|||\n|---|---|\n|||",
        "| a |\n| b |",
    ],
)
def test_other_tables_in_markdown_name_no_ideas(table: str) -> None:
    """Vocabulary, figures and empty cells explain nothing (CM-2)."""
    assert concepts(f"# Data\n\n{table}\n\nAn old sentence.") == {}


@pytest.mark.parametrize(
    "text, rest",
    [
        ("**Definition 1.2.** A ring is a set.", ("A ring is a set.", True)),
        ("Definición 3: Un anillo es un conjunto.", ("Un anillo es un conjunto.", True)),
        ("**Exercise 2.** (3 points) A car is a vehicle.", ("A car is a vehicle.", False)),
        ("**تمرين ١:** السيارة هي مركبة.", ("السيارة هي مركبة.", False)),
        ("**उत्तर:** वेग दर है।", ("वेग दर है।", True)),
        ("Osmosis: the movement of water.", ("Osmosis: the movement of water.", True)),
        ("**Osmosis**: the movement of water.", ("**Osmosis**: the movement of water.", True)),
        (
            "Exercise keeps the heart healthy. It helps.",
            ("Exercise keeps the heart healthy. It helps.", True),
        ),
        ("", ("", True)),
        ("_" * 100_000, ("_" * 100_000, True)),
    ],
)
def test_labels_are_taken_off_and_exercises_explain_nothing(text: str, rest: tuple[str, bool]) -> None:
    """The gist of a numbered definition is the definition, and an exercise's is none (CM-2)."""
    assert unlabelled(text) == rest


def test_a_full_line_of_thai_breaks_between_words_that_no_space_parts() -> None:
    """A printed line's end is no space in Thai, so that no half of a word becomes a concept (CM-1, CM-2)."""
    printed = (
        "เปลือกโลกแบ่งออกเป็นแผ่นที่เคลื่อนที่บนเนื้อโลก ธรณี\nภาค คือ ชั้นนอกสุดที่แข็งของโลก ฐานธรณีภาค คือ ชั้น\n"
        "อ่อนที่อยู่ใต้ธรณีภาค การมุดตัว คือ กระบวนการที่แผ่น\nหนึ่งจมลงใต้อีกแผ่นหนึ่ง"
    )
    read = " ".join(block.text for block in blocks((Page(1, printed),), markdown=False))
    assert all(whole in read for whole in ("ธรณีภาค คือ", "ชั้นอ่อน", "แผ่นหนึ่งจม"))
    typed = "น้ำ คือ ของเหลวที่ไม่มีสีและกลิ่น\nไฟ คือ ความร้อน\nพลังงาน คือ ความสามารถในการทำงาน"
    _, block = blocks((Page(1, f"# เรื่อง\n\n{typed}"),), markdown=True)
    assert block.text == typed.replace("\n", " ")


@pytest.mark.parametrize(
    "sentence, name",
    [
        ("A set with a metric is called a metric space.", "metric space"),
        ("A body in motion is called a moving body.", "moving body"),
        ("The rocks that lie below are called the basement rocks.", "basement rocks"),
    ],
)
def test_what_is_called_something_is_no_name(sentence: str, name: str) -> None:
    """Of a sentence that gives a name only the name becomes a concept (CM-2)."""
    assert list(concepts(sentence)) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "**TA:** Kevin Zhang (kzhang@uni.example)",
        "Clayden, Greeves, Warren: *Organic Chemistry*, Oxford University Press, 2012. ISBN 978-0199270293",
        "Alberts, B. *Biología molecular*. Omega, 2010.",
        "[3] Knuth, D. E. *Sorting and Searching*. Addison-Wesley, Reading 1973.",
        "Ключевский В. О. **Курс истории**. М., 1987.",
    ],
)
def test_addresses_and_books_are_no_ideas(text: str) -> None:
    """Whom to write to and what to read names nothing of the subject, set off or not (CM-2)."""
    assert concepts(f"# Biology\n\n{text}\n\nAn old sentence.") == {}


@pytest.mark.parametrize(
    "text",
    [
        "Newton, who was born in 1643, says that a **force** is what changes a motion. It was new in 1687.",
        "Bohr's **model** is a picture of the atom that he drew in 1913.",
        "",
        "A" * 100_000,
        "Aa, " * 50_000,
    ],
)
def test_prose_with_names_and_years_is_no_list_of_books(text: str) -> None:
    """A year and a name do not make a reference (CM-1)."""
    assert not is_reference(text)


@pytest.mark.parametrize(
    "name, gist",
    [
        ("Санкт-Петербург", "Санкт-Петербург — это город, основанный в 1703 году."),
        ("Timgad", "Timgad was a Roman town founded around 100 AD."),
        ("Tikal", "Tikal es una ciudad situada en la selva."),
    ],
)
def test_a_town_that_was_founded_is_a_place(name: str, gist: str) -> None:
    """A town is one by its founding as well as by what it lies in (CM-2)."""
    assert is_place(name, gist)
    assert not is_place(f"{name[0].lower()}{name[1:]}", f"a {gist}")
