"""Builds the front end once per content: the same sources are never built twice. `python -m dev.web` also weighs what a page asks
for first (web/checks/bytes.ts)."""

import hashlib
import subprocess

from dev.console import CannotStart, give_up, step
from dev.places import ROOT, VENV
from dev.tools import only_one, tool_environment

WEB = ROOT / "web"
DIST = WEB / "dist"
NOT_SOURCES = {
    "node_modules",
    "dist",
    "e2e",
    "test-results",
    "tsconfig.tsbuildinfo",
    "playwright-report",
    ".vite",
    ".screens",
}


def build() -> None:
    """Idempotent. Raises CannotStart when the sources do not build."""
    if not (WEB / "package.json").exists():
        return
    stamp = ROOT / ".tools" / "web.stamp"
    with only_one("web"):
        wanted = digest()
        if stamp.exists() and stamp.read_text() == wanted and (DIST / "index.html").exists():
            return
        with step("Building the front end (some 10 seconds, once per change)"):
            built = subprocess.run(
                [str(VENV / "bin" / "npm"), "run", "--silent", "build"],
                cwd=WEB,
                env=tool_environment(),
                capture_output=True,
                text=True,
                check=False,
            )
            if built.returncode != 0:
                raise CannotStart(
                    f"The front end does not build:\n{built.stdout[-3000:]}{built.stderr[-3000:]}"
                )
        stamp.write_text(digest())


def digest() -> str:
    """Of every source file: its path and its bytes. Generated files count too, so it is taken again after a build."""
    taken = hashlib.sha256()
    for path in sorted(WEB.rglob("*")):
        inside = path.relative_to(WEB)
        if NOT_SOURCES & set(inside.parts) or not path.is_file():
            continue
        taken.update(f"{inside}\0".encode())
        taken.update(path.read_bytes())
    return taken.hexdigest()


def main() -> int:
    """The exit code: 0 when nothing is over its budget."""
    build()
    weigh = [str(VENV / "bin" / "npm"), "run", "--silent", "bytes"]
    return subprocess.run(weigh, cwd=WEB, env=tool_environment(), check=False).returncode


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except CannotStart as error:
        give_up(error)
