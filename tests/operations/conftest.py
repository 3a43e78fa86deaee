"""A portal with a small front end, with Temporal down."""

from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from tests.drivers.portal import a_browser, running_portal

PAGE = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><title>Turnkey</title>'
CODED = {"both.js": ("", ".br", ".gz"), "zipped.css": ("", ".gz")}
"""Files of the build with their codings, each of which holds its own ending."""
PAGES = '["/", "/login", "/activation/device", "/order/{-$id}"]'


@pytest.fixture(scope="package")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built front end in miniature, with a secret beside it."""
    folder = tmp_path_factory.mktemp("web") / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "pages.json").write_text(PAGES)
    (folder / "mark.svg").write_text("<svg/>")
    (folder / "sw.js").write_text("self")
    (folder / "assets" / "main-abc123.js").write_text("export {}")
    for name, codings in CODED.items():
        for ending in codings:
            (folder / "assets" / f"{name}{ending}").write_bytes(ending.encode())
    (folder.parent / "secret.txt").write_text("not to be served")
    return folder


@pytest.fixture(scope="package")
async def portal(database_url: str, dist: Path) -> AsyncGenerator[FastAPI]:
    async with running_portal(database_url, web_dist=dist) as app:
        yield app


@pytest.fixture
async def browser(portal: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_browser(portal) as client:
        yield client
