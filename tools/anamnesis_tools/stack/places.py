"""Where things are: the checkout, its build folder, and the state of a local stack."""

from __future__ import annotations

from pathlib import Path

#: The checkout this package is installed from (`pip install -e .`).
CHECKOUT = Path(__file__).resolve().parents[3]
TEMPLATE = CHECKOUT / "template.yaml"
BUILD = CHECKOUT / ".build"
DEFAULT_STATE = CHECKOUT / ".anamnesis" / "stack"
