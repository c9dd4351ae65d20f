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

#: Character class of the scripts that write words without spaces (Hangul has spaces, but uses them freely).
CONTINUOUS: Final = r"\p{Han}\p{Hiragana}\p{Katakana}ー\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"

# fmt: off
_ARTICLES: Final = frozenset((
    "the", "a", "an", "el", "la", "los", "las", "un", "una", "unos", "unas", "le", "les", "une", "des", "il",
    "lo", "gli", "uno", "o", "os", "as", "um", "uma", "der", "die", "das", "ein", "eine", "het", "een",
))
#: Words whose last s is no plural.
_SINGULAR_S: Final = (
    "alias", "atlas", "bias", "canvas", "christmas", "pancreas", "texas", "biceps", "triceps", "forceps",
    "chaos", "cosmos", "ethos", "logos", "pathos", "eros", "lens", "species", "series", "diabetes", "rabies",
    "herpes", "news", "thermos", "asbestos", "rhinoceros",
)
#: The -ics words that are plain plurals.
_ICS_PLURALS: Final = frozenset((
    "topics", "metrics", "characteristics", "plastics", "ceramics", "critics", "antibiotics", "fabrics",
    "clinics", "comics", "relics", "epics",
))
# fmt: on

#: Forms that no ending rule reaches. Each maps to a form that maps to itself: the one more often used as a
#: concept's name ("mitochondria", not "mitochondrion").
_IRREGULAR: Final[dict[str, str]] = dict(zip(_SINGULAR_S, _SINGULAR_S, strict=True)) | {
    "aliases": "alias",
    "analyses": "analysis",
    "antennae": "antenna",
    "appendices": "appendix",
    "axes": "axis",
    "bacterium": "bacteria",
    "biases": "bias",
    "buses": "bus",
    "children": "child",
    "cortices": "cortex",
    "crises": "crisis",
    "criterion": "criteria",
    "datum": "data",
    "feet": "foot",
    "formulae": "formula",
    "foci": "focus",
    "fungi": "fungus",
    "gases": "gas",
    "genera": "genus",
    "halves": "half",
    "indice": "index",
    "indices": "index",
    "larvae": "larva",
    "leaves": "leaf",
    "lenses": "lens",
    "loci": "locus",
    "matrices": "matrix",
    "matriz": "matrix",
    "mitochondrion": "mitochondria",
    "nebulae": "nebula",
    "nuclei": "nucleus",
    "phenomena": "phenomenon",
    "quanta": "quantum",
    "quizzes": "quiz",
    "radii": "radius",
    "raices": "raiz",
    "serie": "series",
    "shelves": "shelf",
    "spectra": "spectrum",
    "stimuli": "stimulus",
    "strata": "stratum",
    "teeth": "tooth",
    "vertebrae": "vertebra",
    "vertice": "vertex",
    "vertices": "vertex",
    "viruses": "virus",
    "wolves": "wolf",
}

#: Plural endings and their singular, tried longest first; -ie and -ies meet at -y (calorie, theories).
_ENDINGS: Final = (
    ("theses", "thesis"),
    ("ciones", "cion"),
    ("siones", "sion"),
    ("trones", "tron"),
    ("ulares", "ular"),
    ("dades", "dad"),
    ("dade", "dad"),
    ("yses", "ysis"),
    ("sses", "ss"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("eaux", "eau"),
    ("coes", "cao"),
    ("soes", "sao"),
    ("xes", "x"),
    ("ies", "y"),
    ("aux", "al"),
    ("oes", "o"),
    ("ie", "y"),
)
_NO_PLURAL: Final = ("ss", "us", "is", "ics")
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
        "ے": "ي",
        "ک": "ك",
        "ة": "ه",
        "ٱ": "ا",
        "ـ": None,
        "ँ": "ं",
    }
)

_CACHED_CHARS: Final = 200

