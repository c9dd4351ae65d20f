"""Words with which students ask a tutor: they stand in every question and tell none from another.

Stop lists hold function words only. Without these, "explain mitosis" would call up whatever was explained before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Asking verbs by language, in the forms that chat has; forms of one stem need to stand here once.
ASKING_WORDS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        "ar": "اشرح شرح فسر وضح ساعدني أخبرني علمني أفهم فهم أعرف تذكر تتذكر",
        "de": "erkläre erklär erklären erklärst bedeutet hilf helfen verstehe verstehen zeig zeige erinnerst weiß sag",
        "en": "explain describe tell show help understand remember clarify define know forgot teach",
        "es": "explica explicar explícame explicas ayuda ayúdame entiendo entender significa recuerdas dime",
        "fr": "explique expliquer expliquez aide aider comprends comprendre signifie rappelle souviens montre dis sais",
        "hi": "समझाओ समझाइए समझाएं बताओ बताइए बताएं समझ मतलब मदद याद क्या कैसे क्यों",
        "id": "jelaskan jelasin tolong bantu terangkan mengerti paham maksud ingat tahu beritahu ajari",
        "it": "spiega spiegami spiegare spieghi aiutami aiuto capisco capire significa ricordi dimmi mostrami so",
        "ko": "설명 설명해 설명해줘 설명해주세요 알려줘 알려주세요 가르쳐 도와줘 이해 주세요 무엇 뭐야 뭐예요",
        "nl": "uitleggen leg uit betekent help begrijp begrijpen herinner vertel toon weet",
        "pl": "wyjaśnij wytłumacz pomóż rozumiem zrozumieć znaczy pamiętasz powiedz pokaż wiem",
        "pt": "explica explicar explique explicas ajuda entendo entender significa lembra lembras diga mostra sei",
        "ru": "объясни объясните объяснить помоги помогите расскажи расскажите означает понимаю",
        "tr": "açıkla açıklar anlat anlatır yardım demek anlıyorum anlamadım hatırlıyor göster söyle nedir nasıl",
        "uk": "поясни поясніть пояснити допоможи розкажи означає розумію зрозуміти пам'ятаєш покажи знаю",
        "vi": "giải thích giúp hiểu nghĩa nhớ hỏi biết",
    }.items()
}
#: The same in Chinese and Japanese, longest first where one begins another: a run of characters is cut there.
ASKING_PHRASES: Final = (
    "解释一下", "解释", "解釋", "说明一下", "说明", "說明", "介绍一下", "介绍", "介紹", "一下", "请问", "請問",
    "为什么", "為什麼", "为何", "為何", "如何", "什么是", "什麼是",
    "是什么", "是什麼", "告诉我", "告訴我", "帮我", "幫我", "说说", "谈谈",
    "について", "説明", "教えて", "ください", "何ですか", "なぜ", "どうして", "とは",
)  # fmt: skip
