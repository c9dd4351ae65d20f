from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.messages.teachings import NAME_WORDS, is_question, read_teaching, reads_like_utterance

#: Per language: a "remember that", the name in it, a "treat X as Y", and X.
TEACHINGS = {
    "en": (
        "Remember that in our class we call mitochondria the powerhouse of the cell",
        "mitochondria",
        "Treat osmosis as diffusion of water",
        "osmosis",
    ),
    "es": (
        "Recuerda que en nuestra clase llamamos a la mitocondria la central eléctrica",
        "mitocondria",
        "Considera la ósmosis como difusión de agua",
        "ósmosis",
    ),
    "pt": (
        "Lembre-se de que na nossa aula chamamos a mitocôndria de usina",
        "mitocôndria",
        "Trate a osmose como difusão de água",
        "osmose",
    ),
    "fr": (
        "Souviens-toi que dans notre classe on appelle la mitochondrie la centrale électrique",
        "mitochondrie",
        "Considère l'osmose comme une diffusion d'eau",
        "osmose",
    ),
    "de": (
        "Merk dir, dass wir in unserer Klasse die Mitochondrien Kraftwerke der Zelle nennen",
        "Mitochondrien",
        "Betrachte Osmose als Diffusion von Wasser",
        "Osmose",
    ),
    "it": (
        "Ricorda che nella nostra classe chiamiamo i mitocondri la centrale elettrica",
        "mitocondri",
        "Considera l'osmosi come diffusione di acqua",
        "osmosi",
    ),
    "id": (
        "Ingat bahwa di kelas kami mitokondria disebut pembangkit listrik sel",
        "mitokondria",
        "Anggap osmosis sebagai difusi air",
        "osmosis",
    ),
    "nl": (
        "Onthoud dat we in onze klas mitochondriën de krachtcentrale noemen",
        "mitochondriën",
        "Beschouw osmose als diffusie van water",
        "osmose",
    ),
    "pl": (
        "Zapamiętaj, że na naszych zajęciach mitochondria nazywamy elektrownią komórki",
        "mitochondria",
        "Traktuj osmozę jako dyfuzję wody",
        "osmozę",
    ),
    "ru": (
        "Запомни, что в нашем классе мы называем митохондрии электростанцией клетки",
        "митохондрии",
        "Считай осмос диффузией воды",
        "осмос",
    ),
    "uk": (
        "Запам'ятай, що в нашому класі ми називаємо мітохондрії електростанцією",
        "мітохондрії",
        "Вважай осмос як дифузію води",
        "осмос",
    ),
    "tr": (
        "Unutma: sınıfımızda mitokondriye hücrenin santrali deriz",
        "mitokondri",
        "Osmozu suyun difüzyonu olarak kabul et",
        "Osmoz",
    ),
    "ar": (
        "تذكر أننا في صفنا نسمي الميتوكوندريا محطة الطاقة",
        "الميتوكوندريا",
        "اعتبر التناضح انتشارا للماء",
        "التناضح",
    ),
    "hi": (
        "याद रखो कि हमारी कक्षा में हम माइटोकॉन्ड्रिया को बिजलीघर कहते हैं",
        "माइटोकॉन्ड्रिया",
        "परासरण को पानी का विसरण मानो",
        "परासरण",
    ),
    "zh": ("请记住，我们班把线粒体叫做细胞的发电厂", "线粒体", "把渗透当作水的扩散", "渗透"),
    "ja": (
        "私たちのクラスではミトコンドリアを細胞の発電所と呼ぶと覚えておいてください",
        "ミトコンドリア",
        "浸透を水の拡散として扱ってください",
        "浸透",
    ),
    "ko": (
        "우리 반에서는 미토콘드리아를 세포의 발전소라고 부른다는 것을 기억해 줘",
        "미토콘드리아",
        "삼투를 물의 확산으로 간주해 줘",
        "삼투",
    ),
    "vi": (
        "Hãy nhớ rằng trong lớp em gọi ty thể là nhà máy năng lượng",
        "ty thể",
        "Hãy coi thẩm thấu là sự khuếch tán nước",
        "thẩm thấu",
    ),
    "th": (
        "จำไว้ว่าในห้องเรียนของเราเรียกไมโทคอนเดรียว่าโรงไฟฟ้า",
        "ไมโทคอนเดรีย",
        "ให้ถือว่าออสโมซิสเป็นการแพร่ของน้ำ",
        "ออสโมซิส",
    ),
    "he": (
        "זכור שבכיתה שלנו קוראים למיטוכונדריה תחנת הכוח",
        "מיטוכונדריה",
        "התייחס לאוסמוזה כאל דיפוזיה של מים",
        "אוסמוזה",
    ),
}


