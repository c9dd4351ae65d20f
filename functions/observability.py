"""One logger, one set of metrics and one tracer for every function (SV-15). Logs carry no student text."""

from __future__ import annotations

from aws_lambda_powertools import Logger, Metrics, Tracer

logger = Logger()
metrics = Metrics()
tracer = Tracer()
