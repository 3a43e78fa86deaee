"""Everybody at work at once: installers, buyers of devices and of plans, payers of invoices; and the judge of what came of it."""

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

import httpx
from temporalio.client import Client

from db.demo.people import PEOPLE
from dev.console import say
from dev.stack import Stack
from tests.faults.judges.judge import Verdict, judge, judge_firmware_runs, known_before
from tests.faults.judges.money import (
    beyond_plans,
    calm,
    judge_invoice_payments,
    judge_money,
    judge_strays,
    left_owed,
    settled_by_hand,
)
from tests.faults.judges.orders import judge_orders
from tests.faults.judges.purchases import judge_purchases
from tests.faults.people import buyers, invoice_payers, plan_buyers, updaters
from tests.faults.people.buyers import GOOD, Buyer, Buying
from tests.faults.people.desk import Desk
from tests.faults.people.driver import Browser, Installer, Progress, Stuck
from tests.faults.people.invoice_payers import InvoicePayer, bills
from tests.faults.people.plan_buyers import PlanBuyer
from tests.faults.people.updaters import Updater

INSTALLERS = ("olivia", "ivan", "chloe", "marcus")
PRODUCTS = ("FT-X1", "FT-X1MAX", "FT-X2", "DR5400")
TRAITS = ("010", "010", "030", "040", "013", "033", "014", "015", "017", "018")
"""First digits of the devices: firmware waits on all; some lose replies, repeat or mix up logs, fail twice."""

STEPS_EACH = 8
"""How often a person acts in one activation at least: seven steps and one test command."""

SHORT = {
    "POLICY_ACTIVATION": json.dumps({"command": "PT8S"}),
    "POLICY_OPENING": json.dumps({"per_hour": 600}),
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
    "POLICY_INVOICE_PAYMENT": json.dumps(
        {"look": "PT2S", "bank": "PT2S", "post": "PT10S", "late": "PT1S", "latest": "PT2S"}
    ),
    "POLICY_PLACEMENT": json.dumps({"slowest": "PT2S", "poll": "PT2S"}),
    "SIMULATORS_LATENCY": "0.1-0.8",
}
"""Every wait of the flows, short enough for a run of minutes. A few people begin then what they would in hours; who dies with
the API leaves a try counted."""

TOLD_EVERY_SECONDS = 15.0
ADMINISTRATOR = "ada"


@dataclass(frozen=True)
class Amount:
    """How much of each is done."""

    activations: int = 0
    orders: int = 0
    purchases: int = 0
    invoice_payments: int = 0
    firmware_runs: int = 0

    @property
    def steps(self) -> int:
        """What people do at least, all together."""
        return sum(self._steps_of.values())

    @property
    def _steps_of(self) -> dict[str, int]:
        return {
            "activations": self.activations * STEPS_EACH,
            "orders": self.orders * buyers.STEPS_EACH,
            "purchases": self.purchases * plan_buyers.STEPS_EACH,
            "invoice_payments": self.invoice_payments * invoice_payers.STEPS_EACH,
            "firmware_runs": self.firmware_runs * updaters.STEPS_EACH,
        }

    def places(self, at_once: int) -> dict[str, asyncio.Semaphore]:
        """Of each kind as many as it has of the steps, so that all are under way from the beginning to the end."""
        return {
            kind: asyncio.Semaphore(max(1, round(at_once * steps / max(1, self.steps))))
            for kind, steps in self._steps_of.items()
        }

    def times(self, factor: float) -> "Amount":
        return Amount(**{name: round(count * factor) for name, count in asdict(self).items()})

    def line(self) -> str:
        return (
            f"{self.activations} activations, {self.orders} orders, {self.purchases} purchases,"
            f" {self.invoice_payments} payments of invoices, {self.firmware_runs} firmware runs"
        )


