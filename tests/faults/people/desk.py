"""Whoever takes care of cases and of orders that cannot go on: an administrator has refused refunds and orders tried again, and
gives back by hand what stays refused; buyers pay what a bank returned, but for a few who leave it owed."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx

from tests.faults.people.driver import Browser, Progress, Stuck

LOOKS_EVERY_SECONDS = 2.0
MOST_TRIES = 3
"""After so many the money is given back in another way."""
REFUSED = "refund_refused"
OWING = ("owed", "suspended")
LEAVES = 0.3
"""Of those who owe."""

PayerOf = Callable[[str], tuple[Browser, str] | None]
"""The run that was paid for → whoever paid, and a good method of theirs."""


def is_left(case_id: str) -> bool:
    """Whether nobody ever pays it, if it is one of a debit that came back; the same whoever asks."""
    return random.Random(case_id).random() < LEAVES


class Desk:
    """Of the runs of one load, but for refunds: those it takes care of whoever paid."""

    def __init__(
        self,
        browser: Browser,
        progress: Progress,
        payer_of: PayerOf,
        *,
        before: frozenset[str],
    ) -> None:
        self._browser = browser
        self._progress = progress
        self._payer_of = payer_of
        self._before = before
        self._tries = Counter[str]()

    async def work(self) -> None:
        """For ever."""
        while True:
            try:
                for case in await self._open():
                    if case["id"] not in self._before:
                        await self._take_care(case)
                await self._try_orders_again()
            except Stuck as stuck:
                self._progress.broken.append(str(stuck))
            await asyncio.sleep(LOOKS_EVERY_SECONDS)

    async def _open(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        cursor = ""
        while True:
            path = f"/v1/operations/cases?limit=100{cursor}"
            page = await self._asked(path, await self._browser.get(path))
            found += page["results"]
            if page["end_cursor"] is None:
                return found
            cursor = f"&cursor={page['end_cursor']}"

    async def _try_orders_again(self) -> None:
        path = "/v1/operations/runs?shown=attention&kind=placement&limit=100"
        stuck = await self._asked(path, await self._browser.get(path))
        for token in {run["id"] for run in stuck["results"]} - self._before:
            body = {"how": "retry", "note": "The provider is back."}
            await self._send(self._browser, f"/v1/placements/{token}/settle", body)

    async def _take_care(self, case: dict[str, Any]) -> None:
        id_, error = case["id"], case["error"] or {}
        if case["state"] in OWING:
            payer = self._payer_of(case["belongs_to"]["flow_id"])
            if payer is not None and not is_left(id_):
                browser, method_id = payer
                await self._send(browser, f"/v1/cases/{id_}/pay", {"method_id": method_id})
        elif error.get("code") == REFUSED and "RETRY" in case["allowed"]:
            self._tries[id_] += 1
            what = "retry" if self._tries[id_] <= MOST_TRIES else "resolve"
            path = f"/v1/operations/cases/{id_}/{what}"
            await self._send(self._browser, path, {"note": "The bank was called."})

    async def _send(self, browser: Browser, path: str, body: dict[str, Any]) -> None:
        answer = await browser.post(path, body)
        if answer.status_code not in (409, 410):
            await self._asked(path, answer)

    async def _asked(self, path: str, answer: httpx.Response) -> dict[str, Any]:
        if answer.status_code not in (200, 202):
            raise Stuck(f"{path} answered {answer.status_code} {answer.text}")
        return answer.json()
