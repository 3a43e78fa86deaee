"""Many people at once (promises 17, 18 and 20): every answer is right or says when to come back, and the ledgers agree. `make
load` is the same, larger, and judges how long answers take where the machine is one that the goals were set for."""

import os
import random

import pytest

from dev.servers import own_folder
from tests.faults.crowd import Size, run

SIZE = Size(people=30, minutes=0.5, orders_a_minute=12, live=8, burst=24, burst_seconds=6)


@pytest.mark.whole
@pytest.mark.timeout(900)
async def test_whoever_comes_is_answered_and_everything_begun_is_finished() -> None:
    seed = int(os.environ.get("FAULT_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"\nseed {seed}", flush=True)
    with own_folder() as folder:
        report = await run(SIZE, seed=seed, state=folder)
    print("\n".join(report.lines()), flush=True)
    assert report.faults == []
    live, _, burst = report.verdicts
    assert live.counts["activation completed"] == SIZE.live
    assert burst.counts["activation completed"] == SIZE.burst
