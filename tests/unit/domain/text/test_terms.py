"""Index terms: how the words of a question meet those of an episode."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.text.terms import (
    MAX_QUESTION_WORDS,
    MAX_TERM_TEXT_CHARS,
    index_terms,
    month_term,
    question_words,
    tells_something,
    term_hash,
    terms,
)

LANGUAGES = [
    "en",
    "es",
    "pt",
    "fr",
    "de",
    "it",
    "id",
    "hi",
    "ar",
    "tr",
    "ru",
    "zh",
    "ja",
    "ko",
    "vi",
    "th",
    None,
]


def meets(question: str, question_language: str | None, episode: str, episode_language: str | None) -> bool:
    """Whether the episode holds a word of the question."""
    held = set(index_terms(episode, episode_language))
    return any(
        sum(any(term in held for term in unit) for unit in word.units) >= word.needed
        for word in question_words(question, question_language)
        if word.needed
    )


@pytest.mark.parametrize(
    "question,language,episode",
    [
        ("What do mitochondria do?", "en", "The mitochondria release energy."),
        ("Explain membranes", "en", "A membrane is thin."),
        ("¿Qué es la fotosintesis?", "es", "La fotosíntesis ocurre en las hojas."),
        ("O que são células?", "pt", "A célula tem um núcleo."),
        ("C'est quoi l'osmose ?", "fr", "Osmose : passage de l’eau."),
        ("Was sind Zellen?", "de", "Die Zelle ist klein."),
        ("Cosa sono le cellule?", "it", "La cellula è viva."),
        ("Apa itu pembelahan sel?", "id", "Sel membelah."),
        ("प्रकाश संश्लेषण क्या है?", "hi", "प्रकाश से भोजन बनता है"),
        ("ما هي الخلايا؟", "ar", "في الخلايا نواة"),
        ("Hücreler nedir?", "tr", "Hücre zarı incedir."),
        ("Что такое клетки?", "ru", "Клетка делится."),
        ("请解释一下光合作用", "zh", "光合作用需要光"),
        ("光合成について説明してください", "ja", "植物は光合成をします"),
        ("광합성을 설명해 주세요", "ko", "광합성은 빛이 필요하다"),
        ("Quang hợp là gì?", "vi", "quá trình quang hợp ở lá"),
        ("แสงคืออะไร", "th", "การสังเคราะห์แสง"),
        ("光是什么", "zh", "光合作用"),
        ("What is 3.14?", "en", "pi is 3,14"),
        ("٣٫٥", "ar", "3.5 grams"),
    ],
)
def test_a_word_of_the_question_is_found_in_the_episode(question: str, language: str, episode: str) -> None:
    """An inflected, re-spelled or unspaced word of a question meets the episode that holds it (RC-1)."""
    assert meets(question, language, episode, language)


@pytest.mark.parametrize(
    "question,language,episode",
    [
        ("Can you explain mitosis?", "en", "Can you explain volcanoes?"),
        ("¿Me explicas la mitosis?", "es", "¿Me explicas los volcanes?"),
        ("Объясни, что такое митоз", "ru", "Объясни, что такое вулкан"),
        ("请解释一下光合作用", "zh", "请解释一下法国大革命"),
        ("光合成について説明してください", "ja", "火山について説明してください"),
        ("광합성을 설명해 주세요", "ko", "화산을 설명해 주세요"),
        ("什么是光合作用？", "zh", "他们的合作"),
        ("Was bedeutet Mitose?", "de", "Was bedeutet Inflation?"),
    ],
)
def test_words_that_only_ask_make_no_match(question: str, language: str, episode: str) -> None:
    """Two questions with nothing but their asking in common do not match (RC-3)."""
    assert not meets(question, language, episode, language)


@given(
    st.sampled_from(["mitochondria", "фотосинтез", "chlorophylle", "Zellkern", "hücre", "كيمياء"]), st.data()
)
def test_the_same_word_meets_itself_whatever_the_languages(word: str, data: st.DataObject) -> None:
    """A word written the same way is found when question and episode were taken for different languages (RC-1)."""
    asked, written = data.draw(st.sampled_from(LANGUAGES)), data.draw(st.sampled_from(LANGUAGES))
    assert meets(word, asked, word, written)


@pytest.mark.parametrize(
    "question, about",
    [
        ("what is work?", "work"),
        ("¿qué es el estado?", "estado"),
        ("qu'est-ce que le travail ?", "travail"),
        ("was ist ein Teil?", "teil"),
        ("ひらがなについて教えて", "らが"),
        ("what about mitosis", "mitosis"),
    ],
)
def test_a_noun_of_a_stop_list_is_what_its_question_is_about(question: str, about: str) -> None:
    """A stop word that is no pronoun, auxiliary or preposition is looked up when nothing else is left (RC-1)."""
    language = detect_language(question)
    assert about in terms(question, language)
    assert tells_something(question, language)
    assert not {"what", "que", "was", "ein", "el", "le"} & set(terms(question, language))


@pytest.mark.parametrize(
    "question",
    """can you help me?|why?|is it?|I have a question|give me a hint|help|what about it|what happened?
    ¿me puedes ayudar?|tengo una pregunta|dame una pista|¿por qué?|peux-tu m'aider ?|j'ai une question
    você pode me ajudar?|tenho uma pergunta|kannst du mir helfen?|ich habe eine Frage|warum?|puoi aiutarmi?
    ho una domanda|kun je me helpen?|ik heb een vraag|możesz mi pomóc?|mam pytanie|bisa bantu saya?
    saya punya pertanyaan|помоги мне|у меня есть вопрос|почему?|допоможи мені|мені потрібна допомога
    bana yardım et|bir sorum var|giúp tôi với|tôi có câu hỏi|هل يمكنك مساعدتي؟|ساعدني من فضلك|תוכל לעזור לי?
    क्या आप मेरी मदद कर सकते हैं?|ช่วยฉันหน่อย|ช่วยด้วย|你能帮我吗|我有一个问题|請幫我|教えてください|質問があります
    手伝ってもらえますか|ヒントをください|도와주세요|질문이 있어요|힌트 주세요|왜요?""".replace(
        "\n    ", "|"
    ).split("|"),
)
def test_a_question_that_only_asks_is_looked_up_by_nothing(question: str) -> None:
    """Pronouns, auxiliaries and asking verbs never make a memory relevant, in any language (RC-3)."""
    assert terms(question, detect_language(question)) == []
    assert not tells_something(question, detect_language(question))


def test_a_month_named_in_the_question_scores_and_does_not_match() -> None:
    """A month's name, in the question's language, scores episodes of that month without making them match (RC-3)."""
    for text, language in [("mitosis in July", "en"), ("mitosis en julio", "es"), ("митоз в июле", "ru")]:
        months = [word for word in question_words(text, language) if not word.needed]
        assert [word.units for word in months] == [((month_term(7),),)], text
    assert month_term(7) not in index_terms(month_term(7), "en")


@given(st.text(max_size=300), st.sampled_from(LANGUAGES))
def test_any_text_has_terms_that_meet_the_text_itself(text: str, language: str | None) -> None:
    """Every term that a text is looked up by is a term that it is indexed by, in any script (RC-1)."""
    assert set(terms(text, language)) <= set(index_terms(text, language))


@pytest.mark.parametrize("character", ["a ", "é", "字", "ก", "เ", "한 ", "1,", "\u0301", "'", "\u200d", "ا"])
def test_a_million_characters_cost_no_more_than_the_bound(character: str) -> None:
    """Text behind the stated bound is not read, and a question is looked up by a bounded number of words (RC-1)."""
    text = character * (1_000_000 // len(character))
    assert index_terms(text, None) == index_terms(text[:MAX_TERM_TEXT_CHARS], None)
    many = " ".join(f"word{i}" for i in range(1_000))
    assert len(question_words(many, "en")) == MAX_QUESTION_WORDS


def test_hashes_are_stable() -> None:
    """The hash of a term is the same in every process, for stored working sets refer to it (RC-1)."""
    assert term_hash("osmosis") == 0xB43795BD09F2DDC9
