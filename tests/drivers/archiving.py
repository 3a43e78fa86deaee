"""The archive of a cluster's log, filled at once."""

import psycopg

from tests.drivers.until import until_now


def archive_all(admin_url: str) -> None:
    """Has the server archive what it has so far, as `archive_timeout` does after five minutes at the latest."""
    with psycopg.connect(admin_url, autocommit=True) as admin:
        row = admin.execute("select pg_walfile_name(pg_switch_wal())").fetchone()
        assert row is not None

        def archived() -> str:
            last = admin.execute("select last_archived_wal from pg_stat_archiver").fetchone()
            return last[0] or "" if last else ""

        until_now(archived, lambda last: last >= row[0], within=30)
