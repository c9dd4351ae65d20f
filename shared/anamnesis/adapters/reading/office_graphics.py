"""What diagrams and charts of Office files say: SmartArt's points in order, a chart's title, series and categories."""

from __future__ import annotations

from collections import defaultdict
from xml.etree.ElementTree import Element

from anamnesis.adapters.reading.packages import Package, Relation
from anamnesis.domain.reading import markup

#: Rows of a chart's data that are told; more are a measurement and no text.
_MAX_CATEGORIES = 60
#: Points of a diagram that are shapes' presentation or connectors and hold no text of their own.
_SILENT_POINTS = frozenset({"pres", "parTrans", "sibTrans"})


def graphic_blocks(frame: Element, package: Package, relations: dict[str, Relation]) -> list[str]:
    """Blocks of the charts and diagrams that an element refers to.

    Parameters
    ----------
    frame
        An element that holds references (``c:chart``, ``cx:chart``, ``dgm:relIds``) at any depth.
    relations
        Relationships of the part that the element stands in.
    """
    blocks: list[str] = []
    for element in frame.iter():
        is_diagram = element.tag == "dgm.relIds"
        if not is_diagram and element.tag not in {"c.chart", "cx.chart"}:
            continue
        relation = relations.get(element.get("r.dm" if is_diagram else "r.id", ""))
        tree = package.tree_if_any(relation.target if relation else None)
        if tree is not None:
            blocks += diagram_blocks(tree) if is_diagram else chart_blocks(tree)
    return blocks


def chart_blocks(chart: Element) -> list[str]:
    """Title, axes' titles and a table of series by categories."""
    titles = [text for title in chart.iter("c.title") if (text := _drawn(title))]
    titles += [text for title in chart.iter("cx.title") if (text := _drawn(title))]
    series = list(chart.iter("c.ser"))
    names = [_first(_points(one.find("c.tx"))) for one in series]
    labels: dict[int, str] = {}
    for one in series:
        for axis in ("c.cat", "c.xVal"):
            labels = labels or _points(one.find(axis))
    values = [_points(one.find("c.val")) or _points(one.find("c.yVal")) for one in series]
    indexes = sorted(set(labels).union(*values))[:_MAX_CATEGORIES] if series else []
    rows = [[["" if not any(names) else " "], *([name] for name in names)]] if any(names) else []
    rows += [
        [[labels.get(index, str(index + 1))], *([_number(column.get(index, ""))] for column in values)]
        for index in indexes
    ]
    extended = [point.text for point in chart.iter("cx.pt") if point.text and not _is_number(point.text)]
    told = [markup.paragraph(". ".join(dict.fromkeys(titles)))] if titles else []
    told += markup.table(rows)
    told += [markup.paragraph(", ".join(extended[:_MAX_CATEGORIES]))] if extended else []
    return told


def diagram_blocks(data: Element) -> list[str]:
    """SmartArt's points as a list, children below their parents."""
    texts: dict[str, str] = {}
    for point in data.iter("dgm.pt"):
        if point.get("type", "node") not in _SILENT_POINTS:
            texts[point.get("modelId", "")] = _drawn(point)
    children: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    below: set[str] = set()
    for link in data.iter("dgm.cxn"):
        source, target = link.get("srcId", ""), link.get("destId", "")
        if link.get("type", "parOf") == "parOf" and source in texts and target in texts:
            order = link.get("srcOrd", "0")
            children[source].append((int(order) if order.isdecimal() else 0, target))
            below.add(target)
    blocks: list[str] = []
    seen: set[str] = set()
    # Roots first, then whatever a circle of links keeps from being reached.
    waiting = [(0, name) for name in reversed(list(texts)) if name in below]
    waiting += [(0, name) for name in reversed(list(texts)) if name not in below]
    while waiting:
        level, name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if texts[name]:
            blocks.append(markup.item(texts[name], level=min(level, 6)))
        deeper = level + 1 if texts[name] else level
        waiting += [(deeper, child) for _, child in sorted(children[name], reverse=True)]
    return blocks


def _drawn(element: Element) -> str:
    """Text of DrawingML below an element, its paragraphs joined by spaces."""
    paragraphs = ("".join(run.text or "" for run in p.iter("a.t")) for p in element.iter("a.p"))
    text = " ".join(paragraph.strip() for paragraph in paragraphs if paragraph.strip())
    cached = "" if text else " ".join(value.text or "" for value in element.iter("c.v"))
    return text or cached.strip()


def _points(element: Element | None) -> dict[int, str]:
    if element is None:
        return {}
    # Several levels of categories: the innermost comes first and names the points.
    level = element.find(".//c.lvl")
    held = element if level is None else level
    points = {}
    for point in held.iter("c.pt"):
        index, value = point.get("idx", ""), point.find("c.v")
        if index.isdecimal() and value is not None and value.text:
            points[int(index)] = value.text.strip()
    if not points:
        value = element.find("c.v")
        if value is not None and value.text:
            points[0] = value.text.strip()
    return points


def _first(points: dict[int, str]) -> str:
    return points[min(points)] if points else ""


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _number(text: str) -> str:
    return f"{float(text):.6g}" if _is_number(text) else text
