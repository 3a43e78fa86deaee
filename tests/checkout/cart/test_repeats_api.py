"""An add that is asked for again under its key: by another road, for another business, of another release."""

import pytest
from fastapi import FastAPI
from sqlalchemy import update

from api.checkout.cart import Creating
from api.checkout.quick_order import Rows
from api.platform.idempotency import digest_of
from db.base import Sessions
from db.platform.idempotency import IdempotencyRow
from tests.catalogue.factories import a_product
from tests.checkout.cart.buyers import CHECKOUT, a_buyer, buying, pieces, quantities, refusal
from tests.drivers.factories import a_dealer, an_outside_rep
from tests.drivers.portal import a_key
from tests.partners.factories import let_see

ADD_ROWS = "/v1/quick-orders/add"


async def test_a_first_add_whose_answer_was_lost_is_repeated_in_the_cart_that_it_made(
    portal: FastAPI, sessions: Sessions
) -> None:
    made = await a_product(sessions)
    async with buying(portal, await a_buyer(sessions)) as browser:
        key, create = a_key(), f"{CHECKOUT}/create-b2b"
        first = {**pieces((made, 2)), "startNew": False, "vehicle": None}
        token = (await browser.post(create, json=first, headers=key)).json()["token"]
        again = await browser.post(
            f"{CHECKOUT}/{token}/add-lines",
            json={**pieces((made, 2)), "vehicle": None},
            headers=key,
        )
        assert (again.status_code, quantities(again.json())) == (200, {made.variant_id: 2})
        assert again.headers["Idempotency-Replayed"] == "true"
        more = await browser.post(create, json=pieces((made, 3)), headers=key)
        assert refusal(more) == (409, "idempotency_key_reused")


async def test_what_was_added_for_one_business_is_not_taken_for_done_in_another(
    portal: FastAPI, sessions: Sessions
) -> None:
    made = await a_product(sessions)
    first, second = await a_dealer(sessions), await a_dealer(sessions)
    rep = await an_outside_rep(sessions)
    await let_see(sessions, rep, first.partner_code, second.partner_code)
    once, rows, anew = a_key(), a_key(), a_key()
    asked = [
        (f"{CHECKOUT}/create-b2b", pieces((made, 1)), once),
        (ADD_ROWS, {"text": f"{made.sku} 1"}, rows),
        (f"{CHECKOUT}/create-b2b", {"lines": [], "startNew": True}, anew),
    ]
    async with buying(portal, rep) as browser:
        await browser.put("/v1/auth/business", json={"sapBpCode": first.partner_code})
        for url, body, key in asked:
            assert (await browser.post(url, json=body, headers=key)).status_code == 200
        await browser.put("/v1/auth/business", json={"sapBpCode": second.partner_code})
        for url, body, key in asked:
            answer = await browser.post(url, json=body, headers=key)
            assert refusal(answer) == (409, "idempotency_key_reused")


@pytest.mark.parametrize(
    ("url", "operation"),
    [(f"{CHECKOUT}/create-b2b", "create_b2b"), (ADD_ROWS, "add_quick_order")],
)
async def test_what_the_release_before_has_added_is_not_added_again(
    portal: FastAPI, sessions: Sessions, url: str, operation: str
) -> None:
    made = await a_product(sessions)
    buyer, key = await a_buyer(sessions), a_key()
    body = pieces((made, 2)) if operation == "create_b2b" else {"text": f"{made.sku} 2"}
    async with buying(portal, buyer) as browser:
        assert (await browser.post(url, json=body, headers=key)).status_code == 200
        kept = (Creating if operation == "create_b2b" else Rows).model_validate(body)
        async with sessions.begin() as session:
            await session.execute(
                update(IdempotencyRow)
                .where(IdempotencyRow.key == key["Idempotency-Key"])
                .values(operation=operation, body_hash=digest_of(kept, by_alias=False))
            )
        again = await browser.post(url, json=body, headers=key)
        assert again.headers["Idempotency-Replayed"] == "true"
        assert (await browser.get(f"{CHECKOUT}/last-b2b-token")).json()["quantity"] == 2
