"""The card provider's form, as a page around it meets it."""

import re

import httpx
import pytest
from fastapi import FastAPI

SHOP = {"key": "pk_test_x", "origin": "http://localhost:8000"}


@pytest.fixture
async def provider(simulators: FastAPI):
    transport = httpx.ASGITransport(simulators)
    async with httpx.AsyncClient(transport=transport, base_url="http://stand-ins") as client:
        yield client


async def test_only_the_shop_that_asked_may_show_it(provider: httpx.AsyncClient) -> None:
    answer = await provider.get("/cards/frame", params=SHOP)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert policy.endswith("frame-ancestors http://localhost:8000")
    assert "unsafe" not in policy
    assert not re.search(r"<script>|style=| on\w+=", answer.text)


@pytest.mark.parametrize("origin", ["javascript:alert(1)", "", "localhost", "ftp://shop"])
async def test_an_odd_origin_gets_no_form(provider: httpx.AsyncClient, origin: str) -> None:
    answer = await provider.get("/cards/frame", params={**SHOP, "origin": origin})
    assert answer.status_code == 400


async def test_it_speaks_both_languages_and_leaves_no_gap(provider: httpx.AsyncClient) -> None:
    for locale, words in (("en", "Security code"), ("fr", "Code de sécurité")):
        page = (await provider.get("/cards/frame", params={**SHOP, "locale": locale})).text
        assert words in page
        assert f'<html lang="{locale}"' in page
        assert "[[" not in page


async def test_its_own_files_are_served_and_no_others(provider: httpx.AsyncClient) -> None:
    script = await provider.get("/cards/frame/frame.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert (await provider.get("/cards/frame/frame.css")).status_code == 200
    assert (await provider.get("/cards/frame/frame.py")).status_code == 404
