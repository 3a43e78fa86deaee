"""One word looked up in everything that the caller may open: what is somebody else's is not found."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.devices.access import whose_runs
from api.plans.holders import holders_of
from api.platform.deps import PortalDep, SignedIn
from db.catalogue.search import ProductQuery, find_products
from db.catalogue.viewers import find_viewer
from db.devices.runs import customers_named, devices_worked_on
from db.operations.search import find_things
from db.orders.lists import orders_named
from db.partners.businesses import list_partners
from db.plans.plans import devices_subscribed
from domain.catalogue.products import Sort, read_term
from domain.identity.people import Actor, Role
from domain.identity.policy import BUYERS, DEALERS_OWN, PLAN_BUYERS, REPS
from domain.partners.partners import partner_scope_of

router = APIRouter(tags=["content"])

MOST = 5
"""Things of one kind: a word that names more is too short."""
LONGEST_KEY = 40

Word = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=80, pattern=r"^[^\x00]*$"),
]


class NamedThing(BaseModel):
    """A thing with its own page. `id` is what opens it: of a customer it is the serial number of their latest device;
    `plan_id` is the plan that a device has, for those who may buy it again."""

    kind: Literal[
        "order", "product", "device", "customer", "business", "person", "receipt", "invoice"
    ]
    id: str
    name: str
    note: str | None = None
    plan_id: str | None = None


class NamedThings(BaseModel):
    """At most five of each kind."""

    results: list[NamedThing]


@router.get("/v1/palette")
async def find_named(
    portal: PortalDep, actor: SignedIn, word: Annotated[Word, Query()]
) -> NamedThings:
    """What a word names: orders, products, serial numbers, customers and businesses, each kind for those who may open it."""
    async with portal.sessions.begin() as session:
        if Role.ADMIN in actor.roles:
            return NamedThings(
                results=[*await _anybodys(session, word), *await _products(session, actor, word)]
            )
        return NamedThings(
            results=[
                *await _orders(session, actor, word),
                *await _devices(session, actor, word),
                *await _customers(session, actor, word),
                *await _businesses(session, actor, word),
                *await _products(session, actor, word),
            ]
        )


async def _anybodys(session: AsyncSession, word: str) -> list[NamedThing]:
    """For administrators, who find whole words alone, as on their own page."""
    return [NamedThing(**thing.model_dump()) for thing in (await find_things(session, word)).things]


async def _orders(session: AsyncSession, actor: Actor, word: str) -> list[NamedThing]:
    if not actor.roles & BUYERS or actor.business_code is None:
        return []
    found = await orders_named(session, actor.business_code, word, limit=MOST)
    return [
        NamedThing(kind="order", id=order.id, name=order.number, note=order.po_number)
        for order in found
    ]


async def _devices(session: AsyncSession, actor: Actor, word: str) -> list[NamedThing]:
    begin = word.upper()
    if not actor.roles & DEALERS_OWN or len(begin) > LONGEST_KEY:
        return []
    worked_on = await devices_worked_on(session, whose_runs(actor), starts_with=begin, limit=MOST)
    products = {device.device_key: device.product_name for device in worked_on}
    plans = dict[str, str]()
    if actor.roles & PLAN_BUYERS and actor.business_code is not None:
        for one in await devices_subscribed(session, holders_of(actor), begin, limit=MOST):
            products[one.device_key] = one.product_name
            if one.suspended_at is None:
                plans[one.device_key] = one.plan_id
    return [
        NamedThing(kind="device", id=key, name=key, note=products[key], plan_id=plans.get(key))
        for key in sorted(products)[:MOST]
    ]


async def _customers(session: AsyncSession, actor: Actor, word: str) -> list[NamedThing]:
    if not actor.roles & DEALERS_OWN or actor.dealer_id is None:
        return []
    found = await customers_named(session, actor.dealer_id, word, limit=MOST)
    return [
        NamedThing(kind="customer", id=one.device_key, name=one.email, note=one.device_key)
        for one in found
    ]


async def _businesses(session: AsyncSession, actor: Actor, word: str) -> list[NamedThing]:
    if not actor.roles & REPS:
        return []
    page = await list_partners(session, partner_scope_of(actor.person), wanted=word, limit=MOST)
    return [
        NamedThing(kind="business", id=summary.code, name=summary.company_name, note=summary.code)
        for summary in page.partners
    ]


async def _products(session: AsyncSession, actor: Actor, word: str) -> list[NamedThing]:
    wanted = ProductQuery(term=read_term(word), sort=Sort.BEST_MATCH, limit=MOST)
    found = await find_products(session, await find_viewer(session, actor), wanted)
    return [
        NamedThing(
            kind="product", id=summary.id, name=summary.sku or summary.name, note=summary.name
        )
        for summary in found.products
    ]
