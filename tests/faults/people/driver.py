"""Installers at their browsers: each activates one device over HTTP and tries again as the portal's page would.

Every write has an Idempotency-Key that stays the same until it is answered. What the portal must never do, whatever is
killed meanwhile, is noted in `broken`.
"""

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from db.demo.people import PASSWORD

AGAIN = frozenset({429, 502, 503, 504})
PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 1.0
SIGN_INS = 3
GIVE_UP_SECONDS = 300.0
"""After the last outage nothing may stand still for five minutes (promise 1)."""


class Stuck(Exception):
    """An activation, or one request of it, that does not come to an end."""


@dataclass
class Progress:
    """What has been done so far, by all installers together; wakes whoever waits for a mark."""

    steps: int = 0
    answers: Counter[str] = field(default_factory=Counter[str])
    repeats: Counter[str] = field(default_factory=Counter[str])
    """Requests that were not answered at the first try and how the last such try ended, and how often each was repeated."""
    broken: list[str] = field(default_factory=list[str])
    waits: dict[str, list[float]] = field(default_factory=lambda: {"read": [], "write": []})
    """Seconds until each answer, of whatever kind."""
    events: int = 0
    """What live streams told."""
    over: bool = False
    _moved: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def step_done(self) -> None:
        async with self._moved:
            self.steps += 1
            self._moved.notify_all()

    async def finish(self) -> None:
        """Nobody works any more."""
        async with self._moved:
            self.over = True
            self._moved.notify_all()

    async def reached(self, steps: int) -> bool:
        """Waits for the mark. False when the work ended before it."""
        async with self._moved:
            await self._moved.wait_for(lambda: self.over or self.steps >= steps)
            return self.steps >= steps


