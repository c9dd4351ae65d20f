"""One log line a compile, and its metrics: numbers alone (SV-15)."""

from __future__ import annotations

from collections import Counter

from aws_lambda_powertools.metrics import MetricUnit

from anamnesis.bootstrap import CompileReport
from observability import logger, metrics


def log_compile(report: CompileReport, *, message_id: str) -> None:
    """Log what a compile changed, or by which rules a gate refused it; names, paths and texts stay out."""
    metrics.add_metric("WikisRefused", MetricUnit.Count, int(report.refused or bool(report.left_out)))
    metrics.add_metric("WikiPagesChanged", MetricUnit.Count, len(report.written) + len(report.removed))
    rules = Counter(finding.rule.value for finding in (*report.findings, *report.left_out))
    log = logger.error if rules else logger.info
    log(
        "compile",
        extra={
            "message_id": message_id,
            "committed": report.revision is not None,
            "written": len(report.written),
            "removed": len(report.removed),
            "pages": report.pages,
            "held_back": report.held_back,
            "left_out": len({finding.path for finding in report.left_out}),
            "findings": dict(rules),
        },
    )
