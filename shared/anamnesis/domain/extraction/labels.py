"""Labels that a paragraph of a course begins with: "Definition 1.2.", "Exercise 3 (4 points):", "Answer:"."""

from __future__ import annotations

import regex

from anamnesis.domain.reading.section_headings import holds_no_explanations, is_section_heading

#: One or two words, a number, what stands in brackets, and the sign that ends a label; emphasis may be round it. Points
#: for an exercise may follow.
_LABEL = regex.compile(
    r"^[*_]{0,3}(\p{L}[\p{L}\p{M}'’-]{0,24}(?:\s\p{L}[\p{L}\p{M}'’-]{0,24})?(?:\s{0,2}\p{N}{1,3}(?:\.\p{N}{1,3}){0,3}\p{Ll}?)?)"
    r"\s{0,2}(?:[(（][^()（）]{1,60}[)）])?(?:[*_]{0,3}[.:：]|[.:：][*_]{1,3})[*_]{0,3}\s{1,3}(?:[(（][^()（）]{1,30}[)）]\s{1,2})?"
)
#: What an answer begins with: it may say what something is, where a question and an exercise ask.
_ANSWERS = frozenset(
    {
        "answer", "a", "respuesta", "resposta", "réponse", "antwort", "risposta", "odpowiedź", "odpověď", "válasz",
        "jawaban", "उत्तर", "الجواب", "الإجابة", "جواب", "ответ", "cevap", "yanıt", "trả lời", "απάντηση", "תשובה",
        "答", "答案", "答え", "解答", "답", "정답", "คำตอบ", "antwoord",
    }
)  # fmt: skip
#: What a numbered definition begins with; without a number the word is an idea of logic.
_DEFINITIONS = regex.compile(
    r"(?:definition|def|definición|definição|définition|definizione|definicja|definice|definíció|definisi|परिभाषा|تعريف"
    r"|определение|tanım|định nghĩa|ορισμός|הגדרה|定义|定義|정의|นิยาม|definitie|begriff)\s{0,2}\p{N}[\p{N}.]*\p{Ll}?"
)


def unlabelled(text: str) -> tuple[str, bool]:
    """A paragraph without the label that it begins with, and whether it can explain something.

    Parameters
    ----------
    text
        Of a block, on one line, emphasis kept.

    Returns
    -------
    tuple
        The text behind the label, or the whole text where there is none; and False for an exercise or a question.
    """
    label = _LABEL.match(text)
    if label is None or label.end() == len(text):
        return text, True
    if label[1].casefold() in _ANSWERS or _DEFINITIONS.fullmatch(label[1].casefold()):
        return text[label.end() :], True
    if not is_section_heading(label[1]):
        return text, True
    return text[label.end() :], not holds_no_explanations(label[1])
