"""The archive of a cluster's log, filled at once or away."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from dev.postgres import Cluster
from dev.servers import Servers, own_folder
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


@contextmanager
def an_archiving_cluster() -> Generator[tuple[Cluster, Path]]:
    """One of its own, migrated and empty, and where its log is archived."""
    with own_folder() as folder, pytest.MonkeyPatch.context() as patch:
        archive = folder / "wal"
        patch.setenv("WAL_ARCHIVE", str(archive))
        yield Servers().postgres(), archive


def fill_segment(admin: psycopg.Connection) -> None:
    """The present segment ends with something in it."""
    admin.execute("select pg_logical_emit_message(false, 'test', 'something to archive')")
    admin.execute("select pg_switch_wal()")


@contextmanager
def a_hanging_archive(cluster: Cluster, archive: Path) -> Generator[None]:
    """Meanwhile the command that archives neither fails nor ends: it copies into a pipe that nobody reads. Full segments wait."""
    with psycopg.connect(cluster.admin_url, autocommit=True) as admin:
        row = admin.execute("select pg_walfile_name(pg_current_wal_insert_lsn() + 1)").fetchone()
        assert row is not None
        pipe = archive / f"{row[0]}.part"
        os.mkfifo(pipe)
        pipe.chmod(0o666)
        for _ in range(2):
            fill_segment(admin)
    try:
        yield
    finally:
        pipe.read_bytes()


def lose_archive(cluster: Cluster, archive: Path) -> None:
    """Nothing is archived there any more, and the server has noticed."""
    shutil.rmtree(archive)
    with psycopg.connect(cluster.admin_url, autocommit=True) as admin:
        fill_segment(admin)

        def failed() -> int:
            row = admin.execute("select failed_count from pg_stat_archiver").fetchone()
            return row[0] if row else 0

        until_now(failed, within=30)
