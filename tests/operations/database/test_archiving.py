"""Whether what is written is archived, as the server says of itself: also where the command neither fails nor ends."""

from datetime import timedelta

from db.base import make_engine
from db.platform.durability import archives_wal
from tests.drivers.database.archiving import a_hanging_archive, an_archiving_cluster, archive_all

AT_ONCE = timedelta(0)


async def test_a_command_that_hangs_is_noticed_by_what_waits() -> None:
    with an_archiving_cluster() as (cluster, archive):
        engine = make_engine(cluster.app_url)

        async def archives(late: timedelta = AT_ONCE) -> bool | None:
            async with engine.connect() as connection:
                return await archives_wal(connection, late)

        archive_all(cluster.admin_url)
        assert await archives(), "nothing waits, however long ago the last one was"
        with a_hanging_archive(cluster, archive):
            assert await archives() is False
            assert await archives(timedelta(hours=1)), "the last one was just now"
        await engine.dispose()
