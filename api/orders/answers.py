"""Orders as JSON, in the spec's names (shop spec 3)."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from pydantic import Field

from api.catalogue.answers import Metadatum, Net, NetPrice, Picture
from api.checkout.cart_answers import Taxed, TaxOut
from api.platform.schemas import AddressLinesOut, Camel, lines_out
from domain.billing.payments import PaymentType, Refund
from domain.money import Money
from domain.orders.orders import (
    Order,
    OrderAddress,
    OrderEventKind,
    OrderStatus,
    OrderSummary,
    OrderWaitsFor,
    awaited_by_line,
    following_by_line,
    sent_by_line,
    shown_method,
    waits_for,
)


class OrderSummaryOut(Camel):
    """An order in a list. `erpNumber` and `invoiceNumber` are null until the ERP told them."""

    id: str
    number: str
    status: OrderStatus
    po_number: str | None
    erp_number: str | None
    invoice_number: str | None
    placed_by: str
    quantity: int
    total: Money
    payment: str
    shipping_method_name: str
    created: datetime


class OrderLineOut(Camel):
    """As it was ordered. `now` pieces were on hand then and `later` followed; `shipped` have left by now, `following` will still
    leave, and what is neither will not be sent. `expectedOn` is the day on which the warehouse expects what is on backorder
    still, null where it is not known."""

    variant_id: str
    product_id: str
    sku: str
    name: str
    image: Picture
    quantity: int
    now: int
    later: int
    shipped: int
    following: int
    expected_on: date | None
    unit_price: NetPrice
    total_price: NetPrice
    vehicle: str | None


class OrderAddressOut(AddressLinesOut):
    pass


class ParcelOut(Camel):
    sku: str
    quantity: int


class ShipmentOut(Camel):
    """`invoiceNumber` is null until the ERP has invoiced it."""

    number: str
    carrier: str
    tracking_number: str
    shipped_at: datetime
    parcels: list[ParcelOut]
    invoice_number: str | None = None


class WithdrawalOut(Camel):
    """A shipment that will not be sent, and what was paid for it."""

    number: str
    reason: str
    withdrawn_at: datetime
    parcels: list[ParcelOut]
    amount: Money


class RefundOut(Camel):
    """What of the total was given back, in US dollars."""

    at: datetime
    amount: Money


class EventOut(Camel):
    """`note` is a number or a reason."""

    kind: OrderEventKind
    at: datetime
    note: str | None


class OrderCouponOut(Camel):
    """What a coupon took off the goods."""

    code: str
    amount: Net


class OrderPaymentOut(Camel):
    type: PaymentType
    shown: str


class OrderOut(OrderSummaryOut):
    """An order with what has become of it. `waitsFor` says what comes next, null when nothing does. `token` names its
    placement, null where it was not placed here."""

    sap_bp_code: str
    token: str | None = Field(description="Of the cart, and so of the placement")
    acting_as: str | None
    metadata: list[Metadatum]
    lines: list[OrderLineOut]
    subtotal_price: NetPrice
    coupon: OrderCouponOut | None
    shipping_price: NetPrice
    total_price: Taxed
    taxes: list[TaxOut]
    shipping_address: OrderAddressOut
    billing_address: OrderAddressOut
    payment_method: OrderPaymentOut
    shipments: list[ShipmentOut]
    withdrawals: list[WithdrawalOut]
    given_back: list[RefundOut]
    history: list[EventOut]
    waits_for: OrderWaitsFor | None
    updated_at: datetime


def summary_out(order: OrderSummary) -> OrderSummaryOut:
    return OrderSummaryOut(**_summary(order))


def order_out(
    order: Order,
    invoices: Mapping[str, str],
    restocks: Mapping[str, date],
    back: Sequence[Refund],
) -> OrderOut:
    """`invoices`: shipment → the number of its invoice, of those that are mirrored. `restocks`: variant → the day
    on which more of it is expected. `back`: what was given back of what was paid."""
    return OrderOut(
        **_summary(order),
        sap_bp_code=order.partner_code,
        token=order.token if order.workflow_id else None,
        acting_as=order.acting_as,
        metadata=[Metadatum(key=key, value=value) for key, value in order.metadata],
        lines=_lines(order, restocks),
        subtotal_price=_price(order.subtotal),
        coupon=(
            OrderCouponOut(code=order.coupon_code, amount=_net(order.coupon_amount))
            if order.coupon_code
            else None
        ),
        shipping_price=_price(order.freight),
        total_price=Taxed(
            net=_net(order.total - order.tax), tax=_net(order.tax), gross=_net(order.total)
        ),
        taxes=[
            TaxOut(name=tax.name, percent=float(tax.percent), amount=_net(tax.amount))
            for tax in order.taxes
        ],
        shipping_address=_address(order.shipping_address),
        billing_address=_address(order.billing_address),
        payment_method=OrderPaymentOut(type=order.payment_type, shown=order.payment_shown),
        shipments=[
            ShipmentOut.model_validate(one, from_attributes=True).model_copy(
                update={"invoice_number": invoices.get(one.number) or one.invoice_number}
            )
            for one in order.shipments
        ],
        withdrawals=[
            WithdrawalOut.model_validate(one, from_attributes=True) for one in order.withdrawals
        ],
        given_back=[RefundOut.model_validate(one, from_attributes=True) for one in back],
        history=[EventOut.model_validate(one, from_attributes=True) for one in order.history],
        waits_for=waits_for(order.status),
        updated_at=order.updated_at,
    )


def _summary(order: OrderSummary | Order) -> dict[str, Any]:
    return {
        "id": order.id,
        "number": order.number,
        "status": order.status,
        "po_number": order.po_number,
        "erp_number": order.erp_number,
        "invoice_number": order.invoice_number,
        "placed_by": order.placed_by_name,
        "quantity": order.pieces,
        "total": order.total,
        "payment": order.payment_shown,
        "shipping_method_name": shown_method(order.shipping_method),
        "created": order.created_at,
    }


def _lines(order: Order, restocks: Mapping[str, date]) -> list[OrderLineOut]:
    return [
        OrderLineOut(
            variant_id=line.variant_id,
            product_id=line.product_id,
            sku=line.sku,
            name=line.name,
            image=Picture(url=line.image, alt=""),
            quantity=line.quantity,
            now=line.now,
            later=line.later,
            shipped=shipped,
            following=following,
            expected_on=restocks.get(line.variant_id) if awaited else None,
            unit_price=_price(line.unit_price),
            total_price=_price(line.total),
            vehicle=line.vehicle,
        )
        for line, shipped, following, awaited in zip(
            order.lines,
            sent_by_line(order),
            following_by_line(order),
            awaited_by_line(order),
            strict=True,
        )
    ]


def _address(address: OrderAddress) -> OrderAddressOut:
    return OrderAddressOut(**lines_out(address))


def _price(amount: Money) -> NetPrice:
    return NetPrice(net=_net(amount))


def _net(amount: Money) -> Net:
    return Net(amount=amount)
