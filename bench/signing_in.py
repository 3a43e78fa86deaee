"""Browsers of the portal that is measured, signed in as people of the demo data."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx

from db.demo.people import PASSWORD


@asynccontextmanager
async def signed_in(url: str, name: str, *, wait: float = 30) -> AsyncGenerator[httpx.AsyncClient]:
    """The browser of this person; `name` is what stands before the @ of their address."""
    async with httpx.AsyncClient(base_url=url, headers={"Origin": url}, timeout=wait) as browser:
        await sign_in(browser, name)
        yield browser


async def sign_in(browser: httpx.AsyncClient, name: str) -> None:
    body = {"username": f"{name}@turnkey.example", "password": PASSWORD, "remember_me": False}
    answer = await browser.post("/v1/auth/sign-in", json=body)
    browser.headers["Authorization"] = f"Bearer {answer.raise_for_status().json()['access_token']}"
