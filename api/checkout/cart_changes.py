"""What every change of a cart goes through: whose it is, whether they may buy, which cart is the latest, done once.

A change is one transaction that holds the lock of its cart; the answer is the cart as it is then.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

from fastapi import Response
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from api.checkout.cart_answers import Checkout, checkout_out
from api.platform.deps import Portal, record_now
from api.platform.idempotency import REPEATED_HEADER, digest_of
from db.catalogue.variants import sellables_by_ids
from db.catalogue.viewers import find_viewer
from db.checkout import placements
from db.checkout.cart import check_latest, earlier_carts, find_cart, open_cart
from db.checkout.cart_lines import add_pieces, lines_of, pieces_in
from db.checkout.coupons import usable_coupons
from db.checkout.shipping import addresses_of, methods_for
from db.operations.audit import Outcome
from db.platform.idempotency import is_repeat
from db.runs import flows
from db.vehicles.fit import fits_of
from domain.catalogue.pricing import Viewer
from domain.checkout.cart import (
    CartMissing,
    NoPurchasingRights,
    StoredCart,
    check_business_chosen,
    check_may_buy,
    refusal_of,
    refused,
)
from domain.checkout.coupons import offer_of
from domain.checkout.placement import CartInPlacement
from domain.identity.people import Actor
from domain.partners.partners import sees_limited

Change = Callable[[AsyncSession, StoredCart, Viewer], Awaitable[str | None]]
"""Answers the token of the cart to show, where that is another one."""


class Made(NamedTuple):
    """What a change is known by when it is asked for again: a name, and what a repeat must have in common with the first."""

    name: str
    body: BaseModel


async def change_cart(
    portal: Portal,
    actor: Actor,
    token: str,
    key: str | None,
    operation: str,
    body: BaseModel,
    change: Change,
) -> Response:
    """Changes the cart with this token. Raises CartMissing, StaleCart and what `check_may_buy` raises."""

    async def find(session: AsyncSession) -> StoredCart:
        check_business_chosen(actor)
        held = await own_cart(session, actor, token, lock=True)
        check_may_buy(actor)
        await check_not_being_placed(session, held.token)
        await check_latest(session, held)
        return held

    return await _in_one(
        portal,
        actor,
        find,
        key,
        operation,
        lambda held: made_in(held, operation, body),
        None,
        change,
    )


async def change_present_cart(
    portal: Portal,
    actor: Actor,
    key: str | None,
    operation: str,
    made: Callable[[StoredCart], Made],
    formerly: Made,
    change: Change,
) -> Response:
    """Changes the caller's present cart, which is made at the first time. Raises what `check_may_buy` raises. `formerly` is
    what the release before knows the change by: a repeat may come to another release than the first did."""

    async def find(session: AsyncSession) -> StoredCart:
        held = await present_cart(session, actor)
        await check_not_being_placed(session, held.token)
        return held

    return await _in_one(portal, actor, find, key, operation, made, formerly, change)


def made_in(held: StoredCart, operation: str, body: BaseModel) -> Made:
    """The change of this one cart, by whatever road it was asked for."""
    return Made(f"{operation} {held.token}", body)


async def present_cart(session: AsyncSession, actor: Actor) -> StoredCart:
    """The caller's present cart, locked, made if there is none. Raises what `check_may_buy` raises."""
    check_may_buy(actor)
    assert actor.business_code is not None
    return await open_cart(session, actor.person.id, actor.business_code)


async def check_not_being_placed(session: AsyncSession, token: str) -> None:
    """Raises CartInPlacement, naming the run, while the cart is being ordered (promise 11). The caller holds its lock."""
    if await placements.open_start(session, token) is None:
        return
    run = await flows.find_flow(session, "placement", token)
    flow = (
        run.model_dump(mode="json", exclude={"view"}) if run else {"kind": "placement", "id": token}
    )
    raise CartInPlacement(extra={"flow": flow})


