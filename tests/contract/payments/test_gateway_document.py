"""The agreement with the ACH/COD gateway, `docs/gateway.yaml`: every operation of client and stand-in is in it, asks as it says,
and is answered as it says, events too. The tests of payments are held against it, with all their refusals and faults."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import httpx
import orjson
import pytest
from fastapi.routing import APIRoute
from pydantic import SecretStr

from domain.billing.payment_events import BANK_EVENTS, DEPOSITS_RETURNED
from domain.billing.payments import PaymentStatus, PaymentType
from providers.errors import Refused
from providers.gateway import Gateway
from simulators.gateway import bank_accounts, routes
from tests.billing.payments.factories import a_payment_request
from tests.simulators.agreement import Agreement
from tests.simulators.harness import BASE, World, a_world

NEVER_CAME = "never-came"


@pytest.fixture
async def world(tmp_path) -> AsyncGenerator[World]:
    async with a_world(tmp_path / "state.sqlite") as world:
        yield world


@pytest.fixture
def agreement() -> Agreement:
    return Agreement("gateway.yaml")


@pytest.fixture
async def gateway(world: World, agreement: Agreement) -> AsyncGenerator[Gateway]:
    hooks = {"response": [agreement.look]}
    transport = httpx.ASGITransport(world.app)
    async with httpx.AsyncClient(transport=transport, event_hooks=hooks) as client:
        yield Gateway(client, base_url=f"{BASE}/gateway", api_key=routes.KEY)


def test_the_stand_in_has_the_operations_of_the_document_and_no_others(
    agreement: Agreement,
) -> None:
    (address,) = agreement.addresses
    built = {
        (method, route.path)
        for module in (routes, bank_accounts)
        for route in module.router.routes
        if isinstance(route, APIRoute) and route.path.startswith(address)
        for method in route.methods or ()
    }
    assert built == agreement.operations()


def test_each_schema_of_the_document_is_one(agreement: Agreement) -> None:
    agreement.check_schemas()


async def an_account(gateway: Gateway, number: str = "000123456789") -> str:
    made = await gateway.create_account(
        holder_name="Harbour Car Audio",
        holder_type="company",
        account_type="checking",
        routing_number=SecretStr("021000021"),
        account_number=SecretStr(number),
        country="US",
        method_id="method",
        key=number,
    )
    return made.token


async def test_the_client_uses_every_operation_as_the_document_says(
    gateway: Gateway, agreement: Agreement
) -> None:
    began = datetime.now(UTC)
    token = await an_account(gateway)
    await gateway.send_deposits(token, method_id="method", key="a")
    assert not await gateway.verify_deposits(token, (1, 2), key="b")
    assert await gateway.verify_deposits(token, (89, 67), key="c")
    held, let_go = (a_payment_request(type=PaymentType.BANK_ACCOUNT) for _ in range(2))
    for one in (held, let_go):
        assert (await gateway.authorise(one, account=token)).status is PaymentStatus.AUTHORISED
    await gateway.capture(held.payment_id)
    await gateway.refund(held.payment_id, Decimal("1.00"), key="d")
    await gateway.void(let_go.payment_id)
    with pytest.raises(Refused):
        await gateway.void(held.payment_id)
    assert await gateway.find(NEVER_CAME) is None
    assert (await gateway.void(NEVER_CAME)).status is PaymentStatus.VOIDED
    assert await gateway.charge(held.payment_id)
    assert (await gateway.charges(began, None))[0]
    await gateway.forget_account(token)
    assert agreement.asked == agreement.operations()


async def test_what_the_gateway_tells_is_in_the_document_and_read_by_the_portal(
    gateway: Gateway, world: World, agreement: Agreement
) -> None:
    closed, returning = [await an_account(gateway, f"000{tail}") for tail in TAILS]
    await gateway.send_deposits(returning, method_id="method", key="a")
    refused = a_payment_request(type=PaymentType.BANK_ACCOUNT)
    assert (await gateway.authorise(refused, account=closed)).status is PaymentStatus.DECLINED
    taken = a_payment_request(type=PaymentType.BANK_ACCOUNT, capture=True)
    await gateway.authorise(taken, account=returning)
    await gateway.refund(taken.payment_id, taken.amount, key="b")
    await gateway.void(NEVER_CAME)
    with world.app.state.gateway.state.transaction() as db:
        told = [row["body"] for row in db.execute("select body from told_event").fetchall()]
    assert {orjson.loads(body)["type"] for body in told} >= {
        "transaction.declined",
        "transaction.settled",
        "transaction.refunded",
        "deposit.returned",
    }
    for body in told:
        agreement.hold_event(body.encode())
    event: dict[str, Any] = agreement.document["components"]["schemas"]["Event"]
    kinds = set(event["properties"]["type"]["enum"])
    assert kinds == {*BANK_EVENTS, *(one for one in DEPOSITS_RETURNED if "deposit." in one)}


TAILS = ("111111113", "555555559")
"""Of a closed account, and of one whose deposits come back."""


async def test_what_is_not_in_the_document_is_found(agreement: Agreement) -> None:
    headers = {"Authorization": "Bearer x"}
    asked = httpx.Request("GET", "http://gateway/gateway/v1/transactions/x", headers=headers)
    with pytest.raises(AssertionError, match="answers 200"):
        agreement.hold(asked, httpx.Response(200, json={"reference": "x", "status": "gone"}))
    agreement.hold(
        asked, httpx.Response(404, json={"code": "unknown_transaction", "detail": "No."})
    )
    with pytest.raises(AssertionError, match="not in the document"):
        agreement.hold(
            httpx.Request("GET", "http://gateway/gateway/v1/accounts", headers=headers),
            httpx.Response(200, json={}),
        )
    with pytest.raises(AssertionError, match="tells"):
        agreement.hold_event(b'{"id": "1", "type": "transaction.gone", "metadata": {}}')