class Browser:
    """One signed-in person. A request is repeated until it has an answer. `address` is what a proxy says of where they are."""

    def __init__(
        self, portal_url: str, email: str, progress: Progress, *, address: str | None = None
    ) -> None:
        headers = {"Origin": portal_url, **({"X-Forwarded-For": address} if address else {})}
        self._http = httpx.AsyncClient(base_url=portal_url, headers=headers, timeout=10)
        self._email = email
        self._progress = progress
        self._signing_in = asyncio.Lock()

    async def close(self) -> None:
        await self._http.aclose()

    def go_to(self, portal_url: str) -> None:
        """The same person, at another address of the portal."""
        self._http.base_url = portal_url
        self._http.headers["Origin"] = portal_url

    async def sign_in(self) -> None:
        answer = await self._until_answered(
            "POST",
            "/v1/auth/sign-in",
            {"username": self._email, "password": PASSWORD, "remember_me": False},
            {},
        )
        answer.raise_for_status()
        self._http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"

    async def get(self, path: str) -> httpx.Response:
        return await self._signed_in("GET", path, None, {})

    async def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return await self._signed_in("POST", path, body, {"Idempotency-Key": uuid.uuid4().hex})

    async def ask(self, path: str, body: dict[str, Any]) -> httpx.Response:
        """A POST that changes nothing."""
        return await self._signed_in("POST", path, body, {})

    async def to_its_end(
        self, path: str, go_on: Callable[[dict[str, Any]], Awaitable[None]] | None = None
    ) -> dict[str, Any]:
        """The run behind this path at its end; meanwhile `go_on` does what it waits for. What was once shown is never taken
        back: a run that is is noted as broken. Raises Stuck when it does not come to its end."""
        give_up_at, run = time.monotonic() + GIVE_UP_SECONDS, dict[str, Any]()
        while time.monotonic() < give_up_at:
            answer = await self.get(path)
            if answer.status_code == 200:
                before, run = run, answer.json()
                if before and run["rev"] < before["rev"]:
                    self._progress.broken.append(
                        f"{path} went back from {before['rev']} to {run['rev']}"
                    )
                if run["ended"]:
                    return run
                if go_on is not None:
                    await go_on(run)
            await asyncio.sleep(PAUSE_SECONDS)
        raise Stuck(f"{path} never came to its end; last seen: {run.get('state', 'nothing')}")

    async def follow(self, what: str) -> None:
        """Live events, for ever: a stream that ends is opened anew, and one that is refused is noted as broken."""
        while True:
            held = self._http.headers.get("Authorization")
            try:
                asked = self._http.stream(
                    "GET", "/v1/events", params={"follow": what}, timeout=httpx.Timeout(10, read=60)
                )
                async with asked as stream:
                    self._progress.answers[f"stream {stream.status_code}"] += 1
                    if stream.is_success:
                        async for line in stream.aiter_lines():
                            self._progress.events += line.startswith("event:")
                    else:
                        await stream.aread()
            except httpx.TransportError:
                self._progress.answers["stream lost"] += 1
            else:
                if stream.status_code == 401:
                    await self._sign_in_after(held)
                elif not stream.is_success:
                    self._judge("GET", f"/v1/events?follow={what}", stream, bad_from=400)
            await asyncio.sleep(LONGEST_PAUSE_SECONDS)

    async def _signed_in(
        self, method: str, path: str, body: dict[str, Any] | None, headers: dict[str, str]
    ) -> httpx.Response:
        """Whoever is signed out signs in again: once, or more often while clocks leap."""
        for _ in range(SIGN_INS):
            held = self._http.headers.get("Authorization")
            answer = await self._until_answered(method, path, body, headers)
            if answer.status_code != 401:
                return answer
            await self._sign_in_after(held)
        return await self._until_answered(method, path, body, headers)

    async def _sign_in_after(self, refused: str | None) -> None:
        """One sign-in for all that were refused at once, as the page does."""
        async with self._signing_in:
            if self._http.headers.get("Authorization") == refused:
                await self.sign_in()

    async def _until_answered(
        self, method: str, path: str, body: dict[str, Any] | None, headers: dict[str, str]
    ) -> httpx.Response:
        pause, give_up_at = PAUSE_SECONDS, time.monotonic() + GIVE_UP_SECONDS
        repeats, why = 0, ""
        kind = "write" if "Idempotency-Key" in headers else "read"
        while time.monotonic() < give_up_at:
            begun = time.monotonic()
            try:
                answer = await self._http.request(method, path, json=body, headers=headers)
            except httpx.TransportError:
                self._progress.answers["no answer"] += 1
                why = "no answer"
            else:
                self._progress.answers[str(answer.status_code)] += 1
                self._progress.waits[kind].append(time.monotonic() - begun)
                self._judge(method, path, answer)
                if not _wants_repeat(answer):
                    if repeats:
                        name = f"{method} {path}: {why}"
                        self._progress.repeats[name] = max(self._progress.repeats[name], repeats)
                    return answer
                why = f"{answer.status_code} {answer.text[:200]}"
            repeats += 1
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
        raise Stuck(f"{method} {path} was never answered")

    def _judge(
        self, method: str, path: str, answer: httpx.Response, *, bad_from: int = 500
    ) -> None:
        if answer.status_code in (429, 503):
            if "Retry-After" not in answer.headers:
                self._progress.broken.append(
                    f"{method} {path}: {answer.status_code} without Retry-After"
                )
            if "Traceback" in answer.text:
                self._progress.broken.append(f"{method} {path}: 503 with a trace")
        elif answer.status_code >= bad_from:
            self._progress.broken.append(f"{method} {path}: {answer.status_code} {answer.text}")


def _wants_repeat(answer: httpx.Response) -> bool:
    if answer.status_code in AGAIN or answer.status_code >= 500:
        return True
    return answer.status_code == 409 and answer.json().get("code") == "still_under_way"


