"""The price lists of the demo: four tiers, deals of each, prices agreed with some businesses; and coupons.

Prices follow from list prices by SQL, so that six million of them load as fast as a few.
"""

from datetime import datetime, timedelta
from decimal import Decimal

from sqlalchemy import text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.prices import work_out_all
from db.catalogue.tables import PriceListRow
from db.checkout.coupons import CouponRow
from domain.catalogue.pricing import ListKind, agreed_list_of, scope_of_partner
from domain.checkout.coupons import Coupon

TIERS = {"dealer-1": 18, "dealer-2": 25, "dealer-3": 32, "dealer-4": 40}
"""Per cent below the list price."""
DEAL = 12
"""Per cent below the tier's price."""
DEAL_SHARE = 12
AGREED_SHARE = 14
"""Of a hundred products."""
AGREED = ("N1001", "N1005", "N1009", "N1017", "N1021", "A2002")
"""Businesses with prices of their own."""
PRODUCTS_FOR_ANOTHER = 345
"""In larger sizes, one more business has prices of its own for so many products: 290 for 100,000."""

_ADD = """
insert into price (list_id, variant_id, amount)
select cast(:list as text), v.id, round(v.msrp * cast(:share as numeric), 2)
from variant v
where v.msrp is not null
  and ('x' || substr(md5(v.product_id || cast(:salt as text)), 1, 7))::bit(28)::int % 100 < :of_hundred
on conflict do nothing
"""


async def add_prices(session: AsyncSession, *, count: int, midnight: datetime) -> None:
    """Every list for what has no price on it yet; the first `count` products decide how many lists there are."""
    for channel, below in TIERS.items():
        share = Decimal(100 - below) / 100
        await _list(session, channel, channel, f"Dealer {channel[-1]}", ListKind.TIER)
        await _prices(session, channel, share, salt="", of_hundred=100)
        for name, begins, ends in _deals(midnight):
            deal = f"{channel}-{name}"
            await _list(
                session, deal, channel, f"{name.capitalize()} deals", ListKind.DEAL, begins, ends
            )
            cut = share * (100 - DEAL) / 100
            await _prices(session, deal, cut, salt=name, of_hundred=DEAL_SHARE)
    for place, code in enumerate(_agreed(count)):
        agreed = agreed_list_of(code)
        await _list(session, agreed, scope_of_partner(code), f"Agreed with {code}", ListKind.AGREED)
        share = Decimal(55 + place % 20) / 100
        await _prices(session, agreed, share, salt=code, of_hundred=AGREED_SHARE)
    await work_out_all(session)


async def add_coupons(session: AsyncSession, midnight: datetime) -> None:
    month = midnight + timedelta(days=30)
    ended = midnight - timedelta(days=1)
    coupons = [
        Coupon(code="WINTER10", description="10 % off remote starts", percent=Decimal(10), least=Decimal(250),
               categories=("remote-start",)),
        Coupon(code="WELCOME25", description="$25 off the first order", amount=Decimal(25), least=Decimal(200),
               is_first_order=True),
        Coupon(code="BULK5", description="5 % off from $1,000", percent=Decimal(5), least=Decimal(1000)),
        Coupon(code="AUTUMN10", description="10 % off in autumn", percent=Decimal(10), ends_at=ended),
    ]  # fmt: skip
    for coupon in coupons:
        values = {
            "ends_at": month,
            **coupon.model_dump(exclude_unset=True),
            "categories": list(coupon.categories),
        }
        await session.execute(insert(CouponRow).values(values).on_conflict_do_nothing())
    highest = Coupon(code="TIER4", description="3 % for the highest tier", percent=Decimal(3))
    values = {**highest.model_dump(exclude_unset=True), "ends_at": month, "channels": ["dealer-4"]}
    await session.execute(insert(CouponRow).values(values).on_conflict_do_nothing())


def _deals(midnight: datetime) -> list[tuple[str, datetime, datetime]]:
    """One that holds, one that has ended and one to come."""
    day = timedelta(days=1)
    return [
        ("autumn", midnight - 90 * day, midnight - 10 * day),
        ("winter", midnight - 10 * day, midnight + 60 * day),
        ("spring", midnight + 60 * day, midnight + 150 * day),
    ]


def _agreed(count: int) -> list[str]:
    further = max(0, count // PRODUCTS_FOR_ANOTHER - len(AGREED))
    return [*AGREED, *(f"NS{number:05d}" for number in range(1, further + 1))]


async def _list(
    session: AsyncSession,
    id_: str,
    scope: str,
    name: str,
    kind: ListKind,
    starts_at: datetime | None = None,
    ends_at: datetime | None = None,
) -> None:
    values = {"id": id_, "scope": scope, "name": name, "kind": kind.value}
    times = {"starts_at": starts_at, "ends_at": ends_at}
    await session.execute(insert(PriceListRow).values(**values, **times).on_conflict_do_nothing())


async def _prices(
    session: AsyncSession, list_id: str, share: Decimal, *, salt: str, of_hundred: int
) -> None:
    values = {"list": list_id, "share": share, "salt": salt, "of_hundred": of_hundred}
    await session.execute(text(_ADD), values)
