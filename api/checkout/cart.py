"""The cart's calls: read it, fill it, change it, choose how it is sent (shop spec 7, "Checkout").

A cart belongs to one person for one business; any other token is not found. Prices are never taken from the caller.
"""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import Field, StrictBool, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.checkout.cart_answers import Checkout, LatestCart
from api.checkout.cart_changes import (
    Made,
    add_judged,
    cart_response,
    change_cart,
    change_present_cart,
    check_adding,
    check_not_being_placed,
    made_in,
    own_cart,
    read_cart,
)
from api.checkout.schemas import CartToken
from api.platform.deps import IdempotencyKey, PortalDep, SignedIn
from api.platform.schemas import Id, SpecBody
from api.vehicles.named import VehicleNamed, named_vehicle
from db.base import reading
from db.checkout.cart import choose_shipping, forget_oldest, latest_cart, open_cart, put_away
from db.checkout.cart_lines import (
    add_pieces,
    carry_vehicles,
    count_pieces,
    drop_line,
    drop_lines,
    pieces_in,
    set_pieces,
    set_vehicle,
)
from db.checkout.shipping import addresses_of, methods_for
from domain.base import ID_PATTERN, Body
from domain.catalogue.pricing import Viewer
from domain.checkout.cart import (
    MOST_LINES,
    MOST_PIECES,
    LineFault,
    LineMissing,
    Refused,
    StoredCart,
    VariantRequest,
    merged,
    refusal_of,
    summed,
)
from domain.orders.shipping import NoSuchAddress, NoSuchMethod
from domain.partners.partners import AddressKind, of_kind

router = APIRouter(tags=["cart"])


Quantity = Annotated[int, Field(strict=True, ge=1, le=MOST_PIECES)]
"""Whole pieces; no text, no fraction."""

MOST_AT_ONCE = 100


class LineRequest(SpecBody):
    variant_id: Id
    quantity: Quantity = 1


class Adding(SpecBody):
    """An article that is named twice counts twice. All lines are added, or none; with a `vehicle` they are for that one."""

    lines: Annotated[list[LineRequest], Field(min_length=1, max_length=MOST_AT_ONCE)]
    vehicle: VehicleNamed | None = None


class Creating(SpecBody):
    """`lines` are added at once. `startNew` puts the present cart away, with its lines, and begins another one; of those
    that were never submitted the newest twenty are kept."""

    lines: Annotated[list[LineRequest], Field(max_length=MOST_AT_ONCE)] = []
    start_new: StrictBool = False
    vehicle: VehicleNamed | None = None


class LineChange(SpecBody):
    line_id: Id
    quantity: Quantity


class Updating(SpecBody):
    """The new quantities of lines that are there. All are set, or none."""

    lines: Annotated[list[LineChange], Field(min_length=1, max_length=MOST_AT_ONCE)]


class Deleting(SpecBody):
    line_id: Id


class VehicleChosen(SpecBody):
    """Null for no vehicle."""

    line_ids: Annotated[list[Id], Field(min_length=1, max_length=MOST_LINES)]
    vehicle: VehicleNamed | None


class AddressChoice(SpecBody):
    shipping_address_id: Id


class MethodChoice(SpecBody):
    shipping_method_id: Id


class Merging(Body):
    """The token of a cart that was put away."""

    from_token: Annotated[str, StringConstraints(min_length=16, max_length=64, pattern=ID_PATTERN)]


@router.get("/api/products-checkout/last-b2b-token")
async def last_b2b_token(portal: PortalDep, actor: SignedIn) -> LatestCart:
    """The token of the caller's present cart for the business that they work for, and how many pieces it holds."""
    if actor.business_code is None:
        return LatestCart(token=None, quantity=0)
    async with reading(portal.sessions) as session:
        held = await latest_cart(session, actor.person.id, actor.business_code)
        if held is None:
            return LatestCart(token=None, quantity=0)
        return LatestCart(token=held.token, quantity=await count_pieces(session, held.token))


