"""The archive of a cluster's log, filled at once."""

import time

import psycopg

WITHIN = 30
"""Seconds."""


def archive_all(admin_url: str) -> None:
    """Has the server archive what it has so far, as `archive_timeout` does after five minutes at the latest."""
    with psycopg.connect(admin_url, autocommit=True) as admin:
        row = admin.execute("select pg_walfile_name(pg_switch_wal())").fetchone()
        assert row is not None
        give_up_at = time.monotonic() + WITHIN
        while time.monotonic() < give_up_at:
            done = admin.execute(
                "select last_archived_wal >= %s from pg_stat_archiver", [row[0]]
            ).fetchone()
            if done and done[0]:
                return
            time.sleep(0.05)
    raise AssertionError("nothing was archived")
