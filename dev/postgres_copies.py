"""PostgreSQL's part of a backup (`dev/backups.py`): its files as they are while it runs, and a server that begins from them."""

import os
import pwd
import shutil
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import LiteralString

import psycopg

from dev.console import CannotStart
from dev.places import is_root
from dev.postgres import Cluster, account_of_postgres

NOT_COPIED = {
    "pg_wal",
    "pg_replslot",
    "pg_dynshmem",
    "pg_notify",
    "pg_serial",
    "pg_snapshots",
    "pg_stat_tmp",
    "pg_subtrans",
    "pgsql_tmp",
}
"""Folders whose content belongs to the server that ran; they are empty in a backup."""
NOT_KEPT = {"postmaster.pid", "postmaster.opts", "recovery.signal"}
SLOT = "backup"
NUMBERS_LEFT_OUT = 10_000
"""Numbers of orders that are not given again after a restore: the ERP may know orders under them that we forgot."""
RECOVERY_SECONDS = 1800


def copy_postgres(cluster: Cluster, to: Path) -> None:
    """The slot keeps the server from throwing away WAL that the copy needs."""
    data = cluster.folder / "data"
    with psycopg.connect(cluster.admin_url, autocommit=True) as admin:
        admin.execute("select pg_create_physical_replication_slot(%s, true, true)", [SLOT])
        admin.execute("select pg_backup_start(%s, fast => true)", [to.name])
        try:
            _copy_files(data, to)
        finally:
            stopped = admin.execute(
                "select labelfile, spcmapfile, pg_walfile_name(lsn) from pg_backup_stop(wait_for_archive => false)"
            ).fetchone()
        assert stopped is not None
        (to / "backup_label").write_text(stopped[0])
        if stopped[1]:
            (to / "tablespace_map").write_text(stopped[1])
        admin.execute("select pg_switch_wal()")
        first = stopped[0].partition("(file ")[2].partition(")")[0]
        for segment in sorted((data / "pg_wal").iterdir()):
            is_needed = first <= segment.name <= stopped[2] or segment.suffix == ".history"
            if segment.is_file() and is_needed:
                shutil.copyfile(segment, to / "pg_wal" / segment.name)
        admin.execute("select pg_drop_replication_slot(%s)", [SLOT])


def _copy_files(source: Path, to: Path) -> None:
    to.mkdir(mode=0o700)
    for path in source.iterdir():
        if path.name in NOT_KEPT or path.name.startswith("pgsql_tmp"):
            continue
        if path.is_dir():
            if path.name in NOT_COPIED:
                (to / path.name).mkdir(mode=0o700)
            else:
                _copy_files(path, to / path.name)
            continue
        with suppress(FileNotFoundError):  # dropped while it was copied: WAL tells of it
            shutil.copyfile(path, to / path.name)


def put_postgres_back(
    cluster: Cluster, source: Path, point: datetime | None, archive: Path | None
) -> None:
    """With `recovery.signal` the server replays up to the point when it starts, and serves then."""
    data = cluster.folder / "data"
    cluster.folder.mkdir(mode=0o700)
    shutil.copytree(source, data)
    (data / "pg_wal" / "archive_status").mkdir(exist_ok=True)
    # Also without a point the archive is read: what came of earlier restores names timelines that are taken.
    fetch = f'cp "{archive}/%f" "%p"' if archive else "false"
    wanted = ["recovery_target_action = 'promote'", f"restore_command = '{fetch}'"]
    if point is None:
        wanted += ["recovery_target = 'immediate'", "recovery_target_timeline = 'current'"]
    else:
        wanted += [
            f"recovery_target_time = '{point.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}+00'",
        ]
    with (data / "postgresql.auto.conf").open("a") as settings:
        settings.write("".join(f"{line}\n" for line in wanted))
    (data / "recovery.signal").touch()
    user = pwd.getpwnam(account_of_postgres()) if is_root() else None
    for path in (cluster.folder, data, *data.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
        if user:
            os.chown(path, user.pw_uid, user.pw_gid)


def wait_recovered(cluster: Cluster) -> datetime | None:
    """Returns when the server has left recovery; forgets how it came there, and leaves numbers of orders out."""
    give_up_at = time.monotonic() + RECOVERY_SECONDS
    with psycopg.connect(cluster.admin_url, autocommit=True) as admin:
        while asked(admin, "select pg_is_in_recovery()"):
            if time.monotonic() > give_up_at:
                raise CannotStart("PostgreSQL is still recovering; its log tells how far it is.")
            time.sleep(0.2)
        for name in (
            "restore_command",
            "recovery_target",
            "recovery_target_time",
            "recovery_target_timeline",
            "recovery_target_action",
        ):
            admin.execute(f"alter system reset {name}")  # pyright: ignore[reportArgumentType] no outsider's text
        _ = admin.execute("select pg_reload_conf()")
        for (slot,) in admin.execute("select slot_name from pg_replication_slots").fetchall():
            admin.execute("select pg_drop_replication_slot(%s)", [slot])
    with psycopg.connect(cluster.owner_url, autocommit=True) as owner:
        if asked(owner, "select to_regclass('shop_order') is not null"):
            owner.execute(
                "select setval(s, nextval(s) + %s) from pg_get_serial_sequence('shop_order', 'count') s",
                [NUMBERS_LEFT_OUT],
            )
            until = asked(owner, "select max(at) from audit")
            return until if isinstance(until, datetime) else None
    return None


def asked(connection: psycopg.Connection[tuple[object, ...]], question: LiteralString) -> object:
    """The first field of its first row; None without one."""
    found = connection.execute(question).fetchone()
    return found[0] if found else None
