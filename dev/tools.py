"""Step 1 of every start: uv, the locked Python packages (Node among them), the packages of the front end.

Run by the machine's own Python before anything is installed, so standard library only:
`python3 -m dev.tools` prepares what `make dev` and `make test` need; `--python` leaves the front end out. Each step is
skipped when its stamp says that it was done for the same lock file, and each tries its cache before the network.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from dev.console import CannotStart, give_up, remark, step
from dev.places import ROOT, VENV, cache_dir

UV_VERSION = "0.13.9"
OLDEST_PYTHON = (3, 11)
WEB = ROOT / "web"


def prepare(*, front_end: bool = True) -> None:
    """Idempotent. Raises CannotStart with one sentence when something is missing."""
    if sys.version_info < OLDEST_PYTHON:
        raise CannotStart(
            f"Python {OLDEST_PYTHON[0]}.{OLDEST_PYTHON[1]} or newer is needed, this is {sys.version.split()[0]}: "
            "install it and run again with PYTHON=/path/to/python3."
        )
    with only_one("tools"):
        install_python_packages()
        if front_end and (WEB / "package.json").exists():
            install_node_packages(WEB)
            if (WEB / "tools" / "package.json").exists():
                install_node_packages(WEB / "tools")


def install_python_packages() -> None:
    """Makes `.venv` equal to requirements.txt."""
    wanted = _digest([ROOT / "requirements.txt"])
    stamp = VENV / "installed.stamp"
    if stamp.exists() and stamp.read_text() == wanted and _runs(VENV / "bin" / "python"):
        return
    uv = find_uv()
    if not _runs(VENV / "bin" / "python"):
        with step("Making the Python environment in .venv"):
            shutil.rmtree(VENV, ignore_errors=True)
            _run([str(uv), "venv", "-q", "--python", sys.executable, str(VENV)])
    with step("Installing the locked Python packages, Node among them (a minute on a new machine)"):
        sync = [
            str(uv),
            "pip",
            "sync",
            "-q",
            "--compile-bytecode",
            "--require-hashes",
            "--python",
            str(VENV / "bin" / "python"),
        ]
        _cache_first(
            sync, ["--offline"], [], [str(ROOT / "requirements.txt")], "the Python packages"
        )
    stamp.write_text(wanted)


def find_uv() -> Path:
    """The uv of the user's cache, else the one of this environment, else one installed into the cache by pip."""
    folder = cache_dir() / f"uv-{UV_VERSION}"
    uv = folder / "bin" / "uv"
    if not _runs(uv):
        with only_one(folder.name, folder.parent):
            if not _runs(uv):
                _install_uv(folder, uv)
    return uv


def _install_uv(folder: Path, uv: Path) -> None:
    with step("Installing uv, which installs everything else"):
        kept = VENV / "bin" / "uv"
        if _runs(kept) and UV_VERSION in _output([str(kept), "--version"]):
            uv.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(kept, uv)
            return
        shutil.rmtree(folder, ignore_errors=True)
        made = subprocess.run(
            [sys.executable, "-m", "venv", str(folder)], capture_output=True, check=False
        )
        if made.returncode != 0:
            raise CannotStart(
                "Python's venv module is incomplete: install it (Debian and Ubuntu: apt install python3-venv)."
            )
        got = subprocess.run(
            [
                str(folder / "bin" / "pip"),
                "install",
                "-q",
                "--disable-pip-version-check",
                f"uv=={UV_VERSION}",
            ],
            check=False,
        )
        if got.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            raise CannotStart(
                f"uv {UV_VERSION} could not be installed: is the package index within reach?"
            )


def install_node_packages(folder: Path) -> None:
    """The locked packages, with the Node of the Python environment, never with the machine's own.

    `npm install --no-save` and not `npm ci`: the latter refuses a lock file made where the registry does not carry the
    optional packages of every other platform. Both keep to the lock file and leave it as it is.
    """
    wanted = _digest([folder / "package.json", folder / "package-lock.json"])
    stamp = folder / "node_modules" / "installed.stamp"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    where = folder.relative_to(ROOT)
    npm = [str(VENV / "bin" / "npm"), "install", "--no-save", "--prefer-offline"]
    quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
    with step(f"Installing the npm packages of {where} (half a minute on a new machine)"):
        # Not `--offline`: it passes over an optional package that is not cached, such as this machine's binaries.
        _cache_first(
            [*npm, *quiet], ["--fetch-retries=0"], [], [], f"the npm packages of {where}", folder
        )
    stamp.write_text(wanted)


def tool_environment() -> dict[str, str]:
    """The environment in which node, npm and python are those of `.venv`."""
    path = os.pathsep.join([str(VENV / "bin"), os.environ.get("PATH", "")])
    direct = _without_proxy(os.environ.get("NO_PROXY") or os.environ.get("no_proxy") or "")
    return {
        **os.environ,
        "PATH": path,
        "PYTHONPATH": str(ROOT),
        "VIRTUAL_ENV": str(VENV),
        "NO_PROXY": direct,
        "no_proxy": direct,
    }


def _without_proxy(named: str) -> str:
    """What is reached directly: what a person named, and always this machine itself."""
    return ",".join(dict.fromkeys([*filter(None, named.split(",")), "localhost", "127.0.0.1"]))


@contextmanager
def only_one(name: str, folder: Path = ROOT / ".tools") -> Generator[None]:
    """One process at a time does this step, so that `make test` may run beside `make dev`: of this checkout, or of all who share
    the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            remark("• Another set-up is under way; waiting for it …")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _cache_first(
    base: Sequence[str],
    from_cache: Sequence[str],
    from_network: Sequence[str],
    rest: Sequence[str],
    what: str,
    folder: Path = ROOT,
) -> None:
    """Without a network a complete cache must do, and it is faster anyway."""
    tried = subprocess.run(
        [*base, *from_cache, *rest],
        cwd=folder,
        env=tool_environment(),
        capture_output=True,
        check=False,
    )
    if tried.returncode == 0:
        return
    fetched = subprocess.run(
        [*base, *from_network, *rest], cwd=folder, env=tool_environment(), check=False
    )
    if fetched.returncode != 0:
        raise CannotStart(
            f"{what[0].upper()}{what[1:]} could not be installed; the reason stands above."
        )


def _run(command: Sequence[str]) -> None:
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        raise CannotStart(f"`{' '.join(command)}` failed; the reason stands above.")


def _output(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _runs(program: Path) -> bool:
    """A moved environment leaves programs behind that no longer start."""
    if not program.exists():
        return False
    try:
        return (
            subprocess.run([str(program), "--version"], capture_output=True, check=False).returncode
            == 0
        )
    except OSError:
        return False


def _digest(files: Sequence[Path]) -> str:
    taken = hashlib.sha256()
    for file in files:
        taken.update(file.read_bytes() if file.exists() else b"absent")
    return taken.hexdigest()


if __name__ == "__main__":
    try:
        prepare(front_end="--python" not in sys.argv)
    except CannotStart as error:
        give_up(error)