@pytest.mark.parametrize("language", TEACHINGS)
def test_remember_and_treat_teach_in_each_language(language: str) -> None:
    """Both ways to teach are known in each language, and name what they are about in a few words (TE-2)."""
    remember, name, treat, treated = TEACHINGS[language]
    for text, short in ((remember, name), (treat, treated)):
        taught = read_teaching(text)
        assert taught is not None
        assert taught.short_name == short
        assert taught.statement in text


def test_the_statement_is_what_was_taught() -> None:
    """The note holds the student's sentence without the words that ask to remember it (TE-1)."""
    taught = read_teaching(
        "Please, remember that in our class we call mitochondria the powerhouse of the cell!"
    )
    assert taught is not None
    assert taught.statement == "in our class we call mitochondria the powerhouse of the cell"


@pytest.mark.parametrize(
    "text",
    [
        "please remember: the exam is on Friday.",
        "REMEMBER THAT the exam is on Friday!!!",
        "ok thanks. Remember that the exam is on Friday",
        "hey, could be. Please remember that the exam is on Friday",
        "remember, the exam is on Friday",
        "I want you to remember that the exam is on Friday",
    ],
)
def test_politeness_case_and_punctuation_do_not_matter(text: str) -> None:
    """A teaching is one in any case, after a greeting or in a later sentence (TE-3)."""
    taught = read_teaching(text)
    assert taught is not None
    assert taught.statement == "the exam is on Friday"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?",
        "remember",
        "Remember that",
        "remember that …",
        "Do you remember that we called it X?",
        "do you remember that we called it X",
        "Can you remember that osmosis is diffusion?",
        "the book says: remember that cells divide",
        '"Remember that cells divide" is on page 3',
        "“Remember that cells divide.”",
        "my teacher said remember that cells divide",
        "don't remember that cells divide",
        "I can't remember that formula",
        "I remember that cells divide",
        "If I say remember that x is 5, what is x",
        "what if I treat light as a wave",
        "How do doctors treat cancer as a disease",
        "Don't treat osmosis as diffusion",
        "Remember the Alamo",
        "remember that time we did osmosis",
        "Remember that we did this?",
        "mitochondria are the powerhouse",
        "¿Recuerdas que lo llamamos así?",
        "Recuerdo que lo vimos",
        "no recuerdes que es así",
        "el libro dice: recuerda que las células se dividen",
        "você lembra que vimos isso?",
        "tu te souviens que nous avons vu ça ?",
        "ne te souviens pas que c'est faux",
        "erinnerst du dich, dass wir das hatten?",
        "merk dir nicht, dass das so ist",
        "ti ricordi che l'abbiamo visto?",
        "apakah kamu ingat bahwa kita sudah belajar itu",
        "weet je nog dat we dit deden?",
        "pamiętasz, że o tym mówiliśmy?",
        "ты помнишь, что мы это проходили?",
        "bunu hatırlıyor musun?",
        "هل تتذكر أننا درسنا هذا؟",
        "क्या तुम्हें याद है कि हमने यह पढ़ा?",
        "你还记得我们学过这个吗",
        "これを覚えていますか？",
        "이거 기억해?",
        "bạn có nhớ rằng ta đã học không?",
        "จำได้ไหมว่าเราเรียนแล้ว",
        "אתה זוכר שלמדנו את זה?",
    ],
)
def test_questions_quotations_negations_and_hypotheses_teach_nothing(text: str) -> None:
    """Only being told to remember teaches; being asked, quoting, denying and supposing do not (TE-3)."""
    assert read_teaching(text) is None


