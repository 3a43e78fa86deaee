"""The comparison with the peer: its load, on one that fails, and what our side is judged by."""

from typing import Any, cast

import httpx
from fastapi import FastAPI

from bench.measuring import Meter
from bench.peer.catalogue import Record, customers
from bench.peer.drivers import Driver, Failed, Session
from bench.peer.fill import LIMIT, accounts
from bench.peer.load import CART_LINES, Load
from bench.peer.run import sold
from db.base import Sessions
from simulators.erp.accounts import account_of
from tests.drivers.factories import a_partner
from tests.orders.factories import a_line, an_order


class Deadlocked(Driver):
    """Takes whatever is added, and empties no cart."""

    async def handles(self, count: int, total: int) -> list[tuple[str, str]]:
        return []

    async def sign_in(self, customer: Record) -> Session:
        raise NotImplementedError

    async def clear_cart(self, session: Session) -> None:
        raise Failed("deadlock detected")

    async def search(self, term: str) -> int:
        raise NotImplementedError

    async def product(self, handle: tuple[str, str]) -> Any:
        raise NotImplementedError

    async def add_to_cart(self, session: Session, handle: tuple[str, str], pieces: int) -> int:
        return CART_LINES

    async def place_order(self, session: Session) -> str:
        raise NotImplementedError


async def test_carts_that_cannot_be_emptied_are_counted_and_end_no_run() -> None:
    async with httpx.AsyncClient() as browser:
        session = cast("Session", object())
        load = Load(Deadlocked(browser), [session], [("a", "a")], [], lambda: Meter({}, {}))
        measured = await load.measure("add_to_cart", 0.02)
    assert measured.errors["Failed: deadlock detected"] > 1
    assert len(measured.waits) > 1


async def test_the_erp_gives_the_customers_the_same_credit(simulators: FastAPI) -> None:
    told = accounts(list(customers(3)))
    transport = httpx.ASGITransport(simulators)
    async with httpx.AsyncClient(transport=transport, base_url="http://erp") as erp:
        assert (await erp.post("/erp/_controls", json=told)).is_success
    for one in told:
        account = account_of(simulators.state.file, str(one["code"]))
        assert (account["credit_limit"], account["balance"]) == (LIMIT, 0)


async def test_what_follows_later_was_not_sold_too_often(
    sessions: Sessions, database_url: str
) -> None:
    code = await a_partner(sessions)
    at_once = await an_order(sessions, code, [a_line(quantity=1)])
    later = await an_order(sessions, code, [a_line(quantity=1, now=0, later=1)])
    assert sold(database_url, [at_once.number, later.number, "T-0"]) == 1
