"""Buyers of plans: a browser, a saved card, devices, and what the providers noted of a purchase."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import httpx

from db.demo.plans import add_plans
from domain.identity.people import User
from domain.plans.purchases import PurchasePolicy
from tests.billing.payments.factories import a_method
from tests.catalogue.people import signed_in
from tests.drivers.factories import Dealer, a_dealer, an_owner
from tests.drivers.portal import a_key
from tests.drivers.stage import SIMULATED, a_device_key
from tests.drivers.until import until_shown
from tests.drivers.whole_portal import Whole

SECOND = timedelta(seconds=1)
QUICK = PurchasePolicy(
    quote=60 * SECOND,
    declined=60 * SECOND,
    action=60 * SECOND,
    retry=60 * SECOND,
    look=0.2 * SECOND,
)
PREMIUM = "premium_prepaid-1_year"
BASIC = "basic_prepaid-1_year"
ULTIMATE = "ultimate_prepaid-1_year"
SHIP_TO = {
    "name": "Harbour Car Audio",
    "street": "1 Water Street",
    "city": "Toronto",
    "country_area": "ON",
    "postal_code": "M5V 2T6",
    "country": "CA",
}
NEVER, ONCE = "00099100", "00099110"
"""The digits of a device that never takes a plan, and of one that takes it the second time; the last one is free."""

Run = dict[str, Any]


@dataclass
class Buyer:
    """An owner's browser; `card` is a saved card of their business."""

    whole: Whole
    browser: httpx.AsyncClient
    user: User
    dealer: Dealer
    card: str

    async def pay(
        self,
        lines: dict[str, str],
        *,
        validate: str | None = None,
        key: str | None = None,
        **body: Any,
    ) -> httpx.Response:
        """POST /v1/payments for device → plan."""
        sent = {
            "line_items": [{"device_key": key, "plan_id": plan} for key, plan in lines.items()],
            "address": SHIP_TO,
            **body,
        }
        return await self.browser.post(
            "/v1/payments",
            json=sent,
            params={"validate": validate} if validate else {},
            headers={"Idempotency-Key": key} if key else a_key(),
        )

    async def quoted(self, lines: dict[str, str], **body: Any) -> dict[str, Any]:
        """The answer of a mock run; a busy machine may say first that it was taken."""
        answer = await self.pay(lines, validate="true", **body)
        assert answer.status_code in (200, 202), answer.text
        uuid = answer.json().get("uuid") or answer.json()["id"]
        await self.until(uuid, "quoted")
        return answer.json() if answer.status_code == 200 else {"uuid": uuid}

    async def open_purchases(self) -> list[dict[str, Any]]:
        return (await self.browser.get("/v1/purchases")).json()["results"]

    async def ask(self, uuid: str, call: str, **body: Any) -> httpx.Response:
        """`call` is the last part of the path: `confirm`, `payment`, `retry`…"""
        return await self.browser.post(f"/v1/purchases/{uuid}/{call}", json=body, headers=a_key())

    async def confirmed(self, uuid: str, method_id: str | None = None) -> httpx.Response:
        run = await self.look(uuid)
        assert run is not None
        body = {"quote_hash": run["view"]["quote_hash"]}
        if method_id is not None:
            body["method_id"] = method_id
        return await self.ask(uuid, "confirm", **body)

    async def look(self, uuid: str) -> Run | None:
        answer = await self.browser.get(f"/v1/purchases/{uuid}")
        return answer.json() if answer.is_success else None

    async def until(
        self, uuid: str, seen: str | Callable[[Run], Any], *, within: float = 40.0
    ) -> Run:
        """The purchase once it is seen like this; a text is a state."""
        return await until_shown(lambda: self.look(uuid), seen, within=within)

    async def another_card(self, card: str = "visa") -> str:
        method = await a_method(
            self.whole.sessions, card=card, partner_code=self.dealer.partner_code
        )
        return method.id

    async def a_bank_account(self) -> str:
        method = await a_method(
            self.whole.sessions, bank="good", partner_code=self.dealer.partner_code
        )
        return method.id

    async def cents(self, uuid: str, system: str = "cards") -> int:
        """What the provider took for a purchase and did not give back."""
        answer = await self.whole.stage.http.get(
            f"{SIMULATED}/{system}/_ledger", params={"flow_id": uuid}
        )
        sums = answer.json()["sums"]
        return sums.get("captured", 0) - sums.get("refunded", 0)

    async def plan_of(self, device_key: str) -> str | None:
        """As the device network has it."""
        return (await self.whole.stage.traits(device_key))["plan"]

    async def receipt(self, uuid: str) -> dict[str, Any]:
        answer = await self.browser.get(f"/v1/payments/{uuid}")
        assert answer.status_code == 200, answer.text
        return answer.json()


def cents_of(amount: float) -> int:
    return int(Decimal(str(amount)) * 100)


def devices(count: int = 1) -> list[str]:
    """New devices that take plans at once."""
    return [a_device_key() for _ in range(count)]


def stubborn(digits: str, last: int = 0, product: str = "FT-X1") -> str:
    """A device that refuses plans."""
    return f"{product}-{digits[:7]}{last}"


@asynccontextmanager
async def a_buyer(
    whole: Whole, *, card: str = "visa", dealer: Dealer | None = None
) -> AsyncGenerator[Buyer]:
    dealer = dealer or await a_dealer(whole.sessions)
    user = await an_owner(whole.sessions, dealer)
    method = await a_method(whole.sessions, card=card, partner_code=dealer.partner_code)
    async with signed_in(whole.app, user) as browser:
        yield Buyer(whole, browser, user, dealer, method.id)


async def ready(whole: Whole) -> None:
    """Plans are sold, and the providers' faults take no time."""
    async with whole.sessions.begin() as session:
        await add_plans(session)
    for system in ("cards", "gateway"):
        answer = await whole.stage.http.post(
            f"{SIMULATED}/{system}/_control",
            json={"lost_reply_seconds": 0, "slow_seconds": 0.2},
        )
        assert answer.is_success
    await whole.stage.turn(lost_reply_seconds=0)
