"""Whether extracted text is text at all: no concept may come out of glyphs mapped to the wrong letters.

PDFs without a usable character map, wrongly decoded bytes and scans with a broken recognition layer yield strings of
letters that no language writes. They are told by what every written language has: letters rather than signs, few
characters without meaning, words of one script, vowels, and the script's commonest letters being common.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

#: At most this many characters are judged, spread over the text.
_SAMPLE_CHARS = 20_000
#: Fewest letters of a script from which its letter frequencies mean something.
_ENOUGH_LETTERS = 40
_MAX_MEANINGLESS_SHARE = 0.05
_MIN_LETTER_SHARE = 0.3
#: Signs of mathematics in sheets of formulas, which no wrong table of letters makes.
_FORMULAS_SHARE = 0.08
_MAX_MIXED_WORD_SHARE = 0.2
_MAX_VOWELLESS_SHARE = 0.5


@dataclass(frozen=True)
class _Script:
    """Commonest letters of a script over its languages, and the least share they have in running text or labels.

    The shares are about half of what the scarcest language of the script shows in prose, so that word lists, names and
    tables pass; letters drawn at random stay below.
    """

    common: frozenset[str]
    least_share: float


_COMMON_HANGUL = (
    "이다는을의가에고하지로한은를서어그아도사나자리기대인시라과있여들해정부일것면수게전소보원장상제학구주적만세동성"
    "으오스공마모화관용식물생분선경조비우중신간방된했내무안계연유미러위실문체바치진개결회교국야할습니까합입요"
)
_COMMON_HAN = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成"
    "方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工"
    "使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表"
    "化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结"
    "反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难"
    "且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运說國時來為個這對過發"
    "後會經學現當沒動還進樣實軍無長機關點業將兩間問應戰頭體見產話給門員處義條係氣題變電數報結務場計書則達強難權設記類據程邊術"
    "録目章節節日本語年月用方式図表数理解説明問題答電気物質"
)
_SCRIPTS: dict[str, _Script] = {
    "HANGUL": _Script(frozenset(_COMMON_HANGUL), 0.25),
    "CJK": _Script(frozenset(_COMMON_HAN), 0.08),
    "CYRILLIC": _Script(frozenset("оеаинтсрвлкмдіѝяу"), 0.45),
    "ARABIC": _Script(frozenset("اليمنوترهبدسعفكقىةحآأیک"), 0.5),
    "HEBREW": _Script(frozenset("יוהלאמרתנבשכדם"), 0.5),
    "GREEK": _Script(frozenset("αοιετνσρηκπάίςυ"), 0.45),
    "DEVANAGARI": _Script(frozenset("करनतसहमपयलदवजगएआइअब"), 0.5),
    "LATIN": _Script(frozenset("etaoinsrlud"), 0.4),
}
_LATIN_VOWELS = frozenset(
    "aeiouyáàâäãåāăąæéèêëēęěíìîïīįıóòôöõøōőœúùûüūůűųýÿỳơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỷỹỵ"
)
_WORD = re.compile(r"[^\W\d_]+")
_ASCII_WORD = re.compile("[a-z]{2,}")
#: Letters of the International Phonetic Alphabet, whose Greek and modifier letters stand among Latin ones.
_PHONETIC = re.compile("[\u0250-\u02af\u02c8\u02cc\u02d0θβχæðŋøœç]")
#: A chord as songs are noted: "Am", "F#m7", "Cmaj7/G".
_CHORD = re.compile(
    r"(?<!\S)[A-GH](?:#|b|♯|♭)?(?:m|maj|min|dim|aug|sus|add|M)?\d{0,2}(?:b\d|#\d|sus\d|add\d)?(?:/[A-GH][#b]?)?(?!\S)"
)
#: Letters of Cyrillic beyond those of Russian and its nearest kin: palochka, barred and descending letters.
_MINORITY_CYRILLIC = re.compile("[\u048a-\u052f]")
#: The palochka of the Caucasus' languages, for which few keyboards have a key, as it is typed beside a letter.
_TYPED_PALOCHKA = re.compile("(?<=[\u0400-\u04ff])I|I(?=[\u0400-\u04ff])")
#: Squares on end: how many together at most where they are listed, and the share in a national set.
_SQUARES = re.compile("[\u3400-\u9fff\uac00-\ud7a3]+")
_LISTED_TOGETHER, _IN_SETS = 2.5, 0.9
#: r and l carry syllables of their own between consonants ("krk", "vlk", "smrť").
_SYLLABIC = re.compile(r"[^\W\d_][rlŕĺ]|[rlŕĺ][^\W\d_]")
#: UTF-8 read as Latin-1 or Windows-1252: "Ã©", "â€™", "Ø§Ù„".
_MOJIBAKE = re.compile(
    r"Ã[\x80-\xbf©±³¡­º¼¶¤§]|â€[œ™\x9d“”˜¢]|(?:[ØÙÐÑ][\x80-\xbf\u2018-\u203a§©±¸°µ¾½¼²³]){2}"
)


def is_legible(text: str) -> bool:
    """Whether `text` can be the text of some language, or too short to be told from one.

    Parameters
    ----------
    text
        Text of a page or a file; a spread sample of 20,000 characters is judged.

    Returns
    -------
    bool
        False for text that is mostly signs, holds many replacement, private-use or control characters, mixes scripts
        inside its words, lacks vowels, or whose script's commonest letters are rare. True for blank text.
    """
    sample = _sampled(text)
    visible = [c for c in sample if not c.isspace()]
    if not visible:
        return True
    meaningless = sum(
        1 for c in visible if c == "\ufffd" or unicodedata.category(c) in {"Co", "Cn", "Cs", "Cc"}
    )
    if meaningless > _MAX_MEANINGLESS_SHARE * len(visible) + 2:
        return False
    letters = sum(1 for c in visible if unicodedata.category(c)[0] in "LM")
    if not letters or _holds_signs_for_letters(visible, letters):
        return _is_bare_of_letters(visible) and not letters
    if len(_MOJIBAKE.findall(sample)) > max(2, letters // 200):
        return False
    return _writes_a_language(sample)


def _signs(visible: Sequence[str]) -> int:
    return sum(1 for c in visible if unicodedata.category(c)[0] in "PS" and not _is_expected(c))


def _is_bare_of_letters(visible: Sequence[str]) -> bool:
    """Whether a text without letters is figures, or rules and leaders alone."""
    signs = _signs(visible)
    return signs == 0 or sum(1 for c in visible if c.isdigit()) > signs


def _holds_signs_for_letters(visible: Sequence[str], letters: int) -> bool:
    """Whether signs stand where letters should: rows of dots, tables of figures and formulas are honest."""
    if letters >= _MIN_LETTER_SHARE * len(visible):
        return False
    formulas = sum(1 for c in visible if c > "\u00ff" and unicodedata.category(c) == "Sm")
    digits = sum(1 for c in visible if c.isdigit())
    return formulas <= _FORMULAS_SHARE * len(visible) and _signs(visible) > letters + digits // 2


def _is_expected(char: str) -> bool:
    """Whether a sign stands in honest text in any number: leaders, rules of tables, and what formulas are made of."""
    return char in ".…·-_–—=*#|¬×÷±" or (char > "\u00ff" and unicodedata.category(char) == "Sm")


def east_asian_share(text: str) -> float:
    """Share of a text's letters that are hiragana or the commonest Chinese characters and Korean syllables.

    About a half to nine tenths in text of those languages, under a fifth where bytes were decoded by a wrong table.
    """
    letters = [c for c in _sampled(text) if c.isalpha()]
    known = _SCRIPTS["HANGUL"].common | _SCRIPTS["CJK"].common
    common = sum(1 for c in letters if c in known or "\u3041" <= c <= "\u3096")
    return common / len(letters) if letters else 0.0


def _sampled(text: str) -> str:
    if len(text) <= _SAMPLE_CHARS:
        return text
    piece = _SAMPLE_CHARS // 4
    step = (len(text) - piece) // 3
    return "\n".join(text[i * step : i * step + piece] for i in range(4))


@lru_cache(maxsize=65_536)
def _script(char: str) -> str:
    name = unicodedata.name(char, "")
    for script in _SCRIPTS:
        if name.startswith(script):
            return script
    return "KANA" if name.startswith(("HIRAGANA", "KATAKANA")) else name.split(" ", 1)[0]


def _writes_a_language(sample: str) -> bool:
    # A letter alone is a variable or a label, and a word that comes back on every line counts once.
    folded = sample.casefold()
    letters: Counter[str] = Counter(c for c in folded if c.isalpha() and not c.isascii())
    letters.update(c for word in set(_ASCII_WORD.findall(folded)) for c in word)
    scripts: Counter[str] = Counter()
    common: Counter[str] = Counter()
    for char, count in letters.items():
        script = _script(char)
        scripts[script] += count
        known = _SCRIPTS.get(script)
        # Marked letters count as their base: "é" is as common as "e" for this purpose.
        if known and (char in known.common or unicodedata.normalize("NFD", char)[0] in known.common):
            common[script] += count
    for script, count in scripts.items():
        known = _SCRIPTS.get(script)
        if known is None or count < _ENOUGH_LETTERS or (script == "CJK" and scripts["KANA"] * 10 > count):
            continue
        # By chance a short text has fewer of them: two standard deviations of a share among so many letters.
        chance = 2 * (known.least_share * (1 - known.least_share) / count) ** 0.5
        if common[script] < (known.least_share - chance) * count and not _is_of_its_own(
            script, sample, count
        ):
            return False
    return _words_are_pure(sample) and _words_have_vowels(sample)


def _is_of_its_own(script: str, sample: str, count: int) -> bool:
    """Whether letters are of a notation, a list or a language that the common ones say nothing of.

    Phonetic letters, letters of Cyrillic that no table of one byte holds, and Chinese, Japanese or Korean characters
    listed one by one, all of them in the national sets, which hold a half of the characters that there are.
    """
    if script == "LATIN":
        return len(_PHONETIC.findall(sample)) * 12 > count or len(_CHORD.findall(sample)) * 2 > len(
            sample.split()
        )
    if script == "CYRILLIC":
        return len(_MINORITY_CYRILLIC.findall(sample)) * 50 > count
    if script in {"CJK", "HANGUL"}:
        runs = _SQUARES.findall(sample)
        letters = "".join(runs)
        listed = sum(1 for char in letters if _in_a_national_set(char))
        return len(letters) <= _LISTED_TOGETHER * len(runs) and listed >= _IN_SETS * len(letters)
    return False


@lru_cache(maxsize=16_384)
def _in_a_national_set(char: str) -> bool:
    for name in ("gb2312", "shift_jis", "euc_kr", "big5"):
        try:
            char.encode(name)
        except UnicodeEncodeError:
            continue
        return True
    return False


def _words_are_pure(sample: str) -> bool:
    words = mixed = 0
    if len(_PHONETIC.findall(sample)) * 12 > sum(1 for c in sample if c.isalpha()):
        return True
    for word in _WORD.findall(_TYPED_PALOCHKA.sub("\u04c0", sample)):
        if len(word) < 4:
            continue
        words += 1
        mixed += (
            len({_script(c) for c in word} - {"CJK", "KANA", "HANGUL", "FULLWIDTH", "COMBINING", "MODIFIER"})
            > 1
        )
    return words < 10 or mixed <= _MAX_MIXED_WORD_SHARE * words


def _words_have_vowels(sample: str) -> bool:
    words = [word for word in re.findall(r"[^\W\d_]{4,}", sample.casefold()) if _script(word[0]) == "LATIN"]
    vowelless = sum(
        1 for word in words if not _LATIN_VOWELS.intersection(word) and not _SYLLABIC.search(word)
    )
    if len(_PHONETIC.findall(sample)) * 12 > sum(map(len, words)):
        return True
    return len(words) < 10 or vowelless <= _MAX_VOWELLESS_SHARE * len(words)
