"""A backup taken while everything is in use comes back, at its end or at a later point."""

import shutil
import sqlite3
import time
from collections.abc import Callable, Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from dev import ports
from dev.backups import (
    archive_of,
    first_segment,
    make,
    prune,
    restore,
    state_of_backup,
)
from dev.console import CannotStart
from dev.places import make_state_dir
from dev.postgres import Cluster
from dev.postgres_copies import NUMBERS_LEFT_OUT
from dev.processes import Ledger
from dev.servers import own_folder
from tests.drivers.database.archiving import archive_all

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def state() -> Generator[Path]:
    with own_folder(in_memory=True) as folder:
        yield make_state_dir(folder / "portal")


@pytest.fixture
def cluster(state: Path) -> Generator[Cluster]:
    made = Cluster(
        state, ports.free().postgres, Ledger(state / "processes.json"), archive=state / "wal"
    )
    made.start()
    with psycopg.connect(made.owner_url, autocommit=True) as owner:
        owner.execute("create table audit (at timestamptz default clock_timestamp(), said text)")
        owner.execute("create table shop_order (count bigint generated always as identity)")
    with sqlite3.connect(state / "temporal.sqlite") as runs:
        runs.execute("pragma journal_mode = wal")
        runs.execute("create table run (id text)")
    runs.close()
    yield made
    made.stop()


def write(cluster: Cluster, state: Path, word: str) -> datetime:
    """One row and one run; the moment after."""
    with psycopg.connect(cluster.owner_url, autocommit=True) as owner:
        owner.execute("insert into audit (said) values (%s)", [word])
        owner.execute("insert into shop_order default values")
    with sqlite3.connect(state / "temporal.sqlite") as runs:
        runs.execute("insert into run values (?)", [word])
    runs.close()
    time.sleep(0.01)  # two moments of one microsecond would be one point
    return datetime.now(UTC)


def rows(cluster: Cluster) -> list[str]:
    with psycopg.connect(cluster.owner_url) as owner:
        return [row[0] for row in owner.execute("select said from audit order by at").fetchall()]


def runs_of(state: Path) -> list[str]:
    with sqlite3.connect(state / "temporal.sqlite") as runs:
        found = [row[0] for row in runs.execute("select id from run").fetchall()]
    runs.close()
    return found


def test_both_stores_come_back_at_the_end_of_the_backup_and_at_a_point(
    cluster: Cluster, state: Path, say: Callable[[str], None]
) -> None:
    write(cluster, state, "first")
    one = make(state, cluster, state / "backups" / "one")
    assert one.temporal_at is not None
    assert one.temporal_at <= one.began_at <= one.whole_from
    point = write(cluster, state, "second")
    make(state, cluster, state / "backups" / "two")
    write(cluster, state, "third")
    with psycopg.connect(cluster.owner_url) as owner:
        (oldest,) = owner.execute("show archive_timeout").fetchone() or ("",)
    assert oldest == "5min", "what may be lost"
    archive_all(cluster.admin_url)
    archive = archive_of(cluster)
    assert archive is not None
    assert archive == state / "wal"
    assert {first_segment(state / "backups" / name) for name in ("one", "two")} <= {
        path.name for path in archive.iterdir()
    }
    prune(archive, state / "backups")  # the point below needs all that is left
    cluster.stop()

    done = restore(state, cluster, state / "backups" / "one", point=point, archive=state / "wal")
    assert rows(cluster) == ["first", "second"]
    assert runs_of(state) == ["first"]  # of a backup begun before the point
    assert done.until is not None
    assert done.until <= point
    with psycopg.connect(cluster.owner_url, autocommit=True) as owner:
        owner.execute("insert into shop_order default values")
        last = owner.execute("select max(count) from shop_order").fetchone()
    assert last is not None
    assert last[0] > NUMBERS_LEFT_OUT
    say(
        f"restored to a point in {done.seconds} s; {one.bytes / 1e6:.0f} MB backed up in {one.seconds} s"
    )

    cluster.stop()
    restore(state, cluster, state / "backups" / "two")
    assert rows(cluster) == ["first", "second"]
    assert runs_of(state) == ["first", "second"]
    write(cluster, state, "fourth")  # it is no server of its own kind afterwards
    make(state, cluster, state / "backups" / "three")
    assert len(list(state.glob("before-*"))) >= 1


