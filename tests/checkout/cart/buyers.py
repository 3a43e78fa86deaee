"""People who buy, what they buy, and the requests that they make."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from decimal import Decimal
from typing import Any

import httpx
from fastapi import FastAPI

from db.base import Sessions
from db.checkout.cart import ShippingMethodRow
from domain.identity.people import User
from tests.catalogue.factories import Made
from tests.drivers.factories import a_dealer, a_name, an_owner
from tests.drivers.portal import a_browser, sign_in

CHECKOUT = "/api/products-checkout"


@asynccontextmanager
async def buying(app: FastAPI, user: User) -> AsyncGenerator[httpx.AsyncClient]:
    """A browser in which this person has signed in."""
    async with a_browser(app) as browser:
        answer = await sign_in(browser, user)
        assert answer.is_success, answer.text
        yield browser


async def a_buyer(sessions: Sessions) -> User:
    """The owner of a new business."""
    return await an_owner(sessions, await a_dealer(sessions))


def pieces(*lines: tuple[Made, int]) -> dict[str, Any]:
    return {"lines": [{"variantId": made.variant_id, "quantity": n} for made, n in lines]}


async def begin(browser: httpx.AsyncClient, *lines: tuple[Made, int]) -> dict[str, Any]:
    """The person's cart with these lines added."""
    answer = await browser.post(f"{CHECKOUT}/create-b2b", json=pieces(*lines))
    assert answer.status_code == 200, answer.text
    return answer.json()


def quantities(cart: dict[str, Any]) -> dict[str, int]:
    """By the variant's id."""
    return {line["variant"]["id"]: line["quantity"] for line in cart["lines"]}


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def a_method(
    sessions: Sessions,
    name: str,
    price: str,
    *,
    code: str,
    free_from: str | None = None,
    is_pick_up: bool = False,
) -> str:
    """A shipping method agreed with one business, so that no other test meets it."""
    id_ = a_name()
    async with sessions.begin() as session:
        session.add(
            ShippingMethodRow(
                id=id_,
                name=name,
                price=Decimal(price),
                free_from=Decimal(free_from) if free_from else None,
                is_pick_up=is_pick_up,
                countries=["CA"],
                partner_code=code,
                position=0,
            )
        )
    return id_
