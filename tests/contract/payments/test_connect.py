"""Payout accounts and transfers at the card provider: our requests against Stripe's own description of its API, and the
client against the stand-in with its known inputs."""

import uuid
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi import FastAPI

from dev.stripe_mock import find_binary, serving
from domain.dealers.payout_account import Onboarding
from domain.dealers.payouts import Payout, PayoutState
from providers.cards.connect import Connect
from providers.cards.payments import Cards
from providers.errors import Refused, Unavailable
from simulators.main import create_app

pytestmark = pytest.mark.timeout(600)

BACK = "https://turnkey.example/my-business"


def a_payout(attempt: int = 1, **changed: str) -> Payout:
    return Payout(
        dealer_id=changed.get("dealer_id", f"d{uuid.uuid4().hex[:8]}"),
        month="2026-10",
        amount=Decimal("12.34"),
        state=PayoutState.PAYING,
        attempt=attempt,
    )


@pytest.fixture(scope="module")
async def described() -> AsyncGenerator[Connect]:
    binary = find_binary()
    if binary is None:
        pytest.skip("stripe-mock can be neither found nor built here: it needs Go and its sources")
    async with httpx.AsyncClient(trust_env=False) as client:
        with serving(binary) as address:
            yield Connect(Cards(client, base_url=address, secret_key="sk_test_123"))


async def test_stripe_understands_all_that_is_asked_of_accounts(described: Connect):
    made = await described.create_account("dealer", "Harbour Car Audio", "CA")
    assert made.id.startswith("acct_")
    assert (await described.account("acct_1")).id
    link = await described.link("acct_1", refresh_url=BACK, return_url=BACK)
    assert link.url.startswith("https://")
    assert await described.login_url("acct_1")


async def test_stripe_understands_all_that_is_asked_of_transfers(described: Connect):
    payout = a_payout()
    assert (await described.send(payout, "acct_1")).id.startswith("tr_")
    assert all(one.id.startswith("tr_") for one in await described.sent(payout))
    assert (await described.transfer("tr_1")).id
    page = await described.transfers(datetime(2026, 11, 1, tzinfo=UTC), "tr_1")
    assert page.transfers


@pytest.fixture
def stand_ins(tmp_path: Path) -> FastAPI:
    return create_app(tmp_path / "simulators.sqlite", own_url="http://stand-ins")


@pytest.fixture
async def browser(stand_ins: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(stand_ins)
    async with httpx.AsyncClient(transport=transport, base_url="http://stand-ins") as client:
        yield client


@pytest.fixture
def connect(browser: httpx.AsyncClient) -> Connect:
    return Connect(
        Cards(
            browser,
            base_url="http://stand-ins/cards",
            secret_key="sk_test_turnkey_development",
            seconds=2,
        )
    )


async def test_an_account_is_onboarded_by_a_link_that_opens_once(
    connect: Connect, browser: httpx.AsyncClient
):
    made = await connect.create_account("dealer", "Harbour", "CA")
    assert (await connect.create_account("dealer", "Harbour", "CA")).id == made.id
    assert made.onboarding is Onboarding.INCOMPLETE
    with pytest.raises(Refused):
        await connect.login_url(made.id)
    with pytest.raises(Refused) as unready:
        await connect.send(a_payout(), made.id)
    assert unready.value.code == "insufficient_capabilities_for_transfer"

    await browser.post("/cards/_accounts/links?seconds=0")
    stale = await connect.link(made.id, refresh_url=f"{BACK}?again", return_url=BACK)
    assert stale.expires_at <= datetime.now(UTC)
    sent_back = await browser.get(urlsplit(stale.url).path)
    assert sent_back.headers["location"] == f"{BACK}?again"
    await browser.post("/cards/_accounts/links?seconds=300")
    link = await connect.link(made.id, refresh_url=f"{BACK}?again", return_url=BACK)
    assert link.expires_at > datetime.now(UTC) + timedelta(minutes=4)
    page = urlsplit(link.url).path
    assert "Submit details" in (await browser.get(page)).text
    done = await browser.post(page, data={"answer": "complete"})
    assert done.headers["location"] == BACK
    assert (await browser.get(page)).headers["location"] == f"{BACK}?again"
    assert (await connect.account(made.id)).onboarding is Onboarding.COMPLETE
    assert (await browser.get(urlsplit(await connect.login_url(made.id)).path)).status_code == 200

    wanted = {"currently_due": ["individual.verification.document"]}
    await browser.post(f"/cards/_accounts/{made.id}", json=wanted)
    later = await connect.account(made.id)
    assert (later.onboarding, later.can_be_paid) == (Onboarding.MORE_NEEDED, True)


async def test_a_transfer_is_made_once_and_found_by_its_payout(connect: Connect):
    payout = a_payout()
    first = await connect.send(payout, "acct_demo_complete_shop")
    assert (await connect.send(payout, "acct_demo_complete_shop")).id == first.id
    assert (first.payout_id, first.attempt, first.amount) == (payout.id, 1, Decimal("12.34"))
    assert await connect.sent(payout) == (first,)
    page = await connect.transfers(datetime.now(UTC) - timedelta(days=1), None)
    assert page.transfers == (first,)


async def test_known_accounts_refuse_return_and_lose_replies(
    connect: Connect, stand_ins: FastAPI, browser: httpx.AsyncClient
):
    with pytest.raises(Refused) as refused:
        await connect.send(a_payout(), "acct_demo_refused_shop")
    assert refused.value.code == "balance_insufficient"
    returned = await connect.send(a_payout(), "acct_demo_returned_shop")
    assert (await connect.transfer(returned.id)).is_returned

    desk = stand_ins.state.cards
    with pytest.raises(Unavailable):
        await connect.create_account("lost", "Harbour PAY-LOST", None)
    lost = await connect.create_account("lost", "Harbour PAY-LOST", None)
    assert len(desk.paying.all("account")) == 3
    await browser.post(f"/cards/_accounts/{lost.id}", json={"transfers": "active"})
    payout = a_payout()
    with pytest.raises(Unavailable):
        await connect.send(payout, lost.id)
    (made,) = await connect.sent(payout)
    assert (await connect.send(payout, lost.id)).id == made.id
    assert desk.paying.sums(payout.id) == {"transferred": 1234}
    undone = await browser.post(f"/cards/_transfers/{made.id}/return")
    assert undone.json()["reversed"]
    assert (await browser.post(f"/cards/_transfers/{made.id}/return")).status_code == 400