@dataclass
class Load:
    """Everybody at work at once, in front of each of the addresses in turn. Buyers do one thing after another.

    `over_seconds`: what is done of each kind begins evenly over that time; 0 is as soon as one of `at_once` places is free.
    """

    seed: int
    running: Stack
    urls: Sequence[str]
    amount: Amount
    buyers: int = 20
    at_once: int = 16
    over_seconds: float = 0
    think: float = 0
    """Seconds that an installer takes before each step."""
    installers: Sequence[tuple[str, str]] = ()
    """Address and dealer of each; empty: those of the demo data."""
    first_buyer: int = 0
    first_device: int = 0
    """Both keep the devices of several loads in front of one portal apart."""
    progress: Progress = field(default_factory=Progress)
    browsers: list[Browser] = field(default_factory=list[Browser])
    shopping: list[Buyer] = field(default_factory=list[Buyer])
    subscribing: list[PlanBuyer] = field(default_factory=list[PlanBuyer])
    paying: list[InvoicePayer] = field(default_factory=list[InvoicePayer])
    before: frozenset[str] = frozenset()
    terminated: set[str] = field(default_factory=set[str])
    """Ids of executions that somebody ended from outside; others went on in their place."""
    desk: Desk | None = None
    _at_desk: asyncio.Task[None] | None = None
    _buying: list[Buying] = field(default_factory=list[Buying])

    @property
    def steps(self) -> int:
        return self.amount.steps

    @property
    def devices(self) -> list[str]:
        """Those that are activated."""
        return self._devices[: self.amount.activations]

    @property
    def updated(self) -> list[str]:
        """Those that get a firmware run beside any activation."""
        return self._devices[self.amount.activations :]

    @property
    def _devices(self) -> list[str]:
        count = self.amount.activations + self.amount.firmware_runs
        return devices(self.seed, count, self.first_device)

    async def prepare(self) -> None:
        running, amount = self.running, self.amount
        self.before = await known_before(running.database_url)
        self.browsers = [self._browser(n, email) for n, (email, _) in enumerate(self._people)]
        most = max(amount.orders, amount.purchases, amount.invoice_payments)
        buying = await buyers.buyers(running.database_url, min(most, self.buyers))
        to_pay = await bills(
            buying,
            amount.invoice_payments,
            seed=self.seed,
            database_url=running.database_url,
            simulators_url=running.simulators_url,
        )
        for n, one in enumerate(buying):
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
                    simulators_url=running.simulators_url,
                )
            )
            self.paying.append(
                InvoicePayer(
                    browser,
                    one,
                    self.progress,
                    to_pay[one.shop.code],
                    seed=f"{self.seed} {n}",
                    simulators_url=running.simulators_url,
                )
            )
        self._buying = buying
        (ada,) = [person for person in PEOPLE if person.id == ADMINISTRATOR]
        desk = self._browser(len(buying), ada.email)
        self.browsers.append(desk)
        self.desk = Desk(desk, self.progress, self._payer, before=self.before)
        for browser in self.browsers:
            await browser.sign_in()

    async def carry_out(self) -> None:
        """All of it, with a line now and then that says how far it is."""
        amount, begun = self.amount, time.monotonic()
        places = amount.places(self.at_once)

        async def one(kind: str, work: Callable[[], Awaitable[None]], number: int, of: int) -> None:
            if self.over_seconds:
                due = begun + self.over_seconds * number / of
                await asyncio.sleep(max(0, due - time.monotonic()))
            async with places[kind]:
                try:
                    await work()
                except Stuck as stuck:
                    self.progress.broken.append(str(stuck))

        async def again(
            kind: str, work: Callable[[], Awaitable[None]], first: int, of: int
        ) -> None:
            for number in range(first, of, len(self.shopping)):
                await one(kind, work, number, of)

        people = self._people
        opened = [
            Installer(self.browsers[n % len(people)], key, self.progress, think=self.think)
            for n, key in enumerate(self.devices)
        ]
        updating = [
            Updater(
                self.browsers[n % len(people)],
                key,
                self.progress,
                dealer_id=people[n % len(people)][1],
                simulators_url=self.running.simulators_url,
            )
            for n, key in enumerate(self.updated)
        ]
        telling = asyncio.create_task(self._report(begun))
        if self._buying and self.desk:
            self._at_desk = asyncio.create_task(self.desk.work())
        await asyncio.gather(
            *(one("activations", it.activate, n, len(opened)) for n, it in enumerate(opened)),
            *(one("firmware_runs", it.update, n, len(updating)) for n, it in enumerate(updating)),
            *(again("orders", it.order, n, amount.orders) for n, it in enumerate(self.shopping)),
            *(
                again("purchases", it.buy, n, amount.purchases)
                for n, it in enumerate(self.subscribing)
            ),
            *(
                again("invoice_payments", it.pay, n, amount.invoice_payments)
                for n, it in enumerate(self.paying)
            ),
        )
        telling.cancel()
        await self.progress.finish()

    def go_to(self, url: str) -> None:
        """Whoever was elsewhere goes on there."""
        for browser in self.browsers:
            browser.go_to(url)

    def close_desk(self) -> None:
        """Raises what its work failed of."""
        if self._at_desk is not None and not self._at_desk.cancel():
            self._at_desk.result()
        self._at_desk = None

    async def close(self) -> None:
        if self._at_desk is not None:
            self._at_desk.cancel()
        for browser in self.browsers:
            await browser.close()

    async def _report(self, begun: float) -> None:
        while True:
            await asyncio.sleep(TOLD_EVERY_SECONDS)
            seconds = time.monotonic() - begun
            say(f"  {seconds:5.0f} s: {self.progress.steps} steps of about {self.steps}")

    def _payer(self, flow_id: str) -> tuple[Browser, str] | None:
        for one, shop, plans, bills_ in zip(
            self._buying, self.shopping, self.subscribing, self.paying, strict=True
        ):
            if flow_id in (*shop.tokens, *plans.uuids, *bills_.ids):
                return shop.browser, one.methods[GOOD]
        return None

    @property
    def _people(self) -> Sequence[tuple[str, str]]:
        demo = [person for person in PEOPLE if person.id in INSTALLERS]
        return self.installers or [(person.email, str(person.dealer_id)) for person in demo]

    def _browser(self, number: int, email: str) -> Browser:
        address = f"10.{number // 62_500}.{number // 250 % 250}.{number % 250}"
        url = self.urls[number % len(self.urls)]
        return Browser(url, email, self.progress, address=address)


