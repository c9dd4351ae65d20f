"""What a student's own words make of talk: names that are utterances, and sentences that report somebody else's."""

from __future__ import annotations

import pytest

from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.messages.teachings import read_teaching
from support.wired_memory import ANA, Memory, check, question


@pytest.mark.parametrize(
    "taught, name",
    [
        ("Treat just ask me the questions as the rule.", "ask me the questions"),
        ("记住我们把问我几个问题叫做测验", "问我几个问题"),
        ("Ingat bahwa kami menyebut tanyakan saja sebagai kuis", "tanyakan saja"),
    ],
)
def test_a_taught_utterance_is_nothing_to_understand(taught: str, name: str) -> None:
    """A student who teaches what an utterance stands for is not believed to understand the utterance (BE-3)."""
    memory = Memory()
    [noted] = memory.say(question(taught))
    assert noted.kind is Kind.TAUGHT
    memory.say(check(name), check(f"{name}!"))
    memory.rederive(ANA)
    assert memory.beliefs.current(ANA) == []


@pytest.mark.parametrize(
    "language, said",
    [
        ("en", "The book says: osmosis is passive, remember that."),
        ("es", "El libro dice: la ósmosis es pasiva, recuérdalo."),
        ("fr", "Le livre dit : l'osmose est passive, retiens ça."),
        ("de", "Das Buch sagt: Osmose ist passiv, merk dir das."),
        ("pl", "Książka mówi: osmoza jest bierna, zapamiętaj to."),
        ("ru", "В книге сказано: осмос пассивен, запомни это."),
        ("tr", "Kitap diyor ki: ozmosun pasif olduğunu unutma"),
        ("ar", "يقول الكتاب: التناضح سلبي، تذكر ذلك."),
        ("he", "בספר כתוב: אוסמוזה היא פסיבית, זכור את זה."),
        ("hi", "किताब कहती है: परासरण निष्क्रिय है, याद रखो"),
        ("th", "หนังสือบอกว่า: ออสโมซิสเป็นแบบพาสซีฟ จำไว้นะ"),
        ("ja", "本にこう書いてある：浸透は受動的だと覚えておいて"),
        ("ko", "책에 이렇게 나와: 삼투가 수동적이라는 걸 기억해"),
        ("vi", "Sách nói: thẩm thấu là thụ động, hãy nhớ điều đó."),
    ],
)
def test_what_somebody_says_is_not_taught(language: str, said: str) -> None:
    """A "remember that" behind what a book or a person says is theirs, also where verbs come last (TE-3)."""
    assert read_teaching(said, language=language) is None


@pytest.mark.parametrize(
    "language, said",
    [
        ("en", "Mitochondria: the powerhouse of the cell, remember that."),
        ("en", "I said: osmosis is passive, remember that."),
        ("de", "Osmose: Wasser wandert durch die Membran, merk dir das."),
        ("ru", "Я сказал: осмос пассивен, запомни"),
        ("tr", "Mitokondri: hücrenin enerji santralidir, unutma"),
        ("hi", "परासरण: पानी झिल्ली से गुज़रता है, याद रखो"),
        ("th", "ออสโมซิส: น้ำเคลื่อนผ่านเยื่อ จำไว้"),
    ],
)
def test_a_colon_alone_reports_nothing(language: str, said: str) -> None:
    """What stands before a colon may be a heading, or the student's own saying: that teaches (TE-3)."""
    assert read_teaching(said, language=language) is not None
