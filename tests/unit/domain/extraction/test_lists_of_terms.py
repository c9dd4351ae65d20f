"""Glossaries, cards, tables of terms and slides of one sentence, and lists of other things."""

from __future__ import annotations

import pytest

from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.extraction.lists import entries
from anamnesis.domain.extraction.lists.cards import asked_for
from anamnesis.domain.files import Document, Page

LISTS = {
    "en": [("Isobar", "line through places of equal pressure"), ("Front", "border between two masses of air"),
    ("Dew point", "temperature at which vapour begins to condense"),
           ("Squall", "sudden rise of the wind's speed")],
    "uk": [("Ізобара", "лінія однакового тиску на карті"), ("Фронт", "межа між двома масами повітря"),
    ("Точка роси", "температура, за якої пара стає водою"),
           ("Шквал", "раптове посилення вітру на кілька хвилин")],
    "ar": [("الضغط الجوي", "وزن عمود الهواء فوق مساحة معينة"), ("الجبهة", "الحد بين كتلتين من الهواء"),
           ("نقطة الندى", "درجة الحرارة التي يبدأ عندها التكاثف"), ("الإعصار", "عاصفة شديدة تدور حول مركزها")],
    "he": [("איזובר", "קו המחבר נקודות בעלות לחץ שווה"), ("חזית", "הגבול בין שני גושי אוויר"),
           ("נקודת הטל", "הטמפרטורה שבה מתחיל עיבוי האדים"), ("סופה", "רוח חזקה המלווה בגשם")],
    "hi": [("समदाब रेखा", "समान दाब वाले स्थानों को मिलाने वाली रेखा"), ("वाताग्र", "दो वायु राशियों के बीच की सीमा"),
           ("ओसांक", "वह ताप जिस पर वाष्प जमने लगती है"), ("चक्रवात", "केंद्र के चारों ओर घूमती तेज हवा")],
    "bn": [("সমচাপ রেখা", "সমান চাপের স্থানগুলি যুক্ত করা রেখা"), ("বায়ুপ্রাচীর", "দুই বায়ুপুঞ্জের মাঝের সীমানা"),
           ("শিশিরাঙ্ক", "যে তাপে বাষ্প জমতে শুরু করে"), ("ঘূর্ণিঝড়", "কেন্দ্রের চারদিকে ঘোরা প্রবল বাতাস")],
    "ta": [("சமஅழுத்தக்கோடு", "சம அழுத்த இடங்களை இணைக்கும் கோடு"), ("முகப்பு", "இரு காற்றுத் திரள்களின் எல்லை"),
           ("பனிநிலை", "ஆவி நீராகத் தொடங்கும் வெப்பநிலை"), ("புயல்", "மையத்தைச் சுற்றி வீசும் பலத்த காற்று")],
    "th": [("ความกดอากาศ", "น้ำหนักของอากาศเหนือพื้นที่หนึ่ง"), ("แนวปะทะ", "รอยต่อระหว่างมวลอากาศสองมวล"),
           ("จุดน้ำค้าง", "อุณหภูมิที่ไอน้ำเริ่มควบแน่น"), ("พายุ", "ลมแรงที่หมุนรอบศูนย์กลาง")],
    "zh": [("等压线", "连接气压相等地点的线"),
           ("锋面", "两个气团之间的界面"),
           ("露点", "水汽开始凝结时的温度"),
           ("气旋", "绕中心旋转的低压系统")],
    "ja": [("等圧線", "気圧の等しい地点を結んだ線"),
           ("前線", "二つの気団が接する境目"),
           ("露点", "水蒸気が凝結し始める温度"),
           ("低気圧", "周りより気圧の低いところ")],
    "ko": [("등압선", "기압이 같은 곳을 이은 선"),
           ("전선", "두 기단이 만나는 경계"),
           ("이슬점", "수증기가 응결하기 시작하는 온도"),
           ("저기압", "주위보다 기압이 낮은 곳")],
    "ka": [("იზობარა", "თანაბარი წნევის წერტილების შემაერთებელი ხაზი"), ("ფრონტი", "ორი ჰაერის მასის საზღვარი"),
           ("ნამის წერტილი", "ტემპერატურა, რომელზეც ორთქლი წყალდება"), ("ციკლონი", "ცენტრის ირგვლივ მბრუნავი ქარი")],
}  # fmt: skip


def found(text: str, media_type: str = "text/plain") -> dict[str, str]:
    """Gists by canonical key."""
    document = Document(media_type, (Page(1, text),))
    return {
        canonical_key(c.name): c.gist for c in OfflineConceptReader().read(document, file_name="").concepts
    }


