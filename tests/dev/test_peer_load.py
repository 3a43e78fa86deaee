"""The load of the comparison with the peer, on one that fails."""

from typing import Any, cast

import httpx

from bench.measuring import Meter
from bench.peer.catalogue import Record
from bench.peer.drivers import Driver, Failed, Session
from bench.peer.load import CART_LINES, Load


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
