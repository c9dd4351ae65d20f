"""The canonical key of a concept's name: the script-aware normal form by which files meet (CM-3).

The key is made without knowing the language, so it folds only what is safe in every language of a script;
forms that only a known language can fold (German "Zellen", Russian cases) are left to
``domain.concepts.merging``, which asks the embedding as well. Decisions:

* Compatibility forms, case, width, digits of any script, invisible characters and punctuation do not matter.
* Latin and Greek diacritics fold. A Latin word with a mark that only Vietnamese-like orthographies have
  (horn, hook, dot under a vowel, two marks on one vowel, đ) keeps its marks: "lực" (force) is not "lúc"
  (moment).
* Cyrillic stress goes and ё is е; й, ї and ў are letters and stay. Hebrew points go.
* Arabic short vowels and tatweel go, alef, yeh and kaf variants and ta marbuta unify (as Arabic search does),
  and the article al- goes from every word: a question nearly always carries it where a glossary does not.
* Indic vowel signs and viramas, Thai and Lao marks stay; Devanagari candrabindu is anusvara and the nukta of
  the five borrowed sounds goes, as both are optional in writing.
* Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese lose the spaces inside a run: "운동 에너지" is
  "운동에너지".
* Leading articles of English, Spanish, French, Italian, Portuguese, German and Dutch go.
* Plural -s and its English, Spanish, Portuguese and French variants fold in Latin words of four letters and
  more; -ss, -us, -is and -ics are no plurals ("mitosis", "statistics").
* A "+" or "#" at a word's end stays ("C++", "Na+").
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

import regex

from anamnesis.domain.concepts.han_variants import simplified
from anamnesis.domain.concepts.latin_plurals import singular
from anamnesis.domain.concepts.signs import without_punctuation

#: Character class of the scripts that write words without spaces (Hangul has spaces, but uses them freely).
CONTINUOUS: Final = r"\p{Han}\p{Hiragana}\p{Katakana}ー\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"

# fmt: off
_ARTICLES: Final = frozenset((
    "the", "a", "an", "el", "la", "los", "las", "un", "una", "unos", "unas", "le", "les", "une", "des", "il",
    "lo", "gli", "uno", "o", "os", "as", "um", "uma", "der", "die", "das", "ein", "eine", "het", "een",
))
_GREEK_ARTICLES: Final = frozenset(("ο", "η", "το", "οι", "τα"))
#: Greek letters that stand alone, by the names that books spell them with.
_GREEK_LETTERS: Final = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu",
    "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
), strict=True))
# fmt: on

_LETTERS: Final = str.maketrans(
    {
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "ı": "i",
        "ð": "d",
        "þ": "th",
        "ى": "ي",
        "ی": "ي",
        "ک": "ك",
        "ة": "ه",
        "ہ": "ه",
        "ۃ": "ه",
        "ٱ": "ا",
        "ـ": None,
        "ँ": "ं",
        "∆": "δ",
    }
)

#: Longest name whose key is kept, in characters. Ours.
_CACHED_CHARS: Final = 200

_DIGIT = regex.compile(r"(?![0-9])\p{Nd}")
_NON_JOINER = regex.compile(r"(?<=\p{Arabic})\u200c+(?=\p{Arabic})")
#: Malayalam's chillu letters as they were written before Unicode 5.1: consonant, virama, joiner.
_CHILLU = regex.compile("([ണനരലളക])\u0d4d\u200d")
_CHILLUS: Final = dict(zip("ണനരലളക", "ൺൻർൽൾൿ", strict=True))
_ITERATED = regex.compile(r"([\p{Han}--[々]])(々+)", flags=regex.VERSION1)
_VOICED_U = regex.compile(r"ヴ([ァィェォ]?)")
_VOICED_B: Final = {"": "ブ", "ァ": "バ", "ィ": "ビ", "ェ": "ベ", "ォ": "ボ"}
_INVISIBLE = regex.compile(r"\p{Cf}+")
_LATIN_WORD = regex.compile(r"(?:[\p{Latin}\p{Greek}]\p{M}*)+")
_MEANT_MARKS = regex.compile(r"\u031b|\u0309|[aeiouy]\u0323|[aeiouy][\u0302\u0306][\u0300\u0301\u0303]|đ")
_LATIN_MARKS = regex.compile(r"\p{M}+")
#: A hat, a bar, a tilde, a dot or an arrow over a single letter is a quantity of its own (x̄, p̂).
_QUANTITY = regex.compile(r"[\p{Latin}\p{Greek}][\u0302-\u0305\u0307\u20d7]")
_OTHER_MARKS = regex.compile(
    r"[\u0591-\u05bd\u05bf\u05c1-\u05c7]"  # Hebrew points
    r"|[\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06ed]"  # Arabic short vowels
    r"|(?<=ا[\u064b-\u0652]*)[\u0653-\u0655]"  # madda and hamza on alef
    r"|(?<=[\p{Cyrillic}--[гк]])[\u0300\u0301]|(?<=е)\u0308"  # Cyrillic stress, ё
    r"|(?<=[कखगजफ])\u093c"  # nukta of the borrowed sounds
    r"|(?<=[هہ])\u0654",  # Persian ezafe
    flags=regex.VERSION1,
)
_APOSTROPHE = regex.compile(r"[’‘ʼʻ`´′‛ʹ]")
_POSSESSIVE = regex.compile(
    r"(?<=\p{Latin}\p{M}*)'s(?![\p{L}\p{M}\p{N}])|(?<=\p{Latin}{2})'(?![\p{L}\p{M}\p{N}'])"
)
_OPTIONAL_PLURAL = regex.compile(r"(?<=\p{Latin}{3})\((?:s|es|n|en)\)", flags=regex.IGNORECASE)
#: A short form that a name gives of itself, before or behind it.
_SHORT_FORM = regex.compile(r"(?<=[\p{L}\p{M}]) ?[(\[](\p{L}[\p{L}.]{1,8})[)\]]")
_SPELT_OUT = regex.compile(r"^\s*(\p{Lu}[\p{L}.]{1,8}) ?[(\[]([^()\[\]]{4,})[)\]]\s*$")
_ELIDED_ARTICLE = regex.compile(r"^\P{L}*(?:l|un)'(?=\p{Latin})")
_ELISION = regex.compile(r"(?<=\p{Latin})'(?=\p{Latin})")
_INSIDE_WORD = regex.compile(r"(?<=\p{L}\p{M}*)['׳״\"](?=\p{L})")
_INNER_SPACE = regex.compile(rf"(?<=[{CONTINUOUS}]\p{{M}}*) (?=[{CONTINUOUS}])")
_FINAL_LONG_VOWEL = regex.compile(r"(?<=[\p{Katakana}ー]{2}\p{Katakana})ー+(?![\p{Katakana}ー])")
_ARABIC_ARTICLES = regex.compile(r"^(?!الله$)(?:ال(?=..))+")
_GREEK = regex.compile(r"\p{Greek}")
_PURE_LATIN = regex.compile(r"[a-z]+")


@lru_cache(maxsize=32_768)
def _cached_key(name: str) -> str:
    key = _folded(name)
    while (again := _folded(key)) != key:
        key = again
    return key


def canonical_key(name: str) -> str:
    """Return the normal form of a concept's name; equal keys are one concept.

    Parameters
    ----------
    name
        Any text, any length; time is linear in it.

    Returns
    -------
    str
        Words separated by single spaces. ``canonical_key(canonical_key(x)) == canonical_key(x)``. Empty only
        for a name without any visible character.
    """
    # Names come again with every map and every turn; long texts are not kept.
    return _cached_key(name) if len(name) <= _CACHED_CHARS else _cached_key.__wrapped__(name)


def folded_words(text: str) -> list[str]:
    """Return the words of a running text as a key has them, before their own forms are folded.

    No plural is folded, no article dropped, no run of Chinese joined; ``key_word`` does the first.
    """
    folded: str = _FINAL_LONG_VOWEL.sub("", without_punctuation(_letters(text)))
    return simplified(folded).split()


def short_form(name: str) -> tuple[str, str] | None:
    """Return the short and the long form that a name gives of itself, as written, else None.

    "Deoxyribonucleic acid (DNA)" and "DNA (deoxyribonucleic acid)" give both; "programming language (SQL)" does
    not: its letters are not in the name, in their order and beginning with a word's first.
    """
    if spelt := _SPELT_OUT.match(name):
        return (spelt[1], spelt[2]) if _abbreviates(spelt[1], spelt[2]) else None
    for found in _SHORT_FORM.finditer(name):
        if _abbreviates(found[1], name[: found.start()]):
            return found[1], name[: found.start()] + name[found.end() :]
    return None


def _abbreviates(short: str, long: str) -> bool:
    capitals = sum(letter.isupper() for letter in short)
    if capitals < 2 or 2 * capitals < len(short):
        return False
    letters = [letter for letter in _without_marks(short) if letter.isalpha()]
    words = _without_marks(long).replace("-", " ").split()
    for first in range(max(0, len(words) - 2 * len(letters)), len(words)):
        rest = iter("".join(words[first:]))
        if words[first].startswith(letters[0]) and all(letter in rest for letter in letters):
            return True
    return False


def is_article(word: str) -> bool:
    """Whether a folded word is a leading article of a language whose articles go from keys."""
    return word in _ARTICLES or word in _GREEK_ARTICLES


def is_latin_word(token: str) -> bool:
    """Whether a token of a key is made of unmarked Latin letters only."""
    return _PURE_LATIN.fullmatch(token) is not None


def _folded(name: str) -> str:
    if "(" in name or "[" in name or "（" in name:
        name = _OPTIONAL_PLURAL.sub("", unicodedata.normalize("NFKC", name))
        if forms := short_form(name[:_CACHED_CHARS]):
            name = forms[1] + name[_CACHED_CHARS:]
    text = without_punctuation(_letters(name)).strip()
    text = simplified(_FINAL_LONG_VOWEL.sub("", _INNER_SPACE.sub("", text)))
    tokens = text.split()
    while len(tokens) > 1 and _is_article(*tokens[:2]):
        del tokens[0]
    key = " ".join(key_word(token) for token in tokens)
    return key or _symbols(name)


def _is_article(first: str, second: str) -> bool:
    """Whether a name's first word is an article: not the "a" of "a + b", nor the "il" of "IL-10"."""
    if first in _ARTICLES:
        return len(second) > 1 and (first == "the" or second[0].isalpha())
    return first in _GREEK_ARTICLES and len(second) > 1 and _GREEK.match(second) is not None


