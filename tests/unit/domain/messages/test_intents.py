from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.messages.intents import (
    Intent,
    QuestionIntent,
    RecordFocus,
    _greeting_pattern,
    read_intent,
)

ENGLISH = {
    "what did I get wrong so far": RecordFocus.WRONG,
    "Which checks did I fail?": RecordFocus.WRONG,
    "show me my mistakes": RecordFocus.WRONG,
    "what do I need to review?": RecordFocus.WRONG,
    "can you tell me what I got wrong?": RecordFocus.WRONG,
    "what was the first thing we studied?": RecordFocus.COVERED,
    "what did I get right?": RecordFocus.RIGHT,
    "what am I good at": RecordFocus.RIGHT,
    "what have we covered": RecordFocus.COVERED,
    "what topics have we studied so far?": RecordFocus.COVERED,
    "where did we leave off": RecordFocus.COVERED,
    "what did I teach you?": RecordFocus.TAUGHT,
    "do you remember what I said about osmosis": RecordFocus.ANY,
    "how am I doing?": RecordFocus.ANY,
    "show me my progress": RecordFocus.ANY,
}
#: Per language: what did I get wrong so far, what have we covered, do you remember what I said about osmosis.
HISTORY = {
    "es": [
        "¿qué hice mal hasta ahora?",
        "¿qué temas hemos visto?",
        "¿recuerdas lo que dije sobre la ósmosis?",
    ],
    "pt": ["o que eu errei até agora?", "o que já vimos?", "você lembra o que eu disse sobre osmose?"],
    "fr": [
        "qu'est-ce que j'ai raté jusqu'ici ?",
        "qu'avons-nous vu ?",
        "tu te souviens de ce que j'ai dit sur l'osmose ?",
    ],
    "de": [
        "was habe ich bisher falsch gemacht?",
        "was haben wir bisher behandelt?",
        "erinnerst du dich, was ich über Osmose gesagt habe?",
    ],
    "it": ["cosa ho sbagliato finora?", "cosa abbiamo visto?", "ti ricordi cosa ho detto sull'osmosi?"],
    "id": [
        "apa saja yang salah sejauh ini",
        "apa yang sudah kita pelajari?",
        "apakah kamu ingat apa yang saya katakan tentang osmosis?",
    ],
    "nl": [
        "wat heb ik tot nu toe fout gedaan?",
        "wat hebben we behandeld?",
        "weet je nog wat ik over osmose zei?",
    ],
    "pl": ["co zrobiłem źle do tej pory?", "co przerobiliśmy?", "pamiętasz, co mówiłem o osmozie?"],
    "ru": ["что я сделал неправильно?", "что мы уже прошли?", "ты помнишь, что я говорил об осмосе?"],
    "uk": ["що я зробив неправильно?", "що ми вже вивчили?", "ти пам'ятаєш, що я казав про осмос?"],
    "tr": [
        "şimdiye kadar neyi yanlış yaptım?",
        "neler öğrendik?",
        "osmoz hakkında söylediğimi hatırlıyor musun?",
    ],
    "ar": ["ماذا أخطأت", "ماذا درسنا؟", "هل تتذكر ما قلته عن الأسموزية؟"],
    "hi": ["मैंने अब तक क्या गलत किया?", "हमने क्या पढ़ा?", "क्या तुम्हें याद है कि मैंने परासरण के बारे में क्या कहा था?"],
    "zh": ["我到目前为止做错了什么？", "我们学了哪些内容？", "你记得我说过的关于渗透的话吗？"],
    "ja": [
        "今まで何を間違えましたか？",
        "何を勉強しましたか？",
        "浸透について私が言ったことを覚えていますか？",
    ],
    "ko": ["지금까지 내가 뭘 틀렸어?", "우리가 뭘 배웠어?", "내가 삼투에 대해 말한 거 기억나?"],
    "vi": [
        "cho đến nay em đã làm sai những gì?",
        "chúng ta đã học những gì?",
        "bạn có nhớ em đã nói gì về thẩm thấu không?",
    ],
    "th": ["ฉันทำอะไรผิดบ้าง", "เราเรียนอะไรไปแล้วบ้าง", "คุณจำสิ่งที่ฉันพูดเกี่ยวกับออสโมซิสได้ไหม"],
    "he": ["במה טעיתי עד כה?", "מה למדנו?", "אתה זוכר מה אמרתי על אוסמוזה?"],
}
OSMOSIS = {
    "es": "ósmosis",
    "pt": "osmose",
    "fr": "osmose",
    "de": "Osmose",
    "it": "osmosi",
    "id": "osmosis",
    "nl": "osmose",
    "pl": "osmozie",
    "ru": "осмосе",
    "uk": "осмос",
    "tr": "osmoz",
    "ar": "الأسموزية",
    "hi": "परासरण",
    "zh": "渗透",
    "ja": "浸透",
    "ko": "삼투",
    "vi": "thẩm thấu",
    "th": "ออสโมซิส",
    "he": "אוסמוזה",
}
FOCI = [RecordFocus.WRONG, RecordFocus.COVERED, RecordFocus.ANY]


