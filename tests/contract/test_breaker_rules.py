"""A source that answers nobody is left alone for a while (promise 14, decision 99)."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import httpx
import pytest

from providers.breaker import Breaker
from providers.errors import Refused, Unavailable
from providers.http import HttpClient

MOST, SECONDS = 3, 10.0


class Source(httpx.AsyncBaseTransport):
    """Counts who asks it; without a status it says nothing. `now` is the clock."""

    def __init__(self) -> None:
        self.asked, self.now = 0, 0.0
        self.status: int | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        if self.status is None:
            raise httpx.ReadTimeout("", request=request)
        return httpx.Response(self.status)


class Asking:
    def __init__(self, source: Source, client: httpx.AsyncClient) -> None:
        self.source = source
        breaker = Breaker(MOST, seconds=SECONDS, now=lambda: source.now)
        self._wire = HttpClient(client, system="vendor", base_url="http://vendor", breaker=breaker)

    async def reaches(self, *cars: str) -> list[bool]:
        """Whether the source was asked about each."""
        found: list[bool] = []
        for car in cars:
            before = self.source.asked
            with suppress(Unavailable, Refused):
                await self._wire.call("read", "GET", "/", params={"car": car})
            found.append(self.source.asked > before)
        return found


@asynccontextmanager
async def asking() -> AsyncGenerator[Asking]:
    source = Source()
    async with httpx.AsyncClient(transport=source) as client:
        yield Asking(source, client)


async def test_one_that_is_silent_is_left_alone_until_it_answers_a_single_try() -> None:
    async with asking() as one:
        assert await one.reaches("a", "b", "c", "d", "e") == [True] * MOST + [False] * 2
        one.source.now += SECONDS
        assert await one.reaches("f", "g") == [True, False], "a single try, and it is silent still"
        one.source.now, one.source.status = one.source.now + SECONDS, 200
        assert await one.reaches("h", "i", "j") == [True] * 3


@pytest.mark.parametrize("status", [200, 404, 503])
async def test_whatever_it_answers_it_is_there(status: int) -> None:
    async with asking() as one:
        for _ in range(2):
            one.source.status = None
            assert await one.reaches("a", "b") == [True] * 2
            one.source.status = status
            assert await one.reaches("c") == [True]


async def test_one_car_that_it_cannot_answer_keeps_nobody_from_it() -> None:
    async with asking() as one:
        assert await one.reaches(*["a"] * 10) == [True] * 10


async def test_a_try_that_nobody_waits_for_is_followed_by_another() -> None:
    breaker = Breaker(1, seconds=SECONDS, now=lambda: times[-1])
    times = [0.0]
    breaker.was_silent("a")
    assert not breaker.lets_through()
    for _ in range(2):
        times.append(times[-1] + SECONDS)
        assert [breaker.lets_through() for _ in range(3)] == [True, False, False]
