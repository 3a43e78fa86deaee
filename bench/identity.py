"""Signing in over HTTP beside Argon2id alone: at most 20 ms more at the median.

Sign-ins and bare hashes take turns, so that a busy neighbour disturbs both alike. The hash is the very one that the
account keeps, checked with the same parameters.
"""

import statistics
import time

import httpx
from argon2 import PasswordHasher

from db.demo_people import PASSWORD, PASSWORD_HASH

ROUNDS = 60
WARM_UP = 5


async def measure_sign_in(portal_url: str) -> tuple[float, float]:
    """The medians of the call and of the bare hash, in milliseconds."""
    hasher = PasswordHasher()
    calls, bare = list[float](), list[float]()
    async with httpx.AsyncClient(
        base_url=portal_url, headers={"Origin": portal_url}, timeout=30
    ) as browser:
        for number in range(WARM_UP + ROUNDS):
            hashed = _hash(hasher)
            called = await _sign_in(browser)
            if number >= WARM_UP:
                bare.append(hashed)
                calls.append(called)
    return statistics.median(calls) * 1000, statistics.median(bare) * 1000


def _hash(hasher: PasswordHasher) -> float:
    begun = time.perf_counter()
    hasher.verify(PASSWORD_HASH, PASSWORD)
    return time.perf_counter() - begun


async def _sign_in(browser: httpx.AsyncClient) -> float:
    begun = time.perf_counter()
    answer = await browser.post(
        "/v1/auth/sign-in",
        json={"username": "ivan.petrov@turnkey.example", "password": PASSWORD},
    )
    took = time.perf_counter() - begun
    answer.raise_for_status()
    return took
