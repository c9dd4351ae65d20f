"""Everything on the page but the chat, in a real browser over the real handlers."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from anamnesis.domain.identifiers import Pair
from support.api_in_process import InProcessClient, Place
from support.browser import SUBJECT
from support.page_in_process import TENANT, PageVisitor


def test_the_limits_are_said_in_plain_words_with_the_curve_and_its_table(ana: PageVisitor) -> None:
    """The reliability curve is drawn with a table beside it that says the same, and what it means (NI-3, NI-4)."""
    page = ana.opens(SUBJECT, "limits")
    predictions = page.locator("section", has_text="Can its predictions be trusted?").last
    rows = predictions.locator("tbody tr")
    assert rows.count() >= 1
    assert predictions.locator(".point").count() == rows.count()
    checks = sum(int(row.locator("td").last.inner_text()) for row in rows.all())
    expect(predictions).to_contain_text(f"Predicted checks: {checks}.")
    expect(page.get_by_text("no record was changed, removed or reordered")).to_be_visible()
    expect(page.locator(".figures")).to_contain_text("Citations whose file changed")
    assert ana.foreign() == []


def test_a_memory_without_nights_says_so(ana: PageVisitor) -> None:
    """Each view says that there is nothing yet, and what will make it (NI-4, SV-7)."""
    for view, words in {
        "limits": "No night has looked",
        "timeline": "Nothing is recorded here",
        "beliefs": "Nothing is believed yet",
        "map": "No concepts yet",
        "files": "No files yet",
    }.items():
        page = ana.opens("botany", view)
        expect(page.locator(".empty")).to_contain_text(words)


@pytest.mark.parametrize(
    "phrase, days",
    [("on 2 July 2026", 1), ("en julio de 2026", 8), ("2026年7月", 8), ("osmosis", None)],
)
def test_a_time_in_words_is_a_filter(ana: PageVisitor, phrase: str, days: int | None) -> None:
    """A phrase of time, in whatever language, filters the log as the turn's own reading understands it (RC-2)."""
    page = ana.opens(SUBJECT, "timeline")
    everything = page.locator(".day").count()
    page.get_by_label("Time in words").fill(phrase)
    page.get_by_role("button", name="Find").click()
    status = page.locator(".phrase [role=status]")
    expect(status).to_contain_text("No time was found" if days is None else "is taken as")
    ana.settled()
    dates = [page.get_by_label(name, exact=True).input_value() for name in ("From", "To")]
    if days is None:
        assert dates == ["", ""]
        assert page.locator(".day").count() == everything
        return
    assert all(date.startswith("2026-07-") for date in dates)
    assert page.locator(".day").count() == days < everything
    page.get_by_role("button", name="Show everything").click()
    ana.settled()
    assert page.locator(".day").count() == everything


def test_what_became_known_of_a_record_is_shown_with_it(ana: PageVisitor) -> None:
    """An answer whose source changed says so and leads to the newer file; only those can be listed (VE-1)."""
    page = ana.opens(SUBJECT, "timeline")
    page.get_by_label("only records whose sources changed").check()
    ana.settled()
    answers = page.locator(".episode")
    assert answers.count() == 7
    expect(answers.first).to_contain_text("has changed since")
    answers.first.get_by_role("link", name="which file").click()
    expect(page.locator(".chosen")).to_contain_text("Replaced by a newer one")
    page.get_by_role("link", name="Show it").click()
    expect(page.locator(".chosen .state")).to_have_text("read")


def test_checkpoints_are_listed_with_their_state(ana: PageVisitor, place: Place) -> None:
    """A signed checkpoint stands with what it covers and whether the log agrees or not (EP-5)."""
    page = ana.opens(SUBJECT, "timeline")
    page.locator(".checkpoints summary").click()
    rows = page.locator(".checkpoints tbody tr")
    expect(rows.first).to_contain_text("agrees")
    count = rows.count()
    assert count >= 7
    kept = place.app._checkpoints.checkpoints[Pair(TENANT, "ana", SUBJECT)]
    good = kept[0]
    kept[0] = replace(good, note=good.note.replace("\n\n", "x\n\n", 1))
    try:
        page.reload()
        ana.settled()
        page.locator(".checkpoints summary").click()
        expect(page.locator(".checkpoints .bad")).to_have_count(1)
        expect(page.get_by_role("alert")).to_contain_text(f"at record {good.length}")
    finally:
        kept[0] = good


def test_a_break_is_shown_in_the_list_where_it_is(ana: PageVisitor, place: Place) -> None:
    """A changed record is marked, records that are gone leave a gap, and the alert leads to both (EP-4)."""
    log = place.log.episodes[Pair(TENANT, "ana", SUBJECT)]
    before = list(log)
    fifth = log[4]
    assert fifth.content is not None
    log[4] = replace(fifth, content=replace(fifth.content, text="forged"))
    del log[8:10]
    try:
        page = ana.opens(SUBJECT, "timeline")
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("at record 5: its content was changed")
        expect(alert).to_contain_text("at record 9: records are missing")
        alert.get_by_role("button", name="show in the list").first.click()
        marked = page.locator(".broken", has_text="The chain breaks here: its content was changed")
        expect(marked).to_be_focused()
        expect(marked).to_contain_text("#5")
        gap = page.locator(".broken", has_text="Missing here: #9–#10")
        before_it = gap.locator("xpath=preceding-sibling::li[1]")
        expect(before_it).to_contain_text("#8")
        assert ana.foreign() == []
    finally:
        log[:] = before


