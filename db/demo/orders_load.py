"""Loads the invented orders and their documents by COPY, in the transaction of its session. Only once."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from psycopg.types.json import Jsonb
from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.tables import ProductRow, VariantRow
from db.checkout.shipping import methods_for
from db.demo.invoices.load import add_documents
from db.demo.orders import DEMO_ORDERS, Article, Buyer, DemoOrder, demo_orders, demo_token
from db.identity.people import InstallerRow, PersonRow
from db.orders.tables import OrderEventRow, OrderLineRow, OrderRow, ShipmentRow
from db.partner_tables import DealerRow, PartnerAddressRow, PartnerRow
from db.platform.copying import copy_rows
from domain.orders.orders import (
    OrderAddress,
    OrderEventKind,
    OrderFacts,
    pieces_by_sku,
    status_from,
)
from domain.partners.partners import CONSUMER_PREFIX, AddressKind


async def add_orders(session: AsyncSession, now: datetime, count: int = DEMO_ORDERS) -> int:
    """Answers how many were added."""
    first = select(OrderRow.id).where(OrderRow.token == demo_token(1))
    if await session.scalar(first) is not None:
        return 0
    buyers, articles = await _buyers(session), await _articles(session)
    if not buyers or not articles:
        return 0
    methods = await methods_for(session, buyers[0].code)
    orders = list(demo_orders(buyers, articles, methods, now, count))
    await copy_rows(session, OrderRow, "id token status partner_code placed_by placed_by_name po_number pieces"
                    " subtotal freight tax taxes total shipping_method shipping_address billing_address"
                    " payment_type payment_shown channel erp_number invoice_number accepted_at cancelled_at"
                    " created_at updated_at", map(_order, orders))  # fmt: skip
    await copy_rows(
        session,
        OrderLineRow,
        "order_id place variant_id product_id sku name image quantity now later unit_price total vehicle",
        (
            (
                order.id,
                place,
                line.variant_id,
                line.product_id,
                line.sku,
                line.name,
                line.image,
                line.quantity,
                line.now,
                line.later,
                line.unit_price,
                line.total,
                line.vehicle,
            )
            for order in orders
            for place, line in enumerate(order.new.lines)
        ),
    )
    await copy_rows(
        session,
        ShipmentRow,
        "order_id number carrier tracking_number shipped_at parcels",
        (row for order in orders for row in _shipments(order)),
    )
    await copy_rows(
        session,
        OrderEventRow,
        "order_id key kind at note",
        (row for order in orders for row in _events(order)),
    )
    await add_documents(session, orders, now)
    return len(orders)


def _order(order: DemoOrder) -> tuple[object, ...]:
    new, past = order.new, order.past
    sent = [parcel for _, late in past.shipped for parcel in _parcels(order, late=late)]
    facts = OrderFacts(
        erp_number=order.erp_number,
        is_accepted=past.accepted_at is not None,
        is_cancelled=past.cancelled_at is not None,
        invoice_number=_invoice(order),
        ordered=pieces_by_sku(new.lines),
        sent={sku: sum(n for other, n in sent if other == sku) for sku, _ in sent},
    )
    return (
        order.id,
        new.token,
        status_from(facts).value,
        new.partner_code,
        new.placed_by,
        new.placed_by_name,
        new.po_number,
        new.pieces,
        new.subtotal,
        new.freight,
        new.tax,
        Jsonb([tax.model_dump(mode="json") for tax in new.taxes]),
        new.total,
        new.shipping_method,
        Jsonb(new.shipping_address.model_dump()),
        Jsonb(new.billing_address.model_dump()),
        new.payment_type.value,
        new.payment_shown,
        new.channel,
        order.erp_number,
        _invoice(order),
        past.accepted_at,
        past.cancelled_at,
        new.created_at,
        max(at for _, _, at, _ in _history(order)),
    )


def _invoice(order: DemoOrder) -> str | None:
    return f"INV-{order.erp_number}" if order.past.invoiced_at else None


def _parcels(order: DemoOrder, *, late: bool) -> list[tuple[str, int]]:
    """SKU and pieces of a shipment: what was on hand, or what followed."""
    pieces = [(line.sku, line.later if late else line.now) for line in order.new.lines]
    return [(sku, n) for sku, n in pieces if n]


def _shipments(order: DemoOrder) -> Iterator[tuple[object, ...]]:
    for place, (at, late) in enumerate(order.past.shipped, start=1):
        parcels = [{"sku": sku, "quantity": n} for sku, n in _parcels(order, late=late)]
        number = f"SH-{order.erp_number}-{place}"
        yield (
            order.id,
            number,
            "Northern Parcel",
            f"NP{order.erp_number}{place}",
            at,
            Jsonb(parcels),
        )


def _events(order: DemoOrder) -> Iterator[tuple[object, ...]]:
    for key, kind, at, note in _history(order):
        yield order.id, key, kind.value, at, note


def _history(order: DemoOrder) -> list[tuple[str, OrderEventKind, datetime, str | None]]:
    past, number = order.past, order.erp_number
    shipped = [
        (f"shipped-{n}", OrderEventKind.SHIPPED, at, f"SH-{number}-{n}")
        for n, (at, _) in enumerate(past.shipped, start=1)
    ]
    found = [
        ("placed", OrderEventKind.PLACED, order.new.created_at, None),
        ("handed_over", OrderEventKind.HANDED_OVER, past.handed_over_at, number),
        ("accepted", OrderEventKind.ACCEPTED, past.accepted_at, number),
        *shipped,
        ("invoiced", OrderEventKind.INVOICED, past.invoiced_at, _invoice(order)),
        ("cancelled", OrderEventKind.CANCELLED, past.cancelled_at, past.reason),
    ]
    return [(key, kind, at, note) for key, kind, at, note in found if at is not None]


async def _buyers(session: AsyncSession) -> list[Buyer]:
    """Businesses with somebody who may buy and an address of each kind, by code."""
    addresses: dict[str, dict[str, OrderAddress]] = defaultdict(dict)
    for row in await session.scalars(select(PartnerAddressRow).where(PartnerAddressRow.is_default)):
        address = OrderAddress.model_validate(row, from_attributes=True)
        addresses[row.partner_id][row.kind] = address
    people: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for id_, first, last, partner_id in await session.execute(
        select(PersonRow.id, PersonRow.first_name, PersonRow.last_name, DealerRow.partner_id)
        .join(InstallerRow, InstallerRow.person_id == PersonRow.id)
        .join(DealerRow, DealerRow.id == PersonRow.dealer_id)
        .where(
            PersonRow.is_retired.is_(False),
            or_(InstallerRow.is_owner, InstallerRow.is_purchaser),
        )
        .order_by(PersonRow.id)
    ):
        if partner_id is not None:
            people[partner_id].append((id_, f"{first} {last}"))
    rows = await session.scalars(
        select(PartnerRow)
        .where(PartnerRow.sap_bp_code.not_like(f"{CONSUMER_PREFIX}%"))
        .order_by(PartnerRow.country, PartnerRow.sap_bp_code)
    )
    both = {kind.value for kind in AddressKind}
    return [
        Buyer(
            code=row.sap_bp_code,
            channel=row.channel_slug,
            shipping=addresses[row.id][AddressKind.SHIPPING.value],
            billing=addresses[row.id][AddressKind.BILLING.value],
            people=tuple(people[row.id]),
        )
        for row in rows
        if people[row.id] and both <= addresses[row.id].keys()
    ]


async def _articles(session: AsyncSession) -> list[Article]:
    """What is for sale at a price, by id, of the invented catalogue."""
    rows = await session.execute(
        select(VariantRow, ProductRow)
        .join(ProductRow, ProductRow.id == VariantRow.product_id)
        .where(ProductRow.is_for_purchase, VariantRow.msrp > Decimal(0))
        .order_by(VariantRow.id)
        .limit(1_000)
    )
    return [
        Article(
            variant_id=variant.id,
            product_id=product.id,
            sku=variant.sku,
            name=f"{product.name}, {variant.name}" if variant.name else product.name,
            image=product.image,
            price=variant.msrp or Decimal(0),
        )
        for variant, product in rows
    ]
