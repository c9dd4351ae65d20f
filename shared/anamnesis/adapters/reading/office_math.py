"""Office's formulas (OMML, ISO/IEC 29500-1, part 22) as one line of text."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element

from anamnesis.domain.reading import linear_math as linear


def formula(element: Element) -> str:
    """Return one ``m:oMath`` or ``m:oMathPara`` as a line."""
    parts = (
        [_row(math) for math in element.iter("m.oMath")] if element.tag == "m.oMathPara" else [_row(element)]
    )
    return linear.tidied("; ".join(part for part in parts if part.strip()))


def _row(element: Element | None) -> str:
    if element is None:
        return ""
    return linear.row(_written(child) for child in element)


def _written(element: Element) -> str:
    write = _WRITERS.get(element.tag)
    if write is not None:
        return write(element)
    if element.tag in {"m.t", "w.t"}:
        return linear.symbols(element.text or "")
    if element.tag.endswith("Pr") or element.tag in {"w.del", "w.moveFrom", "w.instrText", "mc.Fallback"}:
        return ""
    return _row(element)


def _part(element: Element, name: str) -> str:
    return _row(element.find(f"m.{name}"))


def _property(element: Element, name: str, default: str = "") -> str:
    """Value of a property of an object; "" where the property is there without a value."""
    found = element.find(f"{element.tag}Pr/m.{name}")
    return default if found is None else found.get("m.val", "")


def _is_on(element: Element, name: str) -> bool:
    found = element.find(f"{element.tag}Pr/m.{name}")
    return found is not None and found.get("m.val", "1") not in {"0", "off", "false"}


def _fraction(element: Element) -> str:
    bar = _property(element, "type") != "noBar"
    return linear.fraction(_part(element, "num"), _part(element, "den"), bar=bar)


def _scripts(element: Element) -> str:
    return linear.scripts(_part(element, "e"), sub=_part(element, "sub"), sup=_part(element, "sup"))


def _scripts_before(element: Element) -> str:
    return linear.scripts("", sub=_part(element, "sub"), sup=_part(element, "sup")) + _part(element, "e")


def _radical(element: Element) -> str:
    degree = "" if _is_on(element, "degHide") else _part(element, "deg")
    return linear.root(_part(element, "e"), degree)


def _nary(element: Element) -> str:
    sub = "" if _is_on(element, "subHide") else _part(element, "sub")
    sup = "" if _is_on(element, "supHide") else _part(element, "sup")
    return linear.operator(_property(element, "chr", "∫"), _part(element, "e"), sub=sub, sup=sup)


def _delimited(element: Element) -> str:
    parts = [_row(part) for part in element.findall("m.e")]
    begin, end = _property(element, "begChr", "("), _property(element, "endChr", ")")
    if len(parts) == 1 and parts[0].startswith("(") and " over " in parts[0] and (begin, end) == ("(", ")"):
        return parts[0]
    return linear.fenced(parts, begin=begin, end=end, separator=_property(element, "sepChr", "|"))


def _limit(element: Element) -> str:
    sides = {"sub": _part(element, "lim")} if element.tag == "m.limLow" else {"sup": _part(element, "lim")}
    return linear.scripts(_part(element, "e"), **sides) + " "


def _function(element: Element) -> str:
    return linear.applied(_part(element, "fName"), _part(element, "e"))


def _accented(element: Element) -> str:
    return linear.accented(_part(element, "e"), _property(element, "chr", "\u0302"))


def _barred(element: Element) -> str:
    return linear.accented(_part(element, "e"), "\u0332" if _property(element, "pos") == "bot" else "\u0304")


def _matrix(element: Element) -> str:
    return linear.matrix([[_row(cell) for cell in row.findall("m.e")] for row in element.findall("m.mr")])


def _array(element: Element) -> str:
    return "; ".join(_row(part).strip() for part in element.findall("m.e"))


def _phantom(element: Element) -> str:
    hidden = _property(element, "show", "1") in {"0", "off", "false"}
    return "" if hidden else _part(element, "e")


def _run(element: Element) -> str:
    return "".join(linear.symbols(part.text or "") for part in element if part.tag in {"m.t", "w.t"})


_WRITERS: dict[str, Callable[[Element], str]] = {
    "m.r": _run,
    "m.f": _fraction,
    "m.sSup": _scripts,
    "m.sSub": _scripts,
    "m.sSubSup": _scripts,
    "m.sPre": _scripts_before,
    "m.rad": _radical,
    "m.nary": _nary,
    "m.d": _delimited,
    "m.limLow": _limit,
    "m.limUpp": _limit,
    "m.func": _function,
    "m.acc": _accented,
    "m.bar": _barred,
    "m.m": _matrix,
    "m.eqArr": _array,
    "m.phant": _phantom,
}
