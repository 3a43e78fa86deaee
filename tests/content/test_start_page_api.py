"""The start page by role: one read, few statements, nothing of anybody else's."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import func, update

from db.base import Sessions
from db.partner_tables import PartnerRow
from domain.activation import reducer
from domain.identity.people import User
from tests.activation.in_memory import a_walk
from tests.checkout.cart.buyers import buying
from tests.dealers.team_rows import an_open_run
from tests.drivers.database.statements import statements_of
from tests.drivers.factories import (
    a_dealer,
    an_admin,
    an_inside_rep,
    an_installer,
    an_outside_rep,
    an_owner,
)
from tests.drivers.portal import running_portal
from tests.drivers.times import NOON
from tests.operations.cases.factories import an_owing_case
from tests.orders.factories import an_order, code_of
from tests.partners.factories import an_address, let_see
from tests.plans.test_api import a_subscription

MOST_STATEMENTS = 16
"""Of the read of an owner, who has the most parts: with the sign-in's own."""


@pytest.fixture(scope="module")
async def portal(database_url: str) -> AsyncGenerator[FastAPI]:
    async with running_portal(database_url) as app:
        yield app


async def start_page(browser: httpx.AsyncClient, **query: str) -> dict[str, Any]:
    answer = await browser.get("/v1/start-page", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def parts(page: dict[str, Any]) -> set[str]:
    return {name for name, part in page.items() if part is not None}


async def an_account(sessions: Sessions, user: User, *, balance: str, limit: str) -> None:
    async with sessions.begin() as session:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == code_of(user))
            .values(
                account_balance=Decimal(balance),
                credit_limit=Decimal(limit),
                past_due_invoices=0,
                invoice_count=0,
                mirrored_at=func.now(),
            )
        )


async def test_an_owner_reads_all_that_waits_in_few_statements(
    portal: FastAPI, sessions: Sessions
) -> None:
    dealer = await a_dealer(sessions)
    owner = await an_owner(sessions, dealer)
    await an_account(sessions, owner, balance="300.00", limit="1000.00")
    ending = await a_subscription(sessions, dealer, days_left=20)
    await a_subscription(sessions, dealer, days_left=200)
    placed = [await an_order(sessions, code_of(owner)) for _ in range(7)]
    await an_owing_case(sessions, owner, owed="50.00")
    await an_owing_case(sessions, owner, owed="70.00", has_ended=True)
    async with buying(portal, owner) as browser:
        with statements_of(portal) as seen:
            page = await start_page(browser)
    assert parts(page) == {"activations", "orders", "credit", "plans", "approvals", "cases"}
    assert page["orders"]["count"] == 7
    assert {one["id"] for one in page["orders"]["results"]} <= {order.id for order in placed}
    assert len(page["orders"]["results"]) == 5
    ordered = sum((order.total for order in placed), Decimal(0))
    assert Decimal(page["credit"]["used"]) == Decimal("350.00") + ordered
    assert Decimal(page["credit"]["left"]) == Decimal("650.00") - ordered
    assert [one["device_key"] for one in page["plans"]["results"]] == [ending]
    assert page["plans"]["results"][0]["plan_id"] == "premium_prepaid-1_year"
    (case,) = page["cases"]
    assert (case["kind"], case["number"], Decimal(case["owed"])) == ("order", "T-1", 50)
    assert len(seen) <= MOST_STATEMENTS, "\n".join(seen)


async def test_what_is_of_another_business_waits_for_nobody_here(
    portal: FastAPI, sessions: Sessions
) -> None:
    theirs, ours = await a_dealer(sessions), await a_dealer(sessions)
    other, owner = await an_owner(sessions, theirs), await an_owner(sessions, ours)
    await an_order(sessions, code_of(other))
    await a_subscription(sessions, theirs, days_left=5)
    await an_owing_case(sessions, other, owed="50.00")
    async with buying(portal, owner) as browser:
        page = await start_page(browser, scope="dealer")
    assert page["orders"] == {"results": [], "count": 0}
    assert page["plans"] == {"results": [], "more": False}
    assert (page["cases"], page["approvals"], page["credit"]) == ([], [], None)
    assert page["activations"]["results"] == []


async def test_an_installer_sees_no_money_and_an_administrator_the_operators_figures(
    portal: FastAPI, sessions: Sessions
) -> None:
    installer = await an_installer(sessions, await a_dealer(sessions))
    async with buying(portal, installer) as browser:
        assert parts(await start_page(browser)) == {"activations", "plans"}
    admin = await an_admin(sessions)
    async with buying(portal, admin) as browser:
        page = await start_page(browser)
        assert parts(page) == {"operations"}
        await an_open_run(
            sessions, admin, view=reducer.view(a_walk().state, NOON).model_dump(mode="json")
        )
        carried_on = await start_page(browser)
    assert carried_on["activations"]["count"] == 1
    assert set(page["operations"]) == {"attention", "stuck", "retrying", "open_cases", "unwell"}


async def test_an_outside_rep_finds_what_they_began_and_nobody_elses(
    portal: FastAPI, sessions: Sessions
) -> None:
    rep, another = await an_outside_rep(sessions), await an_outside_rep(sessions)
    view = reducer.view(a_walk().state, NOON).model_dump(mode="json")
    await an_open_run(sessions, another, view=view)
    async with buying(portal, rep) as browser:
        assert (await start_page(browser))["activations"] is None
        await an_open_run(sessions, rep, view=view | {"id": "mine"})
        found = (await start_page(browser))["activations"]
    assert [card["id"] for card in found["results"]] == ["mine"]


async def test_a_rep_finds_the_businesses_they_worked_for_the_last_one_first(
    portal: FastAPI, sessions: Sessions
) -> None:
    rep = await an_outside_rep(sessions)
    owners = [await an_owner(sessions, await a_dealer(sessions)) for _ in range(3)]
    first, second, never = (code_of(owner) for owner in owners)
    await let_see(sessions, rep, first, second, never)
    await an_address(sessions, first, "SHIPPING", is_default=True)
    await an_account(sessions, owners[0], balance="12.50", limit="100.00")
    at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    await an_order(sessions, first, created_at=at)
    async with buying(portal, rep) as browser:
        before = await start_page(browser)
        for code in (second, first):
            answer = await browser.put("/v1/auth/business", json={"sapBpCode": code})
            assert answer.status_code == 200, answer.text
        page = await start_page(browser)
    assert (before["recent_businesses"], before["orders"]) == ([], None)
    assert [one["code"] for one in page["recent_businesses"]] == [first, second]
    recent = page["recent_businesses"][0]
    assert (recent["town"], Decimal(recent["balance"])) == ("Kelowna", Decimal("12.50"))
    assert recent["last_order_at"].startswith("2026-11-20T12:00:00")
    assert page["orders"]["count"] == 1
    another = await an_inside_rep(sessions)
    async with buying(portal, another) as browser:
        assert (await start_page(browser))["recent_businesses"] == []
