"""`make backup` and `make restore FROM=… [POINT=…]`: both stores of a state folder, together (decision 82, docs/restoring.md).

A backup is a folder: Temporal's store, then PostgreSQL's files as they are between `pg_backup_start` and `pg_backup_stop`
with the WAL that makes them whole. Temporal's comes first, so that rows are never older than their runs: a run that is
carried on finds what it had done, and does none of it again. That of `make cluster` is in PostgreSQL, and of one moment with
the rest. With `WAL_ARCHIVE` each segment is kept as well, at the latest after five minutes, and a restore may end at any point
after its backup; what no backup of the folder needs any more is deleted from there.
"""

import os
import re
import shutil
import sqlite3
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from pydantic import AwareDatetime, BaseModel, TypeAdapter

from dev import ports as port_choice
from dev.console import CannotStart, give_up, say, step
from dev.places import cluster_dir, make_state_dir, state_dir
from dev.postgres import ARCHIVE, Cluster
from dev.postgres_copies import asked, copy_postgres, put_postgres_back, wait_recovered
from dev.processes import Ledger, state_at_work

WRITES = {"postgres", "temporal", "worker", "api", "supervisor"}
"""Kinds of processes that nothing is restored under."""

_WHEN = TypeAdapter[datetime](AwareDatetime)
_SEGMENT = re.compile(r"[0-9A-F]{24}(\.partial|\.[0-9A-F]{8}\.backup)?")
"""As PostgreSQL names them: eight digits of the timeline, sixteen of the place in the log."""


class Manifest(BaseModel):
    """Stands in each backup as `backup.json`. `temporal_at` ≤ `began_at` ≤ `whole_from`: the earliest point that PostgreSQL can
    be restored to. Without `temporal_at` Temporal's store is in PostgreSQL."""

    temporal_at: datetime | None
    began_at: datetime
    whole_from: datetime
    postgres: int
    bytes: int
    seconds: float


class Restored(BaseModel):
    """`until` is the last commit that is there again; `temporal_at` when the runs were as they are now, none: then too."""

    until: datetime | None
    temporal_at: datetime | None
    seconds: float


def backups_of(state: Path) -> Path:
    return Path(os.environ.get("BACKUPS") or state / "backups")


def last_backup(state: Path) -> Manifest | None:
    """The latest of this state folder; those of `make cluster` have Temporal's store in PostgreSQL."""
    found: list[Manifest] = []
    for path in backups_of(state).glob("*/backup.json"):
        with suppress(OSError, ValueError):
            found.append(Manifest.model_validate_json(path.read_text()))
    of_cluster = cluster_dir(state) == state
    own = (one for one in found if (one.temporal_at is None) == of_cluster)
    return max(own, key=lambda one: one.whole_from, default=None)


def has_own_servers() -> bool:
    """Of somebody else, whose backups are not known here."""
    return bool(os.environ.get("DATABASE_URL") or os.environ.get("TEMPORAL_ADDRESS"))