def test_what_cannot_be_restored_is_refused_before_anything_is_moved(
    cluster: Cluster, state: Path
) -> None:
    write(cluster, state, "first")
    made = make(state, cluster, state / "backups" / "one")
    with pytest.raises(CannotStart, match="Stop the portal first"):
        restore(state, cluster, state / "backups" / "one")
    cluster.stop()
    source, archive = state / "backups" / "one", state / "wal"
    early = made.began_at - timedelta(minutes=1)
    with pytest.raises(CannotStart, match="is no backup"):
        restore(state, cluster, state / "backups" / "none")
    with pytest.raises(CannotStart, match="earlier backup"):
        restore(state, cluster, source, point=early, archive=archive)
    with pytest.raises(CannotStart, match="WAL_ARCHIVE"):
        restore(state, cluster, source, point=datetime.now(UTC))
    assert runs_of(state) == ["first"]
    cluster.start()
    assert rows(cluster) == ["first"]
    with pytest.raises(CannotStart, match="there already"):
        make(state, cluster, state / "backups" / "one")
    shutil.rmtree(state / "backups")


@pytest.mark.whole
def test_a_store_of_runs_in_the_same_server_comes_back_at_the_same_point(
    cluster: Cluster, state: Path
) -> None:
    """As `make cluster` has it: rows and runs are of one moment, whichever it is."""
    (state / "temporal.sqlite").unlink()
    with psycopg.connect(cluster.admin_url, autocommit=True) as admin:
        admin.execute("create database temporal")
    runs_url = cluster.url("postgres", "temporal")

    def begin(word: str) -> datetime:
        with psycopg.connect(runs_url, autocommit=True) as runs:
            runs.execute("create table if not exists run (id text)")
            runs.execute("insert into run values (%s)", [word])
        with psycopg.connect(cluster.owner_url, autocommit=True) as owner:
            owner.execute("insert into audit (said) values (%s)", [word])
        time.sleep(0.01)
        return datetime.now(UTC)

    begin("first")
    backup = state / "backups" / "one"
    assert make(state, cluster, backup).temporal_at is None
    assert state_of_backup(state, backup) == state / "cluster"
    point = begin("second")
    begin("third")
    archive_all(cluster.admin_url)
    cluster.stop()
    done = restore(state, cluster, backup, point=point, archive=state / "wal")
    assert done.temporal_at is None
    with psycopg.connect(runs_url) as runs:
        found = [row[0] for row in runs.execute("select id from run").fetchall()]
    assert found == rows(cluster) == ["first", "second"]


def a_backup(backups: Path, name: str, first: str) -> None:
    (backups / name / "postgres").mkdir(parents=True)
    label = f"START WAL LOCATION: 0/A000028 (file {first})\nCHECKPOINT LOCATION: 0/A000060\n"
    (backups / name / "postgres" / "backup_label").write_text(label)
    (backups / name / "backup.json").touch()


def test_what_no_kept_backup_needs_leaves_the_archive(tmp_path: Path) -> None:
    archive, backups = tmp_path / "wal", tmp_path / "backups"
    archive.mkdir()
    backups.mkdir()
    old = [f"00000001000000000000000{digit}" for digit in "1234"]
    young = ["000000010000000000000005", "000000020000000000000006", "000000010000000100000001"]
    told = ["00000002.history", "000000010000000000000003.part", "notes.txt"]
    beside = ["000000010000000000000002.00000028.backup", "000000010000000000000004.partial"]
    for name in (*old, *young, *told, *beside):
        (archive / name).touch()

    assert prune(archive, backups) == 0, "nothing says what is needed"
    a_backup(backups, "draft-of-one", "000000010000000000000006")
    (backups / "draft-of-one" / "backup.json").unlink()
    assert prune(archive, backups) == 0, "one that is not whole says nothing"
    a_backup(backups, "later", "000000020000000000000006")
    a_backup(backups, "older", "000000010000000000000005")
    assert prune(archive, backups) == len(old) + len(beside)
    assert {path.name for path in archive.iterdir()} == {*young, *told}
    shutil.rmtree(backups / "older")
    assert prune(archive, backups) == 1
    assert {path.name for path in archive.iterdir()} == {*young[1:], *told}
