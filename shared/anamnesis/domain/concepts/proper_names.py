"""Tells the name of a person or of an organisation from that of an idea, by the name and by what is said of it (CM-2).

A name alone hardly tells: "Boyle" is a person, "Boyle's law" is an idea, "Newton" is both. So a person must be said to
be one, by a trade ("was a German physicist") or by a birth, in the first words about the name. Whoever is wrongly kept
costs a node, an idea that is wrongly refused is lost: in doubt it stays.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import regex

from anamnesis.domain.text.tables import read_table

#: Longest name of a person, in words.
_MOST_WORDS = 6
#: What says who somebody was stands at the beginning of the sentence, after the name.
_HEAD_CHARS = 160
_NAME_WITHIN = 40
#: Words between "was a" and the trade: "German-born theoretical physicist". Tables may say fewer.
_WORDS_BETWEEN = 4
#: Languages whose words for trades are never adjectives, so that a gist may begin with one ("German physicist who …").
_BEGINNING = frozenset({"en", "de", "fr"})
_PARTICLES = frozenset(
    {
        "de",
        "del",
        "della",
        "di",
        "da",
        "do",
        "dos",
        "la",
        "le",
        "van",
        "von",
        "der",
        "den",
        "zu",
        "af",
        "el",
        "al",
    }
    | {"bin", "ibn", "abu", "ben", "y", "e", "und", "of", "the"}
)
_TITLE = regex.compile(
    r"^(?:dr|prof|professor|mr|mrs|ms|sir|lady|señora?|sra?|herr|frau|monsieur|madame|mme|д-р|проф|डॉ|श्री|श्रीमती|الدكتور)"
    r"\.?\s+(?=\p{Lu}|\p{Lo})",
    regex.IGNORECASE,
)
_BORN = regex.compile(
    r"^[^.。।]{0,40}[(（](?:born|b\.|\*|nacid[oa]|nascid[oa]|née?|geb\.|nat[oa]|ur\.|lahir|род\.|生于)\s*[^()（）]{0,30}\d{3,4}"
)


#: What says that a name is a place's: a kind of place and what it lies in.
_PLACES = regex.compile(
    r"\s*(?:[(（][^()（）]*[)）]\s*|,[^,]{1,60},\s*)?(?:"
    r"(?:is|was|lies) (?:an?|the)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:capital|city|town|village|country|state|province|river|island|lake)"
    r"(?:\s+and\s+[\w -]{3,30}?)?\s+(?:of|in|on)\s+(?:the\s+)?\p{Lu}"
    r"|(?:es|era) (?:una?|la|el)\s+(?:capital|ciudad|pueblo|país|río|isla) (?:de|del|en)\s+(?:la\s+|el\s+)?\p{Lu}"
    r"|é (?:uma?|a|o)\s+(?:capital|cidade|vila|país|rio|ilha) (?:de|do|da|em|no|na)\s+\p{Lu}"
    r"|est (?:une?|la|le)\s+(?:capitale|ville|village|pays|fleuve|île) (?:de|du|en|d['’]|des)\s*(?:la\s+|l['’])?\p{Lu}"
    r"|ist (?:eine?|die|der|das)\s+(?:hauptstadt|stadt|dorf|land|fluss|insel) (?:von|in|des|der)\s+\p{Lu}"
    r"|è (?:una?|la|il|un['’])\s*(?:capitale|città|paese|fiume|isola) (?:di|del|della|in|d['’])\s*\p{Lu}"
    r"|(?:to|jest)\s+(?:stolic[aą]|miasto|miastem|wieś|rzek[aą])\s+(?:w\s+)?\p{Lu}"
    r"|(?:adalah|ialah)\s+(?:ibu\s?kota|kota|desa|negara|sungai|pulau)\s+(?:di\s+)?\p{Lu}"
    r"|(?:is|was) an?\s+(?:[\w-]+\s+){0,2}?(?:city|town|village)\s+(?:founded|located|situated)\s"
    r"|(?:es|fue|era) una?\s+(?:ciudad|pueblo|villa)\s+(?:fundad|situad|ubicad)[oa]\s"
    r"|est une?\s+(?:ville|village)\s+(?:fondée?|située?)\s|ist eine?\s+[^.]{0,30}?gegründete\s+(?:stadt|siedlung)\b"
    r"|\s*[—–-]\s*(?:это\s+|це\s+)?(?:город|місто|село),?\s+(?:основан|расположен|заснован|розташован)"
    r"|\s*[—–-]\s*(?:это\s+|це\s+)?(?:столица|столиця|город|місто|страна|река)\s+(?:в\s+|у\s+)?\p{Lu}"
    r"|(?:je|jest)\s+(?:hlavní\s+město|město)\s+(?:v\s+)?\p{Lu}"
    r"|είναι (?:η|μια|το)\s+(?:πρωτεύουσα|πόλη|χώρα)\s+(?:της|του|στην|στη)\s+\p{Lu}"
    r"|(?:هي|هو)\s+(?:عاصمة|مدينة في)\s|(?:היא|הוא)\s+(?:בירת|עיר ב)|[^।]{2,30}\sकी\s+राजधानी\s+है"
    r"|是[\p{Han}]{2,8}(?:首都|省会|的城市)|は[\p{Han}\p{Katakana}ー]{2,10}の(?:首都|都市)|[은는]\s+[\p{Hangul}]{2,8}의\s+(?:수도|도시)"
    r"|là\s+(?:thủ đô|thành phố)\s+(?:của\s+)?\p{Lu})",
)


#: What says that a name is one company's: a kind of company, and when or where it was founded or has its seat.
_COMPANIES = regex.compile(
    r"\s*(?:[(（][^()（）]*[)）]\s*|,[^,]{1,60},\s*)?(?:"
    r"(?:is|was) (?:an?|the)\s+(?:[\w-]+\s+){0,4}?(?:company|corporation|chain|brand|retailer|manufacturer|airline|bank"
    r"|publisher|start-?up|supermarket|firm)\b[^.]{0,60}?\b(?:founded|established|based|headquartered|seated)"
    r"|(?:es|fue) una?\s+[^.]{0,40}?(?:empresa|compañía|cadena|marca|multinacional|editorial)\b"
    r"[^.]{0,60}?(?:fundad[ao]|con sede)"
    r"|é uma?\s+[^.]{0,40}?(?:empresa|companhia|cadeia|rede|marca|editora)\b"
    r"[^.]{0,60}?(?:fundad[ao]|com sede|sediada)"
    r"|est une?\s+[^.]{0,40}?(?:entreprise|société|chaîne|marque|compagnie)\b"
    r"[^.]{0,60}?(?:fondée|basée|dont le siège)"
    r"|ist (?:eine?|das|die)\s+[^.]{0,40}?(?:unternehmen|konzern|kette|marke|firma|hersteller)\b"
    r"[^.]{0,60}?(?:gegründet|sitz)"
    r"|è una?\s+[^.]{0,40}?(?:azienda|società|catena|marchio|impresa)\b[^.]{0,60}?(?:fondat[ao]|con sede)"
    r"|(?:to|jest)\s+[^.]{0,40}?(?:firma|firmą|spółk[aą]|sieć|siecią|przedsiębiorstwo)\b"
    r"[^.]{0,60}?(?:założon|siedzib)"
    r"|je\s+[^.]{0,40}?(?:firma|společnost|řetězec)\b[^.]{0,60}?(?:založen|sídl)"
    r"|(?:adalah|ialah)\s+[^.]{0,40}?(?:perusahaan|jaringan|merek)\b[^.]{0,60}?(?:didirikan|berbasis|berkantor)"
    r"|\s*[—–-]\s*(?:это\s+|це\s+)?[^.]{0,40}?(?:компания|компанія|сеть|корпорация|бренд)\b"
    r"[^.]{0,60}?(?:основан|заснован|штаб)"
    r"|\s*(?:هي|هو)\s+(?:شركة|سلسلة|علامة)[^.]{0,60}?(?:تأسست|مقرها)|\s*(?:היא|הוא)\s+(?:חברה|חברת|רשת)[^.]{0,60}?(?:נוסדה|שמושבה)"
    r"|[^।]{0,40}?कंपनी[^।]{0,60}?(?:स्थापना|स्थापित|मुख्यालय)|是[^。]{0,30}?公司[^。]{0,40}?(?:成立|创立|創立|总部|總部)"
    r"|は[^。]{0,40}?(?:設立|創業|本社)[^。]{0,40}?(?:会社|企業)|[은는][^.]{0,40}?(?:설립|본사)[^.]{0,40}?(?:회사|기업)"
    r"|là\s+[^.]{0,40}?công ty[^.]{0,60}?(?:thành lập|trụ sở)|,[^.]{0,60}?(?:kurulan|merkezli)[^.]{0,40}?şirket"
    r")[^.。।]{0,40}?(?:\d{3,4}|(?-i:\p{Lu})|\p{Lo})",
    regex.IGNORECASE,
)


@dataclass(frozen=True)
class _Table:
    after_name: regex.Pattern[str]
    bodies: frozenset[str]
    alone: regex.Pattern[str] | None
    listed: str


@cache
def _tables() -> dict[str, _Table]:
    raw = read_table(__package__, "proper_names")
    return {language: _table(language, entries) for language, entries in raw.items()}


def _table(language: str, entries: dict[str, Any]) -> _Table:
    trades = "|".join(sorted(entries["trades"], key=len, reverse=True))
    between = "|".join(regex.escape(word) for word in entries["between"])
    alone = None
    # In a list the sign says "is": "Isaac Newton: English physicist who …".
    told = rf"(?:{trades})(?![\p{{L}}\p{{M}}]|['’]s)"
    if "is" in entries:
        word = rf"(?!(?:{between})\s)[\p{{L}}\p{{M}}\-]+\s+"
        most = entries.get("words", _WORDS_BETWEEN)
        trade = rf"(?:{word}){{0,{most}}}(?:{trades})(?![\p{{L}}\p{{M}}]|['’]s)"
        # Years of life, or another spelling, may stand between.
        pattern = rf"^\s*(?:[(（][^()（）]*[)）]|,[^,]{{1,60}},)?\s*(?:{'|'.join(entries['is'])})\s+{trade}"
        told = trade
        if language in _BEGINNING:
            alone = regex.compile(rf"^(?:an?\s+|the\s+)?{trade}", regex.IGNORECASE)
    else:
        # The verb comes last: nothing that is done by the person, or belongs to them, may stand before it.
        guard = rf"(?!.*(?:{between}))" if between else ""
        pattern = rf"^{guard}[^.。।]*?(?:{trades})\s*(?:{'|'.join(entries['after'])})"
    listed = rf"^\s*(?:[(（][^()（）]*[)）]\s*)?[:：–—-]\s+(?:\p{{L}}{{1,3}}\s+)?{told}"
    return _Table(regex.compile(pattern, regex.IGNORECASE), frozenset(entries["bodies"]), alone, listed)


@cache
def _pattern(pattern: str) -> regex.Pattern[str]:
    """Compile what only names in lists are asked by, when the first one is."""
    return regex.compile(pattern, regex.IGNORECASE)


@lru_cache(maxsize=4096)
def is_organisation(name: str) -> bool:
    """Whether a name of several words holds a word that only companies, publishers and universities have."""
    words = [word.strip(".,") for word in unicodedata.normalize("NFC", name[:200]).casefold().split()]
    if any(name.endswith(body) and len(name) > len(body) for body in _unspaced_bodies()):
        return True
    if len(words) < 2 or not _capitals(name):
        return False
    return any(body in words or f" {body} " in f" {' '.join(words)} " for body in _spaced_bodies())


@cache
def _unspaced_bodies() -> tuple[str, ...]:
    return tuple(body for code in ("zh", "ja", "ko") for body in _tables()[code].bodies)


@cache
def _spaced_bodies() -> frozenset[str]:
    tables = _tables().items()
    return frozenset(
        body for code, table in tables if code not in {"zh", "ja", "ko"} for body in table.bodies
    )


@lru_cache(maxsize=4096)
def is_person(name: str, gist: str) -> bool:
    """Whether `name` can be a person's and `gist` says that it is: by a trade, by a birth, or the name by a title."""
    name = unicodedata.normalize("NFC", name[:200])
    if not 1 <= len(name.split()) <= _MOST_WORDS:
        return False
    head = unicodedata.normalize("NFC", gist[:_HEAD_CHARS])
    at = _place_of(name, head)
    # As the text writes it: a reader that lowers first letters makes "tony Hoare" of a name.
    if not _capitals(head[at : at + len(name)] if at >= 0 else name):
        return False
    if _TITLE.match(name):
        return True
    said = head[at + len(name) :] if at >= 0 else head
    if len(name.split()) > 1 and _BORN.search(said):
        return True
    tables = _tables().values()
    if at < 0:
        return any(table.alone is not None and table.alone.search(said) for table in tables)
    listed = at == 0 and len(name.split()) > 1
    return any(
        table.after_name.search(said) or (listed and _pattern(table.listed).search(said)) for table in tables
    )