def make(state: Path, cluster: Cluster, to: Path) -> Manifest:
    """Backs up while everything runs. Raises CannotStart when the folder is there already, or a server is away."""
    if to.exists():
        raise CannotStart(f"{to} is there already.")
    draft = to.with_name(f"{to.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True, mode=0o700)
    begun, temporal_at = time.monotonic(), None
    if not _has_temporal(cluster):
        temporal_at = datetime.now(UTC)
        _copy_temporal(state / "temporal.sqlite", draft / "temporal.sqlite")
    began_at = datetime.now(UTC)
    copy_postgres(cluster, draft / "postgres")
    size = sum(path.stat().st_size for path in draft.rglob("*") if path.is_file())
    manifest = Manifest(
        temporal_at=temporal_at,
        began_at=began_at,
        whole_from=datetime.now(UTC),
        postgres=int((draft / "postgres" / "PG_VERSION").read_text()),
        bytes=size,
        seconds=round(time.monotonic() - begun, 1),
    )
    (draft / "backup.json").write_text(manifest.model_dump_json(indent=1))
    draft.rename(to)
    return manifest


def restore(
    state: Path,
    cluster: Cluster,
    source: Path,
    *,
    point: datetime | None = None,
    archive: Path | None = None,
) -> Restored:
    """Puts both stores back as they were at the end of the backup, or at `point` where `archive` has the WAL for it; nothing
    of the portal may run. What was there is kept beside, under `before-…`. PostgreSQL is left running.

    Raises CannotStart for a backup that cannot be restored, before anything is moved.
    """
    manifest = Manifest.model_validate_json(_read(source / "backup.json"))
    if point is not None and point < manifest.whole_from:
        raise CannotStart(
            f"{source.name} is whole from {manifest.whole_from:%Y-%m-%d %H:%M:%S} UTC on: take an earlier backup."
        )
    if point is not None and archive is None:
        raise CannotStart("A point needs the WAL behind the backup: WAL_ARCHIVE names its folder.")
    running = Ledger(state / "processes.json").alive()
    alive = sorted(name for name in running if name.partition("-")[0] in WRITES)
    if alive:
        raise CannotStart(
            f"Stop the portal first (`make down`, `make cluster-down`): {', '.join(alive)} run."
        )
    begun = time.monotonic()
    aside = state / f"before-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"
    aside.mkdir(mode=0o711)
    for path in (state / "postgres", *state.glob("temporal.sqlite*")):
        if path.exists():
            path.rename(aside / path.name)
    temporal_at = manifest.temporal_at
    if temporal_at is not None:
        temporal_at = _put_temporal_back(state, source, temporal_at, point)
    put_postgres_back(cluster, source / "postgres", point, archive)
    cluster.start()
    until = wait_recovered(cluster)
    return Restored(
        until=until, temporal_at=temporal_at, seconds=round(time.monotonic() - begun, 1)
    )


def archived_until(archive: Path) -> datetime | None:
    """When the last segment came into the archive; what was committed since would be lost with this machine."""
    times = [path.stat().st_mtime for path in archive.glob("*") if path.is_file()]
    return datetime.fromtimestamp(max(times), UTC) if times else None


def archive_of(cluster: Cluster) -> Path | None:
    """Where the server that runs keeps its WAL."""
    with psycopg.connect(cluster.admin_url) as admin:
        named = admin.execute("select current_setting(%s, true)", [ARCHIVE]).fetchone()
    return Path(named[0]) if named and named[0] else None


def prune(archive: Path, backups: Path) -> int:
    """Deletes the WAL that is older than every backup in the folder; answers how many segments. What tells of timelines stays.
    Without a backup nothing is deleted."""
    begin = [first_segment(manifest.parent) for manifest in backups.glob("*/backup.json")]
    oldest = min((_place(name) for name in begin), default="")
    old = [
        path
        for path in archive.iterdir()
        if _SEGMENT.fullmatch(path.name) and _place(path.name) < oldest
    ]
    for path in old:
        path.unlink()
    return len(old)


def first_segment(backup: Path) -> str:
    """The WAL that a restore of this backup begins to read."""
    label = (backup / "postgres" / "backup_label").read_text()
    return label.partition("(file ")[2].partition(")")[0]


def _place(segment: str) -> str:
    """In the log, on whichever timeline."""
    return segment[8:24]


def _has_temporal(cluster: Cluster) -> bool:
    """Whether Temporal's store is one of this server's databases, as in `make cluster`."""
    with psycopg.connect(cluster.admin_url) as admin:
        return bool(
            asked(admin, "select exists (select from pg_database where datname = 'temporal')")
        )


def _copy_temporal(source: Path, to: Path) -> None:
    """A consistent copy of a database in use."""
    if not source.exists():
        raise CannotStart(f"Temporal's store is not in {source}: it is backed up where it runs.")
    with (
        sqlite3.connect(f"file:{source}?mode=ro", uri=True, timeout=30) as read,
        sqlite3.connect(to) as written,
    ):
        read.backup(written)
    read.close()
    written.close()
    to.chmod(0o600)


def _put_temporal_back(state: Path, source: Path, at: datetime, point: datetime | None) -> datetime:
    """Of this backup, or of a later one that was begun before the point: the newer, the less is done over."""
    chosen = source
    for other in source.parent.glob("*/backup.json") if point is not None else ():
        found = Manifest.model_validate_json(other.read_text()).temporal_at
        if point is not None and found is not None and at < found <= point:
            chosen, at = other.parent, found
    shutil.copyfile(chosen / "temporal.sqlite", state / "temporal.sqlite")
    return at


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        raise CannotStart(f"{path.parent} is no backup: it has no {path.name}.") from None


def main(words: list[str]) -> None:
    state = make_state_dir(state_dir())
    if has_own_servers():
        raise CannotStart("Servers of your own are backed up where they run: docs/restoring.md.")
    match words:
        case ["make"]:
            _make(state_at_work(state))
        case ["restore", source, *rest] if len(rest) < 2:
            point = _WHEN.validate_python(rest[0]) if rest and rest[0] else None
            _restore(state_of_backup(state, Path(source)), Path(source), point)
        case _:
            raise CannotStart("make, or restore FROM [POINT]: see docs/restoring.md")


def state_of_backup(state: Path, source: Path) -> Path:
    """Where it comes back: a cluster's in the cluster's folder. Raises CannotStart for what is no backup."""
    manifest = Manifest.model_validate_json(_read(source / "backup.json"))
    return state if manifest.temporal_at is not None else make_state_dir(cluster_dir(state))


def _make(state: Path) -> None:
    cluster, to = _cluster_of(state), backups_of(state) / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    with step(f"Backing up into {to}"):
        manifest = make(state, cluster, to)
    say(f"  {manifest.bytes / 1_000_000:.0f} MB in {manifest.seconds} s")
    if archive := archive_of(cluster):
        say(f"  {prune(archive, to.parent)} segments of WAL that no backup needs left {archive}")
    say(f"  secrets and codec keys are not in it: keep {state / 'secrets.json'} apart")


def _restore(state: Path, source: Path, point: datetime | None) -> None:
    cluster, archive = _cluster_of(state), os.environ.get("WAL_ARCHIVE")
    try:
        with step(f"Restoring {source}"):
            done = restore(
                state,
                cluster,
                source,
                point=point,
                archive=Path(archive).resolve() if archive else None,
            )
    finally:
        cluster.stop()
    runs = f"runs as of {done.temporal_at:%H:%M:%S} UTC" if done.temporal_at else "runs with them"
    say(f"  rows until {done.until}, {runs}, {done.seconds} s")
    say("  now: docs/restoring.md, step 4")


def _cluster_of(state: Path) -> Cluster:
    return Cluster(state, port_choice.remembered(state).postgres, Ledger(state / "processes.json"))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except CannotStart as error:
        give_up(error)
    except ValueError as error:
        give_up(
            CannotStart(
                f"POINT is a time with its zone, for example 2026-11-26T03:00:00Z ({type(error).__name__})"
            )
        )
