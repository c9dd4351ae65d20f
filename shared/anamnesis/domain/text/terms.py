"""Index terms: how a question's words and an episode's words meet, in any script.

Words of spaced scripts are indexed as they are written (case, width, Latin diacritics folded) and once more by their
stem, so that the same word meets itself even when the languages of question and episode were detected differently.
Scripts written without spaces are indexed by overlapping pairs: of characters for Chinese and Japanese, of
syllable-like clusters for Thai, Lao, Khmer and Burmese.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

import regex
from babel.core import Locale, UnknownLocaleError

from anamnesis.domain.text.asking_words import ASKING_PHRASES, ASKING_WORDS, BUILDING_WORDS
from anamnesis.domain.text.languages import UNDETERMINED, primary_tag, stop_words
from anamnesis.domain.text.normalisation import without_invisible, without_latin_diacritics
from anamnesis.domain.text.scripts import CLUSTER, CLUSTERED, SPACELESS
from anamnesis.domain.text.stemming import snowball_stem

#: Characters of one text that are read for terms: the bound on the work for a message of any length.
MAX_TERM_TEXT_CHARS = 20_000
#: A longer "word" is a paste of data; its beginning identifies it.
MAX_TERM_CHARS = 48
#: Distinct words of a question that are looked up.
MAX_QUESTION_WORDS = 64

_TOKEN = regex.compile(
    rf"(?P<spaceless>[{SPACELESS}]+)"
    rf"|(?P<clustered>[{CLUSTERED}]+)"
    r"|(?P<number>\d+(?:[.,٫]\d+)+)"
    rf"|(?P<word>[[\p{{L}}\p{{M}}\p{{N}}]--[{SPACELESS}{CLUSTERED}]]+)",
    regex.VERSION1,
)
_DECIMAL_SIGNS = str.maketrans(",٫", "..")
_INNER_APOSTROPHE = regex.compile(r"(?<=\p{Cyrillic})['’ʼ](?=\p{Cyrillic})")
#: Short vowels of Arabic and Hebrew and the Arabic stretching sign: left out by most writers.
_OPTIONAL_MARKS = regex.compile(r"[\u0591-\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06ED]")
_SPELLINGS = str.maketrans(
    {"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "ی": "ي", "ک": "ك", "ё": "е"}
)

#: Characters that only build the sentence: a pair with one of them says nothing about the subject.
_CHINESE_FUNCTION = frozenset("的了吗嗎呢吧啊么麼们們是在我你他她它这這那哪什怎请請")
_JAPANESE_PARTICLES = frozenset("はがをにでともへのかよねやなだ")
_HIRAGANA = regex.compile(r"\p{Hiragana}")
#: What an apostrophe, a list, a particle or a prefix leaves behind; Greek letters are symbols.
_LONE_LETTER = regex.compile(r"[a-z\p{Cyrillic}\p{Arabic}\p{Hebrew}\p{Hiragana}]")
_NOT_HIRAGANA = regex.compile(r"[^\p{Hiragana}]")

#: Language that stems a word of a script when the text's own language is not written in it.
_BY_SCRIPT = (
    (regex.compile(r"\p{Latin}"), "en"),
    (regex.compile(r"\p{Cyrillic}"), "ru"),
    (regex.compile(r"\p{Arabic}"), "ar"),
    (regex.compile(r"\p{Devanagari}"), "hi"),
    (regex.compile(r"\p{Greek}"), "el"),
    (regex.compile(r"\p{Armenian}"), "hy"),
    (regex.compile(r"\p{Tamil}"), "ta"),
    (regex.compile(r"\p{Hangul}"), "ko"),
)
_SCRIPT_LANGUAGES = {
    "ru": frozenset({"ru", "sr", "uk", "bg", "mk", "be", "kk", "mn"}),
    "ar": frozenset({"ar", "fa", "ur", "ps", "ckb"}),
    "hi": frozenset({"hi", "ne", "mr", "sa"}),
    "el": frozenset({"el"}),
    "hy": frozenset({"hy"}),
    "ta": frozenset({"ta"}),
    "ko": frozenset({"ko"}),
}
#: Korean endings that attach to a noun: particles, plural, the copula and its questions.
_KOREAN_ENDINGS = re.compile(
    r"(?<=.)들?(?:은|는|이|가|을|를|의|에|에서|에게|한테|께서|로|으로|와|과|도|만|까지|부터|처럼|보다|마다|조차|이나|나|란|이란|라는|이라는"
    r"|라고|이라고|이다|입니다|입니까|인가|인가요|이에요|예요|이야|야|에는|에도|에서는|에서의|으로는|로는|와의|과의)$|(?<=.)들$"
)
#: The day of a month as people write it: "13", "3rd", "1er".
_DAY = re.compile(r"([0-9]{1,2})(?:[^\W\d]{2})?")
_LONGEST_MONTH = 31
_ASKING_PHRASE = regex.compile("|".join(sorted(ASKING_PHRASES, key=len, reverse=True)))
#: What an asking verb leaves behind: particles, endings and politeness.
_HIRAGANA_ENDING = re.compile(
    r"(?:[はがをにでともへのかよねやなだてた]|です|ます|ました|ません|でしょう|する|した|して|いる|って|これ|それ|ちょっと|もう)+"
)


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """One word of a question, and the index terms by which episodes hold it.

    Attributes
    ----------
    units
        Each unit is a tuple of interchangeable index terms (a word's surface form and stem). A word of a spaced script
        has one unit; a run of a script without spaces has one unit for each of its pairs.
    needed
        How many of the units an episode must hold to hold the word (1 for spaced scripts). 0 for what only scores: the
        month that a word names speaks for the episodes of that month but does not make them match.
    """

    units: tuple[tuple[str, ...], ...]
    needed: int


def _known(language: str | None) -> str | None:
    primary = primary_tag(language)
    return None if primary == UNDETERMINED else primary


def _algorithm_language(word: str, language: str | None) -> str | None:
    first = word[0]
    by_script = next((name for pattern, name in _BY_SCRIPT if pattern.match(first)), None)
    if by_script is None or language is None:
        return by_script
    if by_script == "en":
        return "en" if any(language in group for group in _SCRIPT_LANGUAGES.values()) else language
    return language if language in _SCRIPT_LANGUAGES[by_script] else by_script


def _korean_stem(word: str) -> str:
    return _KOREAN_ENDINGS.sub("", word, count=1)


def _stem(word: str, language: str) -> str:
    return _korean_stem(word) if language == "ko" else snowball_stem(word, language)


def _prepared(text: str) -> str:
    folded = without_invisible(unicodedata.normalize("NFKC", text[:MAX_TERM_TEXT_CHARS]).casefold())
    if folded.isascii():
        return folded
    plain = _OPTIONAL_MARKS.sub("", unicodedata.normalize("NFC", folded))
    return str(_INNER_APOSTROPHE.sub("", plain)).translate(_SPELLINGS)


# A subject has a small vocabulary: most words of a turn were seen before in the same process.
@lru_cache(maxsize=65_536)
def _variants(word: str, language: str | None) -> tuple[str, ...]:
    """Surface form and stem of a word of a spaced script, both without Latin diacritics; digits in ASCII."""
    if word.isnumeric():
        return ("".join(str(unicodedata.digit(c, c)) for c in word),)
    surface = without_latin_diacritics(word)
    stemming = _algorithm_language(word, language)
    stem = without_latin_diacritics(_stem(word, stemming)) if stemming else surface
    return (surface,) if stem in {surface, ""} else (surface, stem)


def _number(token: str) -> str:
    return "".join(str(unicodedata.digit(c, c)) for c in token).translate(_DECIMAL_SIGNS)


def _is_filler_pair(pair: str, *, hiragana_only: bool) -> bool:
    if any(c in _CHINESE_FUNCTION for c in pair):
        return True
    kana = [bool(_HIRAGANA.match(c)) for c in pair]
    if all(kana):
        return not hiragana_only
    if kana[0]:
        return True  # a new word begins behind hiragana
    return any(is_kana and c in _JAPANESE_PARTICLES for is_kana, c in zip(kana, pair, strict=True))


def _spaceless_pairs(run: str) -> list[str]:
    """Overlapping pairs of a Chinese or Japanese run, without those that only build the sentence."""
    hiragana_only = len(run) > 1 and _NOT_HIRAGANA.search(run) is None
    pairs = (run[i : i + 2] for i in range(len(run) - 1))
    return [pair for pair in pairs if not _is_filler_pair(pair, hiragana_only=hiragana_only)]


@lru_cache(maxsize=1)
def _clustered_fillers() -> regex.Pattern[str]:
    # From three characters on: shorter function words are also parts of other words.
    words = {
        unicodedata.normalize("NFKC", w)
        for language in ("th", "lo", "km", "my")
        for w in stop_words(language)
    }
    words |= {unicodedata.normalize("NFKC", w) for w in ASKING_WORDS["th"]}
    fillers = sorted((w for w in words if len(w) > 2), key=len, reverse=True)
    return regex.compile("|".join(map(regex.escape, fillers)) or r"(?!)")


def _cluster_runs(run: str) -> list[list[str]]:
    """Syllable-like clusters of a Thai, Lao, Khmer or Burmese run, split where function words stand."""
    pieces = _clustered_fillers().split(run)
    return [clusters for piece in pieces if (clusters := CLUSTER.findall(piece))]


def _cluster_pairs(clusters: Sequence[str]) -> list[str]:
    if len(clusters) == 1:
        return [clusters[0]]
    return [a + b for a, b in pairwise(clusters)]


def index_terms(text: str, language: str | None) -> list[str]:
    """List every index term of an episode's text, in order, with repeats and with function words.

    Function words stay in the index: a stop list belongs to a language, languages are guessed, and "work" or "state" is
    a function word of English and a concept of physics.

    Parameters
    ----------
    text
        Any text; the first ``MAX_TERM_TEXT_CHARS`` characters are read.
    language
        BCP 47 tag; None or "und" when it is not known.
    """
    language = _known(language)
    found: list[str] = []
    for match in _TOKEN.finditer(_prepared(text)):
        token = match.group()
        match match.lastgroup:
            case "spaceless":
                found.extend(token)
                found.extend(_spaceless_pairs(token))
            case "clustered":
                for clusters in _cluster_runs(token):
                    found.extend(_cluster_pairs(clusters))
            case "number":
                found.append(_number(token[:MAX_TERM_CHARS]))
            case _:
                found.extend(_variants(token[:MAX_TERM_CHARS], language))
    return found


def _grams(pairs: Iterable[str]) -> QuestionWord | None:
    units = tuple((pair,) for pair in dict.fromkeys(pairs))
    # Half of the pairs, or three in a long run: a run is often a whole sentence, and the word asked for a part of it.
    return QuestionWord(units, min(3, (len(units) + 1) // 2)) if units else None


def _asked_pieces(run: str) -> list[str]:
    """Cut a run of characters at what only asks, and leave out the endings that the cut leaves in hiragana."""
    pieces = [piece for piece in _ASKING_PHRASE.split(run) if piece]
    if pieces == [run]:
        return pieces
    return [piece for piece in pieces if _NOT_HIRAGANA.search(piece)] or [
        piece for piece in pieces if not _HIRAGANA_ENDING.fullmatch(piece)
    ]


def _question_tokens(text: str, language: str | None) -> Iterable[tuple[str, QuestionWord]]:
    for match in _TOKEN.finditer(_prepared(text)):
        token = match.group()
        match match.lastgroup:
            case "spaceless":
                for piece in _asked_pieces(token):
                    word = _grams(_spaceless_pairs(piece) or ([piece] if len(piece) == 1 else []))
                    if (
                        word is not None
                        and piece not in _CHINESE_FUNCTION
                        and not _LONE_LETTER.fullmatch(piece)
                    ):
                        yield piece, word
            case "clustered":
                for clusters in _cluster_runs(token):
                    if (word := _grams(_cluster_pairs(clusters))) is not None:
                        yield "".join(clusters), word
            case "number":
                yield token, QuestionWord(((_number(token[:MAX_TERM_CHARS]),),), 1)
            case _:
                yield token, QuestionWord((_variants(token[:MAX_TERM_CHARS], language),), 1)


def month_term(month: int) -> str:
    """Name the index term of the month (1–12) that an episode happened in; no text can hold it."""
    return f"\x1fmonth {month}"


def date_term(month: int, day: int) -> str:
    """Name the index term of the day of the year that an episode happened on; no text can hold it."""
    return f"\x1fdate {month}-{day}"


def speaker_terms(label: str, language: str | None) -> list[str]:
    """Name the index terms of the one who speaks, by each word of the label before the colon; no text can hold them."""
    return [speaker_term(term) for term in dict.fromkeys(index_terms(label, language))]


def speaker_term(term: str) -> str:
    """Name the index term of episodes whose speaker is labelled by a word with this term."""
    return f"\x1fspeaker {term}"


@lru_cache(maxsize=64)
def _month_names(language: str) -> dict[str, int]:
    """Map month names of a language, as CLDR has them, to their numbers."""
    try:
        months = Locale.parse(language).months
    except (UnknownLocaleError, ValueError):
        return {}
    return {
        form: number
        for usage in ("format", "stand-alone")
        for number, name in months[usage]["wide"].items()
        if not name[0].isdigit()
        for form in _variants(_prepared(name), language)
    }


def _months_named(words: Iterable[QuestionWord], language: str | None) -> list[QuestionWord]:
    names = _month_names(language or "en")
    forms = [form for word in words for unit in word.units for form in unit]
    named = list(dict.fromkeys(month for form in forms if (month := names.get(form)) is not None))
    days = (
        {int(found.group(1)) for form in forms if (found := _DAY.fullmatch(form))} if len(named) == 1 else ()
    )
    dated = [date_term(named[0], day) for day in sorted(days) if 1 <= day <= _LONGEST_MONTH]
    return [QuestionWord(((term,),), 0) for term in [*map(month_term, named), *dated]]


@lru_cache(maxsize=64)
def _asking_terms(language: str | None) -> frozenset[str]:
    """Index terms of the asking words of a language; of all of them where the language is not known."""
    return frozenset(
        v
        for spoken in ([language] if language else ASKING_WORDS)
        for word in ASKING_WORDS.get(spoken, ())
        for v in _variants(_prepared(word), spoken)
    )


@lru_cache(maxsize=64)
def _building_words(language: str | None) -> frozenset[str]:
    """Closed-class words of a language, in the form of tokens; of all languages where it is not known."""
    spoken = [language] if language else list(BUILDING_WORDS)
    return frozenset(_prepared(word) for name in spoken for word in BUILDING_WORDS.get(name, ()))


def _is_stop_word(token: str, word: QuestionWord, language: str | None) -> bool:
    if _only_builds(token, word, language):
        return True
    stops = stop_words(language or "en")
    return token in stops or without_latin_diacritics(token) in stops


def _only_builds(token: str, word: QuestionWord, language: str | None) -> bool:
    """Tell whether a word only asks or belongs to a closed class, so that no question is about it."""
    if any(term in _asking_terms(language) for unit in word.units for term in unit):
        return True
    return token in _building_words(language) or _LONE_LETTER.fullmatch(token) is not None


def question_words(text: str, language: str | None) -> tuple[QuestionWord, ...]:
    """Find the words of a question that can tell one episode from another, in order, each once.

    Stop words and words that only ask are left out. Where nothing else is left, a word that is no pronoun, auxiliary,
    preposition or asking verb is what the question is about ("¿qué es el estado?") and stays; "can you help me?" has
    none.

    Parameters
    ----------
    text
        Any text; at most ``MAX_QUESTION_WORDS`` words are returned.
    language
        BCP 47 tag; None or "und" when it is not known (English stop words then).
    """
    language = _known(language)
    found = list(_question_tokens(text, language))
    telling = [word for token, word in found if not _is_stop_word(token, word, language)]
    words = telling or [word for token, word in found if not _only_builds(token, word, language)]
    words = list(dict.fromkeys(words))[:MAX_QUESTION_WORDS]
    return (*words, *_months_named(words if telling else (), language))


def tells_something(text: str, language: str | None) -> bool:
    """Tell whether any word of a question can tell one episode from another: "what happened?" has none."""
    return bool(question_words(text, language))


def terms(text: str, language: str | None) -> list[str]:
    """List the index terms of a text without its stop words, in order, each once: what a question is looked up by."""
    words = (word for word in question_words(text, language) if word.needed)
    return list(dict.fromkeys(term for word in words for unit in word.units for term in unit))


@lru_cache(maxsize=65_536)
def term_hash(term: str) -> int:
    """Hash a term or concept key to stable 64 bits: the first 8 bytes of BLAKE2b, little-endian."""
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
