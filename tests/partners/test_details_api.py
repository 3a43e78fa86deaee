"""One business with its details, and what the ERP told of it."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import func, update

from db.base import Sessions
from db.partner_tables import PartnerRow
from domain.identity.people import User
from tests.drivers.factories import (
    Dealer,
    a_dealer,
    a_name,
    a_partner,
    an_admin,
    an_inside_rep,
    an_installer,
    an_outside_rep,
    an_owner,
)
from tests.drivers.portal import sign_in
from tests.partners.factories import a_primary, an_address, let_see

HIDDEN = {
    "accountBalance",
    "creditLimit",
    "availableCredit",
    "pastDueInvoices",
    "invoices",
    "addresses",
    "defaultBillingAddress",
    "defaultShippingAddress",
}


async def details(browser: httpx.AsyncClient, code: str, **query: Any) -> dict[str, Any]:
    answer = await browser.get(f"/api/business-partners/{code}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def set_account(erp: FastAPI, code: str, **figures: float) -> None:
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(erp), base_url="http://erp"
    ) as client:
        answer = await client.post("/erp/_control", json={"code": code, **figures})
        answer.raise_for_status()


async def an_old_mirror(sessions: Sessions, code: str) -> None:
    async with sessions.begin() as session:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == code)
            .values(mirrored_at=func.now() - func.make_interval(0, 0, 0, 0, 1))
        )


async def test_an_owner_sees_what_the_business_owes(
    sessions: Sessions, browser: httpx.AsyncClient, erp: FastAPI
) -> None:
    owner = await an_owner(sessions)
    code = owner.partner_code or ""
    await set_account(erp, code, balance=1234.5, credit_limit=20_000, past_due=2)
    await sign_in(browser, owner)
    shown = await details(browser, code)
    assert (shown["accountBalance"], shown["creditLimit"]) == (1234.5, 20_000)
    assert shown["availableCredit"] == 18_765.5
    assert shown["pastDueInvoices"] == 2
    assert shown["invoices"]["totalCount"] >= 2
    assert shown["limited"] is False


async def test_what_is_owed_is_asked_anew_after_a_minute_and_kept_until_then(
    sessions: Sessions, browser: httpx.AsyncClient, erp: FastAPI
) -> None:
    owner = await an_owner(sessions)
    code = owner.partner_code or ""
    await sign_in(browser, owner)
    await set_account(erp, code, balance=100)
    await details(browser, code)
    await set_account(erp, code, balance=200)
    assert (await details(browser, code))["accountBalance"] == 100
    await an_old_mirror(sessions, code)
    assert (await details(browser, code))["accountBalance"] == 200


@pytest.mark.parametrize("ending", ["503", "404"])
async def test_without_the_erp_the_business_is_shown_without_figures(
    sessions: Sessions, browser: httpx.AsyncClient, ending: str
) -> None:
    code = await a_partner(sessions, prefix=f"N{a_name()}{ending}N")
    code = await _renamed(sessions, code, f"N{a_name()}{ending}".upper())
    await sign_in(browser, await an_admin(sessions))
    shown = await details(browser, code)
    assert shown["sapBpCode"] == code
    assert (shown["accountBalance"], shown["invoices"]) == (None, None)


async def _renamed(sessions: Sessions, code: str, new: str) -> str:
    async with sessions.begin() as session:
        await session.execute(
            update(PartnerRow).where(PartnerRow.sap_bp_code == code).values(sap_bp_code=new)
        )
    return new


async def test_addresses_name_the_default_of_each_kind(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await an_owner(sessions)
    code = owner.partner_code or ""
    await an_address(sessions, code, "SHIPPING", is_default=False)
    chosen = await an_address(sessions, code, "SHIPPING", is_default=True)
    billing = await an_address(sessions, code, "BILLING", is_default=False)
    await sign_in(browser, owner)
    shown = await details(browser, code)
    assert shown["defaultShippingAddress"]["id"] == chosen
    assert shown["defaultBillingAddress"]["id"] == billing
    assert len(shown["addresses"]) == 3
    address = shown["defaultShippingAddress"]
    assert (address["city"], address["countryArea"], address["type"]) == (
        "Kelowna",
        "BC",
        "SHIPPING",
    )


@pytest.mark.parametrize("query", [{}, {"limited": "false"}, {"limited": "true"}])
async def test_an_installer_sees_no_money_whatever_the_query_says(
    sessions: Sessions, browser: httpx.AsyncClient, query: dict[str, str]
) -> None:
    installer = await an_installer(sessions)
    await sign_in(browser, installer)
    shown = await details(browser, installer.partner_code or "", **query)
    assert shown["limited"] is True
    assert not HIDDEN & shown.keys()


async def test_an_owner_may_ask_for_less(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    owner = await an_owner(sessions)
    await sign_in(browser, owner)
    shown = await details(browser, owner.partner_code or "", limited="true")
    assert not HIDDEN & shown.keys()


async def test_the_primary_person_and_the_reps_are_named(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    primary = await a_primary(sessions, dealer)
    inside, outside = await an_inside_rep(sessions), await an_outside_rep(sessions)
    await let_see(sessions, inside, dealer.partner_code, is_contact=True)
    await let_see(sessions, outside, dealer.partner_code, is_contact=True)
    await sign_in(browser, primary)
    shown = await details(browser, dealer.partner_code)
    assert shown["dealerPrimary"] == {"droneProfile": {"droneUserId": primary.drone_user_id}}
    assert shown["insideSalesRep"]["id"] == inside.id
    assert [rep["id"] for rep in shown["outsideSalesRep"]] == [outside.id]


async def test_only_reps_are_told_of_a_subdistributor(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    rep = await an_inside_rep(sessions)
    await let_see(sessions, rep, dealer.partner_code)
    await sign_in(browser, rep)
    assert (await details(browser, dealer.partner_code))["subdistributor"] is False
    await sign_in(browser, await an_owner(sessions, dealer))
    assert (await details(browser, dealer.partner_code))["subdistributor"] is None


async def _strangers(sessions: Sessions, dealer: Dealer) -> list[User]:
    retired = await an_installer(sessions, is_retired=True)
    return [await an_owner(sessions), await an_inside_rep(sessions), retired]


async def test_a_foreign_business_is_absent_and_the_attempt_is_kept(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    for stranger in await _strangers(sessions, dealer):
        await sign_in(browser, stranger)
        foreign = await browser.get(f"/api/business-partners/{dealer.partner_code}")
        absent = await browser.get("/api/business-partners/N0NE")
        assert (foreign.status_code, foreign.json()["code"]) == (404, "partner_missing")
        same = {"instance": ""}
        assert {**foreign.json(), **same} == {**absent.json(), **same}
    await sign_in(browser, await an_admin(sessions))
    kept = await browser.get("/v1/audit", params={"object_id": dealer.partner_code})
    assert {entry["action"] for entry in kept.json()["results"]} == {
        "reached for another's business"
    }
    assert len(kept.json()["results"]) == 3
