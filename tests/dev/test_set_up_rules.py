"""What a start brings before it begins, and what is said where a tool is not there."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dev import browser, postgres, set_up, stripe_mock, temporal, tools, web
from dev.cluster import building
from dev.console import CannotStart
from dev.places import ROOT

TOOLS = {
    "temporal": temporal.bring,
    "postgres": postgres.bring,
    "chromium": browser.bring,
    "stripe-mock": stripe_mock.bring,
    "front end": web.build,
    "cluster": building.bring,
}


@pytest.fixture
def brought(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Names of what a set-up asked for; it is not brought."""
    asked: list[str] = []
    for name, bring in TOOLS.items():
        module = sys.modules[bring.__module__]
        monkeypatch.setattr(module, bring.__name__, lambda name=name: asked.append(name))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for name in ("TEMPORAL_ADDRESS", "DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return asked


def test_a_start_brings_its_two_servers(brought: list[str]) -> None:
    set_up.set_up()
    assert brought == ["temporal", "postgres"]


def test_servers_of_others_are_not_brought(
    brought: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEMPORAL_ADDRESS", "temporal.example:7233")
    monkeypatch.setenv("DATABASE_URL", "postgresql://db.example/turnkey")
    set_up.set_up()
    assert brought == []


def test_tests_have_all_that_they_use_before_the_first_begins(brought: list[str]) -> None:
    set_up.set_up(tests=True)
    assert sorted(brought) == sorted(set(TOOLS) - {"cluster"})
    set_up.set_up(cluster=True)
    assert brought[-1] == "cluster"


HOLDS = """
import sys
from dev import places, tools
with tools.only_one(sys.argv[1], places.cache_dir()):
    print("in", flush=True)
    sys.stdin.readline()
"""
SETS_UP = """
from dev import set_up
for name in ("temporal", "postgres"):
    setattr(getattr(set_up, name), "bring", lambda: None)
set_up.set_up()
"""
FINDS_UV = """
from dev import tools
assert tools.find_uv().exists()
"""


@pytest.mark.parametrize(
    ("lock", "program"), [("set-up", SETS_UP), (f"uv-{tools.UV_VERSION}", FINDS_UV)]
)
def test_who_sets_up_waits_for_another_checkout_that_shares_the_cache(
    tmp_path: Path, lock: str, program: str
) -> None:
    def begin(*arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", *arguments],
            cwd=ROOT,
            env={"XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    with begin(HOLDS, lock) as first:
        assert first.stdout
        assert first.stdout.readline() == "in\n"
        with begin(program) as second:
            assert second.stderr
            assert "Another set-up is under way" in second.stderr.readline()
            first.communicate("\n")
            second.communicate()
            assert second.returncode == 0


@pytest.fixture
def empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine on which nothing is installed."""
    for name in ("PATH", "HOME", "XDG_CACHE_HOME", "PLAYWRIGHT_BROWSERS_PATH"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(temporal, "VENV", tmp_path)
    monkeypatch.setattr(postgres, "INSTALLED", ())
    monkeypatch.setattr(postgres, "CARRIER", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("find", "words"),
    [
        (lambda _: temporal.find_binary(), "`temporal` command is missing: `make tools`"),
        (postgres.find_binaries, "PostgreSQL is missing: .* `make tools`"),
        (lambda _: browser.find(), "Chromium is missing: `make test-tools`"),
    ],
)
def test_a_tool_that_is_not_there_is_named_with_the_command_that_brings_it(
    empty: Path, find: Callable[[Path], object], words: str
) -> None:
    with pytest.raises(CannotStart, match=words):
        find(empty)
