"""Plain definitions of languages in which nothing is bold and no heading helps (CM-1)."""

from __future__ import annotations

import pytest

from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.concepts import Extraction
from anamnesis.domain.extraction.sentences import sentences
from anamnesis.domain.files import Document, Page

#: The sentences of a lesson by the names of what they define.
LESSONS = {
    "hi": {
        "त्वरण": "त्वरण किसी वस्तु की वह राशि है जो उसके वेग में बदलाव की दर दिखाती है।",
        "घनत्व": "घनत्व किसी पदार्थ की वह राशि है जिसे द्रव्यमान और आयतन से निकाला जाता है।",
        "आवेग": "आवेग वह राशि है जिसमें बल और समय का गुणा होता है।",
        "वाष्पन": "वाष्पन द्रव के गैस में बदलने को कहते हैं।",
        "ऊष्मा चालकता": "ऊष्मा चालकता यह बताती है कि ऊष्मा कितनी तेज़ी से बहती है।",
    },
    "he": {
        "התאוצה": "התאוצה היא השינוי של המהירות ביחידת זמן אחת.",
        "צפיפות": "צפיפות היא היחס בין המסה של גוף לבין הנפח שלו.",
        "שיווי משקל תרמי": "שיווי משקל תרמי הוא המצב שבו אין מעבר חום בין גופים.",
        "אידוי": "אידוי הוא המעבר של חומר מנוזל לגז.",
    },
    "el": {
        "επιτάχυνση": "Η επιτάχυνση είναι ο ρυθμός με τον οποίο μεταβάλλεται η ταχύτητα.",
        "πυκνότητα": "Η πυκνότητα είναι το πηλίκο της μάζας προς τον όγκο.",
        "θερμική ισορροπία": "Η θερμική ισορροπία είναι μια κατάσταση όπου δεν ρέει θερμότητα.",
        "καταλύτης": "Ο καταλύτης είναι μια ουσία που επιταχύνει την αντίδραση.",
    },
    "cs": {
        "zrychlení": "Zrychlení je změna rychlosti za jednotku času.",
        "hustota": "Hustota je podíl hmotnosti a objemu tělesa.",
        "tepelná rovnováha": "Tepelná rovnováha je stav, při kterém mezi tělesy neproudí teplo.",
        "katalyzátor": "Katalyzátor je látka, která urychluje reakci.",
    },
    "hu": {
        "gyorsulás": "A gyorsulás az a mennyiség, amely a sebesség változását adja meg időegységenként.",
        "katalizátor": "A katalizátor olyan anyag, amely felgyorsítja a reakciót.",
        "párolgás": "A párolgás az a folyamat, amelyben a folyadék gőzzé válik.",
        "hormon": "A hormon különleges hírvivő anyag, amely a vérben terjed.",
    },
    "th": {
        "ความเร่ง": "ความเร่ง คือ อัตราการเปลี่ยนแปลงของความเร็วต่อเวลา",
        "ความหนาแน่น": "ความหนาแน่น คือ มวลของสารต่อหนึ่งหน่วยปริมาตร",
        "ตัวเร่งปฏิกิริยา": "ตัวเร่งปฏิกิริยา หมายถึง สารที่ทำให้ปฏิกิริยาเกิดเร็วขึ้น",
    },
}
SAYING_NOTHING = {
    "hi": "सबको घर की रोशनी पसंद है। रमेश किसी दुकान में गया और वहाँ से लौट आया। हम कल फिर मिलेंगे।",
    "he": "הילדים הלכו לבית הספר בבוקר. אתמול ירד גשם חזק בעיר. כולם אוהבים את האור בבית.",
    "el": "Όλοι αγαπούν το φως του σπιτιού. Τα παιδιά πήγαν χθες στο σχολείο. Η ταινία είναι πολύ καλή για όλους.",
    "cs": "Všichni mají rádi světlo v domě. Děti šly včera do školy. Kniha je dobrá pro všechny lidi.",
    "hu": "Mindenki szereti a ház fényét. A gyerekek tegnap az iskolába mentek. A könyv jó és hasznos, ő is tudja.",
    "th": "เด็กๆ ไปโรงเรียนเมื่อวานนี้ ทุกคนชอบแสงในบ้าน พรุ่งนี้เราจะพบกันอีก",
}


def read(text: str) -> Extraction:
    """What the reader makes of a one-page text."""
    return OfflineConceptReader().read(Document("text/plain", (Page(1, text),)), file_name="x")


@pytest.mark.parametrize("language", LESSONS)
def test_a_sentence_that_says_what_a_thing_is_defines_it(language: str) -> None:
    """A plain "X is …" in running text gives X with that sentence as its gist, in each of these languages (CM-1)."""
    lesson = LESSONS[language]
    found = read(" ".join(lesson.values()))
    assert found.language == language
    assert {concept.name: concept.gist for concept in found.concepts} == lesson


@pytest.mark.parametrize("language", SAYING_NOTHING)
def test_a_sentence_that_tells_of_a_day_defines_nothing(language: str) -> None:
    """What happened, and who likes what, makes no concept in any of these languages (CM-2)."""
    assert read(SAYING_NOTHING[language]).concepts == ()


@pytest.mark.parametrize("mark", ["1", "12", "[1]", "[^1]", "[^note]", "²", "†", ")1", "”[3]"])
def test_a_footnote_mark_ends_no_sentence_late(mark: str) -> None:
    """The mark of a footnote belongs to neither of the sentences between which it stands (CM-1)."""
    bracket = mark[0] if mark[0] in ")”" else ""
    first = f"A root is a zero of a polynomial.{bracket}"
    text = f"{first}{mark.removeprefix(bracket)} A pole is a zero of the denominator.{mark.removeprefix(bracket)}"
    assert sentences(text) == [first, "A pole is a zero of the denominator."]
    found = {concept.name: concept.gist for concept in read(text).concepts}
    assert found == {"root": first, "pole": "A pole is a zero of the denominator."}


def test_a_figure_that_is_no_footnote_stays() -> None:
    """Decimals, dates and numbers of figures are no marks of footnotes (CM-1)."""
    text = "The ratio is 3.14 here. It fell to 2.1 A in May. See Fig. 3 below."
    assert sentences(text) == ["The ratio is 3.14 here.", "It fell to 2.1 A in May.", "See Fig. 3 below."]
