"""People and organisations are no ideas of a subject (CM-2)."""

from __future__ import annotations

import pytest

from anamnesis.domain.concepts import ExtractedConcept
from anamnesis.domain.concepts.validation import RejectionReason, validate


def refusal(name: str, gist: str) -> str | None:
    """Why the validator refuses a concept; None when it stays."""
    kept, refused = validate([ExtractedConcept(name, gist, "", (), (), (1,))], page_count=1)
    return None if kept else refused[0].reason


PEOPLE = [
    ("Albert Einstein", "Albert Einstein was a German-born theoretical physicist."),
    ("Isaac Newton", "Isaac Newton (1643–1727) was an English physicist and formulated the laws."),
    ("Marie Curie", "Marie Curie fue una física y química polaca."),
    ("Iwan Pawłow", "Iwan Pawłow był rosyjskim fizjologiem."),
    ("Burrhus Skinner", "Burrhus Skinner był amerykańskim psychologiem."),
    ("अल्बर्ट आइंस्टीन", "अल्बर्ट आइंस्टीन एक जर्मन भौतिक विज्ञानी थे।"),
    ("爱因斯坦", "爱因斯坦是德国物理学家。"),
    ("アインシュタイン", "アインシュタインはドイツの物理学者である。"),
    ("ابن الهيثم", "ابن الهيثم هو عالم مسلم."),
    ("Dr Jane Doe", "Explains."),
    ("Дмитрий Менделеев", "Дмитрий Менделеев был русским химиком."),
    ("아인슈타인", "아인슈타인은 독일의 물리학자이다."),
    ("Charles Darwin", "English naturalist who proposed selection."),
    ("Ibnu Sina", "Ibnu Sina adalah seorang filsuf."),
    ("Emmy Noether", "Emmy Noether war eine deutsche Mathematikerin."),
    ("Cahit Arf", "Cahit Arf bir matematikçiydi."),
    ("Ngô Bảo Châu", "Ngô Bảo Châu là nhà toán học."),
]  # fmt: skip

IDEAS = [
    ("Natural Selection", "Natural selection is the theory proposed by the naturalist Charles Darwin."),
    ("Boyle's Law", "Boyle's law is a law of the physicist Robert Boyle."),
    ("Osmosis", "Osmosis is the movement of water"),
    ("Scientist", "A scientist is a person"),
    ("The Great Depression", "The Great Depression (1929–1939) was an economic crisis that economists study."),
    ("Scientific Method", "The scientific method is how a scientist works."),
    ("自然选择", "自然选择是博物学家达尔文提出的理论。"),
    ("相対性理論", "相対性理論は物理学者アインシュタインが提唱した理論である。"),
    ("العلم", "العلم هو معرفة العالم"),
    ("Physik", "Die Physik ist die Wissenschaft."),
    ("Ley de Boyle", "La ley de Boyle es física."),
    ("Matemáticas", "Las matemáticas es una ciencia"),
    ("Energía", "La energía es una propiedad física de los cuerpos."),
    ("الطاقة", "الطاقة هي خاصية في عالم الأجسام"),
    ("Chemische Bindung", "Die chemische Bindung ist ein physikalisch-chemisches Phänomen"),
    ("Reazione chimica", "La reazione chimica è un processo chimico."),
    ("Fotosíntesis", "La fotosíntesis es un proceso químico."),
    ("Fotosintesi", "La fotosintesi è una reazione chimica."),
    ("Polityka", "To jest ekonomistyka"),
    ("Economia", "L'economia è una scienza statistica"),
    ("Оптика", "Оптика — раздел физики"),
    ("Сила", "Сила — физическая величина"),
    ("Мощность", "Мощность — физика работы"),
    ("Evolution", "Evolution, as Darwin, who was an English naturalist, showed, is change."),
    ("Comparative Advantage", "Comparative advantage is the idea the economist Ricardo had."),
    ("गुरुत्वाकर्षण", "गुरुत्वाकर्षण एक वैज्ञानिक बल है।"),
    ("Optyka", "Optyka to dział fizyki"),
    ("Ciśnienie", "Ciśnienie to wielkość fizyczna"),
    ("Fizyka", "Fizyka to nauka"),
    ("Chimie", "La chimie est une science"),
    ("Chemistry", "Chemistry is the science a chemist does"),
    ("Turing Machine", "A Turing machine is the mathematician's model."),
]  # fmt: skip


@pytest.mark.parametrize("name, gist", PEOPLE)
def test_a_person_is_no_concept(name: str, gist: str) -> None:
    """Who is said to be a scholar, or is named by a title, is refused as a person, in every tabled language (CM-2)."""
    assert refusal(name, gist) == RejectionReason.PERSON


@pytest.mark.parametrize("name, gist", IDEAS)
def test_an_idea_named_after_or_explained_by_a_person_stays(name: str, gist: str) -> None:
    """An idea that has a person in its name or its gist, or the word for a trade near it, stays (CM-2)."""
    assert refusal(name, gist) is None


@pytest.mark.parametrize(
    "name",
    ["Oxford University Press", "Cambridge University", "Acme Inc.", "Beispiel GmbH", "Universidad de Sevilla",
     "清华大学出版社", "Uniwersytet Jagielloński", "Московский Университет"],
)  # fmt: skip
def test_an_organisation_is_no_concept(name: str) -> None:
    """Universities, publishers and companies are refused by the words that only their names have (CM-2)."""
    assert refusal(name, "It publishes things.") == RejectionReason.ORGANISATION


@pytest.mark.parametrize(
    "name",
    ["Central bank", "Press conference", "World Bank", "United Nations", "Printing Press", "Electoral College",
     "Incomplete Dominance", "Multinational Corporation", "European Union", "AgCl", "新闻出版", "大学"],
)  # fmt: skip
def test_an_institution_that_is_a_subject_stays(name: str) -> None:
    """Institutions that a subject teaches about stay, and so does what only looks like a company's name (CM-2)."""
    assert refusal(name, "It is taught here.") is None


def test_endless_names_and_gists_take_no_time() -> None:
    """A million characters of name or gist are judged by their beginning (SV-13)."""
    assert refusal("Ada Lovelace", "was an " * 200_000) is None
    assert refusal("A " * 500_000, "is a physicist") == RejectionReason.NAME_TOO_LONG
