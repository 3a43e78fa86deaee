"""Backup and restore of docker-compose.yml: the commands that its containers run, against a real PostgreSQL; no Docker is
needed to know that they do what they say."""

import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from dev import ports
from dev.places import ROOT, is_root, load_secrets, make_state_dir
from dev.postgres import Cluster, account_of_postgres, find_binaries
from dev.postgres_copies import NUMBERS_LEFT_OUT
from dev.processes import Ledger
from dev.servers import own_folder
from tests.drivers.database.archiving import archive_all

SCRIPT = ROOT / "dev" / "compose" / "stores.sh"
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())[
    "services"
]


@pytest.fixture
def state() -> Generator[Path]:
    with own_folder(in_memory=True) as folder:
        yield make_state_dir(folder / "portal")


@pytest.fixture
def backups(state: Path) -> Path:
    folder = state / "backups"
    folder.mkdir()
    if is_root():
        shutil.chown(folder, account_of_postgres())
    return folder


@pytest.fixture
def cluster(state: Path, backups: Path) -> Generator[Cluster]:
    if not (find_binaries(state).folder / "pg_basebackup").exists():
        pytest.skip("this PostgreSQL has no pg_basebackup")
    made = Cluster(
        state, ports.free().postgres, Ledger(state / "processes.json"), archive=backups / "wal"
    )
    made.start()
    with psycopg.connect(made.owner_url, autocommit=True) as owner:
        owner.execute("create table shop_order (count bigint generated always as identity)")
    with psycopg.connect(made.admin_url, autocommit=True) as admin:
        admin.execute("create database temporal")
    yield made
    made.stop()


def stores(cluster: Cluster, state: Path, backups: Path, *words: str) -> str:
    """What the script printed, as in a container of the image. Raises CalledProcessError."""
    account = pwd.getpwnam(account_of_postgres()) if is_root() else None
    binaries = find_binaries(state).folder
    done = subprocess.run(
        ["sh", "-s", "--", *words],
        input=SCRIPT.read_text(),
        cwd=cluster.folder,
        env={
            "PATH": f"{binaries}:{os.environ['PATH']}",
            "BACKUPS": str(backups),
            "PGDATA": str(cluster.folder / "data"),
            "SERVER": "127.0.0.1",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(cluster.port),
            "PGUSER": "postgres",
            "PGPASSWORD": load_secrets(state)["POSTGRES_PASSWORD"],
        },
        capture_output=True,
        text=True,
        check=False,
        user=account.pw_uid if account else None,
        group=account.pw_gid if account else None,
        extra_groups=[] if account else None,
    )
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    return done.stdout.strip()


def write(cluster: Cluster, word: str) -> datetime:
    """An order, and a run in the other store; the moment after."""
    with psycopg.connect(cluster.owner_url, autocommit=True) as owner:
        owner.execute("insert into shop_order default values")
    with psycopg.connect(cluster.url("postgres", "temporal"), autocommit=True) as runs:
        runs.execute("create table if not exists run (id text)")
        runs.execute("insert into run values (%s)", [word])
    time.sleep(0.01)  # two moments of one microsecond would be one point
    return datetime.now(UTC)


def kept(cluster: Cluster) -> tuple[int, list[str]]:
    """How many orders, and which runs."""
    with psycopg.connect(cluster.owner_url) as owner:
        orders = owner.execute("select count(*) from shop_order").fetchone()
    with psycopg.connect(cluster.url("postgres", "temporal")) as runs:
        found = [row[0] for row in runs.execute("select id from run").fetchall()]
    assert orders is not None
    return orders[0], found


@pytest.mark.whole
@pytest.mark.timeout(180)
def test_both_stores_come_back_by_the_commands_of_compose(
    cluster: Cluster, state: Path, backups: Path
) -> None:
    write(cluster, "first")
    backup = Path(stores(cluster, state, backups, "backup"))
    point = write(cluster, "second")
    write(cluster, "third")
    archive_all(cluster.admin_url)
    with pytest.raises(AssertionError, match="PostgreSQL runs"):
        stores(cluster, state, backups, "restore", backup.name)
    cluster.stop()
    with pytest.raises(AssertionError, match="is no backup"):
        stores(cluster, state, backups, "restore", "none")

    stores(cluster, state, backups, "restore", backup.name, point.isoformat())
    cluster.start()
    assert kept(cluster) == (2, ["first", "second"])
    write(cluster, "fourth")
    with psycopg.connect(cluster.owner_url) as owner:
        last = owner.execute("select max(count) from shop_order").fetchone()
    assert last is not None
    assert last[0] > NUMBERS_LEFT_OUT
    assert list((backups / "wal").glob("*.history")), "a later restore finds the new timeline"
    archive_all(cluster.admin_url)
    before = sorted(path.name for path in (backups / "wal").iterdir())

    later = Path(stores(cluster, state, backups, "backup"))
    assert sorted(path.name for path in (backups / "wal").iterdir())[: len(before)] == before
    shutil.rmtree(backup)
    time.sleep(1)  # the next backup has a name of its own
    stores(cluster, state, backups, "backup")
    left = [path.name for path in (backups / "wal").iterdir()]
    assert before[0] not in left, "no backup needs it any more"
    cluster.stop()
    stores(cluster, state, backups, "restore", later.name)
    cluster.start()
    assert kept(cluster) == (3, ["first", "second", "fourth"])


def test_compose_runs_these_commands_where_both_stores_and_their_backups_are() -> None:
    server, restore = SERVICES["postgres"], SERVICES["restore"]
    assert server["image"] == restore["image"]
    assert server["entrypoint"][-1] == "serve"
    assert restore["entrypoint"][-1] == "restore"
    assert restore["profiles"] == ["restore"], "nobody restores by `docker compose up`"
    assert restore["user"] == "postgres"
    own = [one for one in server["volumes"] if "docker-entrypoint-initdb.d" not in one]
    assert sorted(restore["volumes"]) == sorted(own)
    mounted = {one.split(":")[1]: one.split(":")[0] for one in own}
    assert (ROOT / mounted[server["entrypoint"][1]]).samefile(SCRIPT)
    text = SCRIPT.read_text()
    for name, default in (("BACKUPS", mounted), ("PGDATA", mounted), ("SERVER", SERVICES)):
        assert text.partition(f"{name}=${{{name}:-")[2].partition("}")[0] in default
    assert f"NUMBERS_LEFT_OUT={NUMBERS_LEFT_OUT}\n" in text
    assert "-c archive_mode=on -c archive_timeout=300 " in text, (
        "no more than five minutes are lost"
    )


def test_the_commands_that_are_documented_are_those_of_compose() -> None:
    page = (ROOT / "docs" / "restoring.md").read_text()
    place = SERVICES["postgres"]["entrypoint"][1]
    assert f"docker compose exec -u postgres postgres sh {place} backup" in page
    assert "docker compose run --rm restore" in page
