"""Stripe's own stand-in, which checks requests against Stripe's published API: found, or built with Go once.

It is used by tests alone. It keeps nothing: what it answers are samples.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx

from dev import ports
from dev.console import CannotStart, step
from dev.places import cache_dir

VERSION = "0.203.0"
BUILD = f"github.com/stripe/stripe-mock@v{VERSION}"
READY_SECONDS = 60


def find_binary() -> Path | None:
    """On PATH or in the cache; none where `bring` could not build it."""
    on_path = shutil.which("stripe-mock")
    if on_path:
        return Path(on_path)
    stored = _stored_at()
    return stored if stored.exists() else None


def bring() -> None:
    """Builds it (a minute, once) where there is Go and a way to its sources. Idempotent."""
    go = shutil.which("go")
    if find_binary() is not None or go is None:
        return
    stored = _stored_at()
    stored.parent.mkdir(parents=True, exist_ok=True)
    with step(f"Building stripe-mock {VERSION} with Go (a minute, once)"):
        subprocess.run(
            [go, "install", BUILD],
            env={**os.environ, "GOBIN": str(stored.parent)},
            capture_output=True,
            check=False,
        )


def _stored_at() -> Path:
    return cache_dir() / f"stripe-mock-{VERSION}" / "stripe-mock"


@contextmanager
def serving(binary: Path) -> Generator[str]:
    """Its base address while it runs."""
    port = ports.free().portal
    process = subprocess.Popen(
        [
            str(binary),
            *("-http-addr", f"127.0.0.1:{port}"),
            *("-https-addr", "127.0.0.1:"),  # it listens there too; any port will do
            "-strict-version-check=false",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _await_answer(address)
        yield address
    finally:
        process.kill()
        process.wait()


def _await_answer(address: str) -> None:
    give_up_at = time.monotonic() + READY_SECONDS
    while True:
        try:
            httpx.get(address, trust_env=False)
        except httpx.HTTPError:
            if time.monotonic() > give_up_at:
                raise CannotStart(f"stripe-mock does not answer at {address}") from None
            time.sleep(0.1)
        else:
            return
