"""Carts that are ready to be ordered, their placements, and what the providers noted of them."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import httpx
from fastapi import FastAPI

from db.base import Sessions
from db.catalogue.tables import StockRow
from db.checkout.placements import order_ref
from domain.checkout.placement import PlacementPolicy
from tests.billing.payments.factories import a_method as a_saved_method
from tests.catalogue.factories import Made, a_product
from tests.checkout.cart.buyers import CHECKOUT, begin, buying
from tests.checkout.quote.buyers import Shop, a_shop, draft, pay_by
from tests.drivers.portal import a_browser, a_key
from tests.drivers.stage import SIMULATED
from tests.drivers.until import until_shown
from tests.drivers.whole_portal import Whole, another_portal

SECOND = timedelta(seconds=1)
QUICK = PlacementPolicy(
    payment=60 * SECOND,
    idle=60 * SECOND,
    unclear=40 * SECOND,
    hand_over=60 * SECOND,
    capture=60 * SECOND,
    undo=60 * SECOND,
    poll=0.1 * SECOND,
    slowest=0.2 * SECOND,
)
"""Waits of minutes would be tested by nobody; a busy machine needs room all the same."""


@dataclass
class Basket:
    """A buyer's browser and a cart with a draft. `methods` are saved ones by the name of their test card."""

    whole: Whole
    browser: httpx.AsyncClient
    shop: Shop
    product: Made
    token: str

    async def submit(
        self, *, key: str | None = None, browser: httpx.AsyncClient | None = None, **body: Any
    ) -> httpx.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return await (browser or self.browser).post(
            f"{CHECKOUT}/{self.token}/complete-b2b-checkout", json=body, headers=headers
        )

    async def placed(self, **body: Any) -> dict[str, Any]:
        """Submitted; the run as it stands when it rests, or an order is there."""
        answer = await self.submit(**body)
        assert answer.status_code in (200, 202), answer.text
        return await self.until(
            lambda run: run["view"]["order"] or run["view"]["waits_for"] == "buyer"
        )

    async def look(self) -> dict[str, Any] | None:
        answer = await self.browser.get(f"/v1/placements/{self.token}")
        return answer.json() if answer.status_code == 200 else None

    async def until(
        self, seen: str | Callable[[dict[str, Any]], Any], *, within: float = 40.0
    ) -> dict[str, Any]:
        """The run once it is seen like this; a text is a state."""
        return await until_shown(self.look, seen, within=within)

    async def ask(self, call: str, *, key: str | None = None, **body: Any) -> httpx.Response:
        """`call` is the last part of the path: `payment`, `cancel`, `settle`."""
        headers = {"Idempotency-Key": key} if key else a_key()
        return await self.browser.post(
            f"/v1/placements/{self.token}/{call}", json=body, headers=headers
        )

    async def pay_by_card(self, card: str = "visa") -> str:
        """A saved card of this name becomes the payment of the draft."""
        method = await a_saved_method(self.whole.sessions, card=card, partner_code=self.shop.code)
        await pay_by(self.browser, self.token, "CARD", methodId=method.id)
        return method.id

    async def another_card(self, card: str = "visa") -> str:
        method = await a_saved_method(self.whole.sessions, card=card, partner_code=self.shop.code)
        return method.id

    async def prove(self, *, agreed: bool = True) -> None:
        """The payer answers their bank."""
        run = await self.until("action_required")
        page = httpx.URL(run["view"]["payment"]["action_url"])
        said = {"secret": page.params["secret"], "answer": "agree" if agreed else "refuse"}
        answer = await self.whole.stage.http.post(str(page.copy_with(query=None)), data=said)
        assert answer.status_code < 400, answer.text

    async def cents(self, system: str = "cards") -> dict[str, int]:
        """By operation, of this placement alone."""
        answer = await self.whole.stage.http.get(
            f"{SIMULATED}/{system}/_ledger", params={"flow_id": self.token}
        )
        return answer.json()["sums"]

    async def kept(self, system: str = "cards") -> int:
        """Cents that were taken and not given back."""
        sums = await self.cents(system)
        return sums.get("captured", 0) - sums.get("refunded", 0)

    async def orders_at_the_erp(self) -> list[dict[str, Any]]:
        """What the ERP took of this cart's order."""
        async with self.whole.sessions() as session:
            order = await order_ref(session, self.token)
        if order is None:
            return []
        answer = await self.whole.stage.http.get(
            f"{SIMULATED}/erp/_ledger", params={"reference": order.number}
        )
        return answer.json()["orders"]


@asynccontextmanager
async def a_basket(
    whole: Whole,
    *,
    po_number: str | None = None,
    payment: str = "COD",
    quantity: int = 2,
    on_hand: int = 10,
    price: str = "100.00",
    limit: str = "5000",
    shop: Shop | None = None,
    product: Made | None = None,
) -> AsyncGenerator[Basket]:
    """COD unless told otherwise; `payment` may name a test card."""
    shop = shop or await a_shop(whole.sessions, limit=limit)
    product = product or await a_product(whole.sessions, msrp=price, on_hand=on_hand)
    async with buying(whole.app, shop.buyer) as browser:
        token = (await begin(browser, (product, quantity)))["token"]
        if po_number is not None:
            answer = await draft(browser, token, "set-b2b-po-number", {"poNumber": po_number})
            assert answer.is_success, answer.text
        basket = Basket(whole, browser, shop, product, token)
        if payment in ("COD", "TERMS"):
            await pay_by(browser, token, payment)
        else:
            await basket.pay_by_card(payment)
        yield basket


@asynccontextmanager
async def a_second_portal(
    whole: Whole, *, policy: PlacementPolicy = QUICK
) -> AsyncGenerator[FastAPI]:
    """Another replica of the API; what it begins waits as `policy` says."""
    async with another_portal(whole, policy_placement=policy.model_dump(mode="json")) as other:
        yield other.app


@asynccontextmanager
async def elsewhere(basket: Basket, app: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    """The same sign-in at another replica."""
    async with a_browser(app) as browser:
        browser.headers["Authorization"] = basket.browser.headers["Authorization"]
        yield browser


async def turn(whole: Whole, system: str, **knobs: Any) -> None:
    """Faults of one provider; whoever turns a knob turns it back."""
    path = "_knobs" if system == "erp" else "_control"
    answer = await whole.stage.http.post(f"{SIMULATED}/{system}/{path}", json=knobs)
    assert answer.is_success, answer.text


def cents_of(amount: float) -> int:
    return int(Decimal(str(amount)) * 100)


async def on_hand_of(sessions: Sessions, made: Made) -> int:
    async with sessions() as session:
        row = await session.get(StockRow, made.variant_id)
        assert row is not None
        return row.on_hand