@pytest.mark.parametrize(
    "form", ["{} – {}", "{}: {}", "{} = {}", "{}\t{}", "- {}: {}", "| {} | {} |", "{}\n: {}"]
)
@pytest.mark.parametrize("language", LISTS)
def test_every_term_of_a_list_is_a_concept_with_its_meaning(language: str, form: str) -> None:
    """A list of terms in any script and form gives each term with what it means, and nothing else (CM-1)."""
    terms = LISTS[language]
    gists = found("\n".join(form.format(term, meaning) for term, meaning in terms))
    assert set(gists) == {canonical_key(term) for term, _ in terms}
    assert all(meaning in gists[canonical_key(term)] for term, meaning in terms)


@pytest.mark.parametrize("language", LISTS)
def test_sections_of_a_name_and_one_sentence_are_entries(language: str) -> None:
    """Slides with a title and one sentence give their titles as concepts with that sentence (CM-1)."""
    terms = LISTS[language]
    gists = found("\n\n".join(f"# {term}\n\n{meaning}" for term, meaning in terms), "text/markdown")
    assert set(gists) == {canonical_key(term) for term, _ in terms}


@pytest.mark.parametrize(
    "question, term",
    [
        ("What is the dew point?", "dew point"),
        ("¿Qué es la erosión?", "erosión"),
        ("Was versteht man unter einem Isotop?", "Isotop"),
        ("Apa yang dimaksud dengan inflasi?", "inflasi"),
        ("الإعصار ما هو؟", ""),
        ("ما هو الإعصار؟", "الإعصار"),
        ("चक्रवात क्या है?", "चक्रवात"),
        ("什么是气旋？", "气旋"),
        ("低気圧とは何ですか？", "低気圧"),
        ("Delta nedir?", "Delta"),
        ("Why does it rain?", ""),
        ("", ""),
    ],
)
def test_a_card_s_question_tells_its_term(question: str, term: str) -> None:
    """What a card asks for is its term, without article, and a question that asks for no term has none (CM-1)."""
    assert asked_for(question) == term


@pytest.mark.parametrize(
    "lines",
    [
        ["Date: the fifth of May in the morning",
         "Place: the big hall of the school", "Teacher: the one of last year",
         "Room: on the second floor left"],
        ["Ana: I will bring the boat", "Ben: then I bring the food", "Ana: and what about the dog",
         "Ben: it will come with us"],
        ["Ada Lovelace – English mathematician who wrote a first program",
         "Niels Bohr – Danish physicist who described atoms",
         "Mary Anning – palaeontologist who found fossils", "Ibn al-Haytham – Arab physicist who studied light"],
        ["Step 1: put the water into the pot", "Step 2: heat it until it boils", "Step 3: put the rice into it",
         "Step 4: wait for ten long minutes"],
        ["1492 – the ships reach the islands", "1517 – the theses are published there",
         "1789 – the people take the fortress", "1815 – the emperor is beaten again"],
        ["width = 300", "height = 200", "color = auto", "border = none of them"],
    ],
)  # fmt: skip
def test_lists_of_other_things_give_no_concepts(lines: list[str]) -> None:
    """Forms, dialogues, people, steps, dates and settings are no lists of terms (CM-2)."""
    assert found("\n".join(lines)) == {}


def test_bulleted_points_of_a_chapter_are_no_list_of_terms() -> None:
    """Points of an argument with a bold-less label stay points where most of the file is prose (CM-2)."""
    prose = "Samples are chosen with care, since whoever is asked decides what is heard in the end. " * 12
    points = (
        "- Too few people asked: the answer hangs on chance\n- Paid studies: who pays may want an answer\n"
    )
    points += "- Missing answers: those who do not reply differ\n- Leading questions: words push an answer"
    assert not set(found(f"# Samples\n\n{prose}\n\n{points}\n\n{prose}", "text/markdown")) & {
        "too few people asked", "paid study", "missing answer", "leading question",
    }  # fmt: skip


def test_entries_of_a_million_characters_take_linear_time_and_none_overlap() -> None:
    """A page of one million characters is looked through whole, and entries never share a line (CM-1)."""
    lines = [
        f"term{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}: what it means in words"
        for n in range(9_000)
    ]
    lines += ["x: " * 100_000, "\t" * 100_000, "| " * 100_000, ""]
    told = entries(lines)
    places = [place for entry in told for place in range(entry.start, entry.end)]
    assert len(places) == len(set(places))
    assert len(told) >= 900
