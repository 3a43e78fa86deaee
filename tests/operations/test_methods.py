"""A method that a path does not know is answered with those that it does."""

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


async def test_an_unknown_path_is_not_found(browser: httpx.AsyncClient) -> None:
    assert (await browser.options("/v1/nowhere")).status_code == 404
