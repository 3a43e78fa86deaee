"""Placements beside a bare workflow with as many activities: carts that were agreed to before, placed by Temporal's client.

What is prepared, untimed: a cart, its draft, its quote, the submit that freezes it and holds its stock, as
`api/checkout/placing.py` does for a buyer. What is timed: the run, from its start to its end. The ceiling is scenario `b` (four
activities) and `b-local`, each scaled to the number of activities that a placement's history shows; `b-alike` has as many.
Beside that whole checkouts, as the browser's screens ask for them.
"""

import asyncio
import os
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
from sqlalchemy import select
from temporalio.api.enums.v1 import EventType
from temporalio.client import WorkflowHistory

from api.checkout.placing import Submit, begin, freeze_quote
from api.main import create_app
from api.platform.deps import Portal
from db.base import Sessions
from db.catalogue.tables import ProductRow, StockRow
from db.checkout.cart import open_cart, put_away
from db.checkout.cart_lines import add_pieces
from db.identity.people import find_user
from dev.stack import Stack
from domain.billing.payments import PaymentType
from domain.checkout.draft import PaymentChoice
from domain.checkout.placement import PlacementStart
from domain.identity.people import Actor
from settings import Settings
from workflows import ids

BUYER, PARTNER = "olivia", "N1001"
CASH = PaymentChoice(type=PaymentType.COD)
CARTS = "/api/products-checkout"
LOOK_AGAIN = 0.2
"""Seconds until a browser looks again at an order that was only taken."""
IN_SEQUENCE = 4
"""Activities of scenario b."""
LOCAL = "core_local_activity"


@dataclass(frozen=True)
class Activities:
    """Of one run, by its history."""

    normal: int
    local: int
    events: int


def activities_in(history: WorkflowHistory) -> Activities:
    """The marker of a patch is none."""
    kinds = [event.event_type for event in history.events]
    markers = [event.marker_recorded_event_attributes.marker_name for event in history.events]
    return Activities(
        normal=kinds.count(EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED),
        local=markers.count(LOCAL),
        events=len(kinds),
    )


class Buyer:
    """Prepares carts, and places them."""

    def __init__(self, portal: Portal, actor: Actor, articles: list[str]) -> None:
        self.portal, self.actor, self.articles = portal, actor, articles

    async def agreed(self, count: int) -> list[PlacementStart]:
        """So many carts of one line, submitted and not begun."""
        return [await self._agreed(number) for number in range(count)]

    async def place(self, starts: list[PlacementStart], at_once: int) -> None:
        """All of them, to their ends."""
        places = asyncio.Semaphore(at_once)

        async def one(start: PlacementStart) -> None:
            async with places:
                await begin(self.portal, start)
                await self._handle(start).result()

        await asyncio.gather(*map(one, starts))

    async def activities_of(self, start: PlacementStart) -> Activities:
        return activities_in(await self._handle(start).fetch_history())

    def _handle(self, start: PlacementStart):
        return self.portal.temporal.get_workflow_handle(ids.placement_id(start.token, start.turn))

    async def _agreed(self, number: int) -> PlacementStart:
        async with self.portal.sessions.begin() as session:
            cart = await open_cart(session, BUYER, PARTNER)
            await add_pieces(session, cart.token, {self.articles[number % len(self.articles)]: 1})
        start = await freeze_quote(self.portal, self.actor, Submit(token=cart.token, payment=CASH))
        assert start is not None
        async with self.portal.sessions.begin() as session:
            await put_away(session, cart.token)
        return start


class Screens:
    """What a browser asks from the cart to Order Complete; `requests` counts it. The cart itself is not counted."""

    def __init__(self, http: httpx.AsyncClient, business: str) -> None:
        self.http, self.business, self.requests = http, business, 0

    async def fill(self, article: str) -> str:
        """A new cart of one piece: its token."""
        body = {"startNew": True, "lines": [{"variantId": article, "quantity": 1}]}
        answer = await self.http.post(
            f"{CARTS}/create-b2b", json=body, headers={"Idempotency-Key": uuid.uuid4().hex}
        )
        return answer.raise_for_status().json()["token"]

    async def check_out(self, token: str) -> None:
        await self._ask("GET", f"/v1/placements/{token}")
        await self._ask("GET", f"{CARTS}/{token}")
        quote = (await self._ask("POST", f"/v1/placements/{token}/mock", {})).json()
        await self._ask("POST", "/api/users-payment-methods", {})
        await self._ask("GET", f"/api/business-partners/{self.business}")
        body = {"selectedPayment": {"type": CASH.type}, "quoteHash": quote["figures_hash"]}
        placed = await self._ask("POST", f"{CARTS}/{token}/complete-b2b-checkout", body)
        run = placed.json()["placement"]
        while run is None or not run["ended"]:
            await asyncio.sleep(LOOK_AGAIN)
            run = (await self._ask("GET", f"/v1/placements/{token}")).json()
        assert run["state"] == "confirmed", run["state"]

    async def _ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        self.requests += 1
        key = {"Idempotency-Key": uuid.uuid4().hex} if method == "POST" else {}
        answer = await self.http.request(method, path, json=body, headers=key)
        return answer.raise_for_status()


@asynccontextmanager
async def a_buyer(running: Stack) -> AsyncGenerator[Buyer]:
    """The owner of a demo business, with a portal of their own in this process."""
    app = create_app(_settings_of(running))
    async with app.router.lifespan_context(app):
        portal: Portal = app.state.portal
        async with portal.sessions() as session:
            user = await find_user(session, BUYER)
        site = await portal.sites.of("localhost")
        actor = Actor(request_id=uuid.uuid4().hex, site=site, user=user)
        yield Buyer(portal, actor, await articles_of(portal.sessions))


def _settings_of(running: Stack) -> Settings:
    """What its processes have; this one's environment stays, as the next portal is made from it."""
    before = dict(os.environ)
    os.environ.update(running.environment)
    try:
        return Settings()
    finally:
        os.environ.clear()
        os.environ.update(before)


async def articles_of(sessions: Sessions, count: int = 50) -> list[str]:
    """Some that can be bought, with enough on hand for every run."""
    async with sessions() as session:
        found = await session.scalars(
            select(StockRow.variant_id)
            .join(ProductRow, ProductRow.default_variant_id == StockRow.variant_id)
            .where(ProductRow.is_for_purchase, ProductRow.msrp.is_not(None), StockRow.on_hand > 20)
            .order_by(StockRow.on_hand.desc(), StockRow.variant_id)
            .limit(count)
        )
        return list(found)
