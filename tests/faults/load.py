"""Everybody at work at once: installers, buyers of devices and of plans, and the judge of what came of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from temporalio.client import Client

from db.demo.people import PEOPLE
from dev.stack import Stack
from tests.faults.buyers import STEPS_EACH as STEPS_OF_AN_ORDER
from tests.faults.buyers import Buyer, buyers
from tests.faults.chaos import INSTALLERS, STEPS_EACH, devices
from tests.faults.driver import Browser, Installer, Progress, Stuck
from tests.faults.judge import Verdict, judge, known_before
from tests.faults.judge_money import calm
from tests.faults.judge_orders import judge_orders
from tests.faults.judge_purchases import judge_purchases
from tests.faults.plan_buyers import STEPS_EACH as STEPS_OF_A_PURCHASE
from tests.faults.plan_buyers import PlanBuyer


@dataclass
class Load:
    """Everybody at work at once, in front of each of the addresses in turn."""

    seed: int
    running: Stack
    urls: Sequence[str]
    activations: int
    buyers: int
    orders_each: int
    purchases_each: int
    at_once: int
    first_buyer: int = 0
    """Keeps the devices of several loads in front of one portal apart."""
    progress: Progress = field(default_factory=Progress)
    browsers: list[Browser] = field(default_factory=list[Browser])
    shopping: list[Buyer] = field(default_factory=list[Buyer])
    subscribing: list[PlanBuyer] = field(default_factory=list[PlanBuyer])
    before: frozenset[str] = frozenset()

    @property
    def steps(self) -> int:
        each = self.orders_each * STEPS_OF_AN_ORDER + self.purchases_each * STEPS_OF_A_PURCHASE
        return self.activations * STEPS_EACH + self.buyers * each

    @property
    def devices(self) -> list[str]:
        return devices(self.seed, self.activations)

    async def prepare(self) -> None:
        self.before = await known_before(self.running.database_url)
        emails = [person.email for person in PEOPLE if person.id in INSTALLERS]
        self.browsers = [self._browser(n, email) for n, email in enumerate(emails)]
        for n, one in enumerate(await buyers(self.running.database_url, self.buyers)):
            browser = self._browser(n, one.shop.buyer.email)
            self.browsers.append(browser)
            self.shopping.append(Buyer(browser, one, self.progress, f"{self.seed} {n}"))
            self.subscribing.append(
                PlanBuyer(
                    browser,
                    one,
                    self.progress,
                    number=self.first_buyer + n,
                    seed=self.seed,
                    simulators_url=self.running.simulators_url,
                )
            )
        for browser in self.browsers:
            await browser.sign_in()

    async def carry_out(self) -> None:
        places = asyncio.Semaphore(self.at_once)

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
            for n, key in enumerate(self.devices)
        ]
        await asyncio.gather(
            *(one(installer) for installer in installers),
            *(again(buyer, self.orders_each) for buyer in self.shopping),
            *(again(buyer, self.purchases_each) for buyer in self.subscribing),
        )
        await self.progress.finish()

    def go_to(self, url: str) -> None:
        """Whoever was elsewhere goes on there."""
        for browser in self.browsers:
            browser.go_to(url)

    async def close(self) -> None:
        for browser in self.browsers:
            await browser.close()

    def _browser(self, number: int, email: str) -> Browser:
        return Browser(self.urls[number % len(self.urls)], email, self.progress)


async def judged(load: Load, temporal: Client) -> Verdict:
    """Once nothing moves any more."""
    running = load.running
    url, database_url = running.simulators_url, running.database_url
    load.progress.broken += await calm(database_url, [], load.before)
    verdict = await judge(
        load.devices,
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
