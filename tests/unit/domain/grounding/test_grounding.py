"""What counts as a claim, what supports it, and what the answer's stance is, over the cases of the benchmark too."""

from __future__ import annotations

import pytest

from anamnesis.domain.errors import TooLarge
from anamnesis.domain.grounding.answers import claims_of
from anamnesis.domain.grounding.tables import table_of, tabled
from anamnesis.domain.grounding.values import MAX_CLAIMS, FileLine, Stance, stance_of
from anamnesis_tools.bench.grounding.answers import measure
from support.grounding import grounded


@pytest.mark.parametrize(
    "said",
    [
        "Great question!",
        "What do you think happens next?",
        "Let's look at an example.",
        "# Osmosis",
        "¡Muy bien!",
        "Vamos a repasar la célula.",
        "Bonjour !",
        "Versuch es noch einmal.",
        "太棒了！",
        "请想一想这个问题。",
        "よくできました！",
        "هل تعرف الجواب؟",
        "बहुत अच्छा!",
        "```\nx = 1\n```",
        "",
    ],
)
def test_what_is_no_claim(said: str) -> None:
    """Questions, courtesy, instructions, headings and code claim nothing, in any language (GR-1)."""
    parts = claims_of(said)
    assert (parts.claims, parts.says_missing) == ((), False)


@pytest.mark.parametrize(
    "said",
    [
        "Your files do not mention the French Revolution.",
        "I have no record of that.",
        "Tus archivos no mencionan la Revolución francesa.",
        "Je n'ai rien trouvé à ce sujet dans tes fichiers.",
        "Dazu steht nichts in deinen Unterlagen.",
        "你的文件没有提到这一点。",
        "資料には書かれていません。",
        "파일에는 그 내용이 없습니다.",
        "لا توجد معلومات عن ذلك في ملفاتك.",
        "आपकी फाइलों में इसका कोई उल्लेख नहीं है।",
        "В твоих файлах об этом ничего не сказано.",
        "Dosyalarında bununla ilgili bilgi yok.",
    ],
)
def test_an_answer_that_could_not(said: str) -> None:
    """An answer that says that the files or the memory hold nothing could not answer, in any language (GR-3)."""
    found = grounded(said, "The cell is small.")
    assert (found.stance, found.mostly_ungrounded) == (Stance.COULD_NOT, False)


@pytest.mark.parametrize(
    "claims, traced, missing, stance",
    [
        (0, 0, False, Stance.ANSWERED),
        (0, 0, True, Stance.COULD_NOT),
        (3, 0, False, Stance.COULD_NOT),
        (4, 2, False, Stance.ANSWERED),
        (4, 1, False, Stance.PARTIAL),
        (4, 4, True, Stance.PARTIAL),
    ],
)
def test_the_stance_follows_from_what_was_traced(
    claims: int, traced: int, missing: bool, stance: Stance
) -> None:
    """The stance follows from the share of traced claims and from what the answer says itself (GR-3)."""
    assert stance_of(claims, traced, says_missing=missing) is stance


def test_the_line_is_the_page_s() -> None:
    """A source names the page and the line that its sentence begins in, wrapped lines and headings counted (GR-1)."""
    found = grounded(
        "Chlorophyll absorbs red and blue light.",
        "Nothing here.",
        "# Leaves\n\nLeaves are green.\nThe pigment chlorophyll absorbs mainly red and blue light.",
    )
    source = found.claims[0].source
    assert isinstance(source, FileLine)
    assert (source.page, source.line) == (2, 4)


def test_another_language_is_held_to_what_both_share() -> None:
    """A claim in another language is traced by numbers, names and cognates only, says so, and scores lower (GR-1)."""
    page = "Isaac Newton publicó Principia Mathematica en 1687."
    found = grounded("Isaac Newton published Principia Mathematica in 1687.", page, language="es")
    [claim] = found.claims
    assert isinstance(claim.source, FileLine)
    wrong = grounded("Isaac Newton published Principia Mathematica in 1678.", page, language="es")
    assert wrong.claims[0].source is None


def test_too_many_claims_are_refused() -> None:
    """An answer with more claims than are traced is refused whole, by the name of its field (SV-12)."""
    with pytest.raises(TooLarge) as refused:
        claims_of("Cells divide quickly in tissue. " * (MAX_CLAIMS + 1))
    assert refused.value.field == "answer"


@pytest.mark.parametrize("language", sorted(tabled()))
def test_every_table_is_usable(language: str) -> None:
    """Every pattern of every language's table compiles, and denials and limits are there (GR-1)."""
    table = table_of(language)
    assert table.negations.pattern
    assert len(table.opposites) > 10
    assert len(table.measures) > 8
    assert all(pattern.search("") is None for pattern in table.comparisons)
    assert table.numbers
    for key in ("limits", "memory", "right", "wrong", "knows", "struggles"):
        assert table.of(key).search("") is None, key
    for key in ("chat", "instructions"):
        assert table.beginning(key).match("") is None


def test_planted_errors_are_found_out() -> None:
    """Of the benchmark's sentences nine in ten planted ones have no source, and nine in ten true ones have (GR-1)."""
    found = measure(None, None).found
    for supported in (True, False):
        judged = [f.traced is supported for f in found if f.trial.supported is supported]
        assert sum(judged) >= 0.9 * len(judged)
