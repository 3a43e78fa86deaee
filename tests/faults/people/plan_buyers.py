"""Buyers of plans at their browsers: each buys for a few devices at once, tries again what failed, and pays once more
where a card was declined."""

import random
from typing import Any

import httpx

from tests.faults.people.buyers import GOOD, HARD_SHARE, REFUND_REFUSED, WAYS, Buying
from tests.faults.people.driver import Browser, Progress, Stuck

STEPS_EACH = 2
"""A buyer buys, and sees the end."""
MOST_DEVICES = 5
PLANS = ("basic_prepaid-1_year", "premium_prepaid-1_year", "ultimate_prepaid-2_year")
TRAITS = ("100", "103", "700")
"""First digits of the devices: some lose replies, some are away twice."""


class PlanBuyer:
    """`uuids` are the purchases that were begun; `number` keeps the devices of different buyers apart."""

    def __init__(
        self,
        browser: Browser,
        buying: Buying,
        progress: Progress,
        *,
        number: int,
        seed: int,
        simulators_url: str,
    ) -> None:
        self.uuids: list[str] = []
        self._browser = browser
        self._buying = buying
        self._progress = progress
        self._number = number
        self._made = 0
        self._chance = random.Random(f"plans {seed} {number}")
        self._simulators_url = simulators_url

    async def buy(self) -> None:
        """One purchase, to its end. Raises Stuck when it does not come to one."""
        lines = [await self._line() for _ in range(self._chance.randint(1, MOST_DEVICES))]
        is_hard = self._chance.random() < HARD_SHARE
        if is_hard:
            lines.append(await self._line({"sim_retired": True}))
        way = self._chance.choice(REFUND_REFUSED if is_hard else WAYS)
        card = self._buying.methods[way]
        answer = await self._browser.post("/v1/payments", {"line_items": lines, "card_id": card})
        uuid = _uuid_of(answer)
        self.uuids.append(uuid)
        await self._progress.step_done()
        run = await self._browser.to_its_end(
            f"/v1/purchases/{uuid}", lambda run: self._go_on(uuid, run)
        )
        self._progress.answers[f"purchase {run['state']}"] += 1
        await self._progress.step_done()

    async def _line(self, traits: dict[str, Any] | None = None) -> dict[str, str]:
        """A device that nobody else buys for; one in four refuses its plan once, if it has no other `traits`."""
        self._made += 1
        serial = (self._number * 1_000 + self._made) % 90_000
        device_key = f"FT-X1-{self._chance.choice(TRAITS)}{serial:05d}"
        if traits is None and self._chance.random() < 0.25:
            traits = {"plan_refusals": 1}
        if traits is not None:
            async with httpx.AsyncClient(base_url=self._simulators_url, timeout=10) as outside:
                await outside.post(
                    "/device-cloud/_control", json={"device_key": device_key, **traits}
                )
        return {"device_key": device_key, "plan_id": self._chance.choice(PLANS)}

    async def _go_on(self, uuid: str, run: dict[str, Any]) -> None:
        allowed = run["allowed"]
        if "PAY" in allowed:
            await self._ask(uuid, "payment", self._buying.by(GOOD))
        elif "RETRY" in allowed:
            await self._ask(uuid, "retry", {})
        elif "CONFIRM" in allowed:
            # The network was away while it was asked: the lines are quoted again by another purchase.
            await self._ask(uuid, "cancel", {})

    async def _ask(self, uuid: str, what: str, body: dict[str, Any]) -> None:
        answer = await self._browser.post(f"/v1/purchases/{uuid}/{what}", body)
        if answer.status_code not in (200, 202, 409, 410):
            raise Stuck(f"{uuid}/{what} answered {answer.status_code} {answer.text}")


def _uuid_of(answer: httpx.Response) -> str:
    """Of an answer, an acceptance or a problem that names the purchase. Raises Stuck."""
    told = answer.json()
    if answer.status_code in (200, 202, 409) and (uuid := told.get("uuid") or told.get("id")):
        return str(uuid)
    raise Stuck(f"a purchase answered {answer.status_code} {answer.text}")
