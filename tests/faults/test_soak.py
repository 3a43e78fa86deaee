"""What API and worker hold after 300 runs is what they held before (promise 20). `make soak` is the same, for hours."""

import os
import random
from collections import Counter

import pytest

from dev.servers import own_folder
from dev.status import MEGABYTE
from tests.faults.people.driver import Progress
from tests.faults.people.load import Amount
from tests.faults.soak import Held, Report, run

WARM = Amount(activations=8, orders=10, purchases=8, invoice_payments=4, firmware_runs=2)
AMOUNT = Amount(activations=50, orders=80, purchases=60, invoice_payments=30, firmware_runs=30)
"""300 runs: each activation has one of its firmware besides. They take some 400 seconds of CPU, so this is no part of
`make test`."""


def a_report(early: Held, late: Held) -> Report:
    return Report(1, Amount(), 1, {"api": early}, {"api": late}, [], [], Progress())


def test_what_grows_is_a_fault() -> None:
    early = Held(200 * MEGABYTE, Counter({"to PostgreSQL": 8, "files": 40}))
    filled = Held(230 * MEGABYTE, Counter({"to PostgreSQL": 12, "files": 44}))
    assert a_report(early, filled).faults == []
    grown = Held(240 * MEGABYTE, Counter({"to PostgreSQL": 13, "files": 44}))
    memory, connections = a_report(early, grown).faults
    assert memory.startswith("api grew: 200 MB")
    assert connections == "api holds 13 to PostgreSQL, and held 8"


@pytest.mark.whole
@pytest.mark.timeout(2_400)
async def test_300_runs_leave_nothing_behind() -> None:
    seed = int(os.environ.get("FAULT_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"\nseed {seed}", flush=True)
    with own_folder() as folder:
        report = await run(WARM, AMOUNT, over_seconds=0, visitors=4, seed=seed, state=folder)
    print("\n".join(report.lines()), flush=True)
    assert report.faults == []
