"""Records the histories that the replay tests read: `python -m tests.replay.record [workflow/story …]`.

Starts what it needs. Needed when a branch is added, or when the commands of a workflow change before its release; after
a release old histories stay, and the changed workflow must still read them.
"""

import asyncio
import json
import sys
import tempfile
import uuid
from datetime import timedelta
from pathlib import Path

from db.base import make_engine, make_sessions
from dev.servers import Servers, close_run, open_run
from domain.billing.reconciliation.bounds import ReconciliationBounds
from tests.drivers.stage import Stage, a_stage
from tests.replay import histories
from tests.replay.stories import STORIES, Story
from workflows.client import connect

AT_ONCE = 4


async def record(temporal: str, url: str, wanted: set[str]) -> None:
    client = await connect(temporal)
    with tempfile.TemporaryDirectory() as folder:
        engine = make_engine(url)
        queue = f"record-{uuid.uuid4().hex[:8]}"
        at_once_there = ReconciliationBounds(grace=timedelta(0), late=timedelta(0))
        async with a_stage(
            client,
            make_sessions(engine),
            url,
            queue,
            Path(folder),
            reconciled=at_once_there,
        ) as stage:
            await stage.turn(lost_reply_seconds=0.1)
            at_once = asyncio.Semaphore(AT_ONCE)
            async with asyncio.TaskGroup() as running:
                for workflow, stories in STORIES.items():
                    for name, story in stories.items():
                        full = f"{workflow}/{name}"
                        if not wanted or full in wanted:
                            running.create_task(_record(stage, full, story, at_once))
        await engine.dispose()


async def _record(stage: Stage, name: str, story: Story, at_once: asyncio.Semaphore) -> None:
    async with at_once:
        handle = await story(stage)
        history = await handle.fetch_history()
        histories.save(name, json.loads(history.to_json()))
    print(f"{name}: {len(history.events)} events")


def main() -> int:
    opened = open_run()
    try:
        servers = Servers()
        temporal = servers.temporal()
        with servers.database("record") as (url, _):
            asyncio.run(record(temporal, url, set(sys.argv[1:])))
    finally:
        if opened:
            close_run(opened)
    histories.save_fingerprints()
    return 0


if __name__ == "__main__":
    sys.exit(main())
