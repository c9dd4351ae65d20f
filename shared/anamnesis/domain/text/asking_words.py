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
        "ar": (
            "لخص ملخص تلخيص شكرا مرحبا هل يمكنك يمكن لماذا مساعدتنا اشرح شرح فسر وضح "
            "ساعدني أخبرني علمني أفهم فهم أعرف تذكر تتذكر ساعد ساعدنا تساعدني مساعدة "
            "مساعدتي سؤال أسأل تلميح أعطني اعطني أريد احتاج أحتاج حدث قل دلني فضلك"
        ),
        "de": (
            "zusammenfassung zusammenfassen fasse zusammen danke hallo erkläre erklär "
            "erklären erklärst bedeutet hilf helfen verstehe verstehen zeig zeige "
            "erinnerst weiß sag hilfe hilft hilfst frage fragen gib geben tipp "
            "hinweis brauche brauchen möchte passiert passierte geschah antworte "
            "bitte erzähl erzähle nochmal"
        ),
        "en": (
            "summarize summarise summary recap review notes thanks thank ok okay hi "
            "hello hey explain describe tell show help understand remember clarify "
            "define know forgot teach helped hint hints question questions ask asking "
            "give tip clue assist please need want happened happen happens wonder"
        ),
        "es": (
            "resume resumir resumen repaso repasa gracias hola vale explica explicar "
            "explícame explicas ayuda ayúdame entiendo entender significa recuerdas "
            "dime ayudar ayudarme ayudas pregunta preguntas preguntar dame pista "
            "pistas necesito quiero pasó sucedió ocurrió favor cuéntame explicarme "
            "puedes podrías"
        ),
        "fr": (
            "résume résumer résumé récap bilan merci bonjour salut explique expliquer "
            "expliquez aide aider comprends comprendre signifie rappelle souviens "
            "montre dis sais aidez aidez-moi question questions demander donne donner "
            "indice indices besoin voudrais veux passé raconte svp plaît peux pouvez"
        ),
        "hi": (
            "सारांश धन्यवाद नमस्ते मेरी मेरा समझाओ समझाइए समझाएं बताओ बताइए बताएं समझ "
            "मतलब मदद याद क्या कैसे क्यों सहायता सवाल प्रश्न पूछना पूछ दो दीजिए संकेत "
            "चाहिए हुआ करो कीजिए कर सकते कृपया"
        ),
        "id": (
            "rangkum rangkuman ringkas ringkasan terima makasih halo hai punya "
            "jelaskan jelasin tolong bantu terangkan mengerti paham maksud ingat tahu "
            "beritahu ajari bantuan bantuin membantu tanya bertanya pertanyaan beri "
            "kasih berikan petunjuk butuh mau ingin terjadi ceritakan"
        ),
        "it": (
            "riassunto riassumi riepilogo grazie ciao aiutarci spiega spiegami "
            "spiegare spieghi aiutami aiuto capisco capire significa ricordi dimmi "
            "mostrami so aiutare aiutarmi aiuta domanda domande chiedere dammi "
            "suggerimento indizio bisogno vorrei voglio successo accaduto racconta "
            "puoi"
        ),
        "ko": (
            "요약 요약해줘 정리해줘 감사합니다 고마워요 안녕하세요 왜 왜요 설명 "
            "설명해 설명해줘 설명해주세요 알려줘 알려주세요 가르쳐 도와줘 이해 주세요 "
            "무엇 뭐야 뭐예요 도와주세요 도와줘요 도와 도와줄 도움 질문 질문이 있어요 "
            "있습니다 물어 물어볼 힌트 힌트를 줘 줄래 줄래요 수 있나요 있어 좀 일이 "
            "있었나요 있었어 필요해요 저를 나를 저 나"
        ),
        "nl": (
            "samenvatting samenvatten bedankt dank hallo uitleggen leg uit betekent "
            "help begrijp begrijpen herinner vertel toon weet hulp helpen helpt vraag "
            "vragen geef geven tip hint nodig wil gebeurde gebeurd kun kunt kan "
            "alsjeblieft"
        ),
        "pl": (
            "podsumowanie podsumuj dzięki dziękuję cześć hej wyjaśnij wytłumacz pomóż "
            "rozumiem zrozumieć znaczy pamiętasz powiedz pokaż wiem pomoc pomóc "
            "pomożesz pomoz pomaga pytanie pytania zapytać daj podpowiedź wskazówkę "
            "potrzebuję chcę wydarzyło stało możesz mi proszę"
        ),
        "pt": (
            "resumo resumir resuma obrigado obrigada olá oi explica explicar explique "
            "explicas ajuda entendo entender significa lembra lembras diga mostra sei "
            "ajudar ajude ajudas pergunta perguntas perguntar dá dê dar dica pista "
            "preciso quero aconteceu houve conte pode podes poderia favor"
        ),
        "ru": (
            "резюме подытожь обобщи спасибо привет объясни объясните объяснить помоги "
            "помогите расскажи расскажите означает понимаю помочь поможешь поможете "
            "помощь вопрос вопросы спросить дай дайте подсказку подсказка нужна нужно "
            "хочу произошло случилось было скажи можешь можете мне пожалуйста"
        ),
        "tr": (
            "özet özetle teşekkürler merhaba açıkla açıklar anlat anlatır yardım "
            "demek anlıyorum anlamadım hatırlıyor göster söyle nedir nasıl yardımcı "
            "et eder misin edin edebilir olur olabilir bana soru sorum sormak ver "
            "verir ipucu lazım istiyorum oldu olan lütfen"
        ),
        "uk": (
            "підсумуй підсумок дякую привіт поясни поясніть пояснити допоможи розкажи "
            "означає розумію зрозуміти пам'ятаєш покажи знаю допомогти допоможеш "
            "допоможіть допомога питання запитання запитати дай дайте підказку "
            "потрібна потрібно хочу сталося було скажи можеш можете мені ласка"
        ),
        "vi": (
            "giải thích giúp hiểu nghĩa nhớ hỏi biết giùm tôi với mình em anh câu cho "
            "gợi ý cần muốn xảy ra có thể hãy làm ơn được không"
        ),
        "th": ("สรุป ขอบคุณ สวัสดี ช่วย ช่วยฉัน หน่อย ด้วย ฉัน ทำไม คำถาม คำใบ้ อธิบาย บอก เกิดอะไรขึ้น"),
        "he": (
            "סכם סיכום תודה תוכל תוכלי עזור עזרה תעזור תעזרי לעזור עזרי שאלה לשאול תן "
            "תני רמז צריך רוצה קרה הסבר תסביר להסביר ספר בבקשה לי אפשר"
        ),
    }.items()
}
#: The same in Chinese and Japanese: a run of characters is cut there, at the longest one that fits.
ASKING_PHRASES: Final = (
    "总结", "總結", "谢谢", "謝謝", "你好", "まとめて", "要約して", "ありがとう", "こんにちは",
    "解释一下", "解释", "解釋", "说明一下", "说明", "說明", "介绍一下", "介绍", "介紹", "一下",
    "请问", "請問", "为什么", "為什麼", "为何", "為何", "如何", "什么是", "什麼是", "是什么",
    "是什麼", "告诉我", "告訴我", "帮我", "幫我", "说说", "谈谈", "について", "説明", "教えて",
    "ください", "下さい", "何ですか", "なぜ", "どうして", "とは", "助けて", "手伝って", "質問",
    "ヒント", "お願いします", "お願い", "何が", "起きましたか", "起こりましたか", "ありましたか",
    "がありますか", "があります", "できますか", "もらえますか", "私を", "わかりません",
    "分かりません", "知りたい", "你能", "能不能", "可以", "幫幫我", "帮帮我", "帮忙", "幫忙",
    "帮助", "幫助", "我有", "有个", "有一个", "一个", "一個", "问题", "問題", "提示", "给我",
    "給我", "发生了什么", "發生了什麼", "怎么了", "怎么", "怎麼", "问你", "想问", "需要",
)  # fmt: skip
#: The closed classes of a stop list: pronouns, auxiliaries, prepositions, question words. What a stop list holds beside
#: them ("estado", "travail") may be a subject's noun.
BUILDING_WORDS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        "ar": (
            "وفي وماذا ففي وعن أنا أنت هو هي نحن هم هذا هذه ذلك من ما ماذا لماذا كيف "
            "متى أين هل في على إلى عن مع و أو أن إن لا لم لن كان يكون يمكن يمكنك هناك "
            "كل أي لي"
        ),
        "bg": ("аз ти той тя ние вие те това как какво защо кога къде е са съм да на в с и или не ли може"),
        "cs": ("já ty on ona my vy to co proč jak kdy kde je jsou být v na s a nebo ne můžeš mi"),
        "de": (
            "im am zum zur beim vom ich du er sie es wir ihr mich mir dich dir uns "
            "euch mein dein sein das der die den dem ein eine was warum wieso wie "
            "wann wo wer welche ist sind bin war waren hat habe haben kann kannst "
            "könnte können könntest soll will würde werden in an auf mit von zu und "
            "oder nicht bitte dazu davon damit"
        ),
        "en": (
            "else went on i you he she it we they me him her us them my your his its "
            "our their this that these those what which who whom whose why how when "
            "where is are am was were be been being do does did have has had can "
            "could will would shall should may might must a an the of in at to for "
            "from by with about as and or but not no so if then than there here again "
            "more it's i'm can't don't what's one any some too also just yes please"
        ),
        "es": (
            "entonces yo tú tu él ella nosotros ellos me te se nos le lo la los las "
            "mi mis su sus el un una este esta esto ese esa eso qué que cuál quién "
            "por porque cómo como cuándo cuando dónde donde es son soy está están fue "
            "era ser estar ha he hay tengo tienes tiene puede puedes puedo podría "
            "podrías de en a con para sin sobre y o u no sí si más muy del al"
        ),
        "fr": (
            "et alors au aux je tu il elle nous vous ils elles me moi te toi se lui "
            "leur mon ma mes ton ta tes son sa ses ce cet cette ces ça cela que quoi "
            "qui quel quelle pourquoi comment quand où est sont suis es été être a ai "
            "as avoir ont peux peut pouvez pourrais le la les un une de du des en à "
            "avec pour sur dans par ou mais ne pas si plus c j m t l d qu n s y"
        ),
        "he": (
            "וב ומה אני אתה את הוא היא אנחנו הם זה זאת מה למה מדוע איך מתי איפה האם "
            "של על אל עם ב ו או לא יש אין היה אפשר יכול לי"
        ),
        "hi": (
            "मैं तुम आप वह यह हम वे मुझे मेरा मेरी मेरे क्या क्यों कैसे कब कहाँ कौन "
            "है हैं था थी थे हो का की के को में से पर और या नहीं सकते सकता"
        ),
        "id": (
            "bulan terus lalu saya aku kamu anda dia kami kita mereka ini itu apa "
            "mengapa kenapa bagaimana kapan dimana mana siapa adalah ada bisa dapat "
            "boleh bisakah di ke dari dengan untuk dan atau tidak yang dong ya sih "
            "lagi tentang pada"
        ),
        "it": (
            "io tu lui lei noi voi loro mi ti ci vi si me te mio mia tuo tua suo "
            "questo questa quello quella che cosa chi quale perché come quando dove è "
            "sono sei era essere ha ho hai avere puoi può potresti posso il lo la i "
            "gli le un una di a da in con su per del della e o ma non"
        ),
        "ko": (
            "은요 는요 요 에는 그럼 그러면 나 저 너 당신 우리 나는 저는 내가 제가 "
            "이것 그것 이거 그거 왜 뭐 무엇 어떻게 언제 어디 누구 은 는 이 가 을 를 "
            "있다 있어요 수 좀"
        ),
        "nl": (
            "ik jij je u hij zij ze wij we jullie mij me mijn jouw dit dat deze die "
            "wat waarom hoe wanneer waar wie welke is zijn ben was waren heb heeft "
            "hebben kan kun kunt kunnen zou de het een van in op aan met voor en of "
            "niet"
        ),
        "pl": (
            "a ja ty on ona my wy oni mi mnie ci to ten ta co dlaczego czemu jak "
            "kiedy gdzie kto jaki jest są być był była ma mam możesz może w na z do o "
            "i lub nie czy"
        ),
        "pt": (
            "eu tu você vocês ele ela nós eles me te se nos meu minha seu sua este "
            "esta isto esse essa isso que quê qual quem por porque porquê como quando "
            "onde é são sou está estão foi era ser estar há tem tenho pode podes "
            "posso poderia o a os as um uma de do da em no na com para sem sobre e ou "
            "não sim mais"
        ),
        "ru": (
            "вот а же ну я ты он она оно мы вы они мне меня мой тебе тебя нам нас это "
            "этот эта эти что чего почему зачем как когда где кто какой какая есть "
            "был была было были быть ли можешь можно может в на с к по о у из за для "
            "и или но не да нет так"
        ),
        "sv": (
            "jag du han hon vi ni de mig dig min din det den detta vad varför hur när "
            "var vem är har kan skulle en ett i på av med för och eller inte"
        ),
        "tr": (
            "da de ta te daki deki taki teki peki ya ben sen o biz siz onlar bana "
            "sana beni seni bu şu ne neden niçin niye nasıl zaman nerede kim hangi mi "
            "mı mu mü misin mısın var yok bir ve veya ile için değil"
        ),
        "uk": (
            "от а ж я ти він вона воно ми ви вони мені мене мій тобі тебе нам нас це "
            "цей ця ці що чого чому навіщо як коли де хто який яка є був була було "
            "були бути чи можеш можна може в у на з до по о і й та або але не так ні"
        ),
        "vi": (
            "còn thì nhỉ nhé tôi bạn anh chị em mình chúng ta nó này đó kia gì sao "
            "tại vì thế nào như khi đâu ai là có được không thể và hoặc của ở trong "
            "với cho về rồi à ạ"
        ),
    }.items()
}
#: What asks for a definition when nothing but a name stands beside it: "what is [May Day]?"
DEFINING_PHRASES: Final = frozenset(
    """what is|what's|whats|what was|who is|who was|what does mean|qué es|que es|qué fue|que fue|quién es|quién fue
    qu'est-ce que|qu'est-ce que c'est|c'est quoi|qu'est-ce qu'est|was ist|was war|was bedeutet|wer ist|wer war
    o que é|o que foi|que é|que foi|quem é|quem foi|cos'è|che cos'è|cosa è|che cosa è|chi è|wat is|wat was|wie is
    co to jest|co to|czym jest|kto to|что такое|кто такой|кто такая|що таке|хто такий|хто така|nedir|kimdir|là gì|là ai
    apa itu|apakah itu|siapa itu|是什么|是什麼|什么是|什麼是
    とは|とは何|とは何ですか|って何|は何ですか|뭐예요|이 뭐예요|가 뭐예요|란
    ما هو|ما هي|ما معنى|من هو|מה זה|מהו|מהי|מי זה|क्या है|क्या होता है|कौन है|คืออะไร|คือใคร""".replace(
        "\n    ", "|"
    ).split("|")
)
