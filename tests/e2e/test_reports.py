"""A teacher reads a report on the deployed service."""

from __future__ import annotations

import pytest

from anamnesis_tools.api_client import ApiProblem
from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import CELLS, School, check, given

SUBJECT = "biology"


def test_a_teacher_reads_a_report_in_every_form(stack: LocalStack) -> None:
    """Through gateway and function a teacher gets JSON, Markdown and an Arabic page, another student nothing (SV-6)."""
    school = School(stack)
    client, teacher = school.student(), school.teacher("ana")
    given(client, SUBJECT, "cells.md", CELLS)
    client.record(SUBJECT, "a", [check("osmosis", correct=False, at="2026-07-03T09:00:00Z")])
    client.record(SUBJECT, "b", [check("<b>zebras</b>", correct=True, at="2026-07-04T09:00:00Z")])
    path = client.subject(SUBJECT, "report")
    report = teacher.call("GET", path)
    assert report["checks"]["recorded"] == 2
    assert report["checks"]["tied_to_nothing"] >= 1
    assert report["chain"]["verified"] is True
    assert teacher.text(path, {"format": "markdown"}).startswith("# ana · biology")
    page = teacher.text(path, {"format": "html", "lang": "ar"})
    assert page.startswith('<!doctype html>\n<html lang="ar" dir="rtl">')
    assert "<b>zebras" not in page
    assert client.call("GET", path)["checks"] == report["checks"]
    with pytest.raises(ApiProblem, match="403"):
        client.call("GET", path, params={"student": "ben"})
