"""One logger, one set of metrics and one tracer for every function (SV-15). Logs carry no student text."""

from __future__ import annotations

import warnings

from aws_lambda_powertools import Logger, Metrics, Tracer

# Most requests have no metric of their own, and say so in the log with each one.
warnings.filterwarnings("ignore", message="No application metrics to publish")

logger = Logger()
metrics = Metrics()
tracer = Tracer()
