"""The ERP's client against its stand-in."""

from datetime import UTC, datetime
from decimal import Decimal

import httpx
import pytest
from fastapi import FastAPI

from providers.erp import Erp
from providers.errors import Refused, Unavailable
from tests.drivers.factories import a_name
from tests.drivers.outside.erp_records import a_service_layer


@pytest.fixture
async def client(erp: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(erp), base_url="http://erp")


async def test_an_account_is_told_in_our_words(client: httpx.AsyncClient) -> None:
    code, today = f"N{a_name()}".upper(), datetime.now(UTC).date()
    change = {"code": code, "balance": 12.34, "credit_limit": 5000, "past_due": 1}
    (await client.post("/erp/_control", json=change)).raise_for_status()
    account = await Erp(a_service_layer(client)).account_of(code, today)
    assert (account.account_balance, account.credit_limit) == (Decimal("12.34"), Decimal("5000"))
    assert account.past_due_invoices == 1


async def test_a_late_payer_has_three_invoices_past_due(client: httpx.AsyncClient) -> None:
    account = await Erp(a_service_layer(client)).account_of("N77LATE", datetime.now(UTC).date())
    assert account.past_due_invoices == 3
    assert account.invoice_count >= 3


async def test_failures_are_told_apart(client: httpx.AsyncClient) -> None:
    erp, today = Erp(a_service_layer(client)), datetime.now(UTC).date()
    with pytest.raises(Unavailable):
        await erp.account_of("N503", today)
    with pytest.raises(Refused):
        await erp.account_of("N404", today)
