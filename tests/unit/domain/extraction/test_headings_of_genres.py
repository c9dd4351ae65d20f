"""Headings that a manual, a report, a life or the story of an event has anyway, and that are ideas elsewhere (CM-2)."""

from __future__ import annotations

import pytest

from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.extraction.genre_headings import dividing, folded
from anamnesis.domain.files import Document, Page

Sections = list[tuple[str, str]]


def names(sections: Sections) -> set[str]:
    """Names of the concepts of a file with a title and sections."""
    text = "# T 40\n" + "".join(f"## {heading}\n{body}\n" for heading, body in sections)
    read = OfflineConceptReader().read(Document("text/markdown", (Page(1, text),)), file_name="x")
    return {concept.name for concept in read.concepts}


@pytest.mark.parametrize(
    "sections, kept",
    [
        ([("Installation", "Installation is a job that takes about an hour. It needs two people."),
          ("Maintenance", "Maintenance is the work that keeps the pump in order. It is done once a year."),
          ("Warranty", "The warranty is a promise that covers two years."),
          ("Impeller", "An impeller is a rotating wheel that moves the liquid outward.")], {"impeller"}),
        ([("1. Aim", "The aim is a measurement of how the boiling point of water changes with salt."),
          ("2. Procedure", "The procedure is a series of steps that we repeated three times."),
          ("3. Sources of error", "A source of error is a cause that makes a reading too high or too low."),
          ("4. Results", "Viscosity is the resistance that a liquid offers to flow.")], {"viscosity"}),
        ([("Primeros años", "Sus primeros años fueron un tiempo de pobreza."),
          ("Educación", "La educación fue una mezcla de lecturas. La educación es un lujo que pocos tenían."),
          ("Matrimonio", "El matrimonio es una unión que duró cuarenta años."),
          ("Legado", "Una morrena es una cresta de rocas que deja un glaciar.")], {"morrena"}),
        ([("Montage", "Die Montage ist eine Arbeit, die eine Stunde dauert. Zwei Leute sind nötig."),
          ("Wartung", "Die Wartung ist eine Arbeit, die einmal im Jahr stattfindet."),
          ("Fehlersuche", "Die Fehlersuche ist die Suche nach der Ursache eines Fehlers."),
          ("Laufrad", "Ein Laufrad ist ein drehendes Rad, das die Flüssigkeit nach außen drückt.")], {"Laufrad"}),
        ([("Installation", "L'installation est un travail qui prend une heure."),
          ("Entretien", "L'entretien est un travail qui garde la pompe en ordre."),
          ("Dépannage", "Le dépannage est la recherche de la cause d'une panne."),
          ("Rotor", "Un rotor est une roue tournante qui pousse le liquide vers l'extérieur.")], {"rotor"}),
        ([("Cel doświadczenia", "Cel doświadczenia to pomiar temperatury wrzenia wody."),
          ("Przebieg doświadczenia", "Przebieg doświadczenia to ciąg kroków, które powtórzyliśmy trzy razy."),
          ("Wyniki", "Lepkość to opór, jaki ciecz stawia przy przepływie.")], {"lepkość"}),
        ([("Предыстория", "Предыстория — это спор о мосте, который длился годы."),
          ("Ход войны", "Ход войны — это цепь мелких сражений."),
          ("Последствия", "Перемирие — это соглашение, по которому обе стороны прекращают бои.")], {"перемирие"}),
        ([("Tujuan", "Tujuan adalah pengukuran titik didih air."),
          ("Langkah kerja", "Langkah kerja adalah urutan tindakan yang kami ulangi tiga kali."),
          ("Hasil", "Kekentalan adalah hambatan yang diberikan cairan terhadap aliran.")], {"kekentalan"}),
        ([("التركيب", "التركيب هو عمل يستغرق ساعة واحدة."),
          ("الصيانة", "الصيانة هي عمل يحفظ المضخة في حالة جيدة."),
          ("الضمان", "الضمان هو وعد يستمر سنتين."),
          ("الدفاعة", "الدفاعة هي عجلة دوارة تدفع السائل إلى الخارج.")], {"الدفاعة"}),
        ([("स्थापना", "स्थापना एक काम है जिसमें एक घंटा लगता है।"),
          ("रखरखाव", "रखरखाव एक काम है जो पंप को ठीक रखता है।"),
          ("वारंटी", "वारंटी एक वादा है जो दो साल चलता है।"),
          ("प्रेरक", "प्रेरक एक घूमने वाला पहिया है जो द्रव को बाहर धकेलता है।")], {"प्रेरक"}),
        ([("实验目的", "实验目的是对沸点的一次测量。"), ("实验步骤", "实验步骤是我们重复三次的一系列操作。"),
          ("实验结果", "粘度是液体抵抗流动的性质。")], {"粘度"}),
        ([("設置", "設置とは、一時間かかる作業である。"),
          ("お手入れ", "お手入れとは、ポンプを良い状態に保つ作業である。"),
          ("保証", "保証とは、二年間続く約束である。"),
          ("羽根車", "羽根車とは、液体を外側に押し出す回転する車である。")], {"羽根車"}),
    ],
)  # fmt: skip
def test_what_divides_a_text_of_its_genre_is_no_concept(sections: Sections, kept: set[str]) -> None:
    """A part that manuals, reports, lives or wars have is no concept, though a sentence says what it is (CM-2)."""
    assert names(sections) == kept