@router.get("/api/products-checkout/{token:cart_token}", response_model=Checkout)
async def get_products_checkout(portal: PortalDep, actor: SignedIn, token: CartToken) -> Response:
    """A cart of the caller's with its lines and figures of this moment; one that was put away can be read too."""
    async with reading(portal.sessions) as session:
        return cart_response(await read_cart(session, actor, token))


@router.post("/api/products-checkout/create-b2b", response_model=Checkout)
async def create_b2b(
    portal: PortalDep, actor: SignedIn, creating: Creating, key: IdempotencyKey = None
) -> Response:
    """The caller's present cart, made if there is none, with these lines added."""

    async def change(session: AsyncSession, held: StoredCart, viewer: Viewer) -> str:
        present = held
        if creating.start_new and await count_pieces(session, held.token):
            await put_away(session, held.token)
            await forget_oldest(session, held.person_id, held.partner_code)
            present = await open_cart(session, held.person_id, held.partner_code)
        await add_judged(session, present, viewer, _pieces(creating.lines))
        await _for_vehicle(session, present, creating)
        return present.token

    def made(held: StoredCart) -> Made:
        if creating.start_new or not creating.lines:
            return Made(f"create_b2b {held.partner_code}", creating)
        # Whoever knows the cart by then repeats it as `add_lines`.
        adding = Adding.model_construct(lines=creating.lines, vehicle=creating.vehicle)
        return made_in(held, "add_lines", adding)

    formerly = Made("create_b2b", creating)
    return await change_present_cart(portal, actor, key, "create_b2b", made, formerly, change)


@router.post("/api/products-checkout/{token:cart_token}/add-lines", response_model=Checkout)
async def add_lines(
    portal: PortalDep,
    actor: SignedIn,
    token: CartToken,
    adding: Adding,
    key: IdempotencyKey = None,
) -> Response:
    """Adds pieces; articles that are in the cart already get more."""

    async def change(session: AsyncSession, held: StoredCart, viewer: Viewer) -> None:
        await add_judged(session, held, viewer, _pieces(adding.lines))
        await _for_vehicle(session, held, adding)

    return await change_cart(portal, actor, token, key, "add_lines", adding, change)


@router.post("/api/products-checkout/{token:cart_token}/update-lines", response_model=Checkout)
async def update_lines(
    portal: PortalDep,
    actor: SignedIn,
    token: CartToken,
    updating: Updating,
    key: IdempotencyKey = None,
) -> Response:
    """Sets quantities; a conflict when a line is not there. A line that cannot be bought any more may only become smaller."""

    async def change(session: AsyncSession, held: StoredCart, viewer: Viewer) -> None:
        present = await pieces_in(session, held.token)
        pieces = {line.line_id: line.quantity for line in updating.lines}
        if pieces.keys() - present.keys():
            raise LineMissing
        growing = {one: n - present[one] for one, n in pieces.items() if n > present[one]}
        await check_adding(session, viewer, growing, present)
        await set_pieces(session, held.token, pieces)

    return await change_cart(portal, actor, token, key, "update_lines", updating, change)


@router.post("/api/products-checkout/{token:cart_token}/delete-lines", response_model=Checkout)
async def delete_lines(
    portal: PortalDep,
    actor: SignedIn,
    token: CartToken,
    deleting: Deleting,
    key: IdempotencyKey = None,
) -> Response:
    """Takes a line out; a conflict when it is not there."""

    async def change(session: AsyncSession, held: StoredCart, viewer: Viewer) -> None:
        if not await drop_line(session, held.token, deleting.line_id):
            raise LineMissing

    return await change_cart(portal, actor, token, key, "delete_lines", deleting, change)


