"""How many tokens a text may take, bounded from above without any one model's tokeniser (BL-1).

A block goes into prompts of models that we do not know, so the budget has to hold for the tokenisers in common use: the
byte-level BPE of the GPT family (cl100k_base, o200k_base), of Llama 3 and of DeepSeek, SentencePiece with byte fallback
(Llama 2), and SentencePiece unigrams (XLM-RoBERTa). None of them spends more than one token on a byte, except where a
tokeniser first expands compatibility characters (NFKC). Below that ceiling the bound is a sum of prices:

- a run of ASCII letters costs one token when it is among the commonest English words, two when it is a word of lessons,
  else a rate by its length and by how much it looks like noise;
- a digit and a sign cost one token each; a space costs nothing before a letter that tokenisers join it to, else one;
- any other character costs a rate of its script, or all its bytes where some tokeniser spells the script in bytes.

The rates are the highest that any of those tokenisers needs for a script on ordinary text, rounded up; the counts that
hold them to it are in ``tests/data/token_counts.json``.

Composition: costs are summed and never reach over a line break, so the estimate of a text is at most the sum over its
lines plus one for each break. Inside a line a cut may leave an uncommon piece of a common word: a beginning of a text
costs at most ``CUT_WORD_TOKENS`` more than the whole.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import ceil

#: Costs are counted in tenths of a token, so that sums are exact.
_TENTHS = 10
#: What cutting a text inside a word may add at most.
CUT_WORD_TOKENS = 12

# Tenths of a token for one letter of an ASCII word: ordinary in any language, all capitals, hard to pronounce, and
# beside a digit or between changes of case, as in keys and encoded bytes.
_ORDINARY_LETTER = 5.5
_CAPITAL_LETTER = 6.5
_NOISY_LETTER = 8.0
_SCRAMBLED_LETTER = 10.0
#: Longer runs are priced in pieces, so that what one letter changes stays small.
_MAX_PIECE_CHARS = 16
#: Words kept priced; a student's vocabulary fits.
_WORDS_KEPT = 8_192

_WORD = re.compile(r"(?:(?<=([0-9])))?([A-Za-z]++)(?:(?=([0-9])))?")
_HUMP = re.compile(rf"[A-Z]?[a-z]{{1,{_MAX_PIECE_CHARS}}}|[A-Z]{{1,{_MAX_PIECE_CHARS}}}")
_HARD_TO_SAY = re.compile(
    r"[bcdfghjklmnpqrstvwxz]{4}|[aeiou]{4}|(.)\1\1|^[bcdfghjklmnpqrstvwxz]{2,}$|q[^u]|[jvxz][bcdfgkmpqtvwxz]"
)
#: A space joins the next word in the scripts that tokenisers know by words.
_FREE_SPACE = re.compile("(?<! ) (?=[A-Za-z\u00c0-\u017f\u0391-\u03ce\u0410-\u045f])")

#: Tenths of a token for one character of a script: first and last code point, rate. What is not here costs its bytes.
_RATES: tuple[tuple[int, int, int], ...] = (
    (0x0401, 0x0401, 10),
    (0x0410, 0x044F, 9),  # Cyrillic
    (0x0451, 0x0451, 10),
    (0x0370, 0x03FF, 15),  # Greek
    (0x05D0, 0x05EA, 12),  # Hebrew letters
    (0x0621, 0x064A, 12),  # Arabic letters
    (0x0900, 0x097F, 15),  # Devanagari
    (0x0980, 0x09FF, 22),  # Bengali
    (0x0B80, 0x0BFF, 22),  # Tamil
    (0x0D00, 0x0D7F, 25),  # Malayalam
    (0x0D80, 0x0DFF, 24),  # Sinhala
    (0x0E00, 0x0E7F, 19),  # Thai
    (0x1000, 0x109F, 23),  # Myanmar
    (0x10D0, 0x10FF, 22),  # Georgian
    (0x1EA0, 0x1EF9, 22),  # Vietnamese vowels
    (0x3041, 0x30FF, 14),  # Kana
)
#: Signs and letters that every one of the tokenisers holds whole.
_WHOLE = frozenset(
    "·–—“”‘’…•°«»¿¡§×±²³→π€£áéíóúñüäößçãõâêôàèìòùåøæćčšžłńśżźęąřůěýőşğıțăđư、。，：？！（）「」"
)
#: The commonest Han characters of both spellings and of Japanese; all others are spelt in bytes by some tokeniser.
_COMMON_HAN = frozenset(
    "的一是不了在人有我他这個个们中来上大为和国地到以说時时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成"
    "方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情"
    "明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世"
    "位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再"
    "感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式"
    "色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔画答错理解课细胞单位这還們國會說對學"
    "過發後經麼現當沒動開從實無與長機關點業將間問應戰頭體見產話給門員東聲論處義幾條氣題爾變總電數報結務場計書則聽達強難權設類據"
    "邊張該規萬覺術領確傳師觀讓識帶導爭運筆畫錯課單這樣還為來兩並統區隊決馬係請習練復分裂違差違い度間違昨日番目理由仕組食言読"
    "買店駅車休毎週朝夜前後左右友母父先生校語英元気天楽飲待持行来出入立思会社員私彼何時今年月火木土曜半分長新古安多少早近遠"
)
#: The commonest syllables of Korean.
_COMMON_HANGUL = frozenset(
    "가각간갈감갑값강같개거건걸것게겠겨격결경계고곡공과관광교구국군권귀규그극근글금기길까께나난날남내너년네노논녀느는능니다단달당대더데도"
    "독동되된두드든들등디따때또라란람래러런레려력령로록론료루류르른를름리린림마만말망매면명모목못무문물미민바반발방배백번법변별보복본부북"
    "분불비사산살상새색생서석선설성세소속손수순술스습시식신실심싶아안않알았앞약양어언얼없었에여역연열영예오온올와왔외요용우운원월위유으은을음"
    "의이인일입있자작장재저적전점정제조족존종주준중즉증지직진질집차찾책처천철체초최추축출치친카크타태터토통트특파판패페평포표품프하학한할함합"
    "해했행향험현형호화확환활회후히"
)
_COMMON_HAN_TENTHS = 20
_COMMON_HANGUL_TENTHS = 20

_COMMON_WORDS = """
a able about above across act action actually add after again against age ago air all allow almost along already also
always am among an and animal another answer answers any anything app are area around article as ask asked asking at
away back bad base based be became because become been before began begin behind being believe below best better
between big black block blood board body book both box bring brought build built business but by call called came can
car care case cause cell cells center central certain change changed changes character check checks child children
choose city class clear close code cold color come comes common company complete computer concept concepts consider
contain contains content control correct cost could country course cover current currently cut data date day days dead
deal death deep did difference different do does doing done down draw each earlier early earth easy education effect
either else end energy english enough even ever every everything exactly example examples experience explain explained
explains eye face fact fall family far fast father feel few field figure file files final find fire first five follow
following food for force form found four free friend from front full function game gave general get give given gives
go goes going gold gone good got government great green ground group grow had half hand happen happened hard has have
having he head health hear heart heat help her here high him himself his history hold home hot hour house how however
human hundred i idea if image important in increase information inside instead interest into is issue it its itself
just keep kept key kind knew know known land language large last late later law lead learn least leave left less let
letter level life light like limit line list listed little live local long look looking lost lot love low made main
make makes making man many map mark market mass material matter may maybe me mean meaning means measure meet member
memory men might mind minute miss mode model moment money month more morning most mother move much music must my name
natural nature near need needs never new next night no not note nothing now number of off often oh oil old on once one
only open or order other others our out outside over own page paper parent part parts party past path pay peace people
per perhaps period person phone picture place plan plant plants play please point points position possible power
present president press probably problem problems process produce product program project public put quality question
questions quite rate rather read reading real really reason record recorded red release remain remember report
research rest result results return right river role room round rule rules run said same saw say saying says school
science sea second see seem seen self sense sent sentence series service session set several shall she short should
show shown shows side simple since single six size small so social some someone something sometimes son song soon
sound source south space speak special stand standard star start state states step still stop story street strong
structure student students study subject such sun support sure surface system table take taken takes talk taught teach
teacher teaching team tell ten term terms test than thank that the their them then there these they thing things think
third this those though thought three through time times to today together told tomorrow too took top total toward
town travel tree tried true try turn two type under understand understanding understands until up upon us use used
user uses using usually value various very view voice want war was water way ways we week weeks well went were what
when where whether which while white who whole whose why will wind window with within without woman women word words
work working works world would write writing written wrong year years yes yesterday yet you young your yours
"""
_COMMON = frozenset(_COMMON_WORDS.split())
#: Words of lessons that take at most two tokens.
_SCHOOL_WORDS_TEXT = """
absorb acid algebra analysis angle argument arrive artery atmosphere atom average axis bacteria balance battle behaviour
biology bond brain calculate calculation capital carbon category causes century charge chart chemical chemistry circuit
circle civil climate cloud column compare comparison composition compound concentration conclusion condition confused
connect constant context convert copy covalent crystal culture curve decimal decrease define definition degree density
describe design detail diagram digit dimension direct direction discuss disease distance distribution divide division
document double ecosystem edge electric electrical electron element empire enter environment enzyme equal equation
error essay evidence evolution exercise exist experiment express expression factor failed fertile filter flow fluid
force formula fraction friction gas gene genetic geometry glucose gradient grammar graph gravity growth habitat happens
heading height hormone hydrogen hypothesis identify infinite input insect integer integral iron kinetic lecture lens
liquid logic magnetic magnet measurement mechanism medium membrane metal method middle mineral minus missed mistake
mixture molecule molecules moral motion multiple multiply muscle narrative negative nerve neutral nitrogen notes novel
nucleus object observe ocean operation opposite orbit organ organic organism output oxygen pain paragraph parallel
particle pattern percent photosynthesis physics planet plate poem poetry poles population positive potential practice
predict prefer pressure previous principle probability proof property protein proton prove pupil quantity quiz radius
random range ratio reaction reason receive reflect region relation relative relationship religion remembers repeat
represent respiration response revolution rewrite rock root rotation sample scale section seed select separate sequence
shape skill slope society solid solution solve species speed split square stable statement stomach straight strength
stress stretch substance sugar sum symbol symmetry task temperature tense tension text theme theory tissue tool
transfer triangle tutor unit universe vacuum variable vector velocity verb vertical vessel virus visible voltage volume
wave weather weight width yesterday's zero
"""
_SCHOOL_WORDS = frozenset(_SCHOOL_WORDS_TEXT.split())
_STEMS = _COMMON | _SCHOOL_WORDS
_ENDINGS = ("s", "ed", "d", "ing", "ly", "er", "es")
#: Endings that are one token everywhere, the longer ones first.
_LEARNED_ENDINGS = (
    "ations",
    "ation",
    "ional",
    "ments",
    "tions",
    "ology",
    "tion",
    "ment",
    "ness",
    "able",
    "ance",
    "ence",
    "ical",
)


class _Costs(dict[int, int]):
    """Tenths of a token by code point, worked out when first met; at most one entry for each code point."""

    def __missing__(self, code: int) -> int:
        cost = _character_tenths(chr(code))
        self[code] = cost
        return cost


def estimate_tokens(text: str) -> int:
    """Bound from above, in practice, what common tokenisers count for `text`.

    Never more than the UTF-8 bytes of `text`; 0 for the empty text. Linear time. Tokens that a tokeniser puts around a
    whole prompt are not counted. See the module for what the bound rests on and how it composes.
    """
    tenths = sum(map(_COSTS.__getitem__, map(ord, text)))
    tenths -= _TENTHS * len(_FREE_SPACE.findall(text))
    tenths += sum(_word_tenths(word, bool(left or right)) for left, word, right in _WORD.findall(text))
    return min(-(-tenths // _TENTHS), len(text.encode("utf-8", "surrogatepass")))


@lru_cache(maxsize=_WORDS_KEPT)
def _short_word_tenths(word: str, beside_digit: bool) -> int:
    """Price a word of at most ``_MAX_PIECE_CHARS`` letters."""
    lower = word.lower()
    if beside_digit:
        return round(_SCRAMBLED_LETTER * len(word))
    if word.islower() or word.istitle():
        return _plain_word_tenths(lower)
    if word.isupper():
        rate = _NOISY_LETTER if _HARD_TO_SAY.search(lower) else _CAPITAL_LETTER
        return max(_TENTHS, ceil(rate * len(word)))
    return sum(_hump_tenths(hump) for hump in _HUMP.findall(word))


def _plain_word_tenths(lower: str) -> int:
    if lower in _COMMON:
        return _TENTHS
    if lower in _SCHOOL_WORDS:
        return 2 * _TENTHS
    for ending in _ENDINGS:
        if lower.endswith(ending) and lower[: -len(ending)] in _STEMS:
            return 2 * _TENTHS + (_TENTHS // 2 if lower[: -len(ending)] in _SCHOOL_WORDS else 0)
    rate = _NOISY_LETTER if _HARD_TO_SAY.search(lower) else _ORDINARY_LETTER
    for ending in _LEARNED_ENDINGS:
        if lower.endswith(ending):
            return _TENTHS + max(_TENTHS, ceil(rate * (len(lower) - len(ending))))
    return max(_TENTHS, ceil(rate * len(lower)))


def _word_tenths(word: str, beside_digit: bool) -> int:
    if len(word) <= _MAX_PIECE_CHARS:
        return _short_word_tenths(word, beside_digit)
    if beside_digit:
        return round(_SCRAMBLED_LETTER * len(word))
    return sum(_hump_tenths(hump) for hump in _HUMP.findall(word))


def _hump_tenths(hump: str) -> int:
    """Price a piece of a word whose case changes inside, or of a very long one."""
    if len(hump) <= 3 and hump.lower() not in _COMMON:
        return round(_SCRAMBLED_LETTER * len(hump))
    return _short_word_tenths(hump, beside_digit=False)


def _character_tenths(character: str) -> int:
    """Price one character outside an ASCII word; ASCII letters cost nothing here."""
    code = ord(character)
    if character.isascii():
        return 0 if character.isalpha() else _TENTHS
    if character in _WHOLE:
        return _TENTHS
    bytes_tenths = _TENTHS * len(character.encode("utf-8", "surrogatepass"))
    for first, last, rate in _RATES:
        if first <= code <= last and not character.isdigit():
            return min(rate, bytes_tenths)
    if character in _COMMON_HAN:
        return _COMMON_HAN_TENTHS
    if character in _COMMON_HANGUL:
        return _COMMON_HANGUL_TENTHS
    return bytes_tenths


_COSTS = _Costs()
