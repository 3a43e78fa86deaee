"""The fault run: activations with firmware updates, orders, and purchases of plans, while everything is killed (promise 1).

`python -m tests.faults.chaos` takes 200, 200, 100 and 60 kills; the test beside it takes 24, 16, 8 and 12. Both print
their seed; `--seed` repeats the order of the kills, their marks and the devices, though not the machine's timing.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from db.demo.people import PEOPLE
from dev import ports
from dev.servers import own_folder
from dev.stack import Stack
from tests.faults import buyers, plan_buyers
from tests.faults.buyers import Buyer
from tests.faults.driver import Browser, Installer, Progress, Stuck
from tests.faults.judge import Verdict, judge, seeded
from tests.faults.judge_orders import judge_orders
from tests.faults.judge_purchases import judge_purchases
from tests.faults.killer import Killer, strikes
from tests.faults.plan_buyers import PlanBuyer
from workflows.client import connect

INSTALLERS = ("olivia", "ivan", "chloe", "marcus")
PRODUCTS = ("FT-X1", "FT-X1MAX", "FT-X2", "DR5400")
TRAITS = ("010", "010", "030", "040", "013", "033", "014", "015", "017", "018")
"""First digits of the devices: firmware waits on all; some lose replies, repeat or mix up logs, fail twice."""

BUYERS = 20
"""They order one cart after another."""

STEPS_EACH = 8
"""How often a person acts in one activation at least: seven steps and one test command."""

SHORT = {
    "POLICY_ACTIVATION": json.dumps({"command": "PT8S"}),
    "POLICY_FIRMWARE": json.dumps(
        {
            "attempts": 6,
            "waits": ["PT1S"],
            "download": "PT20S",
            "update": "PT20S",
            "offline_poll": "PT2S",
            "failed": "PT2S",
        }
    ),
    "POLICY_PURCHASE": json.dumps({"look": "PT2S"}),
    "POLICY_PLACEMENT": json.dumps({"slowest": "PT2S", "poll": "PT2S"}),
    "SIMULATORS_LATENCY": "0.1-0.8",
}
"""Every wait of the flows, short enough for a run of minutes."""


@dataclass
class Report:
    """One fault run in numbers."""

    seed: int
    activations: int
    orders: int
    purchases: int
    planned: int
    seconds: float
    progress: Progress
    killer: Killer
    verdict: Verdict

    @property
    def faults(self) -> list[str]:
        alone = [f"{who} stopped by itself" for who in self.killer.died_alone]
        short = self.planned - self.killer.kills.total()
        missed = [f"{short} kills came too late to be carried out"] if short else []
        return [*self.progress.broken, *alone, *missed, *self.verdict.faults]

    def lines(self) -> list[str]:
        return [
            f"seed {self.seed}: {self.activations} activations, {self.orders} orders, {self.purchases} purchases,"
            f" {self.killer.kills.total()} kills, {self.progress.steps} steps in {self.seconds:.0f} s",
            f"kills: {_listed(self.killer.kills)}",
            f"answers: {_listed(self.progress.answers)}",
            f"judged: {_listed(self.verdict.counts)}",
            *(f"FAULT {fault}" for fault in self.faults[:50]),
            f"{len(self.faults)} faults",
        ]


async def run(
    *,
    activations: int,
    orders: int,
    purchases: int,
    kills_each: int,
    seed: int,
    at_once: int,
    state: Path,
) -> Report:
    """Starts a portal of its own in `state`, and judges it when all is over."""
    running = Stack(state, ports.free(), environment=SHORT)
    try:
        await asyncio.to_thread(running.start_servers)
        await asyncio.to_thread(running.start_processes)
        return await _run_on(running, activations, orders, purchases, kills_each, seed, at_once)
    finally:
        await asyncio.to_thread(running.stop)


async def _run_on(
    running: Stack,
    activations: int,
    orders: int,
    purchases: int,
    kills_each: int,
    seed: int,
    at_once: int,
) -> Report:
    begun, progress = time.monotonic(), Progress()
    apart = await seeded(running.database_url)
    killer = Killer(running, progress)
    emails = [person.email for person in PEOPLE if person.id in INSTALLERS]
    browsers = [Browser(running.portal_url, email, progress) for email in emails]
    device_keys = devices(seed, activations)
    steps = activations * STEPS_EACH + orders * buyers.STEPS_EACH
    steps += purchases * plan_buyers.STEPS_EACH
    planned = strikes(seed, kills_each, steps)
    buying = await buyers.buyers(running.database_url, min(max(orders, purchases), BUYERS))
    shopping = [
        Buyer(
            Browser(running.portal_url, one.shop.buyer.email, progress),
            one,
            progress,
            f"{seed} {n}",
        )
        for n, one in enumerate(buying)
    ]
    subscribing = [
        PlanBuyer(
            shopping[n].browser,
            one,
            progress,
            number=n,
            seed=seed,
            simulators_url=running.simulators_url,
        )
        for n, one in enumerate(buying)
    ]
    places = asyncio.Semaphore(at_once)

    async def one(number: int, device_key: str) -> None:
        async with places:
            try:
                await Installer(browsers[number % len(browsers)], device_key, progress).activate()
            except Stuck as stuck:
                progress.broken.append(str(stuck))

    async def shop(number: int, buyer: Buyer) -> None:
        for _ in range(number, orders, len(shopping)):
            async with places:
                try:
                    await buyer.order()
                except Stuck as stuck:
                    progress.broken.append(str(stuck))

    async def subscribe(number: int, buyer: PlanBuyer) -> None:
        for _ in range(number, purchases, len(subscribing)):
            async with places:
                try:
                    await buyer.buy()
                except Stuck as stuck:
                    progress.broken.append(str(stuck))

    everybody = [*browsers, *(buyer.browser for buyer in shopping)]
    try:
        for browser in everybody:
            await browser.sign_in()
        async with asyncio.TaskGroup() as tasks:
            work = [tasks.create_task(one(n, key)) for n, key in enumerate(device_keys)]
            work += [tasks.create_task(shop(n, buyer)) for n, buyer in enumerate(shopping)]
            work += [tasks.create_task(subscribe(n, one)) for n, one in enumerate(subscribing)]
            tasks.create_task(killer.carry_out(planned))
            await asyncio.wait(work)
            await progress.finish()
    finally:
        for browser in everybody:
            await browser.close()
    await asyncio.to_thread(running.wait_ready)
    killer.note_the_dead()
    temporal = await connect(running.temporal_address)
    verdict = await judge(
        device_keys,
        device_cloud_url=f"{running.simulators_url}/device-cloud",
        database_url=running.database_url,
        temporal=temporal,
        apart=apart,
    )
    await judge_orders(
        verdict,
        [token for buyer in shopping for token in buyer.tokens],
        simulators_url=running.simulators_url,
        database_url=running.database_url,
        temporal=temporal,
        apart=apart,
    )
    await judge_purchases(
        verdict,
        [uuid for buyer in subscribing for uuid in buyer.uuids],
        simulators_url=running.simulators_url,
        database_url=running.database_url,
    )
    seconds = time.monotonic() - begun
    return Report(
        seed, activations, orders, purchases, len(planned), seconds, progress, killer, verdict
    )


def devices(seed: int, count: int) -> list[str]:
    """Different devices, all with firmware waiting."""
    rng = random.Random(seed)
    serials = rng.sample(range(100_000), count)
    return [f"{rng.choice(PRODUCTS)}-{rng.choice(TRAITS)}{serial:05d}" for serial in serials]


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.chaos", description=__doc__)
    parser.add_argument("--activations", type=int, default=200)
    parser.add_argument("--orders", type=int, default=200)
    parser.add_argument("--purchases", type=int, default=100)
    parser.add_argument("--kills", type=int, default=60, help="of all four processes together")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--at-once", type=int, default=16)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with own_folder() as folder:
        report = asyncio.run(
            run(
                activations=options.activations,
                orders=options.orders,
                purchases=options.purchases,
                kills_each=options.kills // 4,
                seed=options.seed,
                at_once=options.at_once,
                state=folder,
            )
        )
        print("\n".join(report.lines()), flush=True)
    sys.exit(bool(report.faults))


if __name__ == "__main__":
    main()
