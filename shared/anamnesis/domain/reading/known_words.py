"""How well a text's words and letters fit a language: its frequent words, and an alphabet that holds its letters."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import regex
import stopwordsiso

from anamnesis.domain.text.languages import stop_words

#: Letters of alphabets, beside a to z, that the lists of frequent words do not all hold.
_LETTERS = {
    "cs": "áčďéěíňóřšťúůýž", "sk": "áäčďéíĺľňóôŕšťúýž", "pl": "ąćęłńóśźż", "hu": "áéíóöőúüű", "ro": "ăâîșțşţ",
    "hr": "čćđšž", "sl": "čšž", "lt": "ąčęėįšųūž", "lv": "āčēģīķļņšūž", "et": "äõöšüž", "tr": "çğıöşüâîûİ\u0307",
    "de": "äöüß", "fr": "àâæçéèêëîïôœùûüÿ", "es": "áéíñóúü¿¡", "pt": "àáâãçéêíóôõú", "it": "àèéìíîòóùú",
    "ca": "àçèéíïòóúü·", "gl": "áéíñóúü", "eu": "ñü", "da": "åæøé", "no": "åæøéòô", "sv": "åäöé", "fi": "äåöšž",
    "nl": "éèëïóöüá", "ga": "áéíóú", "br": "êñùü", "eo": "ĉĝĥĵŝŭ", "af": "êëéïôû", "sw": "", "id": "é", "en": "",
    "vi": "ăâđêôơưàảãáạằẳẵắặầẩẫấậèẻẽéẹềểễếệìỉĩíịòỏõóọồổỗốộờởỡớợùủũúụừửữứựỳỷỹýỵ",
    "ru": "абвгдежзийклмнопрстуфхцчшщъыьэюяё", "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "bg": "абвгдежзийклмнопрстуфхцчшщъьюя", "el": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
    "ar": "ءآأؤإئابةتثجحخدذرزسشصضطظعغـفقكلمنهوىيًٌٍَُِّْ،؛؟٪", "he": "אבגדהוזחטיךכלםמןנסעףפץצקרשת־׳״",
}  # fmt: skip
#: Letters met in names and loans in every language in Latin letters, and what one of them weighs.
_BORROWED, _BORROWED_WEIGHT = frozenset("éèàçñöüäáíóúâêîôûëïåøæœßãõ"), 0.7
#: Signs of any language's prose. Superscript one, the plus-minus sign and the like are not: they are what a wrong table
#: makes of letters.
_SIGNS = frozenset("“”„‘’‚«»‹›–—…•·°§€£©®²³½×÷µ№\u00a0\u00ad")
#: From Devanagari to Malayalam, and on to Myanmar, scripts of Unicode have one block of 128 characters each.
_ONE_BLOCK_SCRIPTS = range(0x900, 0x1080)
_WORD = regex.compile(r"[\p{L}\p{M}]+")
_CAPITAL_INSIDE = regex.compile(r"(?<=\p{Ll})\p{Lu}")
_SIGN_INSIDE = regex.compile(r"(?<=\p{L})[“”„‘‚«»‹›…•°§€£©®²³½×÷µ№]+(?=\p{L})")
#: A ligature alone, which casefolds to two letters ("fi"): a wrong table's reading of a byte, and no word.
_LONE_LIGATURE = regex.compile(r"(?<!\p{L})[\ufb00-\ufb06](?!\p{L})")
#: Share of the characters beyond ASCII that a language must write, and the share of words that a label counts as.
_LEAST_WRITTEN = 0.6
_SHORT_SHARE = 0.02
#: Two-letter entries of the English list are also Internet domains: evidence is taken from three letters on.
_TELLING_LETTERS = 3


@lru_cache(maxsize=1)
def known_languages() -> dict[str, frozenset[str]]:
    """Frequent words by language, for every language that has a list and writes spaces between words."""
    unspaced = {"ja", "ko", "th", "zh"}
    return {tag: stop_words(tag) for tag in sorted(stopwordsiso.langs() - unspaced)}


@lru_cache(maxsize=1)
def alphabets() -> dict[str, frozenset[str]]:
    """Small letters beyond a to z of each language that has a list; of Indic scripts all signs of the script."""
    return {tag: frozenset(_LETTERS.get(tag) or _letters(words)) for tag, words in known_languages().items()}


def _letters(words: Iterable[str]) -> set[str]:
    """Letters of words; beyond Latin, Greek and Cyrillic all of the script, whose signs a list does not exhaust."""
    seen = {c for word in words for c in word if not c.isascii()}
    blocks = {ord(c) // 128 for c in seen if ord(c) in _ONE_BLOCK_SCRIPTS}
    return seen | {chr(block * 128 + i) for block in blocks for i in range(128)}


def words_of(text: str) -> Counter[str]:
    """Casefolded words of a text with how often they stand in it."""
    return Counter(_WORD.findall(unicodedata.normalize("NFC", text).casefold()))


def telling_share(words: Counter[str]) -> float:
    """Largest share, over the languages, of the words of three and more letters that are frequent in one language.

    A fifth to a half in prose, under a fifteenth in what is in no language.
    """
    long = {word: count for word, count in words.items() if len(word) >= _TELLING_LETTERS}
    total = sum(long.values())
    if not total:
        return 0.0
    return max(_known(long, known) for known in known_languages().values()) / total


def language_fit(text: str, least_share: float) -> float | None:
    """How well a decoded text fits the language it fits best, from 0 to about 1; None when it fits none.

    Parameters
    ----------
    text
        In NFC.
    least_share
        The share of its words that must be frequent in the language.

    Notes
    -----
    The share of frequent words, which ASCII words alone can make up in any encoding, is lessened by the square of the
    share of the other characters that the language writes: "s±" for "są" is as many words, and no Polish.
    """
    words = words_of(_LONE_LIGATURE.sub(" ", text))
    # A letter alone, as which a wrong table may read a dash, is a word of half the languages.
    words = Counter({word: count for word, count in words.items() if len(word) > 1}) or words
    total = sum(words.values())
    others = Counter(c for c in text if not c.isascii() and not c.isspace())
    wrong = sum(1 for found in _CAPITAL_INSIDE.finditer(text) if not found[0].isascii())
    wrong += sum(len(found) for found in _SIGN_INSIDE.findall(text))
    best: float | None = None
    for tag, known in known_languages().items():
        share = _known(words, known) / total if total else 0.0
        if share < least_share:
            continue
        written = _written(others, alphabets()[tag], wrong)
        if written < _LEAST_WRITTEN:
            continue
        fit = max(share, _SHORT_SHARE) * written**2
        best = fit if best is None else max(best, fit)
    return best


def _written(others: Counter[str], alphabet: frozenset[str], wrong: int) -> float:
    total = sum(others.values())
    if not total:
        return 1.0
    latin = not any(c >= "\u0370" for c in alphabet if c < "\u1e00")
    weight = 0.0
    for char, count in others.items():
        low = char.lower()
        if char in _SIGNS or low in alphabet or char in alphabet:
            weight += count
        elif latin and low in _BORROWED:
            weight += count * _BORROWED_WEIGHT
    return max(0.0, weight - wrong) / total


def _known(words: dict[str, int] | Counter[str], known: Iterable[str]) -> int:
    return sum(words[word] for word in words.keys() & known)
