"""The map of a large subject, in a real browser."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from support.browser import SUBJECT
from support.page_in_process import PageVisitor


def test_a_map_of_three_hundred_concepts_is_readable(ana: PageVisitor) -> None:
    """No label of a large map stands on another, all of it fits, and a concept is found by name (CM-5)."""
    concepts, layers = made_up(300)
    ana.made["GET .*/map"] = lambda _: {"concepts": concepts, "cursor": None}
    ana.made["GET .*/teaching-order"] = lambda _: {"layers": layers}
    page = ana.opens(SUBJECT, "map")
    page.get_by_role("button", name="Graph").click()
    assert page.locator(".dot").count() == 300
    assert page.locator(".band").count() == len(layers)
    assert page.evaluate(OVERLAPPING) == []
    page.get_by_role("button", name="Whole map").click()
    frame = "document.querySelector('.graph')"
    assert page.evaluate(f"{frame}.scrollWidth - {frame}.clientWidth") <= 1
    ana.keeps("map-300")
    page.get_by_label("Find a concept").fill("concept 123")
    expect(page.get_by_text("1 of 300 concepts")).to_be_visible()
    expect(page.locator(".dot:not(.dim)")).to_have_count(1)
    page.get_by_role("button", name="List").click()
    page.get_by_role("link", name="Concept 123", exact=False).click()
    expect(page.locator(".chosen h2")).to_contain_text("Concept 123")
    assert ana.overflow() == 0


def made_up(count: int) -> tuple[list[dict[str, Any]], list[list[str]]]:
    """Concepts in four layers, the first of which holds half of them; each builds on two of the layer before."""
    shares = (count // 2, count // 4, count // 6)
    sizes = (*shares, count - sum(shares))
    layers, concepts, before = [], [], []
    for size in sizes:
        layer = [f"concept {len(concepts) + n} with a name of its own" for n in range(size)]
        for n, key in enumerate(layer):
            on = [before[n * 7 % len(before)], before[(n * 13 + 1) % len(before)]] if before else []
            concepts.append(
                {
                    "key": key,
                    "name": key.capitalize(),
                    "aliases": [],
                    "gist": f"What {key} is.",
                    "definition": "",
                    "builds_on": sorted(set(on)),
                    "assumed": [],
                    "readiness": n % 10 / 10,
                    "centrality": 1 / (n + 1),
                    "sources": [{"file_id": "f", "pages": [1, 2, 3, 9]}],
                    "taught": ["Mine."] if n % 9 == 0 else [],
                    "taught_superseded": [],
                }
            )
        layers.append(layer)
        before = layer
    return concepts, layers


#: Pairs of labels that stand on each other.
OVERLAPPING = """() => {
  const boxes = [...document.querySelectorAll('.dot text')].map(e => [e.textContent, e.getBBox()]);
  return boxes.flatMap(([name, a], i) => boxes.slice(i + 1).filter(([, b]) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y + 2 < b.y + b.height && b.y + 2 < a.y + a.height)
    .map(([other]) => `${name} / ${other}`));
}"""
