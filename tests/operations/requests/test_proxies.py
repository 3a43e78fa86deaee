"""Whom a proxy speaks for is believed of named proxies alone, and counts for every limit and record."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx
import pytest
from fastapi import FastAPI
from pydantic import ValidationError
from sqlalchemy import select

from api.platform.throttling.resets import RESET_ADDRESS
from db.base import Sessions
from db.operations.audit import AuditRow
from settings import Settings
from tests.drivers.factories import an_email, an_installer
from tests.drivers.portal import a_browser, running_portal, sign_in

INNER, OUTER, STRANGER = "10.20.0.7", "192.0.2.8", "203.0.113.9"


@asynccontextmanager
async def behind(database_url: str, *trusted: str) -> AsyncGenerator[FastAPI]:
    async with running_portal(database_url, trusted_proxies=trusted) as app:
        yield app


async def seen(app: FastAPI, sessions: Sessions, peer: str, *forwarded: str) -> str:
    """The address under which a wrong sign-in is recorded."""
    user = await an_installer(sessions)
    async with a_browser(app, address=peer) as browser:
        for hop in forwarded:
            browser.headers["X-Forwarded-For"] = hop
        assert (await sign_in(browser, user, password="not-it")).status_code == 401
    async with sessions() as session:
        found = await session.scalar(select(AuditRow.address).where(AuditRow.object_id == user.id))
    return str(found)


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        (INNER, STRANGER, STRANGER),
        (INNER, f"{STRANGER}, {OUTER}", STRANGER),
        (INNER, f"1.2.3.4, {STRANGER}", STRANGER),
        (INNER, f"1.2.3.4, {STRANGER}, {OUTER}, {INNER}", STRANGER),
        (STRANGER, "1.2.3.4", STRANGER),
        (INNER, "", INNER),
    ],
    ids=["one", "two", "invented first hop", "chain", "a stranger claims", "nothing said"],
)
async def test_the_rightmost_hop_that_is_not_trusted_is_the_caller(
    database_url: str, sessions: Sessions, peer: str, forwarded: str, expected: str
) -> None:
    async with behind(database_url, "10.20.0.0/16", OUTER) as app:
        assert await seen(app, sessions, peer, forwarded) == expected


async def test_no_line_of_the_log_names_an_address(
    database_url: str, sessions: Sessions, capsys: pytest.CaptureFixture[str]
) -> None:
    async with behind(database_url, INNER) as app:
        capsys.readouterr()
        await seen(app, sessions, INNER, STRANGER)
    logged = capsys.readouterr()
    assert "/v1/auth/sign-in" in logged.out
    assert not [address for address in (INNER, STRANGER) if address in logged.out + logged.err]


async def test_without_named_proxies_nobody_is_believed(
    database_url: str, sessions: Sessions
) -> None:
    async with behind(database_url) as app:
        assert await seen(app, sessions, INNER, STRANGER) == INNER


async def test_one_callers_tries_shut_nobody_else_out_behind_a_proxy(database_url: str) -> None:
    async with behind(database_url, INNER) as app, a_browser(app, address=INNER) as browser:
        browser.headers["X-Forwarded-For"] = "203.0.113.20"
        answers = [await _forget_nobody(browser) for _ in range(RESET_ADDRESS.tries + 1)]
        assert [answer.status_code for answer in answers[-2:]] == [404, 429]
        browser.headers["X-Forwarded-For"] = "203.0.113.21"
        assert (await _forget_nobody(browser)).status_code == 404


@pytest.mark.parametrize(
    ("one", "same_line", "another"),
    [
        ("2001:db8:0:7::{:x}", "2001:db8:0:7:1:2:3:4", "2001:db8:0:8::1"),
        ("2001:db8:0:5:{:x}::", "2001:db8:0:5:ffff:ffff:ffff:ffff", "2001:db8:0:4:ffff::"),
        ("::ffff:203.0.113.30", "203.0.113.30", "::ffff:203.0.113.31"),
    ],
    ids=["interface", "privacy", "IPv4 in IPv6"],
)
async def test_the_addresses_of_one_line_are_counted_together(
    portal: FastAPI, one: str, same_line: str, another: str
) -> None:
    for number in range(RESET_ADDRESS.tries):
        async with a_browser(portal, address=one.format(number + 1)) as browser:
            assert (await _forget_nobody(browser)).status_code == 404
    for address, expected in ((same_line, 429), (another, 404)):
        async with a_browser(portal, address=address) as browser:
            assert (await _forget_nobody(browser)).status_code == expected


async def test_a_record_has_the_whole_address(portal: FastAPI, sessions: Sessions) -> None:
    address = "2001:db8:0:9:1:2:3:4"
    assert await seen(portal, sessions, address) == address


async def _forget_nobody(browser: httpx.AsyncClient) -> httpx.Response:
    body = {"username": an_email()}
    return await browser.post("/v1/auth/forgot-password", json=body)


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(ValidationError, match="TRUSTED_PROXIES"):
        Settings(trusted_proxies=("everybody",))
