"""Whether the time of an answer tells another's id from one that never was: a report, run by hand.

    PYTHONPATH=tests .venv/bin/python tests/benchmarks/timing_of_foreign_ids.py [ROUNDS]

Both kinds are asked for in turn, in random order, over HTTP on the local stack. Printed for each route: both medians,
and how often the foreign one takes longer (0.5: time tells nothing), with a bootstrap interval of 95 %.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import requests

from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import CELLS, School, check, event, given

SUBJECT = "biology"
MISSING = "01K00000000000000000000000"
RESAMPLES = 2_000


def timed(session: requests.Session, url: str) -> float:
    """Milliseconds until the whole answer is there."""
    since = time.perf_counter()
    assert session.get(url, timeout=35).status_code == 404
    return (time.perf_counter() - since) * 1_000


def longer(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """How often a value of `one` lies above one of `other`: Mann and Whitney's U over its largest value."""
    ranks = np.argsort(np.argsort(np.concatenate((one, other)))) + 1
    return float((ranks[: len(one)].sum() - len(one) * (len(one) + 1) / 2) / (len(one) * len(other)))


def main(rounds: int) -> None:
    """Measure and print."""
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder, LocalStack(Path(folder)) as stack:
        owner = School(stack, "V").student("student1")
        given(owner, SUBJECT, "cells.md", CELLS)
        owner.record(SUBJECT, "k", [event("question", "What is osmosis?"), check("osmosis", correct=True)])
        foreign = {
            "files/{}": owner.call("GET", owner.subject(SUBJECT, "files"))["files"][0]["file_id"],
            "beliefs/{}/history": owner.call("GET", owner.subject(SUBJECT, "beliefs"))["beliefs"][0]["id"],
        }
        with requests.Session() as session:
            session.headers["Authorization"] = f"Bearer {stack.token('W', 'student1')}"
            for route, known in foreign.items():
                took: dict[str, list[float]] = {known: [], MISSING: []}
                for number in range(rounds + 10):
                    for one in random.sample(list(took), 2):
                        spent = timed(session, f"{stack.api_url}/v1/subjects/{SUBJECT}/{route.format(one)}")
                        if number >= 10:
                            took[one].append(spent)
                theirs, nobodys = (np.array(took[one]) for one in (known, MISSING))
                resampled = [
                    longer(rng.choice(theirs, len(theirs)), rng.choice(nobodys, len(nobodys)))
                    for _ in range(RESAMPLES)
                ]
                low, high = np.quantile(resampled, [0.025, 0.975])
                sys.stdout.write(
                    f"{route}: foreign {np.median(theirs):.2f} ms, missing {np.median(nobodys):.2f} ms, "
                    f"foreign longer {longer(theirs, nobodys):.3f} ({low:.3f} to {high:.3f}), {rounds} rounds\n"
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
