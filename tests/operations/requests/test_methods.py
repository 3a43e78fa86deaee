"""A method that a path does not know is answered with those that it does."""

import re

import httpx
import pytest


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/v1/activations", "GET, POST"),
        ("/v1/auth/business", "DELETE, PUT"),
        ("/v1/user/somebody", "GET, PATCH"),
        ("/v1/user/invite", "POST"),
        ("/v1/user/invite/", "POST"),
    ],
)
async def test_every_method_of_the_path_is_named(
    browser: httpx.AsyncClient, path: str, allowed: str
) -> None:
    refused = await browser.options(path)
    assert (refused.status_code, refused.headers["allow"]) == (405, allowed)
    assert refused.json()["code"] == "method_not_allowed"


async def test_an_unknown_path_is_logged_as_such(
    browser: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (
        "/v1/4242424242424242",
        "/search/4242-4242-4242-4242",
        "/v1/card%204242424242424242",
    ):
        capsys.readouterr()
        answer = await browser.get(path)
        logged = capsys.readouterr().out
        assert "unmatched" in logged
        assert not re.search(r"4242.?4242", logged + answer.text)


async def test_an_unknown_path_is_not_found(browser: httpx.AsyncClient) -> None:
    assert (await browser.options("/v1/nowhere")).status_code == 404