@lru_cache(maxsize=4096)
def is_place(name: str, gist: str) -> bool:
    """Whether `gist` says of a name in capitals that it is a city, a country, a river or the capital of something."""
    name = unicodedata.normalize("NFC", name[:200])
    head = unicodedata.normalize("NFC", gist[:_HEAD_CHARS])
    at = _place_of(name, head)
    # At the very beginning, without an article: "A delta is a river in …" speaks of any.
    if at != 0 or not _capitals(head[: len(name)]):
        return False
    return _PLACES.match(head[len(name) :]) is not None


@lru_cache(maxsize=4096)
def is_company(name: str, gist: str) -> bool:
    """Whether `gist` says of a name in capitals that it is a company founded or seated somewhere.

    "A bank is a company that lends" tells of any, and so does what has no place and no year.
    """
    name = unicodedata.normalize("NFC", name[:200])
    head = unicodedata.normalize("NFC", gist[:_HEAD_CHARS])
    if _place_of(name, head) != 0 or not _capitals(head[: len(name)]):
        return False
    return _COMPANIES.match(head[len(name) :]) is not None


def _place_of(name: str, head: str) -> int:
    return head.casefold().find(name.casefold(), 0, len(name) + _NAME_WITHIN)


def _capitals(name: str) -> bool:
    """Whether each word but particles begins with a capital, where the script has any."""
    words = [word for word in regex.split(r"[\s\-·•.,'’]+", name) if word]
    words = [word for word in words if word.casefold() not in _PARTICLES or word[0].isupper()]
    return (
        bool(words)
        and all(not word[0].islower() for word in words)
        and any(word[0].isalpha() for word in words)
    )
