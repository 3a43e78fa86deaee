"""What a business owes is asked before it orders, unless it was mirrored just now."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import func, select, update

from api.partners.credit import refresh_credit
from db.base import Sessions
from db.checkout.credit import credit_of
from db.partner_tables import PartnerRow
from domain.partners.partners import ErpAccount
from providers.erp import Erp
from tests.drivers.factories import an_owner
from tests.drivers.portal import sign_in
from tests.orders.erp.test_webhook_api import post_events, story_of
from tests.orders.factories import a_line, an_order, code_of
from tests.partners.test_details_api import details, set_account

TOLD = ErpAccount(
    account_balance=Decimal(0), credit_limit=Decimal(5000), past_due_invoices=0, invoice_count=0
)


@pytest.mark.parametrize(("seconds", "owed"), [(10, "10.00"), (31, "77.50"), (None, "77.50")])
async def test_an_account_is_asked_for_when_it_is_not_of_this_moment(
    portal: FastAPI, sessions: Sessions, erp: FastAPI, seconds: int | None, owed: str
) -> None:
    code = (await an_owner(sessions)).partner_code or ""
    await set_account(erp, code, balance=77.5, credit_limit=900)
    mirrored = None if seconds is None else func.now() - timedelta(seconds=seconds)
    async with sessions.begin() as session:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == code)
            .values(account_balance=10, credit_limit=500, mirrored_at=mirrored)
        )
    await refresh_credit(portal.state.portal, code)
    async with sessions() as session:
        found = await session.scalar(
            select(PartnerRow.account_balance).where(PartnerRow.sap_bp_code == code)
        )
    assert found == Decimal(owed)


@pytest.mark.parametrize("asks", ["checkout", "details"])
async def test_what_is_invoiced_while_the_erp_is_asked_stays_reserved(
    portal: FastAPI,
    sessions: Sessions,
    browser: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    asks: str,
) -> None:
    """The balance that is on its way does not hold it yet."""
    owner = await an_owner(sessions)
    code = code_of(owner)
    order = await an_order(sessions, code, [a_line(quantity=3)])

    async def account_of(*_: object) -> ErpAccount:
        await post_events(portal, *story_of(order))
        return TOLD

    monkeypatch.setattr(Erp, "account_of", account_of)
    if asks == "checkout":
        await refresh_credit(portal.state.portal, code)
    else:
        await sign_in(browser, owner)
        await details(browser, code)
    async with sessions() as session:
        credit = await credit_of(session, code)
    assert credit is not None
    assert credit.open_orders == order.total > 0


@pytest.mark.parametrize("asks", ["checkout", "details"])
async def test_what_is_past_due_is_counted_by_the_day_of_the_site(
    portal: FastAPI,
    sessions: Sessions,
    browser: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    asks: str,
) -> None:
    owner = await an_owner(sessions)
    days: list[date] = []

    async def evening(*_: object) -> datetime:
        return datetime(2100, 1, 10, 3, tzinfo=UTC)  # still the 9th in Toronto

    async def account_of(_erp: Erp, _code: str, today: date) -> ErpAccount:
        days.append(today)
        return TOLD

    for where in ("credit", "partners"):
        monkeypatch.setattr(f"api.partners.{where}.database_now", evening)
    monkeypatch.setattr(Erp, "account_of", account_of)
    if asks == "checkout":
        await refresh_credit(portal.state.portal, code_of(owner))
    else:
        await sign_in(browser, owner)
        days.clear()
        await details(browser, code_of(owner))
    assert days == [date(2100, 1, 9)]
