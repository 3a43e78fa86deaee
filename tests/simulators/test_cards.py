"""The card provider's stand-in keeps Stripe's promises, which our own rely on."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from simulators.cards.known import CARDS, is_number
from simulators.main import create_app
from tests.billing.payment_methods.test_api import VISA


@pytest.fixture
async def provider(tmp_path: Path) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_client(create_app(tmp_path / "simulators.sqlite")) as made:
        yield made


def a_client(app: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url="http://stand-ins/cards",
        headers={"Authorization": "Bearer sk_test_turnkey_development"},
    )


def an_intent(card: str = "visa", **more: str) -> dict[str, str]:
    return {
        "amount": "1234",
        "currency": "usd",
        "payment_method": f"pm_demo_{card}_shop",
        "customer": "cus_demo_shop",
        "capture_method": "manual",
        "confirm": "true",
        "metadata[flow_id]": "flow",
        **more,
    }


async def post(
    provider: httpx.AsyncClient, path: str, body: dict[str, str] | None = None, key: str = ""
) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await provider.post(f"/v1{path}", data=body or {}, headers=headers)


async def sums(provider: httpx.AsyncClient) -> Any:
    return (await provider.get("/_ledger", params={"flow_id": "flow"})).json()["sums"]


async def test_a_key_answers_as_the_first_time(provider: httpx.AsyncClient) -> None:
    first, again = [
        await post(provider, "/payment_intents", an_intent(), key="k") for _ in range(2)
    ]
    assert first.json() == again.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert await sums(provider) == {"authorised": 1234}


async def test_a_decline_is_remembered_under_its_key(provider: httpx.AsyncClient) -> None:
    body = an_intent("chargeCustomerFail")
    first, again = [await post(provider, "/payment_intents", body, key="k") for _ in range(2)]
    assert first.status_code == again.status_code == 402
    assert first.json()["error"]["payment_intent"]["status"] == "requires_payment_method"
    assert again.headers["Idempotent-Replayed"] == "true"
    assert await sums(provider) == {"declined": 1234}


async def test_a_key_with_other_parameters_is_refused(provider: httpx.AsyncClient) -> None:
    await post(provider, "/payment_intents", an_intent(), key="k")
    other = await post(provider, "/payment_intents", an_intent(amount="9"), key="k")
    assert (other.status_code, other.json()["error"]["type"]) == (400, "idempotency_error")


async def test_what_is_malformed_leaves_the_key_free(provider: httpx.AsyncClient) -> None:
    for body in (an_intent(amount="-1"), an_intent(colour="red"), an_intent(customer="cus_no")):
        refused = await post(provider, "/payment_intents", body, key="k")
        assert refused.status_code in (400, 404)
    assert (await post(provider, "/payment_intents", an_intent(), key="k")).status_code == 200


async def test_a_key_that_is_in_use_is_refused_meanwhile(provider: httpx.AsyncClient) -> None:
    await provider.post("/_control", json={"latency": 0.3})
    answers = await asyncio.gather(
        *(post(provider, "/payment_intents", an_intent(), key="k") for _ in range(5))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409]
    assert await sums(provider) == {"authorised": 1234}


async def test_a_key_outlives_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "simulators.sqlite"
    async with a_client(create_app(file)) as before:
        first = await post(before, "/payment_intents", an_intent(), key="k")
    async with a_client(create_app(file)) as after:
        again = await post(after, "/payment_intents", an_intent(), key="k")
    assert first.json() == again.json()


async def test_a_hold_is_taken_in_part_and_given_back_in_parts(
    provider: httpx.AsyncClient,
) -> None:
    name = (await post(provider, "/payment_intents", an_intent())).json()["id"]
    more = await post(provider, f"/payment_intents/{name}/capture", {"amount_to_capture": "1235"})
    assert more.json()["error"]["code"] == "amount_too_large"
    taken = await post(provider, f"/payment_intents/{name}/capture", {"amount_to_capture": "1000"})
    assert (taken.json()["status"], taken.json()["amount_received"]) == ("succeeded", 1000)
    for amount in ("400", "600"):
        given = await post(provider, "/refunds", {"payment_intent": name, "amount": amount})
        assert given.json()["status"] == "succeeded"
    nothing_left = await post(provider, "/refunds", {"payment_intent": name})
    assert nothing_left.json()["error"]["code"] == "charge_already_refunded"
    assert await sums(provider) == {"authorised": 1234, "captured": 1000, "refunded": 1000}


async def test_what_a_bank_does_not_take_back_is_the_charges_again(
    provider: httpx.AsyncClient,
) -> None:
    await provider.post("/_control", json={"bank_days": 0})
    body = an_intent("refundFailsOnce", capture_method="automatic")
    name = (await post(provider, "/payment_intents", body)).json()["id"]
    given = await post(provider, "/refunds", {"payment_intent": name}, key="k")
    assert given.json()["status"] == "succeeded"
    told = (await provider.get(f"/v1/refunds/{given.json()['id']}")).json()
    assert (told["status"], told["failure_reason"]) == ("failed", "expired_or_canceled_card")
    again = await post(provider, "/refunds", {"payment_intent": name}, key="k")
    assert again.json() == given.json(), "a key answers as the first time"
    other = (await post(provider, "/refunds", {"payment_intent": name}, key="k:2")).json()
    assert (await provider.get(f"/v1/refunds/{other['id']}")).json()["status"] == "succeeded"
    found = await sums(provider)
    assert (found["captured"], found["refunded"], found["refund_failed"]) == (1234, 2468, 1234)


@pytest.mark.parametrize("step", ["capture", "confirm"])
async def test_what_was_let_go_cannot_be_taken(provider: httpx.AsyncClient, step: str) -> None:
    name = (await post(provider, "/payment_intents", an_intent())).json()["id"]
    await post(provider, f"/payment_intents/{name}/cancel")
    answer = await post(provider, f"/payment_intents/{name}/{step}")
    assert answer.json()["error"]["code"] == "payment_intent_unexpected_state"
    assert await sums(provider) == {"authorised": 1234, "voided": 1234}


@pytest.mark.parametrize("key", ["pk_test_turnkey_development", "sk_test_another", ""])
async def test_only_the_secret_key_moves_money(tmp_path: Path, key: str) -> None:
    async with a_client(create_app(tmp_path / "simulators.sqlite")) as provider:
        provider.headers["Authorization"] = f"Bearer {key}"
        assert (await post(provider, "/payment_intents", an_intent())).status_code == 401
        made = await post(
            provider,
            "/payment_methods",
            {
                "type": "card",
                "card[number]": VISA,
                "card[exp_month]": "1",
                "card[exp_year]": "2031",
            },
        )
        assert made.status_code == (200 if key.startswith("pk_") else 401)


async def test_a_number_is_nowhere_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "simulators.sqlite"
    number = "4916338506082832"
    async with a_client(create_app(file)) as provider:
        body = {
            "type": "card",
            "card[number]": number,
            "card[exp_month]": "1",
            "card[exp_year]": "2031",
        }
        made = await post(provider, "/payment_methods", body, key="k")
        assert made.json()["card"]["last4"] == "2832"
    assert number.encode() not in everything_in(tmp_path)


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


def test_every_test_card_passes_the_check_that_the_form_makes() -> None:
    assert all(is_number(card.number) for card in CARDS)
