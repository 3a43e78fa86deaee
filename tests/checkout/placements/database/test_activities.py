"""What is held while an order is placed: never more than is there, whoever asks at once (promises 14 and 15)."""

import asyncio
from collections.abc import Awaitable, Iterable
from datetime import timedelta
from decimal import Decimal
from typing import TypeVar

from db.base import Sessions
from db.checkout.reservations import (
    consume_stock,
    held_credit,
    held_pieces,
    release,
    reserve_credit,
    reserve_stock,
)
from tests.catalogue.factories import a_product
from tests.checkout.placements.buying import on_hand_of
from tests.checkout.quote.buyers import a_shop, mirror_account
from tests.drivers.factories import a_name

T = TypeVar("T")

BUYERS = 120
"""Of the 500 and the 200 of the promises: a transaction each, on a machine that others use too."""


AT_ONCE = 12
"""As many as there are connections: who waits longer for one than the pool allows is a fault of the test."""


async def all_of(tries: Iterable[Awaitable[T]]) -> list[T]:
    places = asyncio.Semaphore(AT_ONCE)

    async def one(trying: Awaitable[T]) -> T:
        async with places:
            return await trying

    return await asyncio.gather(*map(one, tries))


async def test_no_more_is_sold_than_there_is(sessions: Sessions) -> None:
    product = await a_product(sessions, on_hand=25)

    async def buy() -> bool:
        async with sessions.begin() as session:
            return not await reserve_stock(session, a_name(), {product.variant_id: 2})

    bought = await all_of(buy() for _ in range(BUYERS))
    assert sum(bought) == 12
    async with sessions() as session:
        assert await held_pieces(session, [product.variant_id]) == {product.variant_id: 24}


async def test_credit_is_never_given_twice(sessions: Sessions) -> None:
    shop = await a_shop(sessions, limit="1000", balance="100")

    async def buy() -> bool:
        async with sessions.begin() as session:
            return await reserve_credit(session, a_name(), shop.code, Decimal("80.10"))

    given = await all_of(buy() for _ in range(BUYERS))
    assert sum(given) == 11
    async with sessions() as session:
        assert await held_credit(session, shop.code) == Decimal("881.10")


async def test_an_account_of_more_than_a_minute_ago_gives_credit_to_whoever_holds_it_alone(
    sessions: Sessions,
) -> None:
    shop, holder = await a_shop(sessions, limit="1000"), a_name()
    async with sessions.begin() as session:
        assert await reserve_credit(session, holder, shop.code, Decimal("10.00"))
    await mirror_account(sessions, shop, timedelta(seconds=61))
    for run, is_given in ((a_name(), False), (holder, True)):
        async with sessions.begin() as session:
            assert await reserve_credit(session, run, shop.code, Decimal("10.00")) is is_given
    await mirror_account(sessions, shop, timedelta(seconds=30))
    async with sessions.begin() as session:
        assert await reserve_credit(session, a_name(), shop.code, Decimal("10.00"))


async def test_two_baskets_of_the_same_articles_do_not_wait_for_each_other(
    sessions: Sessions,
) -> None:
    variants = [(await a_product(sessions, on_hand=100)).variant_id for _ in range(4)]

    async def buy(order: list[str]) -> tuple[str, ...]:
        async with sessions.begin() as session:
            return await reserve_stock(session, a_name(), dict.fromkeys(order, 1))

    tries = [buy(variants if n % 2 else variants[::-1]) for n in range(40)]
    assert set(await all_of(tries)) == {()}


async def test_all_articles_are_held_or_none(sessions: Sessions) -> None:
    there, short = await a_product(sessions, on_hand=9), await a_product(sessions, on_hand=1)
    wanted = {there.variant_id: 2, short.variant_id: 2}
    async with sessions.begin() as session:
        assert await reserve_stock(session, "both", wanted) == (short.variant_id,)
    async with sessions() as session:
        assert await held_pieces(session, list(wanted)) == {}


async def test_holding_again_holds_no_more_and_ends_once(sessions: Sessions) -> None:
    product, run = await a_product(sessions, on_hand=5), a_name()
    for _ in range(2):
        async with sessions.begin() as session:
            assert await reserve_stock(session, run, {product.variant_id: 5}) == ()
    for _ in range(2):
        async with sessions.begin() as session:
            await consume_stock(session, run)
    assert await on_hand_of(sessions, product) == 0
    async with sessions.begin() as session:
        await release(session, run)
    assert await on_hand_of(sessions, product) == 0
