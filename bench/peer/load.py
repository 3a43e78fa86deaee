"""Closed-loop load: each client, a customer of its own, repeats one operation for some seconds."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal, TypeVar

import httpx

from bench.measuring import Meter, percentile
from bench.peer.drivers import Driver, Failed, Session

T = TypeVar("T")

Operation = Literal["search", "product", "add_to_cart", "order"]
OPERATIONS: tuple[Operation, ...] = ("search", "product", "add_to_cart", "order")
CART_LINES = 5
"""A cart of so many lines is emptied, untimed, before more is added."""
SAMPLED = 1000
"""Products that carts and product pages are asked for."""


@dataclass
class Measured:
    """`cpu` is milliseconds for each operation by part; waits are seconds. An order is the placing alone: its line has been
    added before, and the CPU of that is part of it."""

    operation: Operation
    cpu: dict[str, float] = field(default_factory=dict[str, float])
    waits: list[float] = field(default_factory=list[float])
    round_trips: float = 0
    errors: Counter[str] = field(default_factory=Counter[str])

    @property
    def total(self) -> float:
        return sum(self.cpu.values())

    @property
    def p95(self) -> float:
        return percentile(self.waits, 0.95) * 1000


class Load:
    """One driver, its customers signed in, its products known."""

    def __init__(
        self,
        driver: Driver,
        sessions: list[Session],
        handles: list[tuple[str, str]],
        terms: list[str],
        meter: Callable[[], Meter],
    ) -> None:
        self.driver, self.sessions, self.handles, self.terms = driver, sessions, handles, terms
        self.meter = meter

    async def measure(self, operation: Operation, seconds: float) -> Measured:
        """Every customer at once."""
        measured = Measured(operation)
        for session in self.sessions:
            await self._cleared(measured, session)
        meter, trips = self.meter(), self.driver.round_trips
        until = time.perf_counter() + seconds
        await asyncio.gather(
            *(self._client(measured, place, until) for place in range(len(self.sessions)))
        )
        count = max(len(measured.waits), 1)
        measured.cpu = {name: spent * 1000 / count for name, spent in meter.spent().items()}
        measured.round_trips = (self.driver.round_trips - trips) / count
        return measured

    async def _client(self, measured: Measured, place: int, until: float) -> None:
        chance, session = random.Random(place * 7919 + 1), self.sessions[place]
        lines = 0
        while time.perf_counter() < until:
            match measured.operation:
                case "search":
                    await self._timed(measured, self.driver.search(chance.choice(self.terms)))
                case "product":
                    await self._timed(measured, self.driver.product(chance.choice(self.handles)))
                case "add_to_cart":
                    if lines >= CART_LINES:
                        await self._cleared(measured, session)
                    lines = await self._timed(measured, self._add(session, chance)) or CART_LINES
                case "order":
                    if await self._tried(measured, self._add(session, chance)) is not None:
                        await self._timed(measured, self.driver.place_order(session))

    async def _add(self, session: Session, chance: random.Random) -> int:
        pieces = chance.randint(1, 3)
        return await self.driver.add_to_cart(session, chance.choice(self.handles), pieces)

    async def _cleared(self, measured: Measured, session: Session) -> None:
        await self._tried(measured, self.driver.clear_cart(session))

    async def _timed(self, measured: Measured, work: Awaitable[T]) -> T | None:
        begun = time.perf_counter()

        async def waited() -> T:
            result = await work
            measured.waits.append(time.perf_counter() - begun)
            return result

        return await self._tried(measured, waited())

    async def _tried(self, measured: Measured, work: Awaitable[T]) -> T | None:
        """A system that fails is counted, and the load goes on."""
        try:
            return await work
        except (httpx.HTTPError, Failed) as error:
            measured.errors[f"{type(error).__name__}: {error}"[:160]] += 1
            return None
