"""Signing in over HTTP beside Argon2id alone: at most 20 ms more.

Sign-ins and bare hashes take turns. The goal is for CPU, of the API and of PostgreSQL with all its backends, because a
busy neighbour lengthens every wait; the waits are reported beside it.
"""

import statistics
import time
from dataclasses import dataclass

import httpx
from argon2 import PasswordHasher

from bench.measuring import Meter
from db.demo.people import PASSWORD, PASSWORD_HASH

ROUNDS = 60
WARM_UP = 5


@dataclass(frozen=True)
class SignIns:
    """Milliseconds for each sign-in and for each bare hash: CPU, then the median wait."""

    cpu: float
    hash_cpu: float
    wait: float
    hash_wait: float


async def measure_sign_in(portal_url: str, *, api: int, postgres: int) -> SignIns:
    """`api` and `postgres` are process ids."""
    hasher = PasswordHasher()
    waits, hash_waits, hash_cpu = list[float](), list[float](), 0.0
    async with httpx.AsyncClient(
        base_url=portal_url, headers={"Origin": portal_url}, timeout=30
    ) as browser:
        for _ in range(WARM_UP):
            await _sign_in(browser)
            hasher.verify(PASSWORD_HASH, PASSWORD)
        meter = Meter({"api": api}, {"postgres": postgres})
        for _ in range(ROUNDS):
            began_cpu, began = time.process_time(), time.perf_counter()
            hasher.verify(PASSWORD_HASH, PASSWORD)
            hash_cpu += time.process_time() - began_cpu
            hash_waits.append(time.perf_counter() - began)
            waits.append(await _sign_in(browser))
    return SignIns(
        cpu=sum(meter.spent().values()) * 1000 / ROUNDS,
        hash_cpu=hash_cpu * 1000 / ROUNDS,
        wait=statistics.median(waits) * 1000,
        hash_wait=statistics.median(hash_waits) * 1000,
    )


async def _sign_in(browser: httpx.AsyncClient) -> float:
    begun = time.perf_counter()
    answer = await browser.post(
        "/v1/auth/sign-in",
        json={"username": "ivan.petrov@turnkey.example", "password": PASSWORD},
    )
    took = time.perf_counter() - begun
    answer.raise_for_status()
    return took