@pytest.mark.parametrize("question, focus", ENGLISH.items())
def test_questions_about_ones_own_record(question: str, focus: RecordFocus) -> None:
    """A question about the student's own record is a history question, and says which part it is after (BL-4)."""
    found = read_intent(question)
    assert (found.intent, found.focus) == (Intent.HISTORY, focus)


@pytest.mark.parametrize(
    "language, question, focus",
    [
        (tag, question, focus)
        for tag, asked in HISTORY.items()
        for question, focus in zip(asked, FOCI, strict=True)
    ],
)
def test_history_questions_in_the_supported_languages(
    language: str, question: str, focus: RecordFocus
) -> None:
    """The same history questions are known in the other languages, told the language or not (BL-4)."""
    for expected in (None, language):
        found = read_intent(question, language=expected)
        assert (found.intent, found.focus) == (Intent.HISTORY, focus)


@pytest.mark.parametrize("language, topic", OSMOSIS.items())
def test_the_topic_of_a_history_question_is_free_of_its_frame(language: str, topic: str) -> None:
    """What a history question is about is left when the words that ask are taken out (BL-4)."""
    assert read_intent(HISTORY[language][2]).topic == topic
    assert read_intent(HISTORY[language][1]).topic == ""


@pytest.mark.parametrize(
    "question, phrase, topic",
    [
        ("what did I get wrong about osmosis in July", "July", "osmosis"),
        ("what did we cover in July", "July", ""),
        ("what questions about cells did I get wrong last week?", "last week", "cells"),
        ("What have I learned about Newton's second law?", None, "Newton's second law"),
        ("¿qué aprendimos sobre la fotosíntesis la semana pasada?", "la semana pasada", "fotosíntesis"),
        ("apa yang kita pelajari bulan Juli tentang sel", "bulan Juli", "sel"),
        ("上周我们学了什么关于光合作用的内容？", "上周", "光合作用"),
        ("em đã làm sai những gì về nhiễm sắc thể", None, "nhiễm sắc thể"),
    ],
)
def test_topic_and_time_are_taken_apart(question: str, phrase: str | None, topic: str) -> None:
    """The topic holds neither the time asked about nor the words that ask (BL-4)."""
    assert read_intent(question, window_phrase=phrase).topic == topic


def test_a_time_with_the_students_own_past_is_about_the_record() -> None:
    """What the student did at some time is a history question even without another cue (BL-4)."""
    question = "which exercise did I finish on Monday"
    assert read_intent(question, window_phrase="Monday").intent is Intent.HISTORY
    assert read_intent("how did we evolve from apes in 2020", window_phrase="2020").intent is Intent.ORDINARY


