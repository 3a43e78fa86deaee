"""Saved methods, requests for payments, and a driver: the payment activities over the stand-ins of both providers."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import httpx
from fastapi import FastAPI
from sqlalchemy import update

from activities.billing.payments import PaymentActivities
from db.base import Sessions
from db.billing.payment_methods import PaymentMethodRow, add_method
from db.billing.payments import payments_of_flow
from domain.billing.payment_methods import MethodStatus, NewMethod
from domain.billing.payments import PayingFlow, PaymentRequest, PaymentType, Provider
from providers.cards.payments import Cards
from providers.gateway import Gateway
from settings import DEVELOPMENT_CARD_SECRET_KEY, DEVELOPMENT_GATEWAY_KEY
from simulators.main import create_app as create_simulators
from tests.drivers.factories import a_name, a_partner
from tests.drivers.until import until
from tests.simulators.agreement import Agreement

SIMULATED = "http://stand-ins"


@dataclass(frozen=True)
class PaymentDriver:
    """The activities, and what the providers noted."""

    pay: PaymentActivities
    cards: Cards
    gateway: Gateway
    sessions: Sessions
    simulators: FastAPI
    http: httpx.AsyncClient

    async def sums(self, flow_id: str, system: Literal["cards", "gateway"] = "cards") -> Any:
        """Cents by operation, of one flow."""
        return (await self.ledger(flow_id, system))["sums"]

    async def ledger(self, flow_id: str, system: Literal["cards", "gateway"] = "cards") -> Any:
        answer = await self.http.get(f"{SIMULATED}/{system}/_ledger", params={"flow_id": flow_id})
        return answer.json()

    async def turn(self, system: Literal["cards", "gateway"], **knobs: Any) -> None:
        answer = await self.http.post(f"{SIMULATED}/{system}/_control", json=knobs)
        assert answer.is_success


@asynccontextmanager
async def a_payment_driver(
    sessions: Sessions,
    folder: Path,
    *,
    simulators: FastAPI | None = None,
    portal_url: str = "http://portal.test",
    **limits: Any,
) -> AsyncGenerator[PaymentDriver]:
    """`limits` are those of the two clients."""
    simulators = simulators or create_simulators(folder / "simulators.sqlite", own_url=SIMULATED)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(simulators),
        event_hooks={"response": [Agreement("gateway.yaml").look]},
    ) as http:
        cards = Cards(
            http,
            base_url=f"{SIMULATED}/cards",
            secret_key=DEVELOPMENT_CARD_SECRET_KEY,
            **limits,
        )
        gateway = Gateway(
            http, base_url=f"{SIMULATED}/gateway", api_key=DEVELOPMENT_GATEWAY_KEY, **limits
        )
        pay = PaymentActivities(cards, gateway, sessions, portal_url=portal_url)
        yield PaymentDriver(pay, cards, gateway, sessions, simulators, http)


async def named(sessions: Sessions, flow: PayingFlow, flow_id: str, *, count: int = 1) -> None:
    """Once the provider was asked for so many payments of this run."""

    async def is_named() -> bool:
        async with sessions() as session:
            held = await payments_of_flow(session, flow, flow_id)
        return len([one for one in held if one.provider_id is not None]) >= count

    await until(is_named)


async def a_method(
    sessions: Sessions,
    *,
    card: str = "visa",
    bank: str | None = None,
    bank_at: Provider = Provider.GATEWAY,
    partner_code: str | None = None,
    status: MethodStatus = "ready",
    exp_year: int = 2031,
) -> NewMethod:
    """A saved card that behaves as the named test card, or with `bank` a bank account, at `bank_at`."""
    code = partner_code or await a_partner(sessions)
    tag = a_name()
    is_at_cards = bank is None or bank_at is Provider.CARDS
    theirs = f"pm_demo_{card}_{tag}" if bank is None else f"pm_bank_{bank}_{tag}"
    token = theirs if is_at_cards else f"ba_demo_{bank}_{tag}"
    new = NewMethod(
        id=f"pm{tag}",
        type="CARD" if bank is None else "BANK_ACCOUNT",
        partner_code=code,
        brand="Visa" if bank is None else "Checking",
        last4="4242" if bank is None else "6789",
        exp_month=12 if bank is None else None,
        exp_year=exp_year if bank is None else None,
        name="Olivia Marchand",
        country="CA",
        status=status,
        provider_id=token,
        customer_id=f"cus_demo_{tag}" if is_at_cards else None,
        fingerprint=token,
    )
    async with sessions.begin() as session:
        await add_method(session, new)
    return new


async def hide(sessions: Sessions, method_id: str) -> None:
    """The main one too, as an earlier release let people do."""
    async with sessions.begin() as session:
        row = update(PaymentMethodRow).where(PaymentMethodRow.id == method_id)
        await session.execute(row.values(is_hidden=True))


def a_payment_request(
    method: NewMethod | None = None,
    *,
    type: PaymentType | None = None,
    partner_code: str = "N1",
    amount: str = "104.99",
    capture: bool = False,
    reference: str | None = None,
    attempt: int = 1,
    flow_id: str | None = None,
) -> PaymentRequest:
    flow = flow_id or a_name()
    return PaymentRequest(
        flow=PayingFlow.PLACEMENT,
        flow_id=flow,
        workflow_id=f"order-{flow}",
        attempt=attempt,
        key=f"order-{flow}:{attempt}",
        partner_code=method.partner_code if method else partner_code,
        person_id="person-1",
        type=type or (PaymentType(method.type) if method else PaymentType.TERMS),
        method_id=method.id if method else None,
        amount=Decimal(amount),
        description="Order",
        reference=reference,
        capture=capture,
    )


async def a_main_card(sessions: Sessions, code: str, *, country: str) -> None:
    """The default card of a business, of this country."""
    id_ = a_name()
    new = NewMethod(
        id=id_,
        type="CARD",
        partner_code=code,
        brand="Visa",
        last4="4242",
        exp_month=12,
        exp_year=2040,
        name="Olivia Marchand",
        country=country,
        status="ready",
        provider_id=f"pm_{id_}",
        fingerprint=id_,
    )
    async with sessions.begin() as session:
        await add_method(session, new, main=True)