@router.post(
    "/api/products-checkout/{token:cart_token}/update-b2b-shipping-address", response_model=Checkout
)
async def update_b2b_shipping_address(
    portal: PortalDep,
    actor: SignedIn,
    token: CartToken,
    choice: AddressChoice,
    key: IdempotencyKey = None,
) -> Response:
    """One of the shipping addresses of the business; a conflict for any other."""

    async def change(session: AsyncSession, held: StoredCart, viewer: Viewer) -> None:
        known = await addresses_of(session, held.partner_code)
        addresses = of_kind(known, AddressKind.SHIPPING)
        if choice.shipping_address_id not in {address.id for address in addresses}:
            raise NoSuchAddress
        await choose_shipping(session, held.token, address_id=choice.shipping_address_id)

    return await change_cart(portal, actor, token, key, "update_address", choice, change)


@router.post(
    "/api/products-checkout/{token:cart_token}/update-shipping-method", response_model=Checkout
)
async def update_shipping_method(
    portal: PortalDep,
    actor: SignedIn,
    token: CartToken,
    choice: MethodChoice,
    key: IdempotencyKey = None,
) -> Response:
    """One of the methods that the cart offers; a conflict for any other, the hidden one included."""

    async def change(session: AsyncSession, held: StoredCart, viewer: Viewer) -> None:
        methods = await methods_for(session, held.partner_code)
        if choice.shipping_method_id not in {method.id for method in methods}:
            raise NoSuchMethod
        await choose_shipping(session, held.token, method_id=choice.shipping_method_id)

    return await change_cart(portal, actor, token, key, "update_method", choice, change)


@router.post("/v1/carts/{token}/merge", response_model=Checkout)
async def merge_cart(
    portal: PortalDep,
    actor: SignedIn,
    token: CartToken,
    merging: Merging,
    key: IdempotencyKey = None,
) -> Response:
    """Moves the lines of a cart that was put away into the present one. Quantities are added up, to the most that a line
    holds; nothing else is lost. 404 for a cart that is not the caller's."""

    async def change(session: AsyncSession, held: StoredCart, viewer: Viewer) -> None:
        older = await own_cart(session, actor, merging.from_token, lock=True)
        if older.is_latest:
            return
        await check_not_being_placed(session, older.token)
        present = await pieces_in(session, held.token)
        moving = merged(present, await pieces_in(session, older.token))
        if len(present.keys() | moving.keys()) > MOST_LINES:
            raise refusal_of([Refused(variant_id=one, fault=LineFault.CART_FULL) for one in moving])
        await add_pieces(session, held.token, moving)
        await carry_vehicles(session, held.token, older.token)
        await drop_lines(session, older.token)

    return await change_cart(portal, actor, token, key, "merge_cart", merging, change)


@router.post("/v1/carts/{token}/vehicle", response_model=Checkout)
async def set_line_vehicle(
    portal: PortalDep,
    actor: SignedIn,
    token: CartToken,
    chosen: VehicleChosen,
    key: IdempotencyKey = None,
) -> Response:
    """Says what lines are bought for; a conflict when one is not there, 404 for a vehicle that is in no list."""

    async def change(session: AsyncSession, held: StoredCart, viewer: Viewer) -> None:
        if set(chosen.line_ids) - (await pieces_in(session, held.token)).keys():
            raise LineMissing
        vehicle = await named_vehicle(session, chosen.vehicle) if chosen.vehicle else None
        await set_vehicle(session, held.token, chosen.line_ids, vehicle.id if vehicle else None)

    return await change_cart(portal, actor, token, key, "set_vehicle", chosen, change)


async def _for_vehicle(session: AsyncSession, held: StoredCart, adding: Adding | Creating) -> None:
    if adding.vehicle is None or not adding.lines:
        return
    vehicle = await named_vehicle(session, adding.vehicle)
    await set_vehicle(session, held.token, [one.variant_id for one in adding.lines], vehicle.id)


def _pieces(lines: list[LineRequest]) -> dict[str, int]:
    return summed(
        [VariantRequest(variant_id=one.variant_id, quantity=one.quantity) for one in lines]
    )