#: Per language: what the student asked to be remembered, and whether something was ever talked about.
ASKED_TO_REMEMBER_AND_EVER = {
    "es": ("¿Qué te pedí que recordaras?", "¿Hemos hablado alguna vez de la ósmosis?"),
    "en": ("What did I ask you to remember?", "Have we ever talked about osmosis?"),
    "pt": ("O que eu pedi para você lembrar?", "Já falamos sobre osmose?"),
    "fr": ("Qu'est-ce que je t'ai demandé de retenir ?", "Avons-nous déjà parlé de l'osmose ?"),
    "de": ("Was habe ich dich gebeten dir zu merken?", "Haben wir schon mal über Osmose geredet?"),
    "it": ("Cosa ti ho chiesto di ricordare?", "Abbiamo mai parlato dell'osmosi?"),
    "nl": ("Wat heb ik je gevraagd te onthouden?", "Hebben we het ooit over osmose gehad?"),
    "pl": ("O czym prosiłem żebyś pamiętał?", "Czy rozmawialiśmy kiedyś o osmozie?"),
    "ru": ("Что я просил тебя запомнить?", "Мы когда-нибудь говорили об осмосе?"),
    "uk": ("Що я просив тебе запам'ятати?", "Чи говорили ми колись про осмос?"),
    "tr": ("Senden neyi hatırlamanı istedim?", "Hiç ozmozdan bahsettik mi?"),
    "id": ("Apa yang saya minta kamu ingat?", "Pernahkah kita membahas osmosis?"),
    "vi": ("Em đã nhờ thầy nhớ điều gì?", "Chúng ta đã từng nói về thẩm thấu chưa?"),
    "ar": ("ماذا طلبت منك أن تتذكر؟", "هل تحدثنا من قبل عن الأسموزية؟"),
    "he": ("מה ביקשתי שתזכור?", "האם דיברנו פעם על אוסמוזה?"),
    "hi": ("मैंने तुम्हें क्या याद रखने को कहा था?", "क्या हमने कभी परासरण पर बात की है?"),
    "th": ("ฉันขอให้คุณจำอะไรไว้", "เราเคยคุยเรื่องออสโมซิสไหม"),
    "zh": ("我让你记住了什么？", "我们聊过渗透吗？"),
    "ja": ("私が覚えてと頼んだことは何？", "浸透について話したことがありますか？"),
    "ko": ("내가 기억해 달라고 한 게 뭐야?", "우리 삼투에 대해 얘기한 적 있어?"),
}


@pytest.mark.parametrize("language", ASKED_TO_REMEMBER_AND_EVER)
def test_what_was_to_be_remembered_and_whether_it_ever_came_up(language: str) -> None:
    """What was to be remembered, and whether a thing ever came up, are asked of the record everywhere (BL-4)."""
    to_remember, ever = (read_intent(question) for question in ASKED_TO_REMEMBER_AND_EVER[language])
    assert (to_remember.intent, to_remember.focus) == (Intent.HISTORY, RecordFocus.TAUGHT)
    assert ever.intent is Intent.HISTORY
    assert ever.topic


