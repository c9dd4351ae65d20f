"""Language tables turned into matchers.

A language is read as far as CLDR goes without more (`untabled`), and joins in full by one small TOML file in
``tables/``: its words for units and numbers and its sentence patterns. The names of months and weekdays come
from CLDR through Babel, with the inflected forms CLDR lacks in the table. Patterns are regular expressions
over folded text with these placeholders:

``{n}`` a number · ``{unit}`` a unit word · ``{span}`` a number with its unit · ``{weekday}`` · ``{month}`` ·
``{day}`` a day of the month · ``{year}`` · ``{y}`` an optional year with its joining word · ``{t}`` (in ranges) a
time expression that was found before.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from anamnesis.domain.text.folding import fold
from anamnesis.domain.text.tables import read_language, tabled_languages
from anamnesis.domain.time_windows.names import loose
from anamnesis.domain.time_windows.part_rules import NAMED, PartRules, Pattern
from anamnesis.domain.time_windows.untabled import LANGUAGES, raw_of

#: Found expressions are replaced by private-use characters before ranges are looked for, one for one and in turn by
#: either of these two, so that neighbours stay apart.
MARKS = ("\ue000", "\ue001")
#: Rules that say a time by themselves, in the order in which equally long ones win.
POINT_RULES = (
    "today", "yesterday", "before_yesterday", "three_days_ago", "season_last", "season_this", "before_last",
    "this", "last", "half_year_ago", "ago", "lately", "past_n", "day_month", "month_last", "month_this",
    "month_year", "month", "month_short", "weekday_in_last_week", "weekday_last", "weekday_ago",
    "weekday_before_last", "weekday_two_weeks", "weekday_this", "weekday", "day_only", "year", "bare_year",
    "other_day", "season", "weekend", "the_unit",
)  # fmt: skip
RANGE_RULES = ("week_of", "earlier", "later", "between", "since", "after", "until", "before")
#: Patterns that say the same of a season as of a unit and of a month: "last week", "last July", "last summer".
_SEASON_RULES = {"season_last": ("last", "month_last"), "season_this": ("this", "month_this")}
#: Which placeholder of a pattern tells most cheaply that the pattern cannot match.
_TRIGGERS = {
    "{month}": "month+",
    "{weekday}": "weekday+",
    "{unit}": "some_unit",
    "{span}": "some_unit",
    "{year}": "year",
    "{season}": "season",
    "{weekend}": "weekend",
    "{abbreviated}": "abbreviated",
    "{cldr_ago_": "n",
}


class LanguageRules(PartRules):
    """One language's matchers over folded text; each is compiled when a text first needs it."""

    def points(self, text: str) -> list[tuple[str, Pattern]]:
        """Return the (rule, pattern) pairs that can match in `text`; the expression itself is the group ``atom``."""
        possible = {name for name, trigger in self._triggers.items() if trigger.search(text)}
        return [
            (rule, self._point(rule, template))
            for rule, template, trigger in self._templates
            if trigger is None or trigger in possible
        ]

    @cached_property
    def ranges(self) -> tuple[tuple[str, Pattern], ...]:
        """(rule, pattern) pairs over text in which each expression is a run of one of MARKS."""
        return tuple((rule, self._range(text)) for rule in RANGE_RULES for text in self._raw.get(rule, ()))

    @cached_property
    def cue(self) -> Pattern:
        """Match text that ends in a word after which a name is meant as a time ("in", "since")."""
        return re.compile(rf"(?:{self._words('cue')})$")

    @cached_property
    def cue_suffix(self) -> Pattern:
        """Match the ending of a doubtful month that shows it to be meant as a time ("aralıkta")."""
        return re.compile(fold(self._raw.get("cue_suffix", r"(?!)")))

    @cached_property
    def no_name(self) -> Pattern:
        """Match what, right after a doubtful name, shows that no time is meant ("in 5/6 [of] the pie")."""
        return re.compile(rf"(?:{self._words('no_name')})")

    @cached_property
    def future(self) -> tuple[Pattern, Pattern]:
        """Match what makes an expression a future one: text that ends before it, text that begins after it."""
        before, after = self._words("future_before"), self._words("future_after")
        return re.compile(rf"(?:{before})$"), re.compile(rf"(?:{after})")

    @cached_property
    def joined_by(self) -> Pattern:
        """Match what may stand between the parts of one expression ("Tuesday [of] last week")."""
        suffix = f"(?:{fold(self._raw['joined_suffix'])})?" if "joined_suffix" in self._raw else ""
        return re.compile(rf"{suffix} ?,? ?(?:{self._words('joined_by')})? ?")

    @cached_property
    def year_joined_by(self) -> Pattern:
        """Match the word that binds a year to the month before it ("July [of] 1914"), from the text's beginning."""
        return re.compile(rf"^[ ,]{{0,3}}(?:{self._words('of')})(?= ?\d)")

    @cached_property
    def season_cue(self) -> Pattern:
        """Match text that ends in a word after which the lone name of a season is meant as a time."""
        return re.compile(rf"(?:{self._words('season_cue' if 'season_cue' in self._raw else 'cue')})$")

    def names(self, text: str) -> list[tuple[int, int]]:
        """Return where the names of months stand in a text without spaces: in กุมภาพันธ์ there is a thousand (พัน)."""
        return [] if self._spaced else [m.span() for m in self._triggers["month+"].finditer(text)]

    def names_a_unit(self, text: str) -> bool:
        """Tell whether a word for a unit stands in `text`."""
        return bool(self._triggers["some_unit"].search(text))

    @cached_property
    def also_by(self) -> Pattern:
        """Match what stands between expressions that are meant together ("June [and] July")."""
        return re.compile(rf" ?(?:{self._words('also_by')}|&|,) ?")

    @cached_property
    def future_tense(self) -> Pattern | None:
        """Match a text that speaks of the future, where one word means yesterday and tomorrow."""
        tense = self._raw.get("future_tense")
        return re.compile(fold(tense)) if tense else None

    @cached_property
    def _triggers(self) -> dict[str, Pattern]:
        return {name: re.compile(self._parts[name]) for name in set(_TRIGGERS.values())}

    @cached_property
    def _templates(self) -> list[tuple[str, str, str | None]]:
        """(rule, pattern, what a text must hold for it to match) of all patterns, in the order they win in."""
        pairs = [(rule, text) for rule in POINT_RULES for text in self._of_rule(rule)]
        pairs += [
            (f"fixed_{unit}_{back}", text)
            for unit, words in self._raw.get("fixed", {}).items()
            for back, texts in enumerate(words)
            for text in texts
        ]
        pairs += [
            (name.removeprefix("cldr_"), f"{{{name}}}") for name in self._parts if name.startswith("cldr_")
        ]
        return [
            (rule, text, next((t for p, t in _TRIGGERS.items() if p in text), None)) for rule, text in pairs
        ]

    def _of_rule(self, rule: str) -> list[str]:
        if rule.startswith("season"):
            return self._of_season(rule)
        templates = [str(text) for text in self._raw.get(rule, ())]
        if rule == "day_only":  # "the second" alone is no day
            templates = [text.replace("{day}", "{figure}") for text in templates]
        if rule == "weekday_ago":  # "two Mondays ago", said as "two weeks ago" is
            named = (
                t.replace("{span}", "{n} {unit}").replace("{unit}", "{weekday}")
                for t in self._raw.get("ago", ())
            )
            templates += [text for text in named if "{n}" in text]  # beside the table's own
        if rule == "day_month":
            to = "|".join(self._raw.get("to", ("-",)))
            templates = [t.replace("{day}", f"{{day}} ?(?:{to}) ?{{day2}}") for t in templates] + templates
            if self._raw.get("no_short_names") and self._spaced:  # with a year, "3 Eyl 2024" is no other word
                dated = [t for t in templates if "{month}{y}" in t]
                templates += [t.replace("{month}{y}", "{abbreviated}{yy}") for t in dated]
        always = {
            "month": "{month}",
            "month_short": "{month}",
            "month_year": "{month}{yy}",
            "bare_year": "{year}",
            "the_unit": f"(?:{'|'.join(self._raw.get('articles', ())) or '(?!)'}) ?{{unit}}",
            "weekend": f"(?:(?:{'|'.join(self._raw.get('articles', ())) or '(?!)'}) ?)?{{weekend}}",
        }
        return [*(t.replace("{y!}", "{yy}") for t in templates), *([always[rule]] if rule in always else [])]

    def _of_season(self, rule: str) -> list[str]:
        if "seasons" not in self._raw:
            return []
        if rule == "season":
            return ["{season}"]
        texts = (t for source in _SEASON_RULES[rule] for t in self._raw.get(source, ()))
        named = (re.sub(r"\{(?:unit|month)\}", "{season}", text) for text in texts)
        return [text for text in named if "{season}" in text]

    def _point(self, rule: str, template: str) -> Pattern:
        key = rule, template
        if key not in self._compiled:
            abbreviated = rule not in {"month", "weekday", "month_this"}
            body = NAMED.sub(lambda m: self._part(m[1], abbreviated=abbreviated), loose(fold(template)))
            self._compiled[key] = re.compile(f"{self._left}(?P<atom>{body}){self._right}")
        return self._compiled[key]

    def _range(self, template: str) -> Pattern:
        article = "|".join(loose(fold(word)) for word in self._raw.get("articles", ()))
        article = f"(?:(?:{article}) ?)?" if article else ""
        suffix = f"(?:{fold(self._raw['suffix'])})?" if "suffix" in self._raw else ""
        one = f"{article}(?P<t>{MARKS[0]}+|{MARKS[1]}+){suffix}"
        body = loose(fold(template)).replace("{t}", one, 1).replace("{t}", one.replace("<t>", "<u>"), 1)
        guard = r"(?<!\w)" if self._spaced and not template.startswith("{t}") else ""
        return re.compile(guard + body)


@lru_cache(maxsize=1)
def known_languages() -> tuple[str, ...]:
    """Return the languages that have a table, then those that are read by CLDR's data alone."""
    tabled = tabled_languages(__package__)
    return tabled + tuple(language for language in LANGUAGES if language not in tabled)


@lru_cache(maxsize=64)
def rules_of(language: str) -> LanguageRules:
    """Return the matchers of `language`, one of `known_languages`."""
    tabled = language in tabled_languages(__package__)
    return LanguageRules(language, read_language(__package__, language) if tabled else raw_of(language))
