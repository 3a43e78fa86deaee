"""What the portal stands on fails, and nothing is lost or doubled (promises 1, 2, 14, 15). `make faults` is the same, larger."""

import os
import random
from pathlib import Path

import pytest

from dev import ports
from dev.servers import own_folder, save_logs
from dev.stack import Stack
from tests.faults import surroundings
from tests.faults.people.driver import Progress
from tests.faults.surroundings import AMOUNT, KINDS, PRELOADED, Trouble, go_through, run
from tests.faults.troubles.ground import cannot_move

SECONDS = {"paused": 12.0, "lines": 4.0, "clocks": 6.0, "disk": 6.0}
"""Longer than Temporal waits for a worker that says nothing, where it is paused."""


@pytest.mark.whole
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", KINDS)
async def test_everything_goes_on_by_itself_and_every_effect_is_there_once(kind: str) -> None:
    """`FAULT_SEED` repeats a run."""
    if kind in PRELOADED and (why := cannot_move()):
        pytest.skip(why)
    seed = int(os.environ.get("FAULT_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"\nseed {seed}", flush=True)
    with own_folder() as folder:
        report = await run(kind, AMOUNT, seconds=SECONDS[kind], seed=seed, state=folder)
        if report.faults:
            save_logs(folder, kind)
    print("\n".join(report.lines()), flush=True)
    assert report.faults == []
    assert report.verdict.counts["activation completed"] == AMOUNT.activations
    assert report.verdict.counts["devices updated"] == AMOUNT.firmware_runs
    assert report.verdict.counts["orders confirmed"] > 0


async def test_a_trouble_is_taken_away_whatever_comes_while_it_lasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surroundings, "REST_SECONDS", 0)
    done: list[str] = []

    async def begin() -> None:
        done.append("begun")

    async def look(_running: Stack, _progress: Progress) -> None:
        raise ConnectionError

    async def end() -> None:
        done.append("ended")

    trouble = Trouble("postgres paused", begin, end, look)
    with pytest.raises(ConnectionError):
        await go_through([trouble], 0, Stack(tmp_path, ports.free()), Progress())
    assert done == ["begun", "ended"]