def test_what_the_page_has_no_word_for_is_told_as_it_is(ana: PageVisitor) -> None:
    """A kind of break that is newer than the page, and what could not be checked, are said all the same (EP-5)."""
    ana.made["GET .*/chain"] = lambda _: {
        "verified": False,
        "length": 40,
        "head": "00",
        "checkpoints_checked": 1,
        "breaks": [{"position": 95, "kind": "something_new", "count": 1}],
        "erased": [],
        "not_checked": [
            "truncation and rewrite of positions 8–40: they are newer than the latest checkpoint",
            "something else",
        ],
    }
    page = ana.opens(SUBJECT, "timeline")
    expect(page.get_by_role("alert")).to_contain_text("at record 95: something_new")
    expect(page.get_by_text("records 8–40 were cut")).to_contain_text("something else")


def test_a_file_is_deleted_only_when_asked_twice(ana: PageVisitor, place: Place) -> None:
    """Deleting asks back and can be called off; a deleted file stays listed, and its concepts leave the map (CM-8)."""
    InProcessClient(place, tenant=TENANT).send_file(
        SUBJECT, "moss.md", b"A **moss** is a plant without roots.\n"
    )
    page = ana.opens(SUBJECT, "files")
    card = page.locator("li.card", has=page.get_by_role("heading", name="moss.md"))
    card.get_by_role("button", name="Delete").click()
    expect(card.get_by_role("button", name="Cancel")).to_be_focused()
    card.get_by_role("button", name="Cancel").click()
    expect(card.get_by_role("button", name="Delete")).to_be_focused()
    expect(card.locator(".state")).to_have_text("read")
    page.keyboard.press("Enter")
    card.get_by_role("button", name="Yes, delete it").click()
    expect(card.locator(".state")).to_have_text("deleted")
    expect(card.get_by_role("button")).to_have_count(0)
    page = ana.opens(SUBJECT, "map")
    expect(page.get_by_role("link", name="osmosis", exact=True)).to_have_count(1)
    expect(page.get_by_role("link", name="moss", exact=True)).to_have_count(0)


def test_an_upload_is_seen_through_and_a_refusal_told_in_one_s_language(ana: PageVisitor) -> None:
    """An upload shows its state until it is read; why one was refused is said in the page's language (CM-1, SV-6)."""
    page = ana.opens("geology", "files")
    page.get_by_label("Language").select_option("es")
    page.locator("input[type=file]").set_input_files(
        [
            {
                "name": "basalt.md",
                "mimeType": "text/markdown",
                "buffer": b"**Basalt** is a rock of cooled lava.\n",
            },
            {"name": "rows.json", "mimeType": "application/json", "buffer": b'{"rows": [1, 2]}'},
        ]
    )
    expect(page.locator("li", has_text="basalt.md")).to_contain_text("conceptos encontrados: 1")
    refused = page.locator("li", has_text="rows.json")
    expect(refused).to_contain_text("Este tipo de archivo no se lee")
    expect(refused.locator("[lang=en]")).to_contain_text("data in JSON")
    page.locator("li", has_text="basalt.md").locator("summary").click()
    page.get_by_role("link", name="basalt").click()
    expect(page.locator(".chosen")).to_contain_text("cooled lava")
    assert ana.foreign() == []


def test_an_older_page_of_the_wiki_can_be_read(ana: PageVisitor) -> None:
    """A page's history leads to what each revision changed and to the page as it was (WK-4)."""
    page = ana.opens(SUBJECT, "wiki")
    page.locator(".prose a", has_text="osmosis").first.click()
    expect(page.locator(".prose h1")).to_have_text("osmosis")
    now = page.locator(".prose").inner_text()
    page.get_by_text("History", exact=True).click()
    page.get_by_role("button", name="As it was then").last.click()
    expect(page.get_by_role("button", name="As it is now")).to_be_visible()
    assert page.locator(".prose").inner_text() != now
    page.get_by_role("button", name="As it is now").click()
    ana.settled()
    assert page.locator(".prose").inner_text() == now


def test_what_is_not_in_the_wiki_is_said(ana: PageVisitor) -> None:
    """A page or citation that is not there, whatever its address, is said to be missing (WK-3, SV-7)."""
    for path in (
        "knowledge/none.md",
        "../../episodes",
        "knowledge/../../x.md",
        "evidence/episode://none",
        "evidence/x",
    ):
        page = ana.opens(SUBJECT, "wiki", *path.split("/"))
        expect(page.locator(".empty")).to_be_visible()
    assert ana.foreign() == []


def test_a_belief_is_said_in_the_page_s_language(ana: PageVisitor) -> None:
    """What is believed, why and how sure is said in the language chosen, and leads to the records behind it (BE-2)."""
    page = ana.opens(SUBJECT, "beliefs")
    page.get_by_label("Language").select_option("id")
    expect(page.get_by_role("heading", name="memahami osmosis")).to_be_visible()
    card = page.locator("li.card", has=page.get_by_role("heading", name="memahami osmosis"))
    card.locator("[aria-expanded]").click()
    chain = card.locator(".chain")
    expect(chain).to_contain_text("kesulitan dengan osmosis")
    expect(chain).to_contain_text("sebuah pemeriksaan")
    assert chain.get_by_role("link").count() >= 7
    assert re.search("understands|struggles|check", card.inner_text()) is None


def test_the_report_follows_the_language(ana: PageVisitor) -> None:
    """The report is written anew when another language is chosen, and is shown without its markup (SV-6)."""
    page = ana.opens(SUBJECT, "report")
    expect(page.locator(".prose")).to_contain_text("What is believed now")
    page.get_by_label("Language").select_option("es")
    expect(page.locator(".prose")).to_contain_text("creencia", ignore_case=True)
    assert ana.foreign() == []
