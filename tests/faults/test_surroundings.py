"""What the portal stands on fails, and nothing is lost or doubled (promises 1, 2, 14, 15). `make faults` is the same, larger."""

import os
import random

import pytest

from dev.servers import keep_logs, own_folder
from tests.faults.ground import cannot_move
from tests.faults.surroundings import AMOUNT, KINDS, PRELOADED, run

SECONDS = {"paused": 12.0, "lines": 4.0, "clocks": 6.0, "disk": 6.0}
"""Longer than Temporal waits for a worker that says nothing, where it is paused."""


@pytest.mark.whole
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", KINDS)
async def test_everything_goes_on_by_itself_and_every_effect_is_there_once(kind: str) -> None:
    """`FAULT_SEED` repeats a run."""
    if kind in PRELOADED and (why := cannot_move()):
        pytest.skip(why)
    seed = int(os.environ.get("FAULT_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"\nseed {seed}", flush=True)
    with own_folder() as folder:
        report = await run(kind, AMOUNT, seconds=SECONDS[kind], seed=seed, state=folder)
        if report.faults:
            keep_logs(folder, kind)
    print("\n".join(report.lines()), flush=True)
    assert report.faults == []
    assert report.verdict.counts["activation completed"] == AMOUNT.activations
    assert report.verdict.counts["devices updated"] == AMOUNT.firmware_runs
    assert report.verdict.counts["orders confirmed"] > 0