_DIGIT = regex.compile(r"(?![0-9])\p{Nd}")
_NON_JOINER = regex.compile(r"(?<=\p{Arabic})\u200c+(?=\p{Arabic})")
_INVISIBLE = regex.compile(r"\p{Cf}+")
_LATIN_WORD = regex.compile(r"(?:[\p{Latin}\p{Greek}]\p{M}*)+")
_MEANT_MARKS = regex.compile(r"\u031b|\u0309|[aeiouy]\u0323|[aeiouy][\u0302\u0306][\u0300\u0301\u0303]|đ")
_LATIN_MARKS = regex.compile(r"\p{M}+")
_OTHER_MARKS = regex.compile(
    r"[\u0591-\u05bd\u05bf\u05c1-\u05c7]"  # Hebrew points
    r"|[\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06ed]"  # Arabic short vowels
    r"|(?<=ا[\u064b-\u0652]*)[\u0653-\u0655]"  # madda and hamza on alef
    r"|(?<=[\p{Cyrillic}--[гк]])[\u0300\u0301]|(?<=е)\u0308"  # Cyrillic stress, ё
    r"|(?<=[कखगजफ])\u093c",  # nukta of the borrowed sounds
    flags=regex.VERSION1,
)
_APOSTROPHE = regex.compile(r"[’‘ʼ`´′‛ʹ]")
_POSSESSIVE = regex.compile(r"(?<=\p{Latin})'s?(?![\p{L}\p{M}\p{N}])")
_ELIDED_ARTICLE = regex.compile(r"^\P{L}*(?:l|un)'(?=\p{Latin})")
_ELISION = regex.compile(r"(?<=\p{Latin})'(?=\p{Latin})")
_INSIDE_WORD = regex.compile(r"(?<=\p{L}\p{M}*)['׳״\"](?=\p{L})")
_NOT_KEY = regex.compile(
    r"[^\p{L}\p{M}\p{N}+#]+|(?<![\p{L}+])[+#]+|[+#]+(?=[\p{L}\p{N}])|(?<=\+\+)\++|#(?=#)"
)
_INNER_SPACE = regex.compile(rf"(?<=[{CONTINUOUS}]\p{{M}}*) (?=[{CONTINUOUS}])")
_FINAL_LONG_VOWEL = regex.compile(r"(?<=[\p{Katakana}ー]{2}\p{Katakana})ー+(?![\p{Katakana}ー])")
_ARABIC_ARTICLES = regex.compile(r"^(?!الله$)(?:ال(?=..))+")
_PURE_LATIN = regex.compile(r"[a-z]+")


@lru_cache(maxsize=8_192)
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
    folded: str = _FINAL_LONG_VOWEL.sub("", _NOT_KEY.sub(" ", _letters(text)))
    return folded.split()


def is_latin_word(token: str) -> bool:
    """Whether a token of a key is made of unmarked Latin letters only."""
    return _PURE_LATIN.fullmatch(token) is not None


def _folded(name: str) -> str:
    text = _letters(name)
    text = _NOT_KEY.sub(" ", text).strip()
    text = _FINAL_LONG_VOWEL.sub("", _INNER_SPACE.sub("", text))
    tokens = text.split()
    while len(tokens) > 1 and len(tokens[1]) > 1 and tokens[0] in _ARTICLES:  # not the "a" of "a + b"
        del tokens[0]
    key = " ".join(key_word(token) for token in tokens)
    return key or _symbols(name)


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
    text = _INVISIBLE.sub("", _NON_JOINER.sub(" ", text))
    text = _LATIN_WORD.sub(_latin_letters, unicodedata.normalize("NFD", text))
    text = unicodedata.normalize("NFC", _OTHER_MARKS.sub("", text)).translate(_LETTERS)
    folded: str = _APOSTROPHE.sub("'", text)
    return folded


def _latin_letters(match: regex.Match[str]) -> str:
    """Drop the marks of one Latin or Greek word (decomposed), unless they tell words apart."""
    word: str = match[0]
    letters: str = word if _MEANT_MARKS.search(word) else _LATIN_MARKS.sub("", word)
    return letters


def key_word(token: str) -> str:
    """Fold one word as in a key: the Arabic article, the Latin plural."""
    if token.startswith("ال"):
        token = _ARABIC_ARTICLES.sub("", token)
    if len(token) < 4 or not is_latin_word(token):
        return token
    if token in _IRREGULAR:
        return _IRREGULAR[token]
    for ending, singular in _ENDINGS:
        if token.endswith(ending) and len(token) > len(ending) + 1:
            return token[: -len(ending)] + singular
    if token.endswith("s") and (token in _ICS_PLURALS or not token.endswith(_NO_PLURAL)):
        return token[:-1]
    return token
