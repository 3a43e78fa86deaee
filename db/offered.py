"""What the company offers, as rows: those of a file, what is otherwise here, and writing it.

Nothing is deleted that orders, carts or subscriptions name: it is offered no more.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import delete, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Base
from db.checkout.cart import ShippingMethodRow
from db.checkout.coupons import CouponRow
from db.operations.audit import record
from db.plans.plans import PlanPriceRow, PlanTypeRow
from domain.base import Frozen
from domain.offers import OfferedCoupon, OfferedMethod, OfferedPlan, Offers
from domain.plans.plans import PlanType

Row = Mapping[str, Any]
Price = tuple[str, str]
"""Term and channel."""


class Change(Frozen):
    """One thing that the file has otherwise. `fields` are what was and what will be, as people read them."""

    kind: str
    key: str
    deed: str
    fields: Mapping[str, tuple[str, str]]

    @property
    def said(self) -> str:
        said = f"{self.deed} {self.kind} {self.key}"
        if self.deed == "added":
            return said
        words = ", ".join(f"{name} {was} → {new}" for name, (was, new) in self.fields.items())
        return f"{said}: {words}"


def method_rows(methods: Iterable[OfferedMethod]) -> list[dict[str, Any]]:
    return [
        {
            **one.model_dump(exclude={"business", "countries"}),
            "countries": list(one.countries),
            "partner_code": one.business,
            "position": position,
        }
        for position, one in enumerate(methods)
    ]


def plan_rows(plans: Iterable[OfferedPlan]) -> list[dict[str, Any]]:
    return [one.model_dump(include=set(PlanType.model_fields)) for one in plans]


def price_rows(plans: Iterable[OfferedPlan]) -> list[dict[str, Any]]:
    return [
        {"slug": one.slug, "term": term.value, "channel": channel, "amount": amount}
        for one in plans
        for channel, terms in one.prices.items()
        for term, amount in terms.items()
    ]


def coupon_rows(coupons: Iterable[OfferedCoupon]) -> list[dict[str, Any]]:
    lists = ("channels", "categories")
    return [
        {**one.model_dump(), **{name: list(getattr(one, name)) for name in lists}}
        for one in coupons
    ]


async def take(session: AsyncSession, offers: Offers, *, actor: str) -> list[Change]:
    """Has the tables be as the file says; what was changed. Prices hold from the end of the transaction on: carts and quotes
    are worked out again before anybody pays."""
    await session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended("offers", 0))))
    changes: list[Change] = []
    if offers.shipping_methods is not None:
        rows, gone = method_rows(offers.shipping_methods), {"countries": list[str]()}
        changes += await _put(session, "shipping method", ShippingMethodRow, "id", rows, gone)
    if offers.plans is not None:
        changes += await _put_plans(session, offers.plans)
    if offers.coupons is not None:
        now = await session.scalar(select(func.now()))
        rows = coupon_rows(offers.coupons)
        changes += await _put(session, "coupon", CouponRow, "code", rows, {"ends_at": now})
    for one in changes:
        await record(
            session,
            f"{one.deed} a {one.kind}",
            actor=actor,
            on=(one.kind.replace(" ", "_"), one.key),
            more={name: list(values) for name, values in one.fields.items()},
        )
    return changes


async def _put(
    session: AsyncSession,
    kind: str,
    table: type[Base],
    key: str,
    rows: Sequence[Row],
    gone: Row,
) -> list[Change]:
    """`gone` is what a row has that is offered no more; one that is over already stays."""
    have = {row[key]: row for row in await _rows(session, table)}
    wanted = {row[key]: row for row in rows}
    changes = [_change(kind, id_, have.get(id_), row) for id_, row in wanted.items()]
    for id_ in have.keys() - wanted.keys():
        if not _is_over(have[id_], gone):
            wanted[id_] = {**have[id_], **gone}
            changes.append(_change(kind, id_, have[id_], wanted[id_], deed="withdrew"))
    found = sorted((one for one in changes if one), key=lambda one: one.key)
    for one in found:
        row = wanted[one.key]
        added = insert(table).values(**row)
        await session.execute(added.on_conflict_do_update(index_elements=[key], set_=row))
    return found


def _is_over(row: Row, gone: Row) -> bool:
    """A time in the past is as good as now."""
    return all(
        row[name] is not None and row[name] <= value
        if isinstance(value, datetime)
        else row[name] == value
        for name, value in gone.items()
    )


async def _put_plans(session: AsyncSession, plans: Sequence[OfferedPlan]) -> list[Change]:
    """A plan that is sold no more keeps its prices: what is left of it counts for an upgrade."""
    rows, gone = plan_rows(plans), {"is_retired": True}
    changes = await _put(session, "plan", PlanTypeRow, "slug", rows, gone)
    by_slug = {one.key: one for one in changes}
    have: dict[str, dict[Price, Decimal]] = {one.slug: {} for one in plans}
    wanted: dict[str, dict[Price, Decimal]] = {one.slug: {} for one in plans}
    for prices, found in ((have, await _rows(session, PlanPriceRow)), (wanted, price_rows(plans))):
        for row in found:
            if row["slug"] in prices:
                prices[row["slug"]][row["term"], row["channel"]] = row["amount"]
    for slug, prices in wanted.items():
        fields = _different(_named(have[slug]), _named(prices))
        if not fields:
            continue
        await _write_prices(session, slug, have[slug], prices)
        before = by_slug.get(slug) or Change(kind="plan", key=slug, deed="changed", fields={})
        by_slug[slug] = before.model_copy(update={"fields": {**before.fields, **fields}})
    return [by_slug[slug] for slug in sorted(by_slug)]


async def _write_prices(
    session: AsyncSession, slug: str, have: Mapping[Price, Decimal], wanted: Mapping[Price, Decimal]
) -> None:
    if over := have.keys() - wanted.keys():
        of = tuple_(PlanPriceRow.term, PlanPriceRow.channel)
        await session.execute(
            delete(PlanPriceRow).where(PlanPriceRow.slug == slug, of.in_(sorted(over)))
        )
    for (term, channel), amount in wanted.items():
        if have.get((term, channel)) != amount:
            price = insert(PlanPriceRow).values(
                slug=slug, term=term, channel=channel, amount=amount
            )
            await session.execute(
                price.on_conflict_do_update(
                    index_elements=["slug", "term", "channel"], set_={"amount": amount}
                )
            )


async def _rows(session: AsyncSession, table: type[Base]) -> list[dict[str, Any]]:
    found = await session.execute(select(table.__table__).order_by(*table.__table__.primary_key))
    return [dict(row) for row in found.mappings()]


def _change(
    kind: str, key: str, was: Row | None, new: Row, *, deed: str = "changed"
) -> Change | None:
    """None where they are alike."""
    deed = "added" if was is None else deed
    fields = _different(was or {}, new)
    return Change(kind=kind, key=key, deed=deed, fields=fields) if fields else None


def _different(was: Row, new: Row) -> dict[str, tuple[str, str]]:
    return {
        name: (_shown(was.get(name)), _shown(new.get(name)))
        for name in sorted({*was, *new})
        if was.get(name) != new.get(name)
    }


def _named(prices: Mapping[Price, Decimal]) -> dict[str, Decimal]:
    """As the file names them."""
    return {f"prices.{channel}.{term}": amount for (term, channel), amount in prices.items()}


def _shown(value: object) -> str:
    match value:
        case None | []:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return " ".join(str(one) for one in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case datetime():
            return value.isoformat(timespec="seconds")
        case _:
            return str(value)
