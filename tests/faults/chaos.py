"""The fault run: activations with firmware updates, firmware runs of their own, orders, purchases of plans, and payments of
invoices with chargebacks and the cases that come of them, while everything is killed, hangs, is terminated or away (promise 1).

`python -m tests.faults.chaos` takes 200, 50, 200, 100, 100 and 100 kills, for each of `--seeds`; the test beside it takes
less. Each prints its seed; `--seed` repeats the order of the kills, their marks and the devices, though not the machine's
timing.
"""

import argparse
import asyncio
import random
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from dev import ports
from dev.places import make_state_dir
from dev.servers import own_folder
from dev.stack import Stack
from tests.faults.judges.judge import Verdict
from tests.faults.people.driver import Progress
from tests.faults.people.load import SHORT, Amount, Load, judged, listed
from tests.faults.troubles.killer import VICTIMS, Killer, strikes
from workflows.client import connect


@dataclass
class Report:
    """One fault run in numbers."""

    seed: int
    amount: Amount
    planned: int
    seconds: float
    progress: Progress
    killer: Killer
    verdict: Verdict

    @property
    def faults(self) -> list[str]:
        alone = [f"{who} stopped by itself" for who in self.killer.died_alone]
        short = self.planned - self.killer.kills.total() - self.killer.found_none.total()
        missed = [f"{short} strikes came too late to be carried out"] if short else []
        return [*self.progress.broken, *alone, *missed, *self.verdict.faults]

    def lines(self) -> list[str]:
        return [
            f"seed {self.seed}: {self.amount.line()}, {self.killer.kills.total()} strikes,"
            f" {self.progress.steps} steps in {self.seconds:.0f} s",
            f"strikes: {listed(self.killer.kills)}",
            f"found nothing to terminate: {listed(self.killer.found_none)}",
            f"answers: {listed(self.progress.answers)}",
            f"judged: {listed(self.verdict.counts)}",
            *(f"FAULT {fault}" for fault in self.faults[:50]),
            f"{len(self.faults)} faults",
        ]


async def run(amount: Amount, *, kills_each: int, seed: int, at_once: int, state: Path) -> Report:
    """Starts a portal of its own in `state`, and judges it when all is over."""
    running = Stack(state, ports.free(), environment=SHORT)
    try:
        await asyncio.to_thread(running.start_servers)
        await asyncio.to_thread(running.start_processes)
        return await _run_on(running, amount, kills_each, seed, at_once)
    finally:
        await asyncio.to_thread(running.stop)


async def _run_on(
    running: Stack, amount: Amount, kills_each: int, seed: int, at_once: int
) -> Report:
    begun = time.monotonic()
    load = Load(seed, running, (running.portal_url,), amount, at_once=at_once)
    killer = Killer(running, load.progress, load.terminated)
    planned = strikes(seed, kills_each, load.steps)
    try:
        await load.prepare()
        killer.before = load.before
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(killer.carry_out(planned))
            await load.carry_out()
        await asyncio.to_thread(running.wait_ready)
        killer.note_the_dead()
        verdict = await judged(load, await connect(running.temporal_address))
    finally:
        await load.close()
    return Report(
        seed=seed,
        amount=amount,
        planned=len(planned),
        seconds=time.monotonic() - begun,
        progress=load.progress,
        killer=killer,
        verdict=verdict,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.chaos", description=__doc__)
    parser.add_argument("--activations", type=int, default=200)
    parser.add_argument("--orders", type=int, default=200)
    parser.add_argument("--purchases", type=int, default=100)
    parser.add_argument("--invoice-payments", type=int, default=100)
    parser.add_argument("--firmware-runs", type=int, default=50)
    parser.add_argument("--kills", type=int, default=100, help="of all four processes together")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--seeds", type=int, default=1, help="runs, of this seed and the next ones")
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--keep", type=Path, help="where the state of a run with faults is left")
    options = parser.parse_args()
    amount = Amount(
        activations=options.activations,
        orders=options.orders,
        purchases=options.purchases,
        invoice_payments=options.invoice_payments,
        firmware_runs=options.firmware_runs,
    )
    faults = 0
    for seed in range(options.seed, options.seed + options.seeds):
        print(f"seed {seed}: {amount.line()}, {options.kills} kills", flush=True)
        with own_folder() as folder:
            report = asyncio.run(
                run(
                    amount,
                    kills_each=options.kills // len(VICTIMS),
                    seed=seed,
                    at_once=options.at_once,
                    state=folder,
                )
            )
            if report.faults and options.keep:
                for one in folder.iterdir():
                    shutil.move(one, make_state_dir(options.keep / str(seed)))
        print("\n".join(report.lines()), flush=True)
        faults += len(report.faults)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
