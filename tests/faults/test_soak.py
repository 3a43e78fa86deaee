"""What API and worker hold after 300 runs is what they held before (promise 20). `make soak` is the same, for hours."""

import os
import random

import pytest

from dev.servers import own_folder
from tests.faults.load import Amount
from tests.faults.soak import run

WARM = Amount(activations=8, orders=10, purchases=8, invoice_payments=4, firmware_runs=2)
AMOUNT = Amount(activations=50, orders=80, purchases=60, invoice_payments=30, firmware_runs=30)
"""300 runs: each activation has one of its firmware besides. They take some 400 seconds of CPU, so this is no part of
`make test`."""


@pytest.mark.whole
@pytest.mark.timeout(2_400)
async def test_300_runs_leave_nothing_behind() -> None:
    seed = int(os.environ.get("FAULT_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"\nseed {seed}", flush=True)
    with own_folder() as folder:
        report = await run(WARM, AMOUNT, over_seconds=0, visitors=4, seed=seed, state=folder)
    print("\n".join(report.lines()), flush=True)
    assert report.faults == []
