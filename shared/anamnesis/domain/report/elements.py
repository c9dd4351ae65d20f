"""HTML as a tree that writes itself, so that text and attributes cannot be anything else."""

from __future__ import annotations

import xml.etree.ElementTree as ET

Child = ET.Element | str | None


def element(tag: str, *children: Child, **attributes: str | float | None) -> ET.Element:
    """An element with its children; names of attributes lose an underscore at the end and others become hyphens.

    Attributes that are None are left out, children likewise.
    """
    made = ET.Element(tag)
    for name, value in attributes.items():
        if value is not None:
            text = f"{value:g}" if isinstance(value, float) else str(value)
            made.set(_SPELLED.get(name, name.rstrip("_").replace("_", "-")), text)
    for child in children:
        if isinstance(child, str):
            if len(made):
                made[-1].tail = (made[-1].tail or "") + child
            else:
                made.text = (made.text or "") + child
        elif child is not None:
            made.append(child)
    return made


#: Attributes of SVG whose names have capitals.
_SPELLED = {"view_box": "viewBox"}


def written(root: ET.Element) -> str:
    """The HTML of a tree."""
    return ET.tostring(root, encoding="unicode", method="html")
