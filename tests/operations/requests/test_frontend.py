"""The built front end as it is served."""

import asyncio
import os
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from pydantic import ValidationError
from starlette.types import Message, Receive, Scope, Send

from api.platform.border.frontend import (
    FrontEnd,
    Page,
    bot_check,
    card_form,
    media_of,
    page_policy,
    pages_of,
)
from settings import Settings


async def test_every_address_of_the_browsers_router_gets_the_page(
    browser: httpx.AsyncClient,
) -> None:
    for path in ("/", "/login", "/login/", "/activation/device?id=x&step=y", "/order/42", "/order"):
        answer = await browser.get(path)
        assert answer.status_code == 200, path
        assert "<title>Turnkey</title>" in answer.text


@pytest.mark.parametrize("path", ["/apiary", "/login/more", "/order/4/2", "/wp-admin", "/login%0a"])
async def test_any_other_address_gets_the_page_as_a_404(
    browser: httpx.AsyncClient, path: str
) -> None:
    answer = await browser.get(path)
    assert answer.status_code == 404
    assert "<title>Turnkey</title>" in answer.text


def test_the_patterns_of_the_router_become_addresses(tmp_path: Path) -> None:
    (tmp_path / "pages.json").write_text('["/", "/devices/$key", "/order/{-$id}", "/a.b"]')
    known = pages_of(tmp_path)
    for path in ("/", "/devices/FT-X1-00000042", "/order", "/order/1", "/a.b"):
        assert known.fullmatch(path), path
    for path in ("/devices", "/devices/a/b", "/order/1/2", "/aXb", ""):
        assert not known.fullmatch(path), path
    assert not pages_of(tmp_path / "no build").fullmatch("/")


async def test_each_page_has_a_nonce_of_its_own_and_a_strict_policy(
    browser: httpx.AsyncClient,
) -> None:
    pages = [await browser.get("/") for _ in range(2)]
    nonces = [nonce for page in pages for nonce in re.findall(r'nonce="([^"]+)"', page.text)]
    assert len(nonces) == 2
    assert nonces[0] != nonces[1]
    for page, nonce in zip(pages, nonces, strict=True):
        policy = page.headers["content-security-policy"]
        assert f"script-src 'self' 'nonce-{nonce}'" in policy
        assert f"style-src 'self' 'nonce-{nonce}'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["cache-control"] == "no-store"


async def test_cards_are_typed_in_the_providers_frame_alone(browser: httpx.AsyncClient) -> None:
    policy = (await browser.get("/")).headers["content-security-policy"]
    assert "frame-src 'self' http://127.0.0.1:9000;" in policy
    assert "connect-src 'self';" in policy


def test_with_the_real_provider_its_own_script_is_let_in() -> None:
    policy = page_policy("n", card_form(""))
    assert "script-src 'self' 'nonce-n' https://js.stripe.com;" in policy
    assert "frame-src 'self' https://js.stripe.com https://hooks.stripe.com;" in policy
    assert "connect-src 'self' https://api.stripe.com;" in policy


async def test_a_widget_of_the_bot_check_is_let_in_only_where_there_is_one(
    browser: httpx.AsyncClient,
) -> None:
    host = "https://challenges.cloudflare.com"
    assert host not in (await browser.get("/")).headers["content-security-policy"]
    assert page_policy("n", bot_check("")) == page_policy("n")
    policy = page_policy("n", card_form(""), bot_check(f"{host}/turnstile/v0"))
    assert f"script-src 'self' 'nonce-n' https://js.stripe.com {host};" in policy
    assert f"hooks.stripe.com {host};" in policy
    assert "connect-src 'self' https://api.stripe.com;" in policy


def test_pictures_and_films_come_from_the_hosts_that_are_named_and_no_other() -> None:
    policy = page_policy("n", media_of(("https://media.one.example", "https://two.example:8443")))
    others = "https://media.one.example https://two.example:8443"
    assert f"img-src 'self' data: blob: {others};" in policy
    assert f"media-src 'self' blob: {others};" in policy
    assert "script-src 'self' 'nonce-n';" in policy
    assert "img-src 'self' data: blob:;" in page_policy("n")


@pytest.mark.parametrize(
    "host",
    ["*", "https://*.example", "http://media.example", "https:", "https://a.example/x; script-src"],
)
def test_a_media_host_is_one_origin_by_its_whole_name(host: str) -> None:
    with pytest.raises(ValidationError, match="MEDIA_HOSTS"):
        Settings(media_hosts=(host,))


