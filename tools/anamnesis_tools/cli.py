"""The command `anamnesis`: it assembles the command groups and holds none of them."""

from __future__ import annotations

import importlib
import sys

#: Command → "module:function". A module is imported only when its command is the one called, so that
#: `anamnesis window` starts without boto3 and a broken command breaks itself alone.
COMMANDS: dict[str, str] = {}


def main() -> None:
    """Run the command line."""
    sys.exit(importlib.import_module("anamnesis_tools.stack").__doc__)
