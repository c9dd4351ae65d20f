"""The measurement of lists of terms."""

from __future__ import annotations

from anamnesis_tools.bench.files.term_list_forms import FORMS
from anamnesis_tools.bench.files.term_lists import measure


def test_lists_of_terms_are_read_in_every_language_and_lists_of_other_things_are_not() -> None:
    """Of lists in two forms nearly every term is found and little else, of lists of other things nothing (CM-1)."""
    forms = ("dash", "headings")
    assert set(forms) <= set(FORMS)
    found = measure(forms)
    terms = sum(one.terms for one in found.by_form)
    assert sum(one.found for one in found.by_form) >= 0.97 * terms > 400
    assert sum(one.others for one in found.by_form) <= 0.01 * terms
    assert sum(one.others for one in found.none) == 0
