"""One child process: started with a log file, known again after a crash of its parent, stopped or killed.

A process is known by its number and the time it began, so a number that the machine gave to somebody else since is
never mistaken for ours.
"""

import ctypes
import json
import os
import pwd
import re
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from dev.console import CannotStart
from dev.places import ROOT, cluster_dir, write_private


@dataclass(frozen=True)
class Command:
    """How to start one process. `user` is the account it runs as, none for our own."""

    name: str
    arguments: Sequence[str]
    log: Path
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    folder: Path = ROOT
    user: str | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 10


class Ledger:
    """Which processes of a state folder are alive, in a file, so that the next start can end what a crash left. Threads of one
    process may change it at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changing = threading.Lock()

    def entries(self) -> dict[str, tuple[int, str]]:
        """Name to process number and beginning."""
        if not self._path.exists():
            return {}
        with suppress(ValueError, KeyError, TypeError):
            stored = json.loads(self._path.read_text())
            return {
                name: (int(entry["pid"]), str(entry["began"])) for name, entry in stored.items()
            }
        return {}

    def alive(self) -> dict[str, int]:
        return {
            name: pid for name, (pid, began) in self.entries().items() if began_at(pid) == began
        }

    def note(self, name: str, pid: int) -> None:
        with self._changing:
            self._write({**self.entries(), name: (pid, began_at(pid) or "")})

    def forget(self, name: str) -> None:
        with self._changing:
            self._write({key: entry for key, entry in self.entries().items() if key != name})

    def sweep(self, *, spare: Sequence[str] = ()) -> list[str]:
        """Ends what is still alive; answers the names. Idempotent."""
        left = {name: pid for name, pid in self.alive().items() if name not in spare}
        for name, pid in left.items():
            end(pid, signal.SIGINT if name == "postgres" else signal.SIGTERM, seconds=10)
            self.forget(name)
        return list(left)

    def _write(self, entries: Mapping[str, tuple[int, str]]) -> None:
        text = json.dumps(
            {name: {"pid": pid, "began": began} for name, (pid, began) in entries.items()}, indent=1
        )
        write_private(self._path, text)


def states_at_work(state: Path) -> list[Path]:
    """The state folders of which something runs: that of `make dev`, that of `make cluster`."""
    return [one for one in dict.fromkeys((state, cluster_dir(state))) if _ledger(one).alive()]


def state_at_work(state: Path) -> Path:
    """The one of them whose database runs. Raises CannotStart where there is none, or where it could be either."""
    found = [one for one in states_at_work(state) if "postgres" in _ledger(one).alive()]
    match found:
        case [one]:
            return one
        case []:
            raise CannotStart("Nothing runs here: `make dev` or `make cluster` starts it.")
        case _:
            named = " or ".join(f"STATE_DIR={one}" for one in found)
            raise CannotStart(f"Two portals run here, say which one is meant: {named}")


def _ledger(state: Path) -> Ledger:
    return Ledger(state / "processes.json")


class Process:
    """A child that can be started, stopped, killed and started again."""

    def __init__(self, command: Command, ledger: Ledger) -> None:
        self.command = command
        self._ledger = ledger
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def name(self) -> str:
        return self.command.name

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child is not None else None

    @property
    def alive(self) -> bool:
        return self._child is not None and self._child.poll() is None

    @property
    def exit_code(self) -> int | None:
        return self._child.poll() if self._child is not None else None

    def start(self) -> None:
        command = self.command
        command.log.parent.mkdir(parents=True, exist_ok=True)
        account = pwd.getpwnam(command.user) if command.user else None
        with command.log.open("ab") as log:
            self._child = subprocess.Popen(
                list(command.arguments),
                cwd=command.folder,
                env=dict(command.environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=account.pw_uid if account else None,
                group=account.pw_gid if account else None,
                extra_groups=[] if account else None,
            )
        self._ledger.note(self.name, self._child.pid)

    def stop(self) -> None:
        """Asks first, insists after `stop_seconds`. Idempotent."""
        if self._child is None:
            return
        if self.alive:
            with suppress(ProcessLookupError):
                os.killpg(self._child.pid, self.command.stop_signal)
            try:
                self._child.wait(self.command.stop_seconds)
            except subprocess.TimeoutExpired:
                self.kill()
        self._ledger.forget(self.name)

    def kill(self) -> None:
        """kill -9 and nothing else, as a crash would."""
        if self._child is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        self._ledger.forget(self.name)

    def last_lines(self, count: int = 15) -> str:
        """The end of the log, for a message to a person."""
        if not self.command.log.exists():
            return ""
        return "\n".join(self.command.log.read_text(errors="replace").splitlines()[-count:])


def began_at(pid: int) -> str | None:
    """When the process began, as the system words it; none when there is no such process (or only its remains)."""
    status = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        with suppress(OSError):
            fields = status.read_text().rpartition(")")[2].split()
            return None if fields[0] == "Z" else fields[19]
        return None
    shown = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return shown.stdout.strip() or None


def command_line(pid: int) -> str:
    """Empty when there is no such process."""
    shown = Path(f"/proc/{pid}/cmdline")
    if Path("/proc/self/stat").exists():
        with suppress(OSError):
            return shown.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return ""
    listed = subprocess.run(
        ["ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return listed.stdout.strip()


def end(pid: int, first: signal.Signals, seconds: float) -> None:
    """Ends a process that need not be our child: asks, waits, insists. Its group goes with it."""
    began = began_at(pid)
    for wanted, patience in ((first, seconds), (signal.SIGKILL, 5.0)):
        if began is None or began_at(pid) != began:
            return
        with suppress(ProcessLookupError, PermissionError):
            if os.getpgid(pid) == pid:
                os.killpg(pid, wanted)
            else:
                os.kill(pid, wanted)
        give_up_at = time.monotonic() + patience
        while began_at(pid) == began and time.monotonic() < give_up_at:
            time.sleep(0.05)


def interrupt_on_sigterm() -> None:
    """The system's wish that we end is treated as the person's: KeyboardInterrupt."""
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGHUP, _leave)


def end_with_our_parent() -> None:
    """Has the system ask us to end when our parent is gone: a `make` that was killed leaves nothing behind (Linux only)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)


def _leave(*_: object) -> None:
    raise KeyboardInterrupt


SERVERS = re.compile(
    r"temporal server start-dev|--allow-no-auth start|caddy run|/postgres -D|uvicorn|workers\.main|dev\.(testing|journeys|start|cluster)\b|chrom\S* --headless"
)
"""What a stack or a test run looks like from outside."""


def others() -> list[str]:
    """Servers, browsers and test runs on this machine that are not ours; each by its number and command."""
    ours = {os.getpid(), os.getppid()}
    found: list[str] = []
    for pid in _all_numbers():
        command = command_line(pid).strip()
        if pid not in ours and "--type=" not in command and SERVERS.search(command):
            found.append(f"{pid} {command[:100]}")
    return found


def of_environment(variable: str, value: str) -> list[int]:
    """Processes that were started with this variable, ourselves left out; none where the system does not tell."""
    wanted = f"{variable}={value}".encode()
    found: list[int] = []
    for pid in _all_numbers():
        with suppress(OSError):
            environment = Path(f"/proc/{pid}/environ").read_bytes()
            if pid != os.getpid() and wanted in environment.split(b"\0"):
                found.append(pid)
    return found


def _all_numbers() -> list[int]:
    folder = Path("/proc")
    return (
        [int(entry.name) for entry in folder.iterdir() if entry.name.isdigit()]
        if folder.exists()
        else []
    )
