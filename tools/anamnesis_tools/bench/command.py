"""`anamnesis bench`: every evaluation as a command of its own, and all of them in a row."""

from __future__ import annotations

import typer

from anamnesis_tools.bench.beliefs.commands import calibration, teachings, topics
from anamnesis_tools.bench.costs.commands import (
    appends,
    latency,
    long_files,
    maps,
    model_reading,
    neighbours,
    nights,
)
from anamnesis_tools.bench.designs.commands import ablation, designs
from anamnesis_tools.bench.files.commands import (
    concept_names,
    concepts,
    homonyms,
    letters,
    prerequisites,
    reading,
    term_lists,
)
from anamnesis_tools.bench.grounding.commands import grounding
from anamnesis_tools.bench.improvements.commands import Keep, compare, plots
from anamnesis_tools.bench.recall.commands import (
    common_directions,
    fit_recall,
    locomo,
    longmemeval,
    named_speakers,
    talks,
    time_expressions,
    turns,
)
from anamnesis_tools.bench.replays.command import replay
from anamnesis_tools.bench.scenarios.command import scenarios
from anamnesis_tools.bench.wiki.commands import currency, wiki, wiki_git, wiki_model, wiki_use

#: In the order of the help.
COMMANDS = (
    scenarios,
    replay,
    designs,
    ablation,
    compare,
    plots,
    latency,
    locomo,
    longmemeval,
    wiki_use,
    currency,
    fit_recall,
    talks,
    turns,
    named_speakers,
    common_directions,
    appends,
    nights,
    neighbours,
    concepts,
    term_lists,
    prerequisites,
    model_reading,
    maps,
    long_files,
    concept_names,
    homonyms,
    calibration,
    grounding,
    reading,
    letters,
    topics,
    teachings,
    wiki,
    wiki_model,
    wiki_git,
)

app = typer.Typer(add_completion=False, no_args_is_help=True, help="The evaluations.")
for command in COMMANDS:
    app.command()(command)
app.command("time")(time_expressions)


@app.command("all")
def everything(keep: Keep = False) -> None:
    """Run the evaluations that need no data of others, with their defaults: latency, appends, maps and long files."""
    latency(keep=keep)
    appends()
    maps()
    long_files()