@given(st.text(max_size=400))
def test_a_new_concepts_name_is_never_the_whole_sentence(statement: str) -> None:
    """Whatever is taught, the name has at most five words (TE-2)."""
    taught = read_teaching(f"Remember that in our class {statement}")
    if taught is not None:
        assert taught.short_name
        assert len(taught.short_name.split()) <= NAME_WORDS
        assert len(taught.short_name) <= 60


@pytest.mark.parametrize(
    "text",
    [
        "what is osmosis",
        "osmosis?",
        "¿qué es?",
        "apa itu osmosis",
        "was ist das",
        "ما هو التناضح",
        "什么是渗透",
        "浸透とは何ですか",
        "osmoz nedir",
    ],
)
def test_questions_are_known_with_and_without_a_mark(text: str) -> None:
    """A question mark or the words a question begins or ends with tell it (TE-3)."""
    assert is_question(text)


@pytest.mark.parametrize(
    "text", ["", "Osmosis is diffusion of water.", "La mitosis es una división.", "浸透は拡散です。"]
)
def test_statements_are_no_questions(text: str) -> None:
    """A plain statement asks nothing (TE-3)."""
    assert not is_question(text)


UTTERANCES = [
    "just ask me the questions",
    "explain all the steps",
    "i don't get it",
    "ok next one",
    "can you help me",
    "what is osmosis",
    "ok",
    "…",
    "42",
    "bueno ahora explícame todos los pasos",
    "hazme las preguntas",
    "no entiendo nada",
    "tanyakan saja",
    "langsung aja kasih soalnya",
    "lanjut dong",
    "me faz as perguntas",
    "não sei",
    "pose-moi juste les questions",
    "je ne sais pas",
    "stell mir einfach die Fragen",
    "keine Ahnung",
    "fammi solo le domande",
    "stel me gewoon de vragen",
    "po prostu zadaj mi pytania",
    "просто задай мне вопросы",
    "поясни мені все",
    "sadece bana soruları sor",
    "فقط اسألني الأسئلة",
    "बस मुझसे सवाल पूछो",
    "直接问我问题吧",
    "我不知道",
    "質問してください",
    "그냥 질문해 줘",
    "cứ hỏi em đi",
    "ถามฉันเลย",
    "פשוט תשאל אותי",
]
TOPICS = [
    "osmosis",
    "Newton's second law",
    "cell membrane transport",
    "World War I",
    "US economy",
    "I/O devices",
    "just war theory",
    "supply and demand",
    "moment of inertia",
    "present perfect",
    "la membrana celular",
    "la segunda ley de Newton",
    "fotosintesis pada tumbuhan",
    "hukum newton kedua",
    "segunda lei de Newton",
    "équations du second degré",
    "die Zellmembran",
    "seconda legge di Newton",
    "tweede wet van Newton",
    "druga zasada dynamiki",
    "второй закон Ньютона",
    "клітинна мембрана",
    "Newton'un ikinci yasası",
    "قانون نيوتن الثاني",
    "न्यूटन का दूसरा नियम",
    "牛顿第二定律",
    "几何",
    "ニュートンの第二法則",
    "뉴턴의 제2법칙",
    "định luật thứ hai của Newton",
    "กฎข้อที่สองของนิวตัน",
    "החוק השני של ניוטון",
]


@pytest.mark.parametrize("topic", UTTERANCES)
def test_talk_reads_like_an_utterance(topic: str) -> None:
    """Question words, asking verbs, pronouns and fillers give talk away (BE-3)."""
    assert reads_like_utterance(topic)


@pytest.mark.parametrize("topic", TOPICS)
def test_an_idea_of_a_subject_is_no_utterance(topic: str) -> None:
    """The name of an idea is a topic, in each language (BE-3)."""
    assert not reads_like_utterance(topic)


