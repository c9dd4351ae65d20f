"""Whether pages bear out what is said of them (CM-2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.concepts import ExtractedConcept
from anamnesis.domain.concepts.page_evidence import PageTexts
from anamnesis.domain.concepts.validation import RejectionReason, validate
from anamnesis.domain.files import Page

#: A page by the code of its language, names that it holds in other forms, and one that it does not.
PAGES = {
    "en": ("The forces of friction slow a car. The law says: demand falls.", ["Friction", "law of demand"], "Gravity"),
    "es": ("Las células eucariotas tienen núcleo y mitocondrias.", ["Célula eucariota", "mitocondria"], "Ósmosis"),
    "pl": ("W komórkach nie ma warunkowania klasycznego.", ["Komórka", "warunkowanie klasyczne"], "Tarcie"),
    "de": ("In den Zellkernen liegen die Chromosomen.", ["Zellkern", "Chromosom"], "Reibung"),
    "ru": ("В клетках идёт фотосинтез, сила трения мала.", ["Клетка", "Силы трения"], "Осмос"),
    "tr": ("Hücrelerin çekirdeğinde kromozomlar bulunur.", ["Hücre", "Kromozom"], "Sürtünme"),
    "id": ("Pembelahan sel dan pernapasan seluler terjadi.", ["pembelahan sel", "pernapasan sel"], "Gesekan"),
    "ar": ("تنتقل المياه بالتناضح عبر الأغشية، والخلية محاطة بغشاء.", ["التناضح", "خلية"], "الاحتكاك"),
    "he": ("הפוטוסינתזה מתרחשת בצמחים ובתאים.", ["פוטוסינתזה"], "חיכוך"),
    "hi": ("प्रकाश संश्लेषण पौधों में होता है और परासरण जल को ले जाता है।", ["प्रकाश संश्लेषण", "परासरण"], "घर्षण"),
    "th": ("การสังเคราะห์ด้วยแสงเกิดขึ้นในพืช และออสโมซิสเคลื่อนย้ายน้ำ", ["การสังเคราะห์ด้วยแสง", "ออสโมซิส"], "แรงเสียดทาน"),
    "zh": ("植物進行光合作用,水分子通過滲透作用移動。", ["光合作用", "渗透作用"], "摩擦力"),
    "ja": ("植物は光合成を行い、水は浸透によって動く。", ["光合成", "浸透"], "摩擦力"),
    "ko": ("식물은 광합성을 하고 물은 삼투로 움직이며 운동에너지를 얻는다.", ["광합성", "운동 에너지"], "마찰력"),
    "vi": ("Thực vật quang hợp và nước thẩm thấu qua màng.", ["Quang hợp", "thẩm thấu"], "Ma sát"),
}  # fmt: skip


@pytest.mark.parametrize("code", PAGES)
def test_a_page_names_what_it_names_in_every_script(code: str) -> None:
    """A page's own terms are found in other forms of their words, and a term of another page is not (CM-2)."""
    text, named, other = PAGES[code]
    seen = PageTexts([Page(1, "Something else."), Page(2, text)])
    assert [name for name in named if not seen.name(name, 2)] == []
    assert not seen.name(other, 2)
    assert not any(seen.name(name, 1) for name in named)


@pytest.mark.parametrize(
    "name, text, is_there",
    [
        ("Deoxyribonucleic acid (DNA)", "All of it is DNA.", True),
        ("DNA", "All of it is dnase.", True),
        ("DNA", "Cardnal numbers.", False),
        ("pH", "The pH of water is seven.", True),
        ("pH", "Phosphor is an element; alpha too.", True),
        ("Mole (unit)", "A mole holds many particles.", True),
        ("C++", "We write C++ here.", True),
        ("x̄", "", False),
        ("", "Anything.", False),
        ("Photosynthesis", "Photo-\nsynthesis happens.", True),
    ],
)
def test_short_and_odd_names_are_looked_for_as_words(name: str, text: str, is_there: bool) -> None:
    """Abbreviations count at the beginning of a word only, either form of a name does, no name is nowhere (CM-2)."""
    assert PageTexts([Page(1, text)]).name(name, 1) is is_there


_GISTS = [
    ("Osmosis is the movement of water through a membrane towards the higher concentration of solute.",
     "Water crosses the membrane by osmosis when the concentrations of a solute differ on both sides.",
     "Photons excite electrons inside chlorophyll pigments during daylight."),
    ("La ósmosis es el paso del agua a través de una membrana semipermeable.",
     "El agua atraviesa la membrana semipermeable por ósmosis.",
     "Los fotones excitan electrones dentro de pigmentos clorofílicos."),
    ("परासरण अर्धपारगम्य झिल्ली के माध्यम से जल का प्रवाह है।",
     "जल का अर्धपारगम्य झिल्ली से होकर बहना परासरण कहलाता है।",
     "प्रकाश इलेक्ट्रॉनों को उत्तेजित करता तथा ऊर्जा भंडारित होती रहती।"),
    ("渗透作用是水分子通过半透膜的扩散。",
     "水分子通过半透膜扩散的现象叫做渗透作用。",
     "光子激发叶绿素中的电子并储存能量。"),
]  # fmt: skip


@pytest.mark.parametrize("gist, text, foreign", _GISTS)
def test_a_gist_in_the_pages_words_is_supported_and_a_foreign_one_is_not(
    gist: str, text: str, foreign: str
) -> None:
    """A gist that rewords the page stands; one about another matter, or in another language, is refused (CM-2)."""
    seen = PageTexts([Page(1, text)])
    assert seen.support(gist, [1])
    assert not seen.support(foreign, [1])
    # Related languages share words: "osmosis", "membrana".
    for other in (_GISTS[2][0], _GISTS[3][0]):
        assert other == gist or not seen.support(other, [1])


def test_the_validator_says_what_the_pages_do_not_bear_out() -> None:
    """Wrong pages go and are named, a foreign definition gives way to the gist, a foreign gist refuses all (CM-2)."""
    pages = [
        Page(3, "Osmosis is the movement of water through a membrane."),
        Page(4, "Diffusion spreads particles."),
    ]
    foreign = "Astrologers interpret horoscopes through zodiac constellations."

    def concept(name: str, gist: str, definition: str, *cited: int) -> ExtractedConcept:
        return ExtractedConcept(name, gist, definition, (), (), cited)

    kept, refused = validate(
        [
            concept("Osmosis", "Osmosis is a movement of water.", foreign, 3, 4, 5),
            concept("Diffusion", foreign, "", 4),
        ],
        page_count=9,
        pages=pages,
    )
    assert [(c.name, c.pages, c.definition) for c in kept] == [
        ("Osmosis", (3,), "Osmosis is a movement of water.")
    ]
    assert [(r.name, r.reason) for r in refused] == [
        ("Osmosis", RejectionReason.PAGE_OUT_OF_RANGE),
        ("Osmosis", RejectionReason.NOT_ON_PAGE),
        ("Osmosis", RejectionReason.UNSUPPORTED_DEFINITION),
        ("Diffusion", RejectionReason.UNSUPPORTED_GIST),
    ]


@given(st.text(max_size=200), st.text(max_size=60))
def test_any_text_can_be_asked_for_anything(text: str, name: str) -> None:
    """No text and no name is an error, and a page names each word that it is made of (CM-2)."""
    seen = PageTexts([Page(1, text)])
    assert seen.name(name, 1) in {True, False}
    assert not seen.name(name, 2)
    assert seen.support(name, [1]) in {True, False}