@pytest.mark.parametrize(
    "question",
    [
        "what did Mendel cover his plants with",
        "what went wrong in the French revolution",
        "what is history",
        "why did I get the wrong sign in this derivative?",
        "what do we know about black holes",
        "why do we study history",
        "What mistakes did Napoleon make?",
        "can we go over eukaryotic cells today?",
        "what is the right answer to 3x = 6",
        "do you know about mitosis",
        "what do I do if the denominator is zero",
        "¿qué estudió Mendel?",
        "¿qué es la ósmosis?",
        "apa yang dipelajari Mendel?",
        "apa yang salah dengan teori ini",
        "was hat Mendel untersucht?",
        "qu'a étudié Mendel ?",
        "o que Mendel estudou?",
        "что изучал Мендель?",
        "ماذا درس مندل؟",
        "मेंडल ने क्या पढ़ा?",
        "孟德尔研究了什么？",
        "浸透とは何ですか？",
        "멘델은 무엇을 연구했어?",
        "câu trả lời của em đúng không?",
        "I don't understand osmosis",
        "todavía no entiendo la ósmosis",
        "não entendo a osmose",
        "je ne comprends pas l'osmose",
        "ich verstehe Osmose nicht",
        "non capisco l'osmosi",
        "ik begrijp osmose niet",
        "nie rozumiem osmozy",
        "я не понимаю осмос",
        "я не розумію осмос",
        "ozmozu anlamıyorum",
        "saya tidak mengerti osmosis",
        "em chưa hiểu thẩm thấu",
        "tôi không hiểu thẩm thấu là gì",
        "ฉันไม่เข้าใจออสโมซิส",
        "ฉันไม่เข้าใจว่าออสโมซิสคืออะไร",
        "لا أفهم الأسموزية",
        "אני לא מבין אוסמוזה",
        "मुझे परासरण समझ नहीं आता",
        "我不懂渗透作用",
        "浸透がわかりません",
        "삼투를 이해 못 하겠어요",
    ],
)
def test_questions_about_the_subject_stay_ordinary(question: str) -> None:
    """Somebody else's past, the subject's own history and "I don't understand it" ask for no record (BL-4)."""
    assert read_intent(question) == QuestionIntent(Intent.ORDINARY, None, question)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "   ",
        "???",
        "…",
        "👍",
        "hi!",
        "Thanks 🙂",
        "ok, thank you so much!",
        "hola",
        "¡Buenos días, profe!",
        "merci beaucoup !",
        "danke",
        "terima kasih, kak",
        "спасибо",
        "شكرا",
        "नमस्ते",
        "你好",
        "ありがとうございます",
        "안녕하세요",
        "cảm ơn thầy",
        "สวัสดีครับ",
        "תודה",
    ],
)
def test_greetings_and_nothing_are_no_question(question: str) -> None:
    """Nothing, punctuation, greetings and thanks ask for nothing (RC-3)."""
    assert read_intent(question) == QuestionIntent(Intent.NONE, None, "")


@pytest.mark.parametrize("question", ["hi, what is osmosis?", "thanks! and mitosis?", "42", "hola ósmosis"])
def test_a_greeting_before_a_question_does_not_hide_it(question: str) -> None:
    """A polite question is still a question (RC-3)."""
    assert read_intent(question).intent is Intent.ORDINARY


@pytest.mark.parametrize("filler", ["_", "_ ", "_-", "!_", "hi_", "hi _", "你好_", "_你好"])
def test_a_long_row_of_underscores_is_looked_through_once(filler: str) -> None:
    """Lines to write on, however long, keep no turn waiting for whether they greet (RC-3, SV-12)."""
    for text in (filler * 200_000, f"{filler * 20}x", f"{filler * 20}é_"):
        found = read_intent(text)
        assert found.focus is None
    # The pattern gives nothing back: with any length it ends at the first letter that greets nobody.
    assert _greeting_pattern().fullmatch(f"{filler * 100_000}x") is None


@given(st.text(max_size=300), st.one_of(st.none(), st.text(max_size=10)))
def test_any_text_has_exactly_one_intent(text: str, phrase: str | None) -> None:
    """Only history questions have a focus, and a topic is made of the text's own words (BL-4)."""
    found = read_intent(text, window_phrase=phrase)
    assert (found.focus is not None) == (found.intent is Intent.HISTORY)
    assert all(word in text for word in found.topic.split())


@pytest.mark.parametrize("piece", ["what did i ", "hi ", "我们", "뭘 ", "?", "覚えて", "apa yang "])
def test_a_huge_question_is_read_at_its_head(piece: str) -> None:
    """A million characters are cut before anything is matched (SV-12)."""
    text = "what did I get wrong so far? " + piece * (1_000_000 // len(piece))
    assert read_intent(text).focus is RecordFocus.WRONG