async def test_the_page_comes_compressed_with_its_own_nonce(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/login", headers={"Accept-Encoding": "gzip, br"})
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "Accept-Encoding"
    [nonce] = re.findall(r'nonce="([^"]+)"', answer.text)
    assert f"'nonce-{nonce}'" in answer.headers["content-security-policy"]
    plain = await browser.get("/login", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers


async def test_the_service_worker_may_fetch_from_us_and_pages_may_use_the_camera(
    browser: httpx.AsyncClient,
) -> None:
    worker = await browser.get("/sw.js")
    assert worker.headers["content-security-policy"] == "default-src 'none'; connect-src 'self'"
    assert worker.headers["cache-control"] == "no-cache"
    page = await browser.get("/")
    assert "camera=(self)" in page.headers["permissions-policy"]


async def test_hashed_files_are_kept_for_good_and_others_asked_for_again(
    browser: httpx.AsyncClient,
) -> None:
    hashed = await browser.get("/assets/main-abc123.js")
    assert "immutable" in hashed.headers["cache-control"]
    assert hashed.headers["content-type"].startswith("text/javascript")
    assert (await browser.get("/mark.svg")).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("accepted", "path", "coding", "content"),
    [
        ("gzip, deflate, br, zstd", "both.js", "br", b".br"),
        ("gzip;q=1.0, BR;q=0.5", "both.js", "br", b".br"),
        ("gzip, br;q=0", "both.js", "gzip", b".gz"),
        ("br", "zipped.css", None, b""),
        ("identity", "both.js", None, b""),
    ],
)
async def test_a_file_comes_in_the_best_coding_that_the_browser_takes(
    browser: httpx.AsyncClient, accepted: str, path: str, coding: str | None, content: bytes
) -> None:
    asked = browser.stream("GET", f"/assets/{path}", headers={"Accept-Encoding": accepted})
    async with asked as answer:
        raw = b"".join([part async for part in answer.aiter_raw()])
    assert raw == content
    assert answer.headers.get("content-encoding") == coding
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["content-type"].startswith("text/")


async def test_a_coding_has_no_address_of_its_own(browser: httpx.AsyncClient) -> None:
    assert (await browser.get("/assets/both.js.br")).status_code == 404


async def test_long_answers_of_the_api_are_compressed(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/openapi.json", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in answer.headers["vary"]
    assert answer.json()["info"]["title"] == "Turnkey"


@pytest.mark.parametrize(
    "path", ["/assets/main-old.js", "/missing.css", "/api/nothing", "/v1/nothing"]
)
async def test_a_missing_file_or_call_is_a_404_and_not_the_page(
    browser: httpx.AsyncClient, path: str
) -> None:
    answer = await browser.get(path)
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize(
    "path", ["/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "//etc/passwd"]
)
async def test_nothing_outside_the_folder_is_served(browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.get(path)
    assert "not to be served" not in answer.text
    assert "root:" not in answer.text


async def test_nothing_outside_the_folder_is_looked_at(
    browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[str] = []

    def noted(look: Callable[..., os.stat_result]) -> Callable[..., os.stat_result]:
        def instead(path: Any, **how: Any) -> os.stat_result:
            looked_at.append(str(path))
            return look(path, **how)

        return instead

    monkeypatch.setattr(os, "stat", noted(os.stat))
    monkeypatch.setattr(os, "lstat", noted(os.lstat))
    for path in ("/%2e%2e/secret.txt", "/assets/inside.txt"):
        assert (await browser.get(path)).status_code == 404
    assert any(path.endswith("/inside.txt") for path in looked_at)
    assert not any(path.endswith("/secret.txt") for path in looked_at)


async def test_the_page_is_only_read(browser: httpx.AsyncClient) -> None:
    answer = await browser.post("/login")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD"


def test_the_page_is_read_again_only_when_it_was_built_anew(tmp_path: Path) -> None:
    built = tmp_path / "index.html"
    page = Page(built)
    assert page.content() is None
    built.write_bytes(b"one")
    assert page.content() == b"one"
    at = built.stat()
    built.write_bytes(b"two")
    os.utime(built, ns=(at.st_atime_ns, at.st_mtime_ns))
    assert page.content() == b"one"
    os.utime(built, ns=(at.st_atime_ns, at.st_mtime_ns + 1))
    assert page.content() == b"two"


async def test_others_are_served_while_a_page_is_compressed(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(Random(1).randbytes(1_000_000).hex())
    sent, turns = list[Message](), 0

    async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    front = FrontEnd(nothing, dist=tmp_path, card_frame_url="", widget_url="")
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/login",
        "headers": [(b"accept-encoding", b"gzip")],
        "state": {"request_id": "r"},
    }
    asked = asyncio.create_task(front(scope, receive, send))
    while not asked.done():
        turns += 1
        await asyncio.sleep(0)
    await asked
    assert len(sent) == 2
    assert turns > 10
