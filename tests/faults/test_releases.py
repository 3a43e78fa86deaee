"""A release beside another one under load, put in its place, and taken back: nothing lost, failed or doubled (decision 73)."""

import asyncio
import os
import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from temporalio.client import Client

from db.demo.people import PEOPLE
from dev import ports
from dev.commands import run_set_up
from dev.servers import own_folder
from dev.stack import Stack
from tests.drivers.until import until
from tests.faults.buyers import STEPS_EACH as STEPS_OF_AN_ORDER
from tests.faults.buyers import Buyer, buyers
from tests.faults.chaos import INSTALLERS, SHORT, STEPS_EACH, devices
from tests.faults.driver import Browser, Installer, Progress, Stuck
from tests.faults.judge import Verdict, judge, known_before, rows_of
from tests.faults.judge_orders import judge_orders
from tests.faults.judge_purchases import judge_purchases
from tests.faults.plan_buyers import STEPS_EACH as STEPS_OF_A_PURCHASE
from tests.faults.plan_buyers import PlanBuyer
from tests.faults.two_releases import beside, environment_of, make_tree
from workers.release.deployment import Deployment
from workflows.client import connect

FIRST, SECOND = "first", "second"
ACTIVATIONS, BUYERS, ORDERS_EACH, PURCHASES_EACH, AT_ONCE = 16, 8, 3, 1, 14
RELEASED_AT, TAKEN_BACK_AT = 0.25, 0.55
"""Of all steps: when the second release is made the current, and when the first is again."""
TAKES_ITS_PLACE = "python -m workers.release current 3"


@dataclass
class Load:
    """Everybody at work: half of them in front of each release's API."""

    seed: int
    running: Stack
    other_url: str
    progress: Progress = field(default_factory=Progress)
    browsers: list[Browser] = field(default_factory=list[Browser])
    shopping: list[Buyer] = field(default_factory=list[Buyer])
    subscribing: list[PlanBuyer] = field(default_factory=list[PlanBuyer])
    before: frozenset[str] = frozenset()

    @property
    def steps(self) -> int:
        each = ORDERS_EACH * STEPS_OF_AN_ORDER + PURCHASES_EACH * STEPS_OF_A_PURCHASE
        return ACTIVATIONS * STEPS_EACH + BUYERS * each

    async def prepare(self) -> None:
        self.before = await known_before(self.running.database_url)
        emails = [person.email for person in PEOPLE if person.id in INSTALLERS]
        self.browsers = [self._browser(n, email) for n, email in enumerate(emails)]
        for n, one in enumerate(await buyers(self.running.database_url, BUYERS)):
            browser = self._browser(n, one.shop.buyer.email)
            self.browsers.append(browser)
            self.shopping.append(Buyer(browser, one, self.progress, f"{self.seed} {n}"))
            self.subscribing.append(
                PlanBuyer(
                    browser,
                    one,
                    self.progress,
                    number=n,
                    seed=self.seed,
                    simulators_url=self.running.simulators_url,
                )
            )
        for browser in self.browsers:
            await browser.sign_in()

    async def carry_out(self) -> None:
        places = asyncio.Semaphore(AT_ONCE)

        async def one(work: Installer | Buyer | PlanBuyer) -> None:
            async with places:
                try:
                    match work:
                        case Installer():
                            await work.activate()
                        case Buyer():
                            await work.order()
                        case PlanBuyer():
                            await work.buy()
                except Stuck as stuck:
                    self.progress.broken.append(str(stuck))

        async def again(work: Buyer | PlanBuyer, times: int) -> None:
            for _ in range(times):
                await one(work)

        installers = [
            Installer(self.browsers[n % len(INSTALLERS)], key, self.progress)
            for n, key in enumerate(devices(self.seed, ACTIVATIONS))
        ]
        await asyncio.gather(
            *(one(installer) for installer in installers),
            *(again(buyer, ORDERS_EACH) for buyer in self.shopping),
            *(again(buyer, PURCHASES_EACH) for buyer in self.subscribing),
        )
        await self.progress.finish()

    def leave_the_second(self) -> None:
        """Its API is going: whoever was there goes on at the first."""
        for browser in self.browsers:
            browser.go_to(self.running.portal_url)

    async def close(self) -> None:
        for browser in self.browsers:
            await browser.close()

    def _browser(self, number: int, email: str) -> Browser:
        url = self.other_url if number % 2 else self.running.portal_url
        return Browser(url, email, self.progress)


