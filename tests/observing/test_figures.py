"""What is looked at of the portal, when the database hangs and when the next release has written to it."""

import asyncio
import secrets

from sqlalchemy import text

from db.base import Sessions, make_engine, make_sessions
from db.operations import runs
from observing.figures import Figures, QueueFigures, keep_looking, look
from tests.drivers.database.own_database import database_url, sessions
from tests.drivers.outside.lines import a_line_to
from tests.drivers.until import until

__all__ = ["database_url", "sessions"]

QUEUE = (QueueFigures("workflow", 0, 1),)


async def a_queue() -> tuple[QueueFigures, ...]:
    return QUEUE


async def test_a_database_that_hangs_is_told_as_away_until_it_answers(database_url: str) -> None:
    told = list[Figures]()

    async def last() -> Figures | None:
        return told[-1] if told else None

    async with a_line_to(database_url) as (line, address):
        engine = make_engine(address)
        looking = asyncio.create_task(
            keep_looking(make_sessions(engine), a_queue, told.append, every=0.2)
        )
        await until(last, lambda figures: figures is not None and figures.answered)
        line.open.clear()
        away = await until(last, lambda figures: figures is not None and not figures.answered)
        assert away is not None
        assert away.queue == QUEUE
        line.open.set()
        await until(last, lambda figures: figures is not None and figures.answered)
        looking.cancel()
        await engine.dispose()


async def test_what_the_next_release_wrote_hides_nothing_of_what_this_one_knows(
    sessions: Sessions,
) -> None:
    async with sessions.begin() as session:
        await session.execute(
            text(
                "insert into flow (id, kind, version, workflow_id, run_id, rev, seq, state, allowed, view, site,"
                " created_at, updated_at)"
                " select kind || :tag, kind, 1, kind || :tag, 'r', 1, 1, 'checking', '{}', '{}', 'ca',"
                " now(), now()"
                " from unnest(array['activation', 'of_tomorrow']) as kind"
            ),
            {"tag": secrets.token_hex(4)},
        )
        await session.execute(
            text(
                "insert into reconciliation_difference (id, kind, part, state, subject, about, here, there, round_id)"
                " select kind || :tag, kind, 'charges', 'open', 'x', '[]', 'a', 'b', 'r'"
                " from unnest(array['charged_twice', 'of_tomorrow']) as kind"
            ),
            {"tag": secrets.token_hex(4)},
        )
    figures = await look(sessions, a_queue)
    assert figures.answered
    assert figures.differences == 1
    assert ("activation", "checking", 1) in figures.runs
    async with sessions() as session:
        assert {one.kind for one in await runs.tallies(session)} == {"activation"}
