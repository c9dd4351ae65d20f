"""Everything on the page but the chat, on the deployed service, in a real browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from anamnesis_tools.demo.tampering import edited_row
from anamnesis_tools.stack.local_stack import LocalStack
from support.browser import SUBJECT, Visitor
from support.schools import School


def test_a_belief_opens_its_chain_and_the_record_behind_it(ana: Visitor) -> None:
    """A belief shows what was believed before, since when, and leads to the check that changed it (BE-2)."""
    page = ana.opens(SUBJECT, "beliefs")
    page.get_by_role("button", name="How it came about").first.click()
    chain = page.locator(".chain").first
    expect(chain).to_contain_text("struggles with osmosis")
    expect(chain).to_contain_text("understands osmosis")
    expect(chain).to_contain_text("July 1, 2026")
    chain.get_by_role("link", name="Open the record").first.click()
    expect(page.locator(".chosen")).to_contain_text("Check on osmosis")
    assert ana.foreign() == []


def test_the_map_is_a_list_by_layers_and_a_graph(ana: Visitor) -> None:
    """Concepts come in teaching order with readiness and sources, and what one builds on is linked (CM-5, CM-10)."""
    page = ana.opens(SUBJECT, "map")
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()
    page.get_by_role("link", name="osmosis", exact=True).first.click()
    chosen = page.locator(".chosen")
    expect(chosen).to_contain_text("diffusion of water")
    expect(chosen).to_contain_text("cells.md p.")
    expect(chosen.get_by_role("link", name="diffusion")).to_be_visible()
    page.get_by_role("button", name="Graph").click()
    assert page.locator(".graph .dot").count() >= 4
    assert page.locator(".graph .edge").count() >= 1
    assert ana.foreign() == []


def test_the_timeline_filters_and_shows_where_the_log_is_broken(
    ana: Visitor, stack: LocalStack, school: School
) -> None:
    """Episodes by day, by kind and date; a log that verifies says so, one that does not shows where (EP-4, EP-5)."""
    page = ana.opens(SUBJECT, "timeline")
    expect(page.get_by_text("The log is whole")).to_be_visible()
    expect(page.get_by_role("heading", name="July 2, 2026")).to_be_visible()
    page.get_by_label("Kind").select_option("check")
    expect(page.get_by_text("Why does a raisin")).to_have_count(0)
    expect(page.get_by_text("Check on osmosis")).to_have_count(3)
    page.get_by_label("From").fill("2026-07-02")
    page.get_by_label("To").fill("2026-07-02")
    expect(page.get_by_text("Check on osmosis")).to_have_count(1)
    with edited_row(stack, school.tenant, "ana", SUBJECT, 3):
        page.reload()
        ana.settled()
        expect(page.get_by_role("alert")).to_contain_text("at record 3")
        expect(page.locator(".broken")).to_contain_text("The chain breaks here")
    assert ana.foreign() == []


def test_files_are_uploaded_and_read_before_one_s_eyes(ana: Visitor, tmp_path: Path) -> None:
    """A chosen file is sent, read and shown with its concepts, a refused one with what to do (CM-1, SV-6)."""
    good, bad = tmp_path / "plants.md", tmp_path / "table.json"
    good.write_text("# Plants\n\n**Chlorophyll** is a green pigment that catches light.\n")
    bad.write_text('{"rows": [1, 2, 3]}')
    page = ana.opens("botany", "files")
    expect(page.get_by_text("No files yet")).to_be_visible()
    page.locator("input[type=file]").set_input_files([good, bad])
    expect(page.locator("li", has_text="plants.md").locator(".state")).to_have_text("read")
    expect(page.locator("li", has_text="plants.md")).to_contain_text("concepts found")
    refused = page.locator("li", has_text="table.json")
    expect(refused.locator(".state")).to_have_text("refused")
    assert len(refused.locator(".bad").inner_text()) > 20
    assert ana.foreign() == []


def test_wiki_links_work_and_citations_open_what_was_said(ana: Visitor) -> None:
    """A link of the index leads to a page, a citation to its episode, and a page tells its history (WK-3, WK-4)."""
    page = ana.opens(SUBJECT, "wiki")
    page.locator(".prose a", has_text="osmosis").first.click()
    expect(page.locator(".prose h1")).to_have_text("osmosis")
    page.locator(".prose sup a").first.click()
    expect(page.get_by_role("heading", name="What it stands on")).to_be_visible()
    expect(page.locator(".chosen .episode").first).to_be_visible()
    page.get_by_role("button", name="Back").click()
    page.get_by_text("History", exact=True).click()
    page.get_by_role("button", name="What changed").first.click()
    expect(page.locator(".diff .added").filter(has_text="# osmosis")).to_have_count(1)
    assert ana.foreign() == []


def test_the_report_is_shown_and_can_be_kept(ana: Visitor) -> None:
    """The report for a teacher is shown, and comes as a page to keep (SV-6)."""
    page = ana.opens(SUBJECT, "report")
    expect(page.locator(".prose")).to_contain_text("What is believed now")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "biology.html"
    assert download.value.path().read_text(encoding="utf-8").startswith("<!")
