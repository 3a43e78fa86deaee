"""One word looked up in everything that the caller may open."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import update

from db.base import Sessions
from db.plans.plans import SubscriptionRow
from db.runs.flows import FlowRow
from domain.identity.people import User
from tests.catalogue.factories import a_product, a_word
from tests.checkout.cart.buyers import buying
from tests.drivers.database.statements import statements_of
from tests.drivers.factories import (
    a_dealer,
    a_name,
    an_admin,
    an_inside_rep,
    an_installer,
    an_outside_rep,
    an_owner,
)
from tests.drivers.portal import running_portal
from tests.drivers.stage import a_device_key
from tests.orders.factories import an_order, code_of
from tests.partners.factories import let_see, rename
from tests.plans.test_api import a_subscription

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
MOST_STATEMENTS = 14
"""Of one word, with the sign-in's own."""


@pytest.fixture(scope="module")
async def portal(database_url: str) -> AsyncGenerator[FastAPI]:
    async with running_portal(database_url) as app:
        yield app


async def named(browser: httpx.AsyncClient, word: str) -> list[tuple[str, str]]:
    answer = await browser.get("/v1/palette", params={"word": word})
    assert answer.status_code == 200, answer.text
    return [(one["kind"], one["id"]) for one in answer.json()["results"]]


async def a_customer(sessions: Sessions, installer: User) -> tuple[str, str]:
    """The address of a customer of the installer's dealer, and their device."""
    email, key, id_ = f"{a_name()}_1@example.com", a_device_key(), a_name()
    async with sessions.begin() as session:
        session.add(
            FlowRow(
                id=id_,
                kind="activation",
                version=1,
                workflow_id=f"act-{id_}",
                run_id=id_,
                rev=1,
                seq=0,
                state="completed",
                allowed=[],
                view={"consumer_email": email, "device": {"product_name": "ft-x1"}},
                device_key=key,
                site="ca",
                dealer_id=installer.dealer_id,
                owner_id=installer.id,
                created_at=NOW,
                updated_at=NOW,
                ended_at=NOW,
            )
        )
    return email, key


async def test_an_owner_finds_their_own_and_nobody_else_does(
    portal: FastAPI, sessions: Sessions
) -> None:
    dealer = await a_dealer(sessions)
    owner, other = await an_owner(sessions, dealer), await an_owner(sessions)
    po_number = f"PO-{a_name()}"
    order = await an_order(sessions, code_of(owner), po_number=po_number)
    paid = await a_subscription(sessions, dealer)
    email, key = await a_customer(sessions, owner)
    expected = {
        order.number: ("order", order.id),
        po_number[:-1]: ("order", order.id),
        paid.lower()[:-1]: ("device", paid),
        key: ("device", key),
        email[:-4].upper(): ("customer", key),
    }
    async with buying(portal, owner) as browser, buying(portal, other) as elsewhere:
        for word, thing in expected.items():
            assert thing in await named(browser, word), word
            assert thing not in await named(elsewhere, word), word
        assert ("customer", key) not in await named(browser, email.replace("_", "%"))
    installer = await an_installer(sessions, dealer)
    async with buying(portal, installer) as browser:
        assert ("order", order.id) not in await named(browser, order.number)
        assert ("device", key) in await named(browser, key)


async def test_a_rep_finds_their_businesses_and_what_is_of_the_chosen_one(
    portal: FastAPI, sessions: Sessions
) -> None:
    rep, stranger = await an_outside_rep(sessions), await an_inside_rep(sessions)
    owner = await an_owner(sessions)
    code, name = code_of(owner), f"Palette {a_name()}"
    await rename(sessions, code, name)
    await let_see(sessions, rep, code)
    order = await an_order(sessions, code)
    async with buying(portal, rep) as browser:
        assert await named(browser, name) == [("business", code)]
        assert await named(browser, order.number) == []
        await browser.put("/v1/auth/business", json={"sapBpCode": code})
        assert ("order", order.id) in await named(browser, order.number)
    async with buying(portal, stranger) as browser:
        assert ("business", code) not in await named(browser, name)
    async with buying(portal, await an_admin(sessions)) as browser:
        assert ("order", order.id) in await named(browser, order.number)
        assert ("business", code) in await named(browser, code)


async def test_products_are_found_by_everybody_and_a_word_costs_few_statements(
    portal: FastAPI, sessions: Sessions
) -> None:
    product = await a_product(sessions)
    async with buying(portal, await an_owner(sessions)) as browser:
        with statements_of(portal) as seen:
            found = await named(browser, product.sku)
        assert ("product", product.id) in found
        assert len(seen) <= MOST_STATEMENTS, "\n".join(seen)
        for word in ("x", "y" * 81):
            assert (await browser.get("/v1/palette", params={"word": word})).status_code == 422


async def test_a_sku_typed_in_full_comes_before_what_the_alphabet_would_put_there(
    portal: FastAPI, sessions: Sessions
) -> None:
    word = a_word()
    for number in range(6):
        await a_product(sessions, name=f"Aaa harness {word} 9 {number}")
    meant = await a_product(sessions, name="Zzz starter", sku=f"{word.upper()}-9")
    async with buying(portal, await an_owner(sessions)) as browser:
        found = [id_ for kind, id_ in await named(browser, f"{word}-9") if kind == "product"]
    assert found[0] == meant.id


async def test_a_device_is_found_with_the_plan_that_can_be_bought_again(
    portal: FastAPI, sessions: Sessions
) -> None:
    dealer = await a_dealer(sessions)
    paid, suspended = await a_subscription(sessions, dealer), await a_subscription(sessions, dealer)
    async with sessions.begin() as session:
        await session.execute(
            update(SubscriptionRow)
            .where(SubscriptionRow.device_key == suspended)
            .values(suspended_at=NOW)
        )
    expected = {paid: "premium_prepaid-1_year", suspended: None}
    async with buying(portal, await an_owner(sessions, dealer)) as browser:
        for key, plan in expected.items():
            answer = await browser.get("/v1/palette", params={"word": key})
            assert [one["plan_id"] for one in answer.json()["results"]] == [plan]
