"""What the fault runs stand on: clocks that are moved, disks that are full, processes that sleep, lines that are cut."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.drivers.outside.lines import a_line
from tests.drivers.until import until_now
from tests.faults.troubles.ground import Ground, cannot_move, family, pause, resume

DAY = timedelta(hours=25).total_seconds()
ASKED = "import time; input(); print(time.time(), time.monotonic(), flush=True); "
WRITING = """
import os, sys
held = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
os.write(held, b"kept")
print("ready", flush=True)
input()
print(os.pwrite(held, b"over", 0), flush=True)
try:
    os.pwrite(held, b"more", 4)
except OSError as error:
    print(error.strerror, flush=True)
input()
print(os.pwrite(held, b"more", 4), flush=True)
"""

pytestmark = pytest.mark.skipif(bool(cannot_move()), reason=cannot_move() or "can be moved")


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


@pytest.fixture
def begin(ground: Ground) -> Callable[..., subprocess.Popen[str]]:
    def begun(program: str, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            env=ground.under("it")["it"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    return begun


def next_line(process: subprocess.Popen[str], asked: str = "") -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    if asked:
        process.stdin.write(asked)
        process.stdin.flush()
    return process.stdout.readline().strip()


def test_a_clock_is_moved_under_a_process_and_its_waits_stay_true(
    ground: Ground, begin: Callable[..., subprocess.Popen[str]]
) -> None:
    process = begin(ASKED * 2)
    ground.set_clock("it", -DAY)
    before = time.time(), time.monotonic()
    wall, waits = map(float, next_line(process, "\n").split())
    assert before[0] - DAY <= wall <= time.time() - DAY
    assert before[1] <= waits <= time.monotonic()
    ground.set_clock("it", DAY)
    assert float(next_line(process, "\n").split()[0]) >= before[0] + DAY
    assert process.wait(10) == 0


def test_on_a_full_disk_nothing_grows_and_later_it_does(
    ground: Ground, begin: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    process = begin(WRITING, str(tmp_path / "file"))
    assert next_line(process) == "ready"
    ground.fill_disk("it", True)
    assert next_line(process, "\n") == "4"
    assert next_line(process) == "No space left on device"
    ground.fill_disk("it", False)
    assert next_line(process, "\n") == "4"
    assert process.wait(10) == 0
    assert (tmp_path / "file").read_text() == "overmore"


def test_a_process_sleeps_with_its_children_and_wakes_with_them() -> None:
    with subprocess.Popen(["sh", "-c", "sleep 30 & cat; kill $!"], stdin=subprocess.PIPE) as parent:
        until_now(lambda: named(parent.pid), lambda found: found[1:] == ["cat", "sleep"])
        paused = pause(parent.pid)
        try:
            assert len(paused) == 3
            until_all(paused, lambda state: state == "T")
        finally:
            resume(paused)
        until_all(paused, lambda state: state != "T")
        parent.communicate()


def named(pid: int) -> list[str]:
    """The program of a process, then those of its descendants by name. A shell waits, and does not stop, until what it forked
    has become a program of its own."""
    first, *others = [Path(f"/proc/{one}/comm").read_text().strip() for one in family(pid)]
    return [first, *sorted(others)]


def until_all(pids: list[int], are: Callable[[str], bool]) -> None:
    """A signal reaches a process in its own time."""
    until_now(
        lambda: [state_of(pid) for pid in pids], lambda states: all(are(one) for one in states)
    )


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


async def test_a_line_that_is_cut_resets_both_ends_and_is_mended() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(100):
            writer.write(piece)
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    async with server, a_line(server.sockets[0].getsockname()[1]) as line:
        reader, writer = await asyncio.open_connection("127.0.0.1", line.port)
        writer.write(b"said")
        assert await reader.readexactly(4) == b"said"
        line.cut()
        with pytest.raises(ConnectionResetError):
            await reader.read()
        line.mend()
        reader, writer = await asyncio.open_connection("127.0.0.1", line.port)
        writer.write(b"again")
        assert await reader.readexactly(5) == b"again"
        writer.close()
