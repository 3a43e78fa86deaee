"""A Chromium for the browser journeys: an installed one, else Playwright's download, else Debian's package."""

import shutil
import subprocess
from pathlib import Path

from dev.console import CannotStart, step
from dev.places import ROOT, is_root
from dev.tools import only_one, tool_environment

INSTALLED = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DOWNLOAD_SECONDS = 240


def find() -> str:
    """The path of a browser that starts."""
    with only_one("browser"):
        return _installed() or _downloaded() or _from_debian()


def _installed() -> str | None:
    for name in INSTALLED:
        path = shutil.which(name)
        if path and _starts(path):
            return path
    return None


def _downloaded() -> str | None:
    """Playwright's own build; none where its download cannot be reached or does not start."""
    where = _playwright(
        "process.stdout.write(require('@playwright/test').chromium.executablePath())"
    )
    if where and _starts(where):
        return where
    with step("Downloading Chromium for the browser journeys (150 MB, once)"):
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
    return where if where and _starts(where) else None


def _from_debian() -> str:
    if not is_root() or not shutil.which("apt-get"):
        raise CannotStart(
            "The browser journeys need Chromium: install it (Debian: apt install chromium)."
        )
    with step("Installing Debian's Chromium (a minute, once)"):
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False)
    found = _installed()
    if not found:
        raise CannotStart("Chromium could not be installed; the reason stands above.")
    return found


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
