"""`anamnesis bench compare` and `anamnesis bench plots`: what is kept of evaluations (EV-6)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

errors = Console(stderr=True)

Keep = Annotated[bool, typer.Option("--keep", help="Keep the result among the tree's own")]
"""Option of evaluations whose results are kept."""


class ResultKeeper:
    """Keeps a result among the tree's own if that is asked for, and says where.

    Make it before measuring: the tree may have changed when the figures are there.
    """

    def __init__(self, kind: str, *, keep: bool) -> None:
        from anamnesis_tools.bench.improvements.record import measured_commit

        self._kind = kind
        self._commit = measured_commit() if keep else ""

    def __call__(self, figures: Any, *, data_sha256: str = "", note: str = "", seconds: float = 0.0) -> None:
        """Keep the figures."""
        from anamnesis_tools.bench.improvements.record import kept, save

        if self._commit:
            made = kept(
                self._kind,
                figures,
                commit=self._commit,
                note=note,
                data_sha256=data_sha256,
                seconds=seconds,
            )
            errors.print(f"Kept: {save(made)}")


def compare(
    first: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Kept result, the earlier one")],
    second: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Kept result, the later one")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs")] = False,
) -> None:
    """Which differences of two kept results exceed noise; pairwise where the questions are the same (EV-6)."""
    from anamnesis_tools.bench.improvements.comparing import compared, shown
    from anamnesis_tools.bench.improvements.record import load

    try:
        before, after = load(first), load(second)
        found = compared(before, after)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    shown(found, before, after, as_json=as_json)


def plots(
    folder: Annotated[
        Path | None,
        typer.Argument(exists=True, file_okay=False, help="Kept results; the tree's own by default"),
    ] = None,
) -> None:
    """Draw the charts of the latest kept results, beside them (EV-3, EV-4, EV-7)."""
    from anamnesis_tools.bench.improvements.plots import plotted
    from anamnesis_tools.bench.improvements.record import RESULTS

    for path in plotted(folder or RESULTS):
        typer.echo(path)