class Installer:
    """One activation of one device, from the first request to its end; `think` is seconds before each step."""

    def __init__(
        self, browser: Browser, device_key: str, progress: Progress, *, think: float = 0
    ) -> None:
        self.device_key = device_key
        self.flow: dict[str, Any] = {}
        self._browser = browser
        self._progress = progress
        self._think = think
        self._tested = False

    async def activate(self) -> None:
        """Raises Stuck when it goes no further. A run that ends in any other way than completed is noted as broken."""
        await self._open()
        give_up_at, seen, moved = time.monotonic() + GIVE_UP_SECONDS, -1, -1
        while not self.flow["ended"]:
            if time.monotonic() > give_up_at:
                raise Stuck(f"{self.device_key} stands at {self.flow['state']}")
            before = self.flow["seq"]
            if before != seen:
                await asyncio.sleep(self._think)
            if (
                self.flow["rev"] != moved
            ):  # its firmware may be updated meanwhile, and tells how far it is
                give_up_at = time.monotonic() + GIVE_UP_SECONDS
            seen, moved = before, self.flow["rev"]
            if self.flow["view"]["commands"] and "ACT" in self.flow["allowed"] and not self._tested:
                self._tested = True
                await self._send("commands", {"command": self._test_command()})
            elif "SUBMIT" in self.flow["allowed"]:
                await self._send("submit", {"step": self.flow["state"], "data": self._form()})
            elif "SKIP" in self.flow["allowed"]:
                await self._send("skip", {"step": self.flow["state"], "reason": "not sold yet"})
            else:
                await asyncio.sleep(PAUSE_SECONDS)
                await self._look()
            if self.flow["seq"] > before or self.flow["ended"]:
                await self._progress.step_done()
        if self.flow["state"] != "completed":
            self._progress.broken.append(f"{self.device_key} ended as {self.flow['state']}")

    async def _open(self) -> None:
        answer = await self._browser.post(
            "/v1/activations", {"device_key": self.device_key, "type": "new-device"}
        )
        if answer.status_code not in (200, 202):
            raise Stuck(f"{self.device_key} was not opened: {answer.status_code} {answer.text}")
        if answer.status_code == 200:
            self._see(answer.json())
            return
        await self._wait_for(answer.json()["id"], lambda flow: flow["state"] != "checking")

    async def _send(self, what: str, body: dict[str, Any]) -> None:
        """One message. A 202 is a promise: the run must come to show it."""
        seen, path = self.flow["seq"], f"/v1/activations/{self.flow['id']}"
        answer = await self._browser.post(f"{path}/{what}", {"seq": seen, **body})
        if answer.status_code == 200:
            self._see(answer.json())
        elif answer.status_code == 202:
            await self._wait_for(self.flow["id"], lambda flow: flow["seq"] > seen or flow["ended"])
        elif answer.status_code in (409, 410):
            # An earlier try of the same request was carried out, or the run moved on by itself.
            self._progress.answers[answer.json()["code"]] += 1
            await self._look()
        else:
            raise Stuck(f"{path}/{what} answered {answer.status_code} {answer.text}")

    async def _look(self) -> None:
        answer = await self._browser.get(f"/v1/activations/{self.flow['id']}")
        answer.raise_for_status()
        self._see(answer.json())

    async def _wait_for(self, flow_id: str, shows: Any) -> None:
        give_up_at = time.monotonic() + GIVE_UP_SECONDS
        while time.monotonic() < give_up_at:
            answer = await self._browser.get(f"/v1/activations/{flow_id}")
            if answer.status_code == 200:
                self._see(answer.json())
                if shows(self.flow):
                    return
            await asyncio.sleep(PAUSE_SECONDS)
        raise Stuck(f"{self.device_key}: what was taken with 202 never came about")

    def _see(self, flow: dict[str, Any]) -> None:
        """What was once shown is never taken back."""
        if self.flow and flow["id"] == self.flow["id"] and flow["rev"] < self.flow["rev"]:
            self._progress.broken.append(
                f"{self.device_key} went back from {self.flow['rev']} to {flow['rev']}"
            )
        error = flow["view"].get("error")
        if error and error != (self.flow.get("view") or {}).get("error"):
            self._progress.answers[f"shown: {error['code']}"] += 1
        self.flow = flow

    def _test_command(self) -> str:
        """One that moves the car where there is one: these a machine never repeats."""
        offered = self.flow["view"]["commands"]
        return next((command for command in ("arm", "panic_on") if command in offered), offered[0])

    def _form(self) -> dict[str, Any]:
        match self.flow["state"]:
            case "set-vehicle-details":
                return {
                    "year": 2022,
                    "make_id": 448,
                    "make": "Toyota",
                    "model_id": 2469,
                    "model": "Camry",
                }
            case "send-welcome":
                return {"email": "owner@people.example"}
            case "keylocker-mode":
                return {"mode": "standalone"}
            case "hardwire-x1max":
                return {"output": "Trunk", "input": "High"}
            case _:
                return {}
