"""The webhooks of both payment providers: signature, age, doubles, and what is kept."""

import hashlib
import hmac
import json
import re
import time
import uuid
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from db.base import Sessions
from db.platform.webhook_events import WebhookEventRow
from domain.billing.payment_events import (
    CARD_EVENTS,
    DEPOSITS_RETURNED,
    DISPUTES,
    REFUND_FAILED,
    TRANSFER_REVERSED,
)
from settings import DEVELOPMENT_BANK_WEBHOOK_SECRET, DEVELOPMENT_CARD_WEBHOOK_SECRET
from tests.drivers.portal import a_browser, running_portal

SECRETS = {
    "card": ("Stripe-Signature", DEVELOPMENT_CARD_WEBHOOK_SECRET),
    "bank": ("X-Signature", DEVELOPMENT_BANK_WEBHOOK_SECRET),
}


@pytest.fixture(scope="module")
async def portal(database_url: str) -> AsyncGenerator[FastAPI]:
    async with running_portal(database_url) as app:
        yield app


@pytest.fixture
async def provider(portal: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_browser(portal) as made:
        yield made


def an_event(kind: str, event_id: str) -> bytes:
    card = {
        "id": event_id,
        "object": "event",
        "type": "payment_intent.succeeded",
        "data": {
            "object": {
                "id": "pi_1",
                "metadata": {"payment_id": f"pay_{event_id}", "flow_id": "f"},
                "description": "a canary that is not kept",
            }
        },
    }
    bank = {
        "id": event_id,
        "type": "transaction.settled",
        "reference": f"pay_{event_id}",
        "metadata": {"payment_id": f"pay_{event_id}"},
    }
    return json.dumps(card if kind == "card" else bank).encode()


def signed(kind: str, body: bytes, *, ahead: int = 0, secret: str = "") -> dict[str, str]:
    """`ahead` in seconds."""
    header, ours = SECRETS[kind]
    stamp = int(time.time()) + ahead
    mac = hmac.new((secret or ours).encode(), f"{stamp}.".encode() + body, hashlib.sha256)
    return {header: f"t={stamp},v1={mac.hexdigest()}", "Content-Type": "application/json"}


async def send(provider: httpx.AsyncClient, kind: str, body: bytes, **how: Any) -> httpx.Response:
    return await provider.post(
        f"/v1/webhooks/{kind}", content=body, headers=signed(kind, body, **how)
    )


@pytest.mark.parametrize("kind", ["card", "bank"])
async def test_an_event_is_kept_once_and_nothing_of_it_but_what_moved(
    sessions: Sessions, provider: httpx.AsyncClient, kind: str
) -> None:
    event_id = uuid.uuid4().hex
    body = an_event(kind, event_id)
    first, again = [await send(provider, kind, body) for _ in range(2)]
    assert (first.status_code, first.json()) == (202, {"is_new": True})
    assert (again.status_code, again.json()) == (202, {"is_new": False})
    async with sessions() as session:
        row = await session.get_one(WebhookEventRow, (kind, event_id))
        assert row.subject == row.body["payment_id"] == f"pay_{event_id}"
        assert row.body["status"] == "CAPTURED"
        assert "canary" not in str(row.body)


@pytest.mark.parametrize("kind", ["card", "bank"])
@pytest.mark.parametrize("how", [{"ahead": -301}, {"ahead": 400}, {"secret": "another"}])
async def test_a_bad_signature_or_age_is_refused_and_nothing_is_kept(
    sessions: Sessions, provider: httpx.AsyncClient, kind: str, how: dict[str, Any]
) -> None:
    event_id = uuid.uuid4().hex
    answer = await send(provider, kind, an_event(kind, event_id), **how)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature")
    async with sessions() as session:
        kept = await session.scalar(
            select(func.count()).where(WebhookEventRow.event_id == event_id)
        )
    assert kept == 0


@pytest.mark.parametrize("kind", ["card", "bank"])
@pytest.mark.parametrize("header", ["", "t=,v1=", "t=x,v1=y", "nonsense", "t=1", "v1=abc"])
async def test_nonsense_for_a_signature_is_refused(
    provider: httpx.AsyncClient, kind: str, header: str
) -> None:
    answer = await provider.post(
        f"/v1/webhooks/{kind}",
        content=an_event(kind, "evt"),
        headers={"Content-Type": "application/json", SECRETS[kind][0]: header},
    )
    assert answer.status_code == 401


@pytest.mark.parametrize("kind", ["card", "bank"])
@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"id": 7}', b"\xff\xfe"])
async def test_what_is_signed_and_no_event_is_invalid(
    provider: httpx.AsyncClient, kind: str, body: bytes
) -> None:
    answer = await send(provider, kind, body)
    assert answer.status_code in (400, 401, 422)


@pytest.mark.parametrize(
    ("type", "about"),
    [
        ("balance.available", {"object": "balance", "available": []}),
        ("payment_intent.succeeded", {"id": "pi_1", "metadata": None}),
        ("charge.dispute.created", {"metadata": None}),
        ("setup_intent.setup_failed", {"id": "seti_1", "last_setup_error": {"message": None}}),
    ],
)
async def test_an_event_that_is_about_nothing_of_ours_is_kept_lest_it_come_for_days(
    sessions: Sessions, provider: httpx.AsyncClient, type: str, about: dict[str, Any]
) -> None:
    event_id = uuid.uuid4().hex
    body = json.dumps({"id": event_id, "type": type, "data": {"object": about}}).encode()
    for is_new in (True, False):
        answer = await send(provider, "card", body)
        assert (answer.status_code, answer.json()) == (202, {"is_new": is_new})
    async with sessions() as session:
        row = await session.get_one(WebhookEventRow, ("card", event_id))
    assert row.subject == ""


def test_going_live_names_every_event_that_is_listened_to() -> None:
    words = Path("docs/going-live.md").read_text("utf-8")
    (row,) = re.findall(r"\| of the account: (.+) \|", words)
    named, whole = set[str](), ""
    for name in re.findall(r"`([a-z_.]+)`", row):
        whole = f"{whole.rpartition('.')[0]}{name}" if name.startswith(".") else name
        named.add(whole)
    taken = {*CARD_EVENTS, REFUND_FAILED, TRANSFER_REVERSED, *DEPOSITS_RETURNED}
    assert taken - named == {"deposit.returned"}, "that is the gateway's"
    assert {one for one in named - taken if not one.startswith(DISPUTES)} == set()


async def test_one_of_several_signatures_is_enough(provider: httpx.AsyncClient) -> None:
    """While Stripe's secret is being changed, it signs with both."""
    body = an_event("card", uuid.uuid4().hex)
    headers = signed("card", body)
    stamp, ours = headers["Stripe-Signature"].split(",")
    headers["Stripe-Signature"] = f"{stamp},v1={'0' * 64},{ours},v0={'1' * 64}"
    answer = await provider.post("/v1/webhooks/card", content=body, headers=headers)
    assert answer.status_code == 202
