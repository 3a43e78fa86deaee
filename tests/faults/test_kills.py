"""Nothing lost, nothing doubled, whatever is killed (promises 1 and 2). `make chaos` is the same run, larger."""

import os
import random
from collections import Counter

import pytest

from dev.servers import own_folder
from tests.faults.chaos import run
from tests.faults.people.load import Amount
from tests.faults.troubles.killer import RUNS, amounts

AMOUNT = Amount(activations=24, orders=16, purchases=8, invoice_payments=10, firmware_runs=6)
KILLS_EACH, AT_ONCE = 3, 14


@pytest.mark.whole
@pytest.mark.timeout(600)
async def test_every_run_is_finished_and_every_effect_is_there_once():
    """`FAULT_SEED` repeats a run."""
    seed = int(os.environ.get("FAULT_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"\nseed {seed}", flush=True)
    with own_folder() as folder:
        report = await run(AMOUNT, kills_each=KILLS_EACH, seed=seed, at_once=AT_ONCE, state=folder)
    print("\n".join(report.lines()), flush=True)
    assert report.faults == []
    struck = report.killer.kills + report.killer.found_none
    assert struck == Counter(amounts(KILLS_EACH))
    assert sum(report.killer.kills[name] for name in RUNS) > 0
    assert report.verdict.counts["activation completed"] == AMOUNT.activations
    assert report.verdict.counts["orders confirmed"] > 0
    assert report.verdict.counts["purchases confirmed"] > 0
    assert report.verdict.counts["invoice payments confirmed"] > 0
    charged = AMOUNT.orders + AMOUNT.purchases + AMOUNT.invoice_payments
    assert report.verdict.counts["payments judged"] >= charged
    updated = AMOUNT.activations + AMOUNT.firmware_runs
    assert report.verdict.counts["download_firmware"] >= updated
    assert report.verdict.counts["devices updated"] == AMOUNT.firmware_runs
