"""What a student still finds hard, or knows well by now: questions about the record in the words of each language."""

from __future__ import annotations

import pytest

from anamnesis.domain.messages.cues import cue_languages
from anamnesis.domain.messages.intents import Intent, RecordFocus, read_intent

#: Language, focus, question.
ASKED = (
    ("en", RecordFocus.WRONG, "which topics do I still struggle with?"),
    ("en", RecordFocus.WRONG, "what do I still find hard?"),
    ("en", RecordFocus.WRONG, "where am I weak?"),
    ("en", RecordFocus.WRONG, "what am I bad at?"),
    ("en", RecordFocus.WRONG, "what should I work on?"),
    ("en", RecordFocus.WRONG, "what do I keep getting wrong?"),
    ("es", RecordFocus.WRONG, "¿con qué temas tengo todavía dificultades?"),
    ("es", RecordFocus.WRONG, "¿qué me cuesta todavía?"),
    ("es", RecordFocus.WRONG, "¿en qué flojeo?"),
    ("es", RecordFocus.WRONG, "¿qué temas se me resisten?"),
    ("pt", RecordFocus.WRONG, "em que tópicos ainda tenho dificuldade?"),
    ("pt", RecordFocus.WRONG, "o que ainda acho difícil?"),
    ("pt", RecordFocus.WRONG, "em que sou fraco?"),
    ("fr", RecordFocus.WRONG, "avec quels sujets ai-je encore du mal ?"),
    ("fr", RecordFocus.WRONG, "qu'est-ce qui me pose encore problème ?"),
    ("fr", RecordFocus.WRONG, "quels sont mes points faibles ?"),
    ("de", RecordFocus.WRONG, "Mit welchen Themen habe ich noch Schwierigkeiten?"),
    ("de", RecordFocus.WRONG, "Was fällt mir noch schwer?"),
    ("de", RecordFocus.WRONG, "Wo bin ich schwach?"),
    ("de", RecordFocus.WRONG, "Womit tue ich mich noch schwer?"),
    ("it", RecordFocus.WRONG, "con quali argomenti ho ancora difficoltà?"),
    ("it", RecordFocus.WRONG, "cosa mi riesce ancora difficile?"),
    ("it", RecordFocus.WRONG, "in cosa sono debole?"),
    ("nl", RecordFocus.WRONG, "met welke onderwerpen heb ik nog moeite?"),
    ("nl", RecordFocus.WRONG, "wat vind ik nog lastig?"),
    ("nl", RecordFocus.WRONG, "waar ben ik zwak in?"),
    ("pl", RecordFocus.WRONG, "z jakimi tematami wciąż mam trudności?"),
    ("pl", RecordFocus.WRONG, "co mi jeszcze sprawia trudność?"),
    ("pl", RecordFocus.WRONG, "z czym sobie nie radzę?"),
    ("pl", RecordFocus.WRONG, "w czym jestem słaby?"),
    ("id", RecordFocus.WRONG, "topik apa yang masih sulit bagi saya?"),
    ("id", RecordFocus.WRONG, "saya masih kesulitan di bagian mana?"),
    ("id", RecordFocus.WRONG, "apa kelemahan saya?"),
    ("tr", RecordFocus.WRONG, "hangi konularda hâlâ zorlanıyorum?"),
    ("tr", RecordFocus.WRONG, "neyi hâlâ yapamıyorum?"),
    ("tr", RecordFocus.WRONG, "zayıf olduğum konular neler?"),
    ("ru", RecordFocus.WRONG, "с какими темами у меня ещё трудности?"),
    ("ru", RecordFocus.WRONG, "что мне ещё даётся с трудом?"),
    ("ru", RecordFocus.WRONG, "в чём я слаб?"),
    ("ru", RecordFocus.WRONG, "что у меня плохо получается?"),
    ("uk", RecordFocus.WRONG, "з якими темами в мене ще труднощі?"),
    ("uk", RecordFocus.WRONG, "що мені ще важко дається?"),
    ("uk", RecordFocus.WRONG, "у чому я слабкий?"),
    ("hi", RecordFocus.WRONG, "मुझे अब भी किन विषयों में कठिनाई होती है?"),
    ("hi", RecordFocus.WRONG, "मुझे क्या अभी भी मुश्किल लगता है?"),
    ("hi", RecordFocus.WRONG, "मैं किसमें कमज़ोर हूँ?"),
    ("ar", RecordFocus.WRONG, "ما المواضيع التي ما زلت أجد صعوبة فيها؟"),
    ("ar", RecordFocus.WRONG, "ما الذي ما زال صعبا علي؟"),
    ("ar", RecordFocus.WRONG, "ما نقاط ضعفي؟"),
    ("he", RecordFocus.WRONG, "באילו נושאים אני עדיין מתקשה?"),
    ("he", RecordFocus.WRONG, "מה עדיין קשה לי?"),
    ("he", RecordFocus.WRONG, "במה אני חלש?"),
    ("zh", RecordFocus.WRONG, "我还有哪些主题有困难？"),
    ("zh", RecordFocus.WRONG, "我还有什么不懂的？"),
    ("zh", RecordFocus.WRONG, "我哪里比较弱？"),
    ("zh", RecordFocus.WRONG, "哪些知识点我还没掌握？"),
    ("ja", RecordFocus.WRONG, "まだ苦手なテーマは何ですか？"),
    ("ja", RecordFocus.WRONG, "私がまだ難しいと感じているのは何？"),
    ("ja", RecordFocus.WRONG, "私の弱点は何？"),
    ("ko", RecordFocus.WRONG, "내가 아직 어려워하는 주제는 뭐야?"),
    ("ko", RecordFocus.WRONG, "제가 아직 힘들어하는 게 뭐예요?"),
    ("ko", RecordFocus.WRONG, "내 약점은 뭐야?"),
    ("vi", RecordFocus.WRONG, "em còn gặp khó khăn ở chủ đề nào?"),
    ("vi", RecordFocus.WRONG, "em còn yếu phần nào?"),
    ("vi", RecordFocus.WRONG, "điểm yếu của em là gì?"),
    ("th", RecordFocus.WRONG, "ฉันยังมีปัญหากับหัวข้อไหน?"),
    ("th", RecordFocus.WRONG, "ฉันยังอ่อนเรื่องอะไร?"),
    ("th", RecordFocus.WRONG, "จุดอ่อนของฉันคืออะไร?"),
    ("en", RecordFocus.RIGHT, "which topics do I already understand well?"),
    ("en", RecordFocus.RIGHT, "what do I know best?"),
    ("es", RecordFocus.RIGHT, "¿Qué entiendo ya bien?"),
    ("es", RecordFocus.RIGHT, "¿qué temas domino ya?"),
    ("pt", RecordFocus.RIGHT, "o que já entendo bem?"),
    ("fr", RecordFocus.RIGHT, "quels sujets je maîtrise déjà bien ?"),
    ("de", RecordFocus.RIGHT, "Welche Themen kann ich schon gut?"),
    ("it", RecordFocus.RIGHT, "quali argomenti capisco già bene?"),
    ("nl", RecordFocus.RIGHT, "welke onderwerpen begrijp ik al goed?"),
    ("pl", RecordFocus.RIGHT, "Które tematy już dobrze rozumiem?"),
    ("pl", RecordFocus.RIGHT, "Co już dobrze umiem?"),
    ("id", RecordFocus.RIGHT, "Topik mana yang sudah saya kuasai?"),
    ("tr", RecordFocus.RIGHT, "hangi konuları artık iyi biliyorum?"),
    ("ru", RecordFocus.RIGHT, "какие темы я уже хорошо понимаю?"),
    ("uk", RecordFocus.RIGHT, "які теми я вже добре розумію?"),
    ("hi", RecordFocus.RIGHT, "कौन से विषय मुझे अब अच्छी तरह आते हैं?"),
    ("hi", RecordFocus.RIGHT, "अब मैं क्या-क्या अच्छी तरह समझता हूँ?"),
    ("ar", RecordFocus.RIGHT, "ما الموضوعات التي أتقنها الآن؟"),
    ("ar", RecordFocus.RIGHT, "ما الذي صرت أفهمه جيدا؟"),
    ("he", RecordFocus.RIGHT, "מה אני כבר מבין היטב?"),
    ("zh", RecordFocus.RIGHT, "我已经掌握了哪些内容？"),
    ("ja", RecordFocus.RIGHT, "もう理解できている内容は何ですか？"),
    ("ja", RecordFocus.RIGHT, "得意な分野は何？"),
    ("ko", RecordFocus.RIGHT, "내가 이미 잘 아는 주제는 뭐야?"),
    ("vi", RecordFocus.RIGHT, "em đã hiểu rõ phần nào?"),
    ("th", RecordFocus.RIGHT, "ฉันเข้าใจเรื่องอะไรดีแล้ว?"),
    ("es", RecordFocus.WRONG, "¿Qué temas me siguen costando?"),
    ("pl", RecordFocus.WRONG, "Z którymi tematami nadal mam problem?"),
    ("pl", RecordFocus.WRONG, "Na które pytania odpowiedziałem źle?"),
    ("pl", RecordFocus.WRONG, "Jakie błędy do tej pory popełniłem?"),
    ("id", RecordFocus.WRONG, "Topik mana yang masih sulit bagi saya?"),
    ("hi", RecordFocus.WRONG, "मुझे अब भी किन विषयों में दिक्कत है?"),
    ("ar", RecordFocus.WRONG, "ما الأسئلة التي أجبت عنها خطأ؟"),
    ("ar", RecordFocus.WRONG, "ما الموضوعات التي ما زلت أجد صعوبة فيها؟"),
)
OF_THE_SUBJECT = (
    "which animals struggle with heat?",
    "why is calculus hard?",
    "what do weak acids do?",
    "Was ist eine schwache Säure?",
    "¿por qué es difícil la integral?",
    "弱酸是什么？",
    "弱酸とは何ですか？",
    "ما نقاط ضعف الرأسمالية؟",
    "в чём слабость теории?",
    "quels sont les points faibles de la théorie ?",
    "What is well understood about cells?",
    "what do plants know best?",
    "what does a master key open?",
    "Which enzymes do I need for digestion?",
    "何が得意な動物ですか",
    "Why do I have trouble breathing at altitude?",
    "quali animali capiscono bene?",
    "which acids do I use?",
    "how do I find hard drives?",
    "मुझे न्यूटन का नियम समझने में दिक्कत है",
    "我不懂渗透",
    "I struggle with osmosis",
    "osmosis is hard for me",
)


@pytest.mark.parametrize("language, focus, question", ASKED)
def test_what_is_hard_and_what_is_known_are_asked_of_the_record(
    language: str, focus: RecordFocus, question: str
) -> None:
    """Whoever asks "which topics do I still struggle with?", or what they know well, asks the record (BL-4)."""
    found = read_intent(question)
    assert (found.intent, found.focus, found.topic) == (Intent.HISTORY, focus, "")


def test_every_language_has_its_cases() -> None:
    """Each language with a table is asked both ways (BL-4)."""
    for focus in (RecordFocus.WRONG, RecordFocus.RIGHT):
        assert {language for language, of, _ in ASKED if of is focus} == set(cue_languages())


@pytest.mark.parametrize("question", OF_THE_SUBJECT)
def test_what_is_hard_about_a_subject_is_ordinary(question: str) -> None:
    """The same words about something else than oneself ask nothing of the record (BL-4)."""
    assert read_intent(question).intent is Intent.ORDINARY
