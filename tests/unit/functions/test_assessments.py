"""A turn whose prompt has a section of assessment results of its own."""

from __future__ import annotations

import pytest

from support.lambda_events import Api

RESULTS = "ASSESSMENT RESULTS:\n- osmosis: 2 of 5 right"
NOTHING = "ASSESSMENT RESULTS:\nNo assessments recorded yet."


@pytest.mark.parametrize("section, kept", [(RESULTS, True), (NOTHING, False), ("", False)])
def test_a_section_of_results_is_tied_to_the_block(api: Api, section: str, kept: bool) -> None:
    """With its section a turn gets the block first, a note and the section, or the block alone (BL-7)."""
    asked = {"question": "What did I get wrong so far?"}
    reply = api("http_read_block", body={**asked, "assessment": section}).body
    assert reply["bridged"].startswith(reply["block"])
    beside = reply["bridged"].removeprefix(reply["block"]).strip()
    assert beside.startswith("NOTE: the memory above") is kept
    assert beside.endswith(section) if kept else beside == ""
    assert api("http_read_block", body=asked).body["bridged"] is None
