"""Texts in old encodings, with broken bytes and with letters that are not theirs; notes that begin like other files."""

from __future__ import annotations

import codecs
import time
from collections.abc import Callable
from functools import partial

import pytest

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.adapters.reading.file_kinds import kind_of
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.reading.garbling import is_garbled
from anamnesis.domain.reading.page_furniture import without_furniture
from anamnesis.domain.reading.substitutions import is_enciphered

ENGLISH = (
    "A river is a stream of water that flows to the sea, to a lake or to another river. Its source is the place from "
    "which it comes, and its mouth is the place where it ends. When the land is steep the water runs fast and carries "
    "stones with it. Where the land is flat it becomes slow, and what it has carried sinks to the ground. Many towns "
    "were built on rivers because people need water to drink, to wash and to grow their food."
)
POLISH = "Rzeka jest to ciek wodny, który płynie do morza albo jeziora. Źródło jest miejscem, z którego się zaczyna."
CZECH = "Řeka je vodní tok, který teče do moře nebo do jezera. Když je půda příkrá, voda běží rychle a nese kameny."
HUNGARIAN = "A folyó olyan víz, amely a tengerbe vagy egy tóba ömlik. Ha a föld meredek, a víz gyors, és köveket hord."
GERMAN = (
    "Der Fluß ist ein Gewässer, das in das Meer oder in einen See fließt. Über die Höhe läuft es schnell."
)
RUSSIAN = (
    "Река это поток воды, который течёт в море или в озеро. Когда земля ровная, вода становится медленной."
)
UKRAINIAN = (
    "Річка це потік води, який тече до моря або до озера. Коли земля рівна, вода її стає дуже повільною."
)
TURKISH = (
    "Nehir, denize ya da bir göle akan büyük bir sudur. Su çok hızlı aktığı için taşları da taşır, ve bu iyi."
)
GREEK = "Το ποτάμι είναι ένα ρεύμα νερού που πηγαίνει στη θάλασσα ή σε μια λίμνη. Και το νερό είναι γρήγορο."
THAI = "แม่น้ำ คือ ทางน้ำที่ไหลไปสู่ทะเล และ เป็นที่อยู่ของสัตว์ ซึ่งมีความสำคัญต่อการดำรงชีวิตของคนที่อยู่ในเมือง"
KOREAN = "강은 바다나 호수로 흐르는 물이다. 사람은 물을 마시고 음식을 만들기 위해서 강이 있는 곳에 살았다."
CHINESE = "河是流到海里或者湖里的水。人要喝水，所以在有河的地方生活。水流得很快的时候，可以带走很多东西。"

#: A language without a list of frequent words.
WELSH = (
    "Afon yw dŵr sy'n llifo i'r môr neu i lyn. Mae llawer o drefi wedi eu codi ger afonydd, am fod ar bobl angen "
    "dŵr i yfed, i olchi ac i dyfu bwyd. Lle bo'r tir yn serth bydd y dŵr yn llifo'n gyflym ac yn cario cerrig "
    "gydag ef; lle bo'r tir yn wastad bydd yn araf, a bydd y pethau a gariodd yn suddo i'r gwaelod yn y diwedd."
)


RIVERS_IN_RUSSIAN = (
    "Река это поток воды, который течёт в море, в озеро или в другую реку. Её исток это то место, где она начинается, "
    "а устье то, где она кончается. Когда земля крутая, вода течёт быстро и несёт с собой камни, а там, где земля "
    "ровная, вода становится медленной, и то, что она несла, падает на дно. Много городов было построено на реках, "
    "потому что людям нужна вода, чтобы пить, чтобы мыться и чтобы выращивать свою еду, и так было всегда."
)
POEM = (
    "Slow, slow, fresh fount,\nkeep time with my salt tears;\nyet slower, yet, O faintly, gentle springs.\n"
)
FORMULAS = (
    "F = ma; E = mc^2; PV = nRT; v = u + at; s = ut + 1/2 at^2. Let p = mv, K = p^2/2m, so dK/dp = v.\n"
)
DRUGS = (
    "aspirin ibuprofen paracetamol amoxicillin penicillin tetracycline streptomycin erythromycin metformin insulin "
    "glucagon somatostatin prolactin oxytocin vasopressin melatonin serotonin dopamine adrenaline histamine glycine "
    "acetylcholine glutamate aspartate alanine valine leucine isoleucine proline phenylalanine tryptophan cysteine "
)


def read(data: bytes) -> str:
    """The text of a file."""
    pages = ContentFileReader().read(data, declared_media_type="").pages
    return "\n".join(page.text for page in pages)


def reason(data: bytes) -> str:
    """Why a file is refused."""
    with pytest.raises(FileRefused) as refused:
        read(data)
    return refused.value.reason


@pytest.mark.parametrize(
    "encoding, text",
    [
        ("iso8859_2", POLISH), ("cp852", POLISH), ("mac_latin2", POLISH), ("iso8859_2", CZECH), ("cp852", CZECH),
        ("cp1250", HUNGARIAN), ("iso8859_2", HUNGARIAN), ("cp850", GERMAN), ("mac_roman", GERMAN),
        ("cp866", RUSSIAN), ("iso8859_5", RUSSIAN), ("mac_cyrillic", RUSSIAN), ("koi8_u", UKRAINIAN),
        ("cp857", TURKISH), ("cp737", GREEK), ("cp874", THAI), ("johab", KOREAN), ("hz", CHINESE), ("utf_7", GERMAN),
        ("utf-16-le", RUSSIAN), ("utf-16-be", CHINESE),
    ],
)  # fmt: skip
def test_text_in_older_encodings_is_read(encoding: str, text: str) -> None:
    """A text in an encoding of DOS, of Macintosh, of ISO or in seven bits is read as it was written (CM-1)."""
    assert read(text.encode(encoding)) == text


