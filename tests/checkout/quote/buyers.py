"""Buyers whose business can order: addresses, a method, money left on TERMS, and what they fill in."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import httpx
from sqlalchemy import func, update

from db.base import Sessions
from db.billing.payment_methods import add_method
from db.partner_tables import PartnerRow
from domain.billing.payment_methods import MethodStatus, NewMethod
from domain.billing.payments import PaymentType
from domain.identity.people import User
from tests.checkout.cart.buyers import CHECKOUT, a_buyer, a_method
from tests.drivers.factories import a_name
from tests.partners.factories import an_address


@dataclass(frozen=True)
class Shop:
    """A person who may buy, and what their business has."""

    buyer: User
    code: str
    shipping_address: str
    billing_address: str
    method: str


async def a_shop(sessions: Sessions, *, limit: str = "5000", balance: str = "0") -> Shop:
    """In British Columbia: 5 % GST and 7 % PST; freight is 14.50 below 500.00."""
    buyer = await a_buyer(sessions)
    return await equipped(sessions, buyer, str(buyer.partner_code), limit=limit, balance=balance)


async def equipped(
    sessions: Sessions, buyer: User, code: str, *, limit: str = "5000", balance: str = "0"
) -> Shop:
    async with sessions.begin() as session:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == code)
            .values(
                credit_limit=Decimal(limit),
                account_balance=Decimal(balance),
                mirrored_at=func.now() + timedelta(hours=1),  # so that nobody asks the ERP anew
            )
        )
    return Shop(
        buyer=buyer,
        code=code,
        shipping_address=await an_address(sessions, code, "SHIPPING", is_default=True),
        billing_address=await an_address(sessions, code, "BILLING", is_default=True),
        method=await a_method(sessions, "B2B-Ground", "14.50", code=code, free_from="500.00"),
    )


async def a_card(
    sessions: Sessions,
    code: str,
    *,
    type_: PaymentType = PaymentType.CARD,
    status: MethodStatus = "ready",
) -> str:
    """A saved card of this business, or a bank account."""
    id_ = a_name()
    is_card = type_ is PaymentType.CARD
    async with sessions.begin() as session:
        await add_method(
            session,
            NewMethod(
                id=id_,
                type="CARD" if is_card else "BANK_ACCOUNT",
                partner_code=code,
                brand="Visa" if is_card else "Checking",
                last4="4242",
                exp_month=12 if is_card else None,
                exp_year=2040 if is_card else None,
                name="Olivia Marchand",
                country="CA",
                status=status,
                provider_id=f"pm_{id_}",
                fingerprint=id_,
            ),
        )
    return id_


async def draft(browser: httpx.AsyncClient, token: str, call: str, body: Any) -> httpx.Response:
    return await browser.post(f"{CHECKOUT}/{token}/{call}", json=body)


async def pay_by(browser: httpx.AsyncClient, token: str, type_: str, **more: Any) -> httpx.Response:
    gateway = "CARD" if type_ == "CARD" else "ACH_COD"
    return await draft(
        browser, token, "set-b2b-payment", {"gateway": gateway, "type": type_, **more}
    )


async def mock(browser: httpx.AsyncClient, token: str) -> dict[str, Any]:
    answer = await browser.post(f"/v1/placements/{token}/mock", json={})
    assert answer.status_code == 200, answer.text
    return answer.json()


def codes(quote: dict[str, Any]) -> list[str]:
    return [refusal["code"] for refusal in quote["refusals"]]


async def mirror_account(sessions: Sessions, shop: Shop, ago: timedelta) -> None:
    """The account of this business was told by the ERP so long ago."""
    async with sessions.begin() as session:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == shop.code)
            .values(mirrored_at=func.now() - ago)
        )
