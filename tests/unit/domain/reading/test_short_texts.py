"""Short texts, notations and small languages: what is refused as garbled, and what never is."""

from __future__ import annotations

import random
import tomllib
from importlib.resources import files

import pytest

from anamnesis.domain.reading.garbling import is_garbled
from anamnesis.domain.reading.legibility import is_legible
from anamnesis.domain.reading.substitutions import is_enciphered

TOLD = tomllib.loads(
    files("anamnesis_tools.bench.files").joinpath("texts", "letters_passages.toml").read_text("utf-8")
)
HONEST = {**TOLD["listed"], **TOLD["unlisted"], **TOLD["notations"]}


def refused(text: str) -> bool:
    return not is_legible(text) or is_garbled(text) or is_enciphered(text)


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_text_of_any_length_is_never_refused(name: str) -> None:
    """Poems, formulas, chords, lists and small languages are legible, whole, short and repeated (CM-1, SV-12)."""
    text = HONEST[name]
    for words in (8, 15, 25, 40):
        assert not refused(" ".join(text.split()[:words]))
    assert not refused(text)
    assert not refused(f"{text}\n\n" * 4)


@pytest.mark.parametrize(
    "language, real, taken",
    [("ru", "cp1251", "latin-1"), ("ru", "koi8_r", "cp1251"), ("el", "cp1253", "latin-1"), ("ar", "cp1256", "cp1252"),
     ("he", "cp1255", "cp1252"), ("ko", "euc_kr", "latin-1"), ("ja", "euc_jp", "latin-1"), ("zh", "gbk", "latin-1")],
)  # fmt: skip
def test_a_short_text_read_by_another_table_is_refused(language: str, real: str, taken: str) -> None:
    """Twenty words whose bytes were read by another table are garbled (SV-12)."""
    text = TOLD["listed"][language]
    cut = " ".join(text.split()[:20]) if len(text.split()) > 3 else text[:100]
    assert refused(cut.encode(real, "ignore").decode(taken, "ignore"))


@pytest.mark.parametrize("language", ["en", "de", "es", "pl"])
def test_thirty_words_backwards_or_moved_on_in_the_alphabet_are_refused(language: str) -> None:
    """Thirty words read backwards, or with every letter the next one of the alphabet, are garbled (SV-12)."""
    text = " ".join(TOLD["listed"][language].split()[:30])
    assert refused(text[::-1])
    assert refused("".join(chr(ord(c) + 1) if "a" <= c < "z" else c for c in text.lower()))


@pytest.mark.parametrize("name", TOLD["scripts"])
def test_an_honest_text_of_another_script_is_never_refused(name: str) -> None:
    """Small and old languages, names, points and old spellings are legible in any script and length (CM-1, SV-12)."""
    text = TOLD["scripts"][name]
    for words in (12, 20, 30, 80):
        cut = " ".join(text.split()[:words])
        assert is_legible(cut)
        assert not is_garbled(cut)


@pytest.mark.parametrize(
    "text",
    [
        "हाथी घोड़ा गधा भेड़ बकरी भालू शेर बाघ चीता खरगोश कछुआ झींगा मेढक छिपकली गिलहरी चूहा छछूंदर ऊँट बिल्ली कुत्ता",
        "अच्छा बुरा छोटा बड़ा ऊँचा नीचा मोटा पतला ठंडा गरम मीठा खट्टा कड़वा भारी हल्का गीला सूखा अंधा गूँगा बूढ़ा",
        "बुद्धिः घटः पटः डमरुः ढक्का ठक्कुरः भेकः गजः खड्गः झषः छत्रम् थूत्कारः फलम् बकः धेनुः शङ्खः ऋषिः दण्डः",
        "क से कबूतर ख से खरगोश ग से गमला घ से घड़ी च से चम्मच छ से छाता ज से जहाज झ से झंडा ट से टमाटर ठ से ठठेरा",
        (
            "Въ началѣ сотворилъ Богъ небо и землю. Земля же была безвидна и пуста, и тьма надъ бездною; и Духъ "
            "Божій носился надъ водою. И сказалъ Богъ: да будетъ свѣтъ. И сталъ свѣтъ."
        ),
        (
            "Всички хора се раждатъ свободни и равни по достойнство и права. Тѣ сѫ надарени съ разумъ и съвѣсть и "
            "следва да се отнасятъ помежду си въ духъ на братство."
        ),
        (
            "Киналго гIадамал тархъанго ва хIалтIул бокьовалги хIурматалги бащадал гьарула. Гьезул гIакълуги намусги "
            "буго, ва цоцазе вацлъиялъул рухIалда гьел вацал кинигин рукIине ккола."
        ),
        (
            "ma-ri-po-sa ca-ra-col za-pa-to ca-ba-llo pe-lo-ta mu-ñe-ca ca-mi-sa ga-lli-na co-ne-jo pa-lo-ma to-ma-te "
            "le-chu-ga na-ran-ja man-za-na ven-ta-na co-ci-na es-cue-la ma-es-tro li-bre-ta lá-piz go-ma ár-bol"
        ),
    ],
    ids=[
        "animals",
        "opposites",
        "sanskrit words",
        "primer",
        "old russian",
        "old bulgarian",
        "avar",
        "syllables",
    ],
)
def test_lists_of_words_and_rare_spelling_are_never_refused(text: str) -> None:
    """Primers and lists of words of Devanagari, and letters that no table of one byte has, are honest (CM-1)."""
    assert not any(refused(each) for each in (text, f"{text}\n{text}", " ".join(text.split()[:15])))


