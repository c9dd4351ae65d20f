"""Identifiers, notices in capitals, forms of verbs and companies, which no map shows (CM-2)."""

from __future__ import annotations

import pytest

from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.files import Document, Page


def names(text: str) -> set[str]:
    """Names of the concepts of a one-page text."""
    read = OfflineConceptReader().read(Document("text/markdown", (Page(1, text),)), file_name="x")
    return {concept.name for concept in read.concepts}


@pytest.mark.parametrize(
    "text, kept",
    [
        ("The `range` is a function that gives numbers in order. A sequence is a row of values in order.", "sequence"),
        ("`print` is a function that shows text. A sequence is a row of values in a fixed order.", "sequence"),
        ("`append` es una función que añade un valor. Una secuencia es una fila de valores en orden.", "secuencia"),
        ("`range`是一种产生数字的函数。序列是由按顺序排列的值组成的整体。", "序列"),
    ],
)  # fmt: skip
def test_what_stands_in_backticks_is_no_concept(text: str, kept: str) -> None:
    """An identifier that a text sets as code is no concept, whatever it says of it; a word beside it is (CM-2)."""
    assert names(text) == {kept}


def test_a_word_that_is_code_elsewhere_may_be_defined() -> None:
    """A list that is defined in words is a concept though another paragraph writes `list` as code (CM-1)."""
    assert names("A list is a row of values in a fixed order.\n\nCall `list` to make one of any values.") == {
        "list"
    }


@pytest.mark.parametrize(
    "text",
    [
        "# RULES\n\nIMPORTANT RULES FOR EVERYBODY HERE is a list of duties that hold in the lab.",
        "FORCEOVERFLOW is a flag that is set when a sum is too large. FORCEOVERFLOW is cleared by the next sum.",
        "**REQUIRESTACKCHECK**: a flag that is set before a call.",
    ],
)
def test_a_notice_or_a_constant_in_capitals_is_no_concept(text: str) -> None:
    """Capitals that are too long for a short form name no idea (CM-2)."""
    assert names(text) == set()


@pytest.mark.parametrize("name", ["ATP", "NADPH", "UNESCO"])
def test_a_short_form_in_capitals_is_a_concept(name: str) -> None:
    """A short form that a text defines is a concept (CM-1)."""
    assert names(f"{name} is a molecule that carries energy inside a cell.") == {name}


def test_a_heading_in_capitals_names_the_idea_of_its_text() -> None:
    """A heading in capitals does not keep away the idea that its paragraph defines (CM-1)."""
    text = "# PHOTOSYNTHESIS\n\nPhotosynthesis is the process by which plants make sugar from light."
    assert names(text) == {"photosynthesis"}


@pytest.mark.parametrize(
    "text",
    [
        "Starbucks is an American coffee company that was founded in Seattle in 1971.",
        "Zara es una cadena de tiendas de ropa fundada en 1975 en Galicia.",
        "Renault est une entreprise automobile fondée en 1899 par trois frères.",
        "Siemens ist ein deutscher Konzern mit Sitz in München und Berlin.",
        "华为是一家通信公司,成立于1987年。",
        "أرامكو هي شركة نفط تأسست عام 1933 في السعودية.",
    ],
)
def test_a_company_is_no_concept(text: str) -> None:
    """A name that a text says to be a company with a place or a year is refused as an organisation (CM-2)."""
    assert names(text) == set()


@pytest.mark.parametrize(
    "text, name",
    [
        ("A startup is a company that was founded to grow fast.", "startup"),
        ("A multinational is a company that is based in several countries.", "multinational"),
        ("Una cooperativa es una empresa fundada por sus propios trabajadores.", "cooperativa"),
        ("Eine Genossenschaft ist ein Unternehmen, das von seinen Mitgliedern gegründet wird.", "Genossenschaft"),
    ],
)  # fmt: skip
def test_a_kind_of_company_is_a_concept(text: str, name: str) -> None:
    """A kind of company is an idea that economics teaches about (CM-1)."""
    assert name in names(text)


def test_a_hindi_infinitive_is_no_concept() -> None:
    """What a page sets in bold in the form of a Hindi verb names nothing (CM-2)."""
    assert names("**खिसकाने** के लिए तीर दबाएँ और फिर **खिसकाने** के बाद सूची को खोलकर देखें।") == set()