@pytest.mark.parametrize(
    "sections, kept",
    [
        ([("Family", "A family is a group of people related by birth or marriage."),
          ("Marriage", "Marriage is a legally recognised union between two people. Few societies lack it."),
          ("Education", "Education is the process by which a society passes on its knowledge.")],
         {"family", "marriage", "education"}),
        ([("Installation", "Installation is the act of putting a program on a computer so that it can run."),
          ("Maintenance", "Maintenance is the modification of a program after delivery to correct faults."),
          ("Coupling", "Coupling is the degree to which two modules depend on each other.")],
         {"installation", "maintenance", "coupling"}),
        ([("Warranty", "A warranty is a promise by a seller about the quality of goods."),
          ("Tort", "A tort is a wrongful act that leads to liability.")], {"warranty", "tort"}),
        ([("Troubleshooting", "The pump is slow."), ("Warranty", "It lasts a year."),
          ("Maintenance", "**Maintenance** is the work that keeps a machine in order.")], {"maintenance"}),
    ],
)  # fmt: skip
def test_a_heading_of_ideas_keeps_the_idea(sections: Sections, kept: set[str]) -> None:
    """The same words are ideas where they stand among ideas, or where the text sets them off (CM-1)."""
    assert names(sections) == kept


def test_cards_on_experiments_stay_cards() -> None:
    """A few such words among many cards with other names are entries as the others are (CM-1)."""
    few = ["Aim", "Procedure", "Apparatus"]
    others = [
        "Variable",
        "Control group",
        "Placebo",
        "Hypothesis",
        "Blinding",
        "Sample",
        "Bias",
        "Replication",
    ]
    cards = [(name, f"What a study needs for its case {i}.") for i, name in enumerate(few + others)]
    assert dividing(few + others) == {"aim", "procedure", "apparatus"}
    assert len(names(cards)) == len(cards)


@pytest.mark.parametrize(
    "heading, plain",
    [("3. Procedure", "procedure"), ("IV. Aim:", "aim"), ("DURCHFÜHRUNG", "durchführung"),
     ("Mode  opératoire", "mode opératoire"),
     ("", ""), ("***", ""), ("a" * 1_000_000, ""), ("A) Aim", "aim"), ("１．实验步骤", "实验步骤")],
)  # fmt: skip
def test_headings_are_compared_without_number_and_case(heading: str, plain: str) -> None:
    """Numbers, case and marks do not tell a part from another, and a million letters are none (CM-2)."""
    assert folded(heading) == plain