async def own_cart(
    session: AsyncSession, actor: Actor, token: str, *, lock: bool = False
) -> StoredCart:
    """The caller's cart with this token, for the business that they work for. Raises CartMissing."""
    held = await find_cart(session, token, actor.person.id, actor.business_code, lock=lock)
    if held is None:
        raise CartMissing
    return held


async def add_judged(
    session: AsyncSession, held: StoredCart, viewer: Viewer, adding: dict[str, int]
) -> None:
    """Adds all of these pieces by article, or raises LinesRefused and adds none."""
    if not adding:
        return
    await check_adding(session, viewer, adding, await pieces_in(session, held.token))
    await add_pieces(session, held.token, adding)


async def check_adding(
    session: AsyncSession, viewer: Viewer, adding: dict[str, int], present: dict[str, int]
) -> None:
    """Raises LinesRefused when one of these pieces cannot be added to those that are there."""
    if not adding:
        return
    faults = refused(adding, present, await sellables_by_ids(session, viewer, list(adding)))
    if faults:
        raise refusal_of(faults)


async def read_cart(
    session: AsyncSession, actor: Actor, token: str, viewer: Viewer | None = None
) -> Checkout:
    """The cart with its figures of this moment. Addresses are for those only who may know them."""
    held = await own_cart(session, actor, token)
    viewer = viewer or await find_viewer(session, actor)
    lines = await lines_of(session, viewer, token)
    entered = held.draft.coupon_code
    usable = await usable_coupons(
        session, viewer.channel, held.partner_code, token, lines, entered=entered
    )
    fits = await fits_of(
        session, [(one.vehicle.id, one.sellable.product_id) for one in lines if one.vehicle]
    )
    is_limited = sees_limited(actor.person)
    return checkout_out(
        held,
        lines,
        await methods_for(session, held.partner_code),
        () if is_limited else await addresses_of(session, held.partner_code),
        offer_of(lines, usable, entered),
        fits,
        await earlier_carts(session, held),
    )


def cart_response(answer: BaseModel, *, status: int = 200, repeated: bool = False) -> Response:
    """Said once: a cart of a thousand lines is not worth a second validation."""
    headers = {REPEATED_HEADER: "true"} if repeated else None
    return Response(
        answer.model_dump_json(by_alias=True), status, headers, media_type="application/json"
    )


@asynccontextmanager
async def recording_refusals(portal: Portal, actor: Actor, operation: str) -> AsyncGenerator[None]:
    """Somebody without the right who tries to buy is audited, and refused all the same."""
    try:
        yield
    except NoPurchasingRights as refusal:
        await record_now(
            portal,
            actor,
            "purchase refused",
            outcome=Outcome.REFUSED,
            on=("operation", operation),
            more={"code": refusal.code},
        )
        raise


async def repeat_of(
    session: AsyncSession,
    actor: Actor,
    key: str | None,
    made: Made,
    formerly: Made | None = None,
) -> bool:
    """Whether the change of this transaction was made before under this key. Raises KeyReused."""
    if key is None:
        return False
    # As those that are kept were written: a repeat may come to another release than the first did.
    return await is_repeat(
        session,
        actor=actor.key,
        key=key,
        operation=made.name,
        body_hash=digest_of(made.body, by_alias=False),
        formerly=(formerly.name, digest_of(formerly.body, by_alias=False)) if formerly else None,
    )


async def _in_one(
    portal: Portal,
    actor: Actor,
    find: Callable[[AsyncSession], Awaitable[StoredCart]],
    key: str | None,
    operation: str,
    made: Callable[[StoredCart], Made],
    formerly: Made | None,
    change: Change,
) -> Response:
    async with recording_refusals(portal, actor, operation), portal.sessions.begin() as session:
        held = await find(session)
        viewer = await find_viewer(session, actor)
        repeated = await repeat_of(session, actor, key, made(held), formerly)
        other = None if repeated else await change(session, held, viewer)
        answer = await read_cart(session, actor, other or held.token, viewer)
    return cart_response(answer, repeated=repeated)