@pytest.mark.parametrize(
    "piece", ["remember that ", "treat x as ", '"', "覚えて", "기억해 ", "a", "hatırla "]
)
def test_huge_text_is_cut_before_it_is_matched(piece: str) -> None:
    """A million characters give an answer from their head (SV-12)."""
    text = "Remember that osmosis is diffusion.\n" + piece * (1_000_000 // len(piece))
    taught = read_teaching(text)
    assert taught is not None
    assert taught.statement == "osmosis is diffusion"
    assert not is_question(text)


@pytest.mark.parametrize(
    "text, statement",
    [
        ("Could you please remember that heat is energy?", "heat is energy"),
        ("Would you mind keeping in mind that heat is energy?", "heat is energy"),
        ("please note for later that heat is energy", "heat is energy"),
        ("Heat is energy, remember that!", "Heat is energy"),
        ("heat is energy - please don't forget it.", "heat is energy"),
        ("remeber that heat is energy", "heat is energy"),
        ("Rember taht heat is energy", "heat is energy"),
        ("remmeber, heat is energy", "heat is energy"),
        ("¿Podrías tener en cuenta que el calor es energía?", "el calor es energía"),
        ("El calor es energía, recuérdalo por favor", "El calor es energía"),
        ("Könntest du dir merken, dass Wärme Energie ist?", "Wärme Energie ist"),
        ("Isı bir enerjidir, bunu unutma", "Isı bir enerjidir"),
        ("热是能量,记住这一点", "热是能量"),
        ("熱はエネルギーだと覚えておいてもらえますか?", "熱はエネルギーだ"),
        ("Note that our teacher uses g = 10.", "our teacher uses g = 10"),
        ("FYI our book calls it free energy", "our book calls it free energy"),
        ("For the record, in our class we call it the slope.", "in our class we call it the slope"),
        ("Não esqueças que usamos g = 10.", "usamos g = 10"),
        ("Nota che in classe diciamo calore.", "in classe diciamo calore"),
        ("Perlu diingat, panas adalah energi.", "panas adalah energi"),
        ("لاحظ أننا نستخدم جول.", "نستخدم جول"),
        ("โปรดทราบว่าเราใช้เคลวิน", "เราใช้เคลวิน"),
    ],
)
def test_polite_mistyped_and_inverted_teachings_teach(text: str, statement: str) -> None:
    """A polite request, a slip in typing, or "remember that" at the end changes nothing of what is taught (TE-1)."""
    taught = read_teaching(text)
    assert taught is not None
    assert taught.statement == statement


@pytest.mark.parametrize(
    "text, name",
    [
        ("From now on call the long side the hypotenuse.", "long side"),
        ("من الآن فصاعدا سم الوتر الضلع الطويل", "الوتر"),
        ("从现在起把斜边叫做长边", "斜边"),
        ("これからは斜辺を長い辺と呼んで", "斜辺"),
        ("Remember: heat is energy", "heat"),
        ("Merke dir, dass Wärme Energie ist", "Wärme Energie"),
        ("기억해 줘, 열은 에너지야", "열"),
        ("จำไว้ว่าเราใช้เคลวิน", "ใช้เคลวิน"),
    ],
)
def test_new_concepts_have_short_names(text: str, name: str) -> None:
    """A new concept is named by what the sentence is about, not by the whole of it, in every script (TE-2)."""
    taught = read_teaching(text)
    assert taught is not None
    assert taught.short_name == name


@pytest.mark.parametrize(
    "text",
    [
        "Could you remember that we did heat?",
        "Can you remember it, please?",
        "recuerdas que el calor es energía",
        "pamiętam, że ciepło to energia",
        "Merk dir das bitte nicht, dass Wärme Energie ist",
        "Onthoud dat maar niet",
        "Merk dir das bitte nicht.",
        "老师说热是能量,记住这一点",
        "call me later",
        "ok fine, remember that",
        "Note the difference between mass and weight",
        "Note that osmosis is a passive process.",
        "Note that we can write this as a product.",
        "The book notes that our cells divide",
        "a quarter note that our band plays",
        "Nota che l'osmosi è passiva.",
    ],
)
def test_what_only_resembles_a_teaching_does_not_teach(text: str) -> None:
    """Asking whether, one's own memory, a "not" at the end and an empty "remember that" teach nothing (TE-3)."""
    assert read_teaching(text) is None
