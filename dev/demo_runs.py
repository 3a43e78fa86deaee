"""Begins activations of several demo people, so that their team has something under way: each a real run, left half-way."""

import asyncio
import uuid
from typing import Any

import httpx

from db.demo.people import PASSWORD
from dev.console import say

UNDER_WAY = (
    ("ivan.petrov@turnkey.example", "FT-X1-20000411", True),
    ("ivan.petrov@turnkey.example", "FT-X2-20000412", False),
    ("chloe.tremblay@turnkey.example", "FT-X1S-20000413", True),
    ("olivia.marchand@turnkey.example", "FT-XC-20000414", False),
    ("marcus.okafor@turnkey.example", "FT-X1-20000415", False),
)
"""Who begins with which device, and whether the first step is done."""

PATIENCE = 10.0


async def begin_demo_runs(portal_url: str) -> None:
    """A device that is under way already, or done, is left as it is."""
    results = await asyncio.gather(
        *(_begin(portal_url, *one) for one in UNDER_WAY), return_exceptions=True
    )
    for broken in (one for one in results if isinstance(one, BaseException)):
        say(f"! a demo activation was not begun: {type(broken).__name__}")


async def _begin(portal_url: str, email: str, device_key: str, goes_on: bool) -> None:
    async with httpx.AsyncClient(
        base_url=portal_url, headers={"Origin": portal_url}, timeout=PATIENCE, trust_env=False
    ) as browser:
        answer = await browser.post(
            "/v1/auth/sign-in", json={"username": email, "password": PASSWORD}
        )
        token = answer.raise_for_status().json()["access_token"]
        browser.headers["Authorization"] = f"Bearer {token}"
        begun = await _post(browser, "", {"device_key": device_key, "type": "new-device"})
        if begun.status_code != 200 or not goes_on:
            return
        run = begun.json()
        if run["state"] == "power-on-device":
            step = {"step": run["state"], "seq": run["seq"]}
            await _post(browser, f"/{run['id']}/submit", {**step, "data": {}})


async def _post(browser: httpx.AsyncClient, path: str, body: dict[str, Any]) -> httpx.Response:
    key = {"Idempotency-Key": uuid.uuid4().hex}
    return await browser.post(f"/v1/activations{path}", json=body, headers=key)
