"""The night in which a discount ends, over HTTP: the clock stays as it is, and the site moves to a zone whose midnight is at
hand, or has just been."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from sqlalchemy import update

from db.partner_tables import SiteRow
from tests.billing.invoice_payments.paying import PayerOf, a_payer
from tests.drivers.whole_portal import Whole, another_portal

HOURS_LEFT = 2
"""Of the last day, at most. An hour less would do, were it not for a test that begins as the hour ends."""


def evening_and_night(now: datetime) -> tuple[str, str]:
    """A zone in which the day is about to end, and one in which the next has begun less than an hour ago."""
    ahead = (24 - HOURS_LEFT - now.hour + 12) % 24 - 12
    evening, night = (f"Etc/GMT{-hours:+d}" for hours in (ahead, ahead + HOURS_LEFT))
    return evening, night


@asynccontextmanager
async def site_in(whole: Whole, zone: str) -> AsyncGenerator[Whole]:
    """A replica of the API for which the site is in this zone."""

    async def move(to: str) -> None:
        async with whole.sessions.begin() as session:
            await session.execute(update(SiteRow).where(SiteRow.code == "ca").values(time_zone=to))

    await move(zone)
    try:
        async with another_portal(whole) as replica:
            yield replica
    finally:
        await move("America/Toronto")


@asynccontextmanager
async def signed_in_at(replica: Whole, payer: PayerOf) -> AsyncGenerator[PayerOf]:
    async with replica.signed_in(payer.caller.user) as caller:
        yield replace(payer, whole=replica, caller=caller)


async def test_promise_21_over_midnight_of_the_site(whole: Whole) -> None:
    """Paid on the last day, and the day after; and what was submitted before midnight is charged at its figures after it."""
    now = datetime.now(UTC)
    evening, night = evening_and_night(now)
    last_day = day_in(evening, now)
    assert day_in(night, now) == last_day + timedelta(days=1)
    async with a_payer(whole) as payer:
        issued = last_day - timedelta(days=10)
        before, over, after = await payer.owes(3, create_date=issued, due_date=last_day)
        declines = await payer.card_that("transactionDeclined")

    async with site_in(whole, evening) as replica, signed_in_at(replica, payer) as early:
        shown = await early.invoice(before.number)
        assert shown["discountUntil"] == str(last_day)
        assert (shown["payoffAmount"]["amount"], shown["discount"]["amount"]) == (98.0, 2.0)
        mock = (await early.pay(early.body([before]), mock=True)).json()
        assert (mock["charged"], mock["discount"]) == (98.0, 2.0)
        paid = await early.paid(early.body([before]))
        assert (paid["charged"], paid["discount"]) == (98.0, 2.0)
        declined = await early.declined(early.body([over], card=declines))

    async with site_in(whole, night) as replica, signed_in_at(replica, payer) as late:
        shown = await late.invoice(after.number)
        assert (shown["payoffAmount"]["amount"], shown["discount"]["amount"]) == (100.0, 0.0)
        mock = (await late.pay(late.body([after]), mock=True)).json()
        assert (mock["charged"], mock["discount"]) == (100.0, 0.0)
        paid = await late.paid(late.body([after]))
        assert (paid["charged"], paid["discount"]) == (100.0, 0.0)
        goes_on = await late.paid(late.body([over]))
        assert goes_on["uuid"] == declined["flow"]["id"]
        assert (goes_on["charged"], goes_on["discount"]) == (98.0, 2.0)
        assert await late.kept(goes_on["uuid"]) == Decimal("98.00")


def day_in(zone: str, now: datetime) -> date:
    return now.astimezone(ZoneInfo(zone)).date()