def _symbols(name: str) -> str:
    """Return what stands for a name of symbols only ("∑", "…"), so that it is not the empty key."""
    text: str = _INVISIBLE.sub("", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _letters(name: str) -> str:
    """Fold everything that is not a matter of words: case, width, marks, letter variants, apostrophes."""
    text: str = name.lower() if name.isascii() else _without_marks(name)
    if "'" in text or '"' in text or "״" in text or "׳" in text:
        text = _ELISION.sub(" ", _POSSESSIVE.sub("", _ELIDED_ARTICLE.sub("", text)))
        text = _INSIDE_WORD.sub("", text)
    return text


def _without_marks(name: str) -> str:
    """Fold case, width, digits, invisible characters, marks and letter variants of any script."""
    text: str = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    # The pattern knows newer digits than Python's own tables may: those stay as they are.
    text = _DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0], digit[0])), text)
    text = _CHILLU.sub(lambda found: _CHILLUS[found[1]], text)
    text = _INVISIBLE.sub("", _NON_JOINER.sub(" ", text)).replace("เเ", "แ").replace("ۀ", "ه")
    text = _LATIN_WORD.sub(_latin_letters, unicodedata.normalize("NFD", text))
    text = unicodedata.normalize("NFC", _OTHER_MARKS.sub("", text)).translate(_LETTERS)
    text = _ITERATED.sub(lambda found: found[1] * (1 + len(found[2])), text)
    text = _VOICED_U.sub(lambda found: _VOICED_B[found[1]], text)
    folded: str = _APOSTROPHE.sub("'", text)
    return folded


def _latin_letters(match: regex.Match[str]) -> str:
    """Drop the marks of one Latin or Greek word (decomposed), unless they tell words or quantities apart."""
    word: str = match[0]
    kept = _MEANT_MARKS.search(word) or _QUANTITY.fullmatch(word)
    letters: str = word if kept else _LATIN_MARKS.sub("", word)
    return letters


def key_word(token: str) -> str:
    """Fold one word as in a key: the Arabic article, the Latin plural, a Greek letter's name."""
    if token.startswith("ال"):
        token = _ARABIC_ARTICLES.sub("", token)
    if len(token) == 1:
        return _GREEK_LETTERS.get(token, token)
    return singular(token) if is_latin_word(token) else token
