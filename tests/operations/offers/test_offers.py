"""What an operator offers by a file: from an empty database to an order's quote and a plan that is bought."""

import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update
from temporalio.client import Client

from db import offers
from db.base import Sessions
from db.checkout.cart import ShippingMethodRow
from db.checkout.coupons import CouponRow, usable_coupons
from db.checkout.shipping import methods_for
from db.demo.offers import EXAMPLE
from db.offers import NOTHING_NEW
from db.operations.audit import AuditRow
from db.operators import OPERATOR
from db.partner_tables import PartnerRow
from db.plans.plans import PlanPriceRow, find_plan, plans_for
from dev.places import ROOT
from dev.tools import tool_environment
from domain.errors import FaultyFile
from tests.catalogue.factories import a_product
from tests.checkout.cart.buyers import begin, buying
from tests.checkout.quote.buyers import codes, mock, pay_by
from tests.drivers.factories import a_dealer
from tests.drivers.whole_portal import a_whole_portal
from tests.operations.offers.files import COUPON, GROUND, OFFERS, PREMIUM
from tests.partners.factories import an_address
from tests.plans.purchases.buying import a_buyer, devices

YEAR = "premium_prepaid-1_year"


async def audited(sessions: Sessions) -> Sequence[tuple[str, str | None, dict[str, Any]]]:
    """What was done to which, and how."""
    async with sessions() as session:
        rows = await session.execute(
            select(AuditRow.action, AuditRow.object_id, AuditRow.more)
            .where(AuditRow.actor == OPERATOR)
            .order_by(AuditRow.id)
        )
        return [(action, id_, more) for action, id_, more in rows]


async def test_from_an_empty_database_to_a_quote_and_a_plan_that_is_bought(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    tmp_path: Path,
) -> None:
    assert await offers.carry_out(sessions, OFFERS) == [
        "Note: no business has the channel dealer-1 by now.",
        "added shipping method ground",
        "added plan premium_prepaid",
        "added coupon WINTER10",
    ]
    async with (
        a_whole_portal(temporal, temporal_address, sessions, database_url, tmp_path) as whole,
        a_buyer(whole) as buyer,
    ):
        code = buyer.dealer.partner_code
        for kind in ("SHIPPING", "BILLING"):
            await an_address(sessions, code, kind, is_default=True)
        async with sessions.begin() as session:
            soon = func.now() + timedelta(hours=1)  # so that nobody asks the ERP anew
            known = {"credit_limit": Decimal(5000), "account_balance": Decimal(0)}
            await session.execute(update(PartnerRow).values(mirrored_at=soon, **known))
        made = await a_product(sessions, msrp="100.00")
        async with buying(whole.app, buyer.user) as browser:
            token = (await begin(browser, (made, 2)))["token"]
            await pay_by(browser, token, "TERMS")
            quote = await mock(browser, token)
        assert (quote["shipping_method"]["name"], quote["freight"]) == ("Ground", 14.5)
        assert (quote["coupon"]["amount"], codes(quote)) == (20, [])
        (device,) = devices()
        uuid = (await buyer.quoted({device: YEAR}))["uuid"]
        await offers.carry_out(sessions, OFFERS.replace("80.00", "85.00"))
        await buyer.confirmed(uuid, buyer.card)
        run = await buyer.until(uuid, lambda one: one["view"]["error"])
        assert run["view"]["error"]["code"] == "quote_changed", "nobody pays what they did not see"
        await buyer.confirmed(uuid, buyer.card)
        run = await buyer.until(uuid, "confirmed")
        (line,) = run["view"]["lines"]
        assert (line["base_amount"], line["discount"]) == (100, 15)
        assert await buyer.plan_of(device) == YEAR


async def test_the_second_time_nothing_is_changed(sessions: Sessions) -> None:
    await offers.carry_out(sessions, EXAMPLE.read_text() + COUPON)
    before = await audited(sessions)
    (*_, said) = await offers.carry_out(sessions, EXAMPLE.read_text() + COUPON)
    assert said == NOTHING_NEW
    assert await audited(sessions) == before


async def test_a_check_tells_what_would_be_and_changes_nothing(sessions: Sessions) -> None:
    await offers.carry_out(sessions, OFFERS)
    before, dearer = await audited(sessions), OFFERS.replace("80.00", "85.00")
    told = await offers.carry_out(sessions, dearer, only_check=True)
    assert told[1:] == ["changed plan premium_prepaid: prices.dealer-1.1_year 80.00 → 85.00"]
    assert await audited(sessions) == before
    assert (await offers.carry_out(sessions, dearer))[1:] == told[1:]


async def test_what_changes_is_told_and_audited(sessions: Sessions) -> None:
    await offers.carry_out(sessions, OFFERS)
    there = len(await audited(sessions))
    changed = (
        OFFERS.replace("14.50", "16.00")
        .replace("1_year = 80.00", "month_to_month = 8")
        .replace("percent = 10", "percent = 12.5")
    )
    assert (await offers.carry_out(sessions, changed))[1:] == [
        "changed shipping method ground: price 14.50 → 16.00",
        "changed plan premium_prepaid: prices.dealer-1.1_year 80.00 → none, "
        "prices.dealer-1.month_to_month none → 8.00",
        "changed coupon WINTER10: percent 10.00 → 12.50",
    ]
    assert [one[:2] for one in (await audited(sessions))[there:]] == [
        ("changed a shipping method", "ground"),
        ("changed a plan", "premium_prepaid"),
        ("changed a coupon", "WINTER10"),
    ]
    assert (await audited(sessions))[there][2] == {"price": ["14.50", "16.00"]}
    async with sessions() as session:
        plans = {one.id: one.amount for one in await plans_for(session, "dealer-1")}
    assert plans == {YEAR: Decimal(100), "premium_prepaid-month_to_month": Decimal(8)}


