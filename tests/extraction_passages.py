"""Short lessons in many languages, our own words, with the ideas each one defines and their prerequisites."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lesson:
    """A text and what a reader must find in it."""

    language: str
    text: str
    concepts: tuple[str, ...]


LESSONS = (
    Lesson(
        "en",
        "# Movement across membranes\n\nDiffusion is the movement of particles from a region of high concentration to a "
        "region of low concentration. Osmosis is the diffusion of water through a partially permeable membrane. Every "
        "living cell depends on osmosis. The force that pushes water back is called osmotic pressure. A gradient of "
        "concentration, known as a concentration gradient, drives diffusion.\n\n## Exercises\n\nHomework is a nuisance "
        "of the highest order. What is diffusion?\n",
        ("Diffusion", "Osmosis", "osmotic pressure", "concentration gradient"),
    ),
    Lesson(
        "es",
        "# El movimiento\n\nLa velocidad es una magnitud que expresa el cambio de posición por unidad de tiempo. La "
        "aceleración es la variación de la velocidad por unidad de tiempo. La resistencia de un cuerpo a cambiar su "
        "velocidad se denomina inercia. El impulso se define como el producto de la fuerza por el tiempo.\n\n"
        "## Ejercicios\n\nEl examen es una prueba difícil.\n",
        ("velocidad", "aceleración", "inercia", "impulso"),
    ),
    Lesson(
        "pt",
        "# Fotossíntese\n\nA fotossíntese é um processo pelo qual as plantas produzem açúcar com a luz do sol. A clorofila "
        "é um pigmento verde que absorve a luz. A abertura por onde a folha respira chama-se estômato. A transpiração "
        "consiste na perda de água pelas folhas.\n",
        ("fotossíntese", "clorofila", "estômato", "transpiração"),
    ),
    Lesson(
        "fr",
        "# L'énergie\n\nL'énergie cinétique est l'énergie que possède un corps en mouvement. La masse est une grandeur qui "
        "mesure la quantité de matière. L'énergie d'un corps en hauteur est appelée énergie potentielle. Le frottement "
        "désigne la force qui s'oppose au glissement.\n",
        ("énergie cinétique", "masse", "énergie potentielle", "frottement"),
    ),
    Lesson(
        "de",
        "# Die Zelle\n\nDie Zellmembran ist eine dünne Hülle, die jede Zelle umgibt. Das Zytoplasma ist die Flüssigkeit im "
        "Inneren der Zelle. Die Osmose bezeichnet die Diffusion von Wasser durch eine Membran. Der Raum, in dem sich die "
        "Erbanlagen befinden, heißt Zellkern.\n",
        ("Zellmembran", "Zytoplasma", "Osmose", "Zellkern"),
    ),
    Lesson(
        "it",
        "# La materia\n\nL'atomo è la più piccola parte di un elemento. La molecola è un insieme di atomi legati tra loro. "
        "Il passaggio dallo stato liquido al gas è detto evaporazione. La densità indica il rapporto tra massa e volume.\n",
        ("atomo", "molecola", "evaporazione", "densità"),
    ),
    Lesson(
        "pl",
        "# Siły\n\nBezwładność to skłonność ciała do zachowania swojej prędkości. Pęd to iloczyn masy i prędkości. "
        "Przyspieszenie oznacza zmianę prędkości w czasie. Tarcie (ang. friction) polega na oporze przy ślizganiu się ciał. "
        "Tarcie zależy od powierzchni.\n",
        ("Bezwładność", "Pęd", "Przyspieszenie", "Tarcie"),
    ),
    Lesson(
        "id",
        "# Ekosistem\n\nEkosistem adalah kesatuan antara makhluk hidup dan lingkungannya. Habitat merupakan tempat hidup suatu "
        "makhluk. Makhluk hidup yang membuat makanannya sendiri disebut produsen. Rantai makanan adalah urutan makan dan "
        "dimakan di dalam ekosistem.\n",
        ("Ekosistem", "Habitat", "produsen", "Rantai makanan"),
    ),
    Lesson(
        "hi",
        "# बल और गति\n\nजड़त्व वह गुण है जिसके कारण वस्तु अपनी अवस्था बनाए रखती है। वेग एक सदिश राशि है जो दिशा सहित चाल बताती है। "
        "वेग में परिवर्तन की दर को त्वरण कहते हैं। द्रव्यमान और वेग के गुणनफल को संवेग कहा जाता है।\n",
        ("जड़त्व", "वेग", "त्वरण", "संवेग"),
    ),
    Lesson(
        "ar",
        "# الخلية\n\nالانتشار هو حركة الجزيئات من التركيز العالي إلى التركيز المنخفض. الغشاء الخلوي هو طبقة رقيقة تحيط بالخلية. "
        "وانتقال الماء عبر الغشاء يسمى التناضح. النواة هي مركز التحكم في الخلية.\n",
        ("الانتشار", "الغشاء الخلوي", "التناضح", "النواة"),
    ),
    Lesson(
        "ru",
        "# Движение\n\nСкорость — это величина, которая показывает изменение положения за единицу времени. Ускорение "
        "представляет собой изменение скорости со временем. Свойство тела сохранять скорость называется инерция. Импульс — "
        "это произведение массы на скорость.\n",
        ("Скорость", "Ускорение", "инерция", "Импульс"),
    ),
    Lesson(
        "vi",
        "# Quang hợp\n\nQuang hợp là quá trình cây xanh tạo ra đường nhờ ánh sáng. Diệp lục là chất màu xanh hấp thụ ánh sáng. "
        "Lỗ nhỏ trên lá được gọi là khí khổng. Hô hấp là quá trình giải phóng năng lượng.\n",
        ("Quang hợp", "Diệp lục", "khí khổng", "Hô hấp"),
    ),
    Lesson(
        "tr",
        "# Hücre\n\n**Hücre zarı** hücreyi saran ince bir tabakadır. **Sitoplazma** hücrenin içini doldurur. Suyun zardan "
        "geçişine **osmoz** denir.\n",
        ("Hücre zarı", "Sitoplazma", "osmoz"),
    ),
    Lesson(
        "zh",
        "# 光合作用\n\n光合作用是指绿色植物利用光能制造有机物的过程。叶绿素是一种吸收光能的色素。水分子通过半透膜的扩散称为渗透作用。"
        "植物叶片上的小孔叫做气孔。\n",
        ("光合作用", "叶绿素", "渗透作用", "气孔"),
    ),
    Lesson(
        "ja",
        "# 光合成\n\n光合成とは、植物が光のエネルギーを使って養分を作る働きである。葉緑体とは、光合成が行われる部分である。"
        "葉の表面にある小さな穴を気孔という。水が膜を通って移動する現象を「浸透」と呼ぶ。\n",
        ("光合成", "葉緑体", "気孔", "浸透"),
    ),
    Lesson(
        "ko",
        "# 광합성\n\n광합성이란 식물이 빛을 이용해 양분을 만드는 과정이다. 엽록체란 광합성이 일어나는 곳이다. "
        "잎에 있는 작은 구멍을 기공이라고 한다. 물이 막을 통해 이동하는 현상을 삼투라고 부른다.\n",
        ("광합성", "엽록체", "기공", "삼투"),
    ),
    Lesson(
        "sw",
        "# Usanisinuru\n\n**Klorofili** hufyonza mwanga wa jua katika majani ya mmea wa kijani.\n\n**Stomata** huruhusu hewa "
        "kuingia ndani ya jani kila siku.\n",
        ("Klorofili", "Stomata"),
    ),
)
