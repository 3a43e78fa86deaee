"""The ground that a process stands on: its wall clock and its disk, moved and filled while it runs, and its sleep.

`ground.c` is built by `cc` in a moment and preloaded; where there is no `cc`, or no Linux, clocks and disks cannot be tried.
"""

import os
import shutil
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

SOURCE = Path(__file__).with_name("ground.c")
_PAGE = struct.Struct("3q")
_CLOCK, _DISK = 0, 8
"""Where they stand in the page."""


def cannot_move() -> str:
    """Why clocks and disks cannot be tried here; empty where they can."""
    if not sys.platform.startswith("linux"):
        return "a library is preloaded, as on Linux alone"
    return "" if shutil.which("cc") else "there is no C compiler `cc` on this machine"


class Ground:
    """Of several processes by their name, each with a page of its own. `folder` is one that the database's user can enter."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._library = folder / "ground.so"
        built = ["cc", "-shared", "-fPIC", "-O2", "-o", str(self._library), str(SOURCE), "-ldl"]
        subprocess.run(built, check=True)
        self._library.chmod(0o755)

    def under(self, *names: str) -> dict[str, dict[str, str]]:
        """Name → what that process has to be given."""
        for name in names:
            page = self._page(name)
            page.write_bytes(_PAGE.pack(0, 0, self._folder.stat().st_dev))
            page.chmod(0o644)
        library = str(self._library)
        return {name: {"LD_PRELOAD": library, "GROUND": str(self._page(name))} for name in names}

    def set_clock(self, name: str, seconds: float) -> None:
        """So far from the true time; at once."""
        self._write(name, _CLOCK, int(seconds))

    def fill_disk(self, name: str, full: bool) -> None:
        self._write(name, _DISK, int(full))

    def _write(self, name: str, where: int, value: int) -> None:
        """Over what is there: the page is mapped."""
        with self._page(name).open("r+b") as page:
            page.seek(where)
            page.write(struct.pack("q", value))

    def _page(self, name: str) -> Path:
        return self._folder / f"ground-{name}"


def pause(pid: int) -> list[int]:
    """Stops a process and all its descendants, wherever they were put; answers whom `resume` has to wake."""
    paused: list[int] = []
    while left := [one for one in family(pid) if one not in paused]:
        for one in left:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGSTOP)
            paused.append(one)
    return paused


def resume(paused: list[int]) -> None:
    """Children first: whoever waits for them finds them awake."""
    for one in reversed(paused):
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGCONT)


def family(pid: int) -> Iterator[int]:
    """The process and its descendants (Linux)."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in children.read_text().split():
                yield from family(int(child))