async def test_what_a_file_has_no_more_is_offered_no_more_and_comes_back(
    sessions: Sessions,
) -> None:
    await offers.carry_out(sessions, OFFERS)
    dealer = await a_dealer(sessions)
    emptied = "shipping_methods = []\nplans = []\ncoupons = []"
    told = await offers.carry_out(sessions, emptied)
    assert told[:2] == [
        "withdrew shipping method ground: countries CA US → none",
        "withdrew plan premium_prepaid: is_retired no → yes",
    ]
    assert told[2].startswith("withdrew coupon WINTER10: ends_at none → ")
    assert await offers.carry_out(sessions, emptied) == [NOTHING_NEW]
    async with sessions() as session:
        assert await methods_for(session, dealer.partner_code) == ()
        assert await plans_for(session, "dealer-1") == ()
        assert await usable_coupons(session, "dealer-1", dealer.partner_code) == ()
        known = await find_plan(session, YEAR, "dealer-1")
        assert known is not None
        assert (known.is_retired, known.amount) == (True, 80), "it counts for an upgrade"
    await offers.carry_out(sessions, OFFERS)
    async with sessions() as session:
        assert [one.id for one in await methods_for(session, dealer.partner_code)] == ["ground"]
        assert len(await plans_for(session, "dealer-1")) == 2
        assert len(await usable_coupons(session, "dealer-1", dealer.partner_code)) == 1


async def test_what_a_file_does_not_speak_of_stays(sessions: Sessions) -> None:
    await offers.carry_out(sessions, OFFERS)
    for part in (GROUND, PREMIUM, COUPON):
        assert (await offers.carry_out(sessions, part))[-1] == NOTHING_NEW


async def test_a_coupon_for_what_nobody_sells_is_taken_with_a_word(sessions: Sessions) -> None:
    await a_product(sessions, category="Remote Start")
    coupon = f'{COUPON}categories = ["remote-starts", "remote-start"]\n'
    assert await offers.carry_out(sessions, coupon) == [
        "Note: no product is of the category remote-starts by now.",
        "added coupon WINTER10",
    ]


async def test_methods_stand_in_the_order_of_the_file_and_some_are_for_one_business(
    sessions: Sessions,
) -> None:
    mine, other = await a_dealer(sessions), await a_dealer(sessions)
    express = GROUND.replace('"ground"', '"express"')
    agreed = GROUND.replace('"ground"', '"agreed"') + f'business = "{mine.partner_code}"\n'
    await offers.carry_out(sessions, express + agreed + GROUND)
    async with sessions() as session:
        ours = [one.id for one in await methods_for(session, mine.partner_code)]
        theirs = [one.id for one in await methods_for(session, other.partner_code)]
    assert (ours, theirs) == (["express", "agreed", "ground"], ["express", "ground"])
    told = await offers.carry_out(sessions, GROUND + agreed + express)
    assert told == [
        "changed shipping method express: position 0 → 2",
        "changed shipping method ground: position 2 → 0",
    ]


async def test_a_file_that_cannot_be_taken_leaves_nothing(sessions: Sessions) -> None:
    strange = f'{GROUND}business = "NOWHERE"\n'
    for text, said in (
        (strange + PREMIUM, "line 8, shipping_methods.business: no business has the code NOWHERE"),
        (OFFERS.replace("80.00", "0"), "line 13, plans.prices.dealer-1.1_year: "),
    ):
        with pytest.raises(FaultyFile, match=said):
            await offers.carry_out(sessions, text)
    async with sessions() as session:
        for table in (ShippingMethodRow, PlanPriceRow, CouponRow):
            assert await session.scalar(select(func.count()).select_from(table)) == 0


async def test_a_coupon_that_is_over_stays_as_it_was(sessions: Sessions) -> None:
    ended = datetime(2026, 1, 1, tzinfo=UTC)
    await offers.carry_out(sessions, f"{COUPON}ends_at = {ended.isoformat()}\n")
    assert await offers.carry_out(sessions, "coupons = []") == [NOTHING_NEW]
    async with sessions() as session:
        assert await session.scalar(select(CouponRow.ends_at)) == ended


def piped(database_url: str, written: str, *words: str) -> tuple[int, str]:
    """`python -m db.offers -`; how it ended, and what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "db.offers", "-", *words],
        cwd=ROOT,
        env={**tool_environment(), "DATABASE_URL": database_url},
        input=written,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_command_says_what_it_does_and_why_it_does_not(database_url: str) -> None:
    assert piped(database_url, GROUND, "--check") == (
        0,
        "Nothing was changed. Without --check:\nadded shipping method ground\n",
    )
    assert piped(database_url, GROUND) == (0, "added shipping method ground\n")
    ended, said = piped(database_url, GROUND.replace("14.50", "-1"))
    assert ended == 1
    assert said.startswith("line 5, shipping_methods.price: ")
