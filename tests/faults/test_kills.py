"""Nothing lost, nothing doubled, whatever is killed (promises 1 and 2). `make chaos` is the same run, larger."""

import os
import random

import pytest

from dev.servers import own_folder
from tests.faults.chaos import run

ACTIVATIONS, ORDERS, PURCHASES, INVOICE_PAYMENTS, KILLS_EACH, AT_ONCE = 24, 16, 8, 10, 3, 14


@pytest.mark.whole
@pytest.mark.timeout(600)
async def test_every_run_is_finished_and_every_effect_is_there_once():
    """`FAULT_SEED` repeats a run."""
    seed = int(os.environ.get("FAULT_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"\nseed {seed}", flush=True)
    with own_folder() as folder:
        report = await run(
            activations=ACTIVATIONS,
            orders=ORDERS,
            purchases=PURCHASES,
            invoice_payments=INVOICE_PAYMENTS,
            kills_each=KILLS_EACH,
            seed=seed,
            at_once=AT_ONCE,
            state=folder,
        )
    print("\n".join(report.lines()), flush=True)
    assert report.faults == []
    assert set(report.killer.kills.values()) == {KILLS_EACH}
    assert report.verdict.counts["activation completed"] == ACTIVATIONS
    assert report.verdict.counts["orders confirmed"] > 0
    assert report.verdict.counts["purchases confirmed"] > 0
    assert report.verdict.counts["invoice payments confirmed"] > 0
    assert report.verdict.counts["payments judged"] >= ORDERS + PURCHASES + INVOICE_PAYMENTS
    assert report.verdict.counts["download_firmware"] >= ACTIVATIONS
