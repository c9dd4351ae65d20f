"""A report on one student in one subject, for a teacher: what is in it, and how it reads in Markdown and HTML.

``composition`` makes a ``Report`` out of what the stores hold; ``layout`` says it in one of five languages as a
``Document``, which knows our words from everybody else's; ``markdown`` and ``html`` write that down.
"""

from __future__ import annotations

from anamnesis.domain.report.values import Report

__all__ = ["Report"]