def test_a_ligature_that_a_wrong_table_makes_of_a_letter_is_no_word() -> None:
    """Many short words of one letter in Russian by ISO are not "fi" by Macintosh, which is French (CM-1)."""
    text = (
        "Диффузия это движение частиц из области высокой концентрации в область низкой. "
        "Осмос это движение воды через мембрану. " * 2
    )
    assert read(text.encode("iso8859_5")) == text


@pytest.mark.parametrize("byte", [0x80, 0xA4, 0xC1, 0xE9, 0xFE, 0xFF])
@pytest.mark.parametrize("count", [8, 5_000, 1_000_000])
def test_filler_is_no_text(byte: int, count: int) -> None:
    """A file of one byte over and over is text in no encoding, however short or long it is (SV-12)."""
    assert reason(bytes([byte]) * count) in {"garbled-text", "unsupported-type"}


@pytest.mark.parametrize("text", [POLISH, CZECH, RUSSIAN, GREEK, THAI, KOREAN, CHINESE])
def test_a_broken_byte_costs_a_letter(text: str) -> None:
    """A byte lost from a text in UTF-8, or its end cut inside a letter, leaves the rest readable (CM-1)."""
    data = (text + "\n").encode() * 2
    middle = next(i for i in range(len(data) // 2, len(data)) if data[i] >= 0xC0)
    assert read(data[:middle] + data[middle + 1 :]).startswith(text)
    assert read(text.encode() + text[-2].encode()[:-1] * (ord(text[-2]) > 127)).startswith(text)


def test_the_end_mark_of_dos_is_no_text() -> None:
    """A text that ends in the end mark of DOS is read without it (CM-1)."""
    assert read(POLISH.encode("cp1250") + b"\x1a") == POLISH


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH.translate(str.maketrans("abcdefghijklmnopqrstuvwxyz", "defghijklmnopqrstuvwxyzabc")),
        codecs.encode(ENGLISH, "rot13"),
        ENGLISH[::-1],
        (GERMAN * 3).encode().decode("latin-1"),
        (RUSSIAN * 2).encode().decode("cp1251", "ignore"),
        ENGLISH.translate(str.maketrans("tnshrdlbcmfpwgvktnshrdlb"[:16], "nthsdrblmcpfgwkvnthsdrbl"[:16])),
        ENGLISH.lower().translate(str.maketrans("bcdfghjklmnpqrstvwxyz", "tshnrdlgwkpfmyzxvcbjq")),
        RIVERS_IN_RUSSIAN.lower().translate(str.maketrans("тнсрвлкмдпгзб", "нтрслвмкпдзгб")),
        "".join(c if c.isascii() else "?" for c in GERMAN * 5),
        "".join(c if c.isascii() else "\ufffd" for c in GERMAN * 5),
    ],
)
def test_letters_that_stand_for_others_are_refused(text: str) -> None:
    """Text decoded by a wrong table, without its accents, backwards or in a cipher is refused as garbled (SV-12)."""
    assert reason(text.encode()) == "garbled-text"


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH, POLISH * 4, CZECH * 4, HUNGARIAN * 4, TURKISH * 4, GREEK * 4, RUSSIAN * 4, THAI, KOREAN, CHINESE, "",
        "Why? Really?Yes. See https://example.org/a?b=c&d=e and page?id=4.",
        "enzyme: ferment\nlipid: Fett\nprotein: Eiweiß\nstarch: Stärke\n" * 20,
        "x = 3; y = 4; print(x + y)\n" * 40,
        WELSH, POEM * 3, FORMULAS * 3, DRUGS * 3, "河是流到海里或者湖里的水" * 90_000, "a" * 1_000_000,
    ],
)  # fmt: skip
def test_honest_text_is_not_garbled(text: str) -> None:
    """Prose of any language, listed or not, poems, formulae, names, glossaries, code, questions pass (CM-1)."""
    assert not is_garbled(text)
    assert not is_enciphered(text)


@pytest.mark.parametrize(
    "start", ["ID3 is", "RIFF is", "GIF89a is", "BM is", "MZ is", "The header is `%PDF-1.7`;"]
)
def test_notes_about_other_files_are_text(start: str) -> None:
    """Notes whose first letters are those of another kind of file are read as text (CM-1)."""
    assert read(f"{start} what such a file begins with. {ENGLISH}".encode()).startswith(start)


@pytest.mark.parametrize("piece", ["<!---->", "<!-- a -->\n", "<?a?> "])
def test_what_stands_before_a_page_is_read_once(piece: str) -> None:
    """Two more comments at a file's beginning do not make telling its kind take twice as long (SV-14)."""
    few, more = (_least_time(partial(kind_of, piece.encode() * n, "")) for n in (19, 22))
    assert more < few * 4


def test_a_word_without_end_is_read_once() -> None:
    """A word four times as long takes no sixteen times as long to be looked at for hyphens (SV-14)."""
    few, more = (_least_time(partial(without_furniture, ["a" * n])) for n in (4_000, 16_000))
    assert more < few * 10


def _least_time(run: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)