async def judged(load: Load, temporal: Client) -> Verdict:
    """Once nothing moves any more."""
    running = load.running
    url, database_url = running.simulators_url, running.database_url
    disputed = [id_ for payer in load.paying for id_ in payer.disputed]
    load.progress.broken += await calm(database_url, disputed, load.before)
    load.close_desk()
    hand, owed = await settled_by_hand(database_url), await left_owed(database_url)
    verdict = await judge(
        load.devices,
        device_cloud_url=f"{url}/device-cloud",
        database_url=database_url,
        temporal=temporal,
        before=load.before | owed,
        terminated=load.terminated,
    )
    await judge_firmware_runs(verdict, load.updated, device_cloud_url=f"{url}/device-cloud")
    await judge_orders(
        verdict,
        [token for buyer in load.shopping for token in buyer.tokens],
        simulators_url=url,
        database_url=database_url,
        temporal=temporal,
        before=load.before,
        terminated=load.terminated,
        by_hand=hand,
    )
    async with httpx.AsyncClient(base_url=url, timeout=10) as outside:
        await judge_purchases(
            verdict,
            [uuid for buyer in load.subscribing for uuid in buyer.uuids],
            outside=outside,
            database_url=database_url,
            by_hand=hand,
            beyond_plans=await beyond_plans(database_url),
        )
        await judge_money(
            verdict,
            outside=outside,
            database_url=database_url,
            before=load.before,
            by_hand=hand,
        )
        await judge_strays(verdict, outside=outside, database_url=database_url)
    await judge_invoice_payments(
        verdict,
        [id_ for payer in load.paying for id_ in payer.ids],
        simulators_url=url,
        database_url=database_url,
    )
    verdict.counts["disputes"] += len(disputed)
    return verdict


def devices(seed: int, count: int, first: int = 0) -> list[str]:
    """Different devices, all with firmware waiting; the first ones of a seed are left out."""
    rng = random.Random(seed)
    serials = rng.sample(range(100_000), 100_000)[first : first + count]
    return [f"{rng.choice(PRODUCTS)}-{rng.choice(TRAITS)}{serial:05d}" for serial in serials]


def listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"
