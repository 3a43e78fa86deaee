"""A real Temporal server: the one of the locked packages, then run with a database file, never in memory.

The version is pinned, so that every machine runs the same server. Where the package does not exist for a machine, an
installed one is taken, else the SDK's download, else one that is built with Go.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.client import Client
from temporalio.service import RPCError

from dev.console import CannotStart, remark, step
from dev.places import VENV, cache_dir
from dev.processes import Command, Ledger, Process

VERSION = "1.5.1"
SERVER_OF_VERSION = "1.29.1"
"""A binary built by Go does not know its own version, but it names the server inside."""
DOWNLOAD_SECONDS = 20
BUILD = f"github.com/temporalio/cli/cmd/temporal@v{VERSION}"


def find_binary() -> Path:
    """The one of the locked packages, on PATH, in the cache, or where Go puts it. Raises CannotStart where none is."""
    found = _found()
    if found is None:
        raise CannotStart("The `temporal` command is missing: `make tools` brings it.")
    return found


def bring() -> None:
    """Makes `find_binary` find one: downloaded, else built with Go (minutes, once). Idempotent."""
    if _found() is not None:
        return
    stored = _stored_at()
    stored.parent.mkdir(parents=True, exist_ok=True)
    if not _download(stored):
        _build(stored)


def _found() -> Path | None:
    locked, on_path = VENV / "bin" / "temporal", shutil.which("temporal")
    for path in (locked, Path(on_path) if on_path else None, _stored_at()):
        if path is not None and path.exists():
            return path
    return _in_go_folder()


def _stored_at() -> Path:
    return cache_dir() / f"temporal-{VERSION}" / "temporal"


def server(
    binary: Path, state: Path, port: int, ui_port: int, ledger: Ledger, *, codec_url: str = ""
) -> Process:
    """The development server of a state folder, not started yet. It keeps its runs over a restart."""
    codec = ["--ui-codec-endpoint", codec_url] if codec_url else []
    return Process(
        Command(
            name="temporal",
            arguments=[
                str(binary),
                "server",
                "start-dev",
                "--ip",
                "127.0.0.1",
                "--port",
                str(port),
                "--ui-port",
                str(ui_port),
                "--ui-ip",
                "127.0.0.1",
                "--db-filename",
                str(state / "temporal.sqlite"),
                "--sqlite-pragma",
                "journal_mode=wal",
                "--sqlite-pragma",
                "synchronous=normal",
                "--log-level",
                "warn",
                "--log-format",
                "json",
                *codec,
            ],
            log=state / "logs" / "temporal.log",
            folder=state,
            stop_seconds=10,
        ),
        ledger,
    )


def wait_for(address: str, process: Process | None = None, seconds: float = 40) -> None:
    """Returns when the server answers for its default namespace. Starts `process` again if it dies meanwhile."""
    give_up_at = time.monotonic() + seconds
    while not asyncio.run(_answers(address)):
        if time.monotonic() > give_up_at:
            reason = f":\n{process.last_lines()}" if process else "."
            raise CannotStart(f"Temporal does not answer at {address}{reason}")
        if process is not None and not process.alive:
            process.start()
        time.sleep(0.1)


async def _answers(address: str) -> bool:
    with suppress(RPCError, RuntimeError, TimeoutError):
        client = await asyncio.wait_for(Client.connect(address), 3)
        return await asyncio.wait_for(_namespace_ready(client), 3)
    return False


async def _namespace_ready(client: Client) -> bool:
    await client.workflow_service.describe_namespace(DescribeNamespaceRequest(namespace="default"))
    return True


def _in_go_folder() -> Path | None:
    go = shutil.which("go")
    if not go:
        return None
    folder = subprocess.run(
        [go, "env", "GOPATH"], capture_output=True, text=True, check=False
    ).stdout.strip()
    built = Path(folder or "~/go").expanduser() / "bin" / "temporal"
    if not built.exists():
        return None
    shown = subprocess.run(
        [str(built), "--version"], capture_output=True, text=True, check=False
    ).stdout
    return built if f"Server {SERVER_OF_VERSION}" in shown or VERSION in shown else None


def _download(stored: Path) -> bool:
    """The SDK's own download, in a process of its own so that a machine without internet is left waiting only once."""
    with step(f"Downloading Temporal {VERSION} (given up after {DOWNLOAD_SECONDS} s)"):
        program = (
            "import asyncio, sys\n"
            "from temporalio.testing import WorkflowEnvironment\n"
            "async def fetch():\n"
            "    async with await WorkflowEnvironment.start_local("
            f"dev_server_download_version='v{VERSION}', download_dest_dir=sys.argv[1]): pass\n"
            "asyncio.run(fetch())\n"
        )
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(
                [sys.executable, "-c", program, str(stored.parent)],
                capture_output=True,
                timeout=DOWNLOAD_SECONDS,
                check=False,
            )
        found = [
            path
            for path in stored.parent.iterdir()
            if path.name.startswith("temporal") and path.stat().st_size > 0
        ]
        whole = [path for path in found if os.access(path, os.X_OK) and _starts(path)]
        if whole:
            whole[0].rename(stored)
            return True
        for path in found:
            path.unlink()
    remark("  no download from here")
    return False


def _build(stored: Path) -> None:
    go = shutil.which("go")
    if not go:
        raise CannotStart(
            "Temporal could be neither found nor downloaded: install the `temporal` command "
            "(https://docs.temporal.io/cli), or Go 1.24 or newer so that it can be built here."
        )
    folder = stored.parent / "build"
    folder.mkdir(exist_ok=True)
    with step(f"Building Temporal {VERSION} with Go (4 to 12 minutes, once)"):
        flags = f"{os.environ.get('GOFLAGS', '')} -buildvcs=false".strip()
        build = subprocess.Popen(
            [go, "install", "-v", BUILD],
            env={**os.environ, "GOFLAGS": flags, "GOBIN": str(folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        show_progress(build, 1400)
        if build.wait() != 0 or not (folder / "temporal").exists():
            raise CannotStart("Go could not build Temporal; the reason stands above.")
        (folder / "temporal").rename(stored)


def show_progress(build: subprocess.Popen[str], packages: int) -> None:
    """Go names each package that it has compiled: a line now and then says that it goes on."""
    begun = shown = time.monotonic()
    last: list[str] = []
    for done, line in enumerate(build.stdout or (), start=1):
        last = [*last[-5:], line.rstrip()]
        if time.monotonic() - shown > 5:
            shown = time.monotonic()
            remark(
                f"    {shown - begun:4.0f} s, {done} of about {packages} packages: {line.strip()[:60]}"
            )
    if build.wait() != 0:
        remark("\n".join(last))


def _starts(path: Path) -> bool:
    shown = subprocess.run([str(path), "--version"], capture_output=True, text=True, check=False)
    return shown.returncode == 0 and bool(re.search(r"temporal version", shown.stdout))