def test_letters_exchanged_within_another_script_are_refused() -> None:
    """Six in seven texts of forty words of another script are refused when each letter is another one (SV-12)."""
    seen = []
    for language in ("ru", "uk", "el", "ar", "he", "sr river", "bg river", "fa river"):
        text = " ".join({**TOLD["listed"], **TOLD["scripts"]}[language].lower().split()[:40])
        letters = sorted({c for c in text if c.isalpha()})
        for seed in range(8):
            others = letters[:]
            random.Random(seed).shuffle(others)
            seen.append(is_garbled(text.translate(dict(zip(map(ord, letters), others, strict=True)))))
    assert 7 * sum(seen) >= 6 * len(seen)


def test_signs_of_devanagari_where_none_can_stand_are_refused() -> None:
    """Hindi whose letters and vowel signs are exchanged, or moved on in their block, is garbled (SV-12)."""
    text = " ".join(TOLD["scripts"]["hi river"].split()[:30])
    assert refused("".join(chr(ord(c) + 8) if "\u0900" < c < "\u0950" else c for c in text))
    signs = sorted({c for c in text if "\u0900" < c < "\u0950"})
    assert refused(text.translate(dict(zip(map(ord, signs), signs[7:] + signs[:7], strict=True))))


@pytest.mark.parametrize("by", [-3, -1, 1, 2])
def test_letters_moved_along_the_code_page_are_refused_in_other_scripts(by: int) -> None:
    """Sixty words of Cyrillic, Greek, Arabic or Devanagari with letters some places on are garbled (SV-12)."""
    for text in (
        TOLD["listed"]["ru"],
        TOLD["listed"]["el"],
        TOLD["listed"]["ar"],
        TOLD["scripts"]["hi river"],
    ):
        cut = " ".join(text.lower().split()[:60])
        assert refused("".join(chr(ord(c) + by) if c.isalpha() and not c.isascii() else c for c in cut))


def test_consonants_of_devanagari_exchanged_are_refused() -> None:
    """Three in four pages of Hindi and Marathi whose consonants are exchanged for each other are garbled (SV-12)."""
    seen = []
    for name in ("hi river", "mr river"):
        text = TOLD["scripts"][name]
        letters = sorted({c for c in text if "\u0915" <= c <= "\u0939"})
        for seed in range(8):
            others = letters[:]
            random.Random(seed).shuffle(others)
            seen.append(is_garbled(text.translate(dict(zip(map(ord, letters), others, strict=True)))))
    assert 4 * sum(seen) >= 3 * len(seen)


def test_words_backwards_are_refused_in_other_scripts() -> None:
    """Hebrew and Arabic in the order in which they are seen, from the left, are garbled (SV-12)."""
    for language in ("he", "ar", "ru", "el"):
        assert refused(" ".join(TOLD["listed"][language].split()[:40])[::-1])


def test_fonts_of_typewriters_times_are_refused() -> None:
    """Hindi in Kruti Dev and its kin, Vietnamese in VNI, are garbled: their letters are another alphabet's (SV-12)."""
    assert all(refused(text) for text in TOLD["fonts"].values())
