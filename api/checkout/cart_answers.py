"""A cart as JSON, in the spec's names (shop spec 3, "Cart and checkout")."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TypeVar

from pydantic import Field

from api.catalogue.answers import Net, NetPrice, Picture, Pricing, pricing_out
from api.partners.answers import AddressOut, address_out
from api.platform.schemas import AddressLinesOut, Camel, lines_out
from api.vehicles.fit_answers import CartVehicle, FitOut, FitVehicle, fit_out, lacking_out
from domain.billing.payments import PaymentType
from domain.checkout.cart import EarlierCart, Line, LineFault, LineVehicle, StoredCart, sums_of
from domain.checkout.coupons import CouponFault, CouponOffer, CouponUnmet
from domain.checkout.draft import DraftPayment, Gateway, PostalAddress
from domain.money import Money
from domain.orders.shipping import ShippingMethod, freight
from domain.partners.partners import Address, AddressKind, of_kind
from domain.vehicles.fit import Fit, FitLine, lacking_in

Choice = TypeVar("Choice", ShippingMethod, Address)
Fits = Mapping[tuple[int, str], Fit]
"""By vehicle and product."""


class Article(Camel):
    """The variant of a line."""

    id: str
    sku: str
    product_id: str
    name: str
    image: Picture
    case_quantity: int
    is_available_for_purchase: bool


class LineOut(Camel):
    """`now` and `later` part the quantity into what is on hand and what follows, on `restockOn` when that is known.
    `fault` says why the line cannot be bought; it counts in no total then. `vehicle` is what it is bought for, `fit` whether
    it fits there."""

    id: str
    variant: Article
    quantity: int
    now: int
    later: int
    restock_on: date | None
    fault: LineFault | None
    pricing: Pricing
    total_price: NetPrice | None
    vehicle: FitVehicle | None
    fit: FitOut | None


class MethodOut(Camel):
    """`name` is without the prefix; `price` is what it costs for this cart."""

    id: str
    name: str
    price: Net
    free_from: Money | None
    is_pick_up: bool


class TaxOut(Camel):
    """Demo rates. `percent` of the goods and the freight."""

    name: str
    percent: float
    amount: Net


class BillingOut(AddressLinesOut):
    """`id` is null for a typed address."""

    id: str | None


class PaymentOut(Camel):
    """What was chosen so far; `amount` is null for the total."""

    gateway: Gateway
    type: PaymentType | None
    method_id: str | None
    amount: Money | None


class Taxed(Camel):
    net: Net
    tax: Net
    gross: Net


class CouponUnmetOut(Camel):
    """A coupon that takes nothing off. `missing` is what the goods that it holds for still have to come to."""

    code: str
    description: str
    fault: CouponFault
    missing: Net


class CouponTakenOut(Camel):
    """What comes off the goods."""

    code: str
    description: str
    amount: Net


class CouponsOut(Camel):
    """`taken` is in the figures. `entered` is what the buyer typed; where it does not hold, `refused` says why, and the best
    one is taken instead. `near` would take off more for a little more."""

    entered: str | None
    taken: CouponTakenOut | None
    refused: CouponUnmetOut | None
    near: CouponUnmetOut | None


class EarlierOut(Camel):
    token: str
    quantity: int
    updated_at: datetime


class Checkout(Camel):
    """A cart. `rev` counts its changes; one that is not the latest can be read and merged only. `canBeOrdered` is False for
    an empty cart and while a line has a fault. `billingAddress` is a typed one; `billingAddressId` names one of the business.
    """

    token: str
    rev: int
    is_latest: bool
    sap_bp_code: str
    updated_at: datetime
    lines: list[LineOut]
    vehicles: list[CartVehicle]
    quantity: int
    can_be_ordered: bool
    subtotal_price: NetPrice
    coupons: CouponsOut
    shipping_price: NetPrice
    total_price: Taxed
    taxes: list[TaxOut]
    shipping_methods: list[MethodOut]
    current_shipping_method: MethodOut | None
    shipping_address: AddressOut | None
    shipping_addresses: list[AddressOut]
    billing_addresses: list[AddressOut]
    billing_address_id: str | None
    billing_address: BillingOut | None
    po_number: str | None
    payment: PaymentOut | None
    earlier_carts: list[EarlierOut]


class LatestCart(Camel):
    """`token` is null while nothing was added yet."""

    token: str | None = Field(description="The present cart")
    quantity: int


def checkout_out(
    held: StoredCart,
    lines: Sequence[Line],
    methods: Sequence[ShippingMethod],
    addresses: Sequence[Address],
    coupons: CouponOffer,
    fits: Fits,
    earlier: Sequence[EarlierCart] = (),
) -> Checkout:
    """A method or an address that is not to be had any more gives way to the first one."""
    method = _chosen(methods, held.shipping_method_id)
    ship_to = of_kind(addresses, AddressKind.SHIPPING)
    address = _chosen(ship_to, held.shipping_address_id)
    sums = sums_of(lines, method, address, coupons.amount)
    offers = [_method(one, sums.subtotal) for one in methods]
    return Checkout.model_construct(
        token=held.token,
        rev=held.rev,
        is_latest=held.is_latest,
        sap_bp_code=held.partner_code,
        updated_at=held.updated_at,
        lines=[_line(line, _fit_of(line, fits)) for line in lines],
        vehicles=_vehicles(lines, fits),
        quantity=sum(line.quantity for line in lines),
        can_be_ordered=bool(lines) and not any(line.fault for line in lines),
        subtotal_price=NetPrice.model_construct(net=_net(sums.subtotal)),
        coupons=_coupons(coupons),
        shipping_price=NetPrice.model_construct(net=_net(sums.freight)),
        total_price=Taxed.model_construct(
            net=_net(sums.net), tax=_net(sums.tax), gross=_net(sums.gross)
        ),
        taxes=[
            TaxOut(name=tax.name, percent=float(tax.percent), amount=_net(tax.amount))
            for tax in sums.taxes
        ],
        shipping_methods=offers,
        current_shipping_method=next((o for o in offers if method and o.id == method.id), None),
        shipping_address=address_out(address) if address else None,
        shipping_addresses=[address_out(one) for one in ship_to],
        billing_addresses=[address_out(one) for one in of_kind(addresses, AddressKind.BILLING)],
        billing_address_id=held.draft.billing_address_id,
        billing_address=_billing(held.draft.billing_address),
        po_number=held.draft.po_number,
        payment=_payment(held.draft.payment),
        earlier_carts=[
            EarlierOut(token=one.token, quantity=one.quantity, updated_at=one.updated_at)
            for one in earlier
        ],
    )


def _line(line: Line, fit: Fit | None) -> LineOut:
    sellable = line.sellable
    return LineOut.model_construct(
        id=line.id,
        variant=Article.model_construct(
            id=sellable.variant_id,
            sku=sellable.sku,
            product_id=sellable.product_id,
            name=sellable.name,
            image=Picture.model_construct(url=sellable.image, alt=""),
            case_quantity=sellable.case_quantity,
            is_available_for_purchase=sellable.is_for_purchase,
        ),
        quantity=line.quantity,
        now=line.now,
        later=line.later,
        restock_on=sellable.stock.restock_on if line.later else None,
        fault=line.fault,
        pricing=pricing_out(sellable.figure),
        total_price=None if line.fault else NetPrice.model_construct(net=_net(line.total)),
        vehicle=_vehicle(line.vehicle) if line.vehicle else None,
        fit=fit_out(fit) if fit else None,
    )


def _vehicle(vehicle: LineVehicle) -> FitVehicle:
    return FitVehicle.model_validate(vehicle, from_attributes=True)


def _fit_of(line: Line, fits: Fits) -> Fit | None:
    return fits.get((line.vehicle.id, line.sellable.product_id)) if line.vehicle else None


def _vehicles(lines: Sequence[Line], fits: Fits) -> list[CartVehicle]:
    """In the order of their first lines."""
    groups: dict[LineVehicle, list[FitLine]] = {}
    for line in lines:
        if line.vehicle and (fit := _fit_of(line, fits)):
            sellable = line.sellable
            groups.setdefault(line.vehicle, []).append(
                FitLine(
                    line_id=line.id,
                    product_id=sellable.product_id,
                    kind=sellable.category,
                    fit=fit,
                )
            )
    return [
        CartVehicle(
            **_vehicle(vehicle).model_dump(),
            line_ids=[one.line_id for one in group],
            lacking=lacking_out(lacking_in(group)),
        )
        for vehicle, group in groups.items()
    ]


def _coupons(offer: CouponOffer) -> CouponsOut:
    taken = offer.taken
    return CouponsOut(
        entered=offer.entered,
        taken=CouponTakenOut(
            code=taken.code, description=taken.description, amount=_net(taken.amount)
        )
        if taken
        else None,
        refused=_unmet(offer.refused),
        near=_unmet(offer.near),
    )


def _unmet(unmet: CouponUnmet | None) -> CouponUnmetOut | None:
    if unmet is None:
        return None
    return CouponUnmetOut(
        code=unmet.code,
        description=unmet.description,
        fault=unmet.fault,
        missing=_net(unmet.missing),
    )


def _billing(address: PostalAddress | None) -> BillingOut | None:
    if address is None:
        return None
    return BillingOut(id=address.id, **lines_out(address))


def _payment(payment: DraftPayment | None) -> PaymentOut | None:
    if payment is None:
        return None
    choice = payment.choice
    return PaymentOut(
        gateway=payment.gateway,
        type=choice.type if choice else None,
        method_id=choice.method_id if choice else None,
        amount=payment.amount,
    )


def _method(method: ShippingMethod, subtotal: Money) -> MethodOut:
    return MethodOut.model_construct(
        id=method.id,
        name=method.shown_name,
        price=_net(freight(method, subtotal)),
        free_from=method.free_from,
        is_pick_up=method.is_pick_up,
    )


def _chosen(choices: Sequence[Choice], id_: str | None) -> Choice | None:
    return next((one for one in choices if one.id == id_), choices[0] if choices else None)


def _net(amount: Money) -> Net:
    return Net.model_construct(amount=amount, currency="USD")
