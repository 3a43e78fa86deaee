"""Changes of a cart of very many lines, over HTTP."""

import time
import uuid
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any

import httpx

from api.checkout.cart import MOST_AT_ONCE
from bench.placements import CARTS

CHANGES = 40


async def measure_cart(http: httpx.AsyncClient, articles: Sequence[str]) -> list[float]:
    """Seconds of each change of one line, in a new cart of one piece of each article. The first is not told: it warms up."""
    cart = await _send(http, f"{CARTS}/create-b2b", {"startNew": True})
    for first in range(0, len(articles), MOST_AT_ONCE):
        some = articles[first : first + MOST_AT_ONCE]
        lines = [{"variantId": article, "quantity": 1} for article in some]
        cart = await _send(http, f"{CARTS}/{cart['token']}/add-lines", {"lines": lines})
    if len(cart["lines"]) != len(articles):
        raise ValueError(f"{len(cart['lines'])} lines of {len(articles)}")
    waits = list[float]()
    ids: list[str] = [line["id"] for line in cart["lines"]]
    for number, line in enumerate(islice(cycle(ids), CHANGES + 1)):
        change = {"lines": [{"lineId": line, "quantity": 2 + number // len(ids)}]}
        begun = time.perf_counter()
        await _send(http, f"{CARTS}/{cart['token']}/update-lines", change)
        waits.append(time.perf_counter() - begun)
    return waits[1:]


async def _send(http: httpx.AsyncClient, path: str, body: object) -> dict[str, Any]:
    answer = await http.post(path, json=body, headers={"Idempotency-Key": uuid.uuid4().hex})
    return answer.raise_for_status().json()
