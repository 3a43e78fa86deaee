"""A Chromium for the browser journeys: an installed one, else Playwright's download, else Debian's package."""

import shutil
import subprocess
from pathlib import Path

from dev.console import CannotStart, step
from dev.places import ROOT, is_root
from dev.tools import tool_environment

INSTALLED = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DOWNLOAD_SECONDS = 240


def find() -> str:
    """The path of a browser that starts. Raises CannotStart where none does."""
    found = _installed() or _playwrights_own()
    if found is None:
        raise CannotStart("Chromium is missing: `make test-tools` brings it.")
    return found


def bring() -> None:
    """Makes `find` find one. Idempotent."""
    if not (_installed() or _playwrights_own() or _downloaded()):
        _install_from_debian()


def _installed() -> str | None:
    for name in INSTALLED:
        path = shutil.which(name)
        if path and _starts(path):
            return path
    return None


def _playwrights_own() -> str | None:
    where = _playwright(
        "process.stdout.write(require('@playwright/test').chromium.executablePath())"
    )
    return where if where and _starts(where) else None


def _downloaded() -> str | None:
    """Playwright's own build; none where its download cannot be reached or does not start."""
    with step(f"Downloading Chromium (150 MB, once; given up after {DOWNLOAD_SECONDS} s)"):
        try:
            subprocess.run(
                ["npx", "--no-install", "playwright", "install", "chromium"],
                cwd=ROOT / "web",
                env=tool_environment(),
                capture_output=True,
                timeout=DOWNLOAD_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None
    return _playwrights_own()


def _install_from_debian() -> None:
    if not is_root() or not shutil.which("apt-get"):
        raise CannotStart(
            "The browser journeys need Chromium: install it (Debian: apt install chromium)."
        )
    with step("Installing Debian's Chromium (a minute, once)"):
        for command in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
            done = subprocess.run(
                ["apt-get", "-qq", *command],
                env={**tool_environment(), "DEBIAN_FRONTEND": "noninteractive"},
                capture_output=True,
                text=True,
                check=False,
            )
    if not _installed():
        raise CannotStart(f"Chromium could not be installed:\n{done.stderr[-2000:]}")


def _playwright(program: str) -> str:
    done = subprocess.run(
        ["node", "-e", program],
        cwd=ROOT / "web",
        env=tool_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def _starts(path: str) -> bool:
    if not Path(path).exists():
        return False
    return subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0