async def release_and_take_back(load: Load, tree: Path, temporal: Client) -> list[str]:
    """What was said of it."""
    running, progress = load.running, load.progress
    first, second = running.environment, environment_of(running, tree, SECOND)
    said = list[str]()
    assert await progress.reached(round(load.steps * RELEASED_AT))
    said.append(await asyncio.to_thread(run_set_up, TAKES_ITS_PLACE, second, tree))
    assert await progress.reached(round(load.steps * TAKEN_BACK_AT))
    said.append(await asyncio.to_thread(run_set_up, TAKES_ITS_PLACE, first))
    load.leave_the_second()
    await until_drained(temporal)
    return said


async def until_drained(temporal: Client) -> None:
    """Nothing is under way that only the second release can carry on."""

    async def is_drained() -> bool:
        runs = Deployment(temporal, "portal").runs_of(SECOND)
        return (await temporal.count_workflows(runs)).count == 0

    await until(is_drained, within=240)


async def judged(load: Load, temporal: Client) -> Verdict:
    running = load.running
    url, database_url = running.simulators_url, running.database_url
    verdict = await judge(
        devices(load.seed, ACTIVATIONS),
        device_cloud_url=f"{url}/device-cloud",
        database_url=database_url,
        temporal=temporal,
        before=load.before,
    )
    await judge_orders(
        verdict,
        [token for buyer in load.shopping for token in buyer.tokens],
        simulators_url=url,
        database_url=database_url,
        temporal=temporal,
        before=load.before,
    )
    await judge_purchases(
        verdict,
        [uuid for buyer in load.subscribing for uuid in buyer.uuids],
        simulators_url=url,
        database_url=database_url,
    )
    return verdict


async def until_it_goes_round(temporal: Client, release: str) -> None:
    """The reconciler and the feed are this release's again, well before their runs would have ended."""

    async def goes_round() -> bool:
        running = await temporal.count_workflows(
            "WorkflowType IN ('Reconciler', 'ErpFeed') AND ExecutionStatus = 'Running'"
            f" AND TemporalWorkerDeploymentVersion = 'portal:{release}'"
        )
        return running.count == 2

    await until(goes_round, within=120)


@pytest.mark.whole
@pytest.mark.timeout(900)
async def test_a_release_that_is_taken_back_under_load_loses_doubles_and_fails_nothing():
    """`FAULT_SEED` repeats who does what."""
    seed = int(os.environ.get("FAULT_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"\nseed {seed}", flush=True)
    with own_folder() as folder:
        other = ports.free()
        running = Stack(folder, ports.free(), environment={**SHORT, "RELEASE": FIRST})
        tree = make_tree(folder / SECOND)
        try:
            await asyncio.to_thread(running.start_servers)
            await asyncio.to_thread(running.start_processes)
            await asyncio.to_thread(run_set_up, TAKES_ITS_PLACE, running.environment)
            temporal = await connect(running.temporal_address)
            load = Load(seed, running, f"http://localhost:{other.portal}")
            address = {"API_PORT": str(other.portal), "PORTAL_URL": load.other_url}
            with beside(running, tree, "worker", SECOND):
                with beside(running, tree, "api", SECOND, **address):
                    await load.prepare()
                    work = asyncio.create_task(load.carry_out())
                    said = await release_and_take_back(load, tree, temporal)
                # What its API began last of all.
                await until_drained(temporal)
            await work
            await until_it_goes_round(temporal, FIRST)
            verdict = await judged(load, temporal)
            (weighed,) = await rows_of(
                running.database_url,
                "select count(*) as n from transition where event = 'WEIGHED'",
            )
        finally:
            await asyncio.to_thread(running.stop)
    print("\n".join(said), dict(load.progress.answers), dict(verdict.counts), flush=True)
    assert load.progress.broken == []
    assert verdict.faults == []
    assert verdict.counts["activation completed"] == ACTIVATIONS
    assert verdict.counts["orders confirmed"] > 0
    assert verdict.counts["purchases confirmed"] > 0
    assert weighed["n"] > 0
    assert all("runs were taken over" in told for told in said)
