"""The memory of all simulators: one SQLite file, so that a restart forgets nothing."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_SCHEMA = """
create table if not exists device (device_key text primary key, memory text not null);
create table if not exists log (
    seq integer primary key autoincrement,
    id text not null unique,
    device_key text not null,
    due real not null,
    at real not null,
    body text not null,
    effect text not null,
    applied integer not null default 0,
    copies integer not null default 1,
    sent integer not null default 0,
    tries integer not null default 0,
    next_try real not null default 0
);
create index if not exists log_waiting on log (due) where applied = 0;
create index if not exists log_unsent on log (next_try) where applied = 1 and sent < copies;
create index if not exists log_of_device on log (device_key, seq);
create table if not exists ledger (
    seq integer primary key autoincrement,
    at real not null,
    operation text not null,
    device_key text not null,
    idempotency_key text,
    status integer not null,
    effect integer not null,
    replayed integer not null,
    detail text not null,
    request_id text
);
create index if not exists ledger_of_device on ledger (device_key, seq);
create table if not exists answer (
    operation text not null,
    idempotency_key text not null,
    fingerprint text not null,
    status integer not null,
    body text not null,
    primary key (operation, idempotency_key)
);
create table if not exists knob (name text primary key, value text not null);
create table if not exists mail (
    seq integer primary key autoincrement,
    at real not null,
    sender text not null,
    recipient text not null,
    message_id text not null,
    subject text not null,
    text text not null,
    html text not null,
    papers text not null,
    content blob not null,
    request_id text
);
create index if not exists mail_of_recipient on mail (recipient);
create table if not exists text_message (
    seq integer primary key autoincrement,
    at real not null,
    sid text not null unique,
    sender text not null,
    recipient text not null,
    text text not null,
    request_id text
);
create table if not exists failure (recipient text primary key, times integer not null);
create table if not exists solved_puzzle (challenge text primary key);
create table if not exists paid_object (
    seq integer primary key autoincrement,
    system text not null,
    kind text not null,
    id text not null,
    flow_id text,
    body text not null,
    unique (system, kind, id)
);
create index if not exists paid_object_of_flow on paid_object (system, kind, flow_id);
create table if not exists paid_key (
    system text not null,
    key text not null,
    fingerprint text not null,
    status integer not null,
    body text not null,
    primary key (system, key)
);
create table if not exists paid_entry (
    seq integer primary key autoincrement,
    system text not null,
    at real not null,
    operation text not null,
    subject text not null,
    flow_id text,
    amount integer not null,
    idempotency_key text,
    detail text not null,
    request_id text
);
create index if not exists paid_entry_of_flow on paid_entry (system, flow_id);
create table if not exists erp_account (code text primary key, changes text not null);
create table if not exists erp_order (
    seq integer primary key autoincrement,
    reference text not null unique,
    fingerprint text not null default '',
    status text not null,
    body text not null
);
create table if not exists erp_document (
    seq integer primary key autoincrement,
    issued real not null,
    kind text not null,
    number text not null,
    partner text not null,
    version integer not null,
    reference text not null,
    body text not null,
    unique (number, version)
);
create index if not exists erp_document_issued on erp_document (issued, seq);
create index if not exists erp_document_of_partner on erp_document (partner, number);
create table if not exists erp_payment (
    seq integer primary key autoincrement,
    reference text not null unique,
    fingerprint text not null,
    body text not null
);
create table if not exists erp_record (
    entity text not null,
    code text not null,
    body text not null,
    primary key (entity, code)
);
create table if not exists erp_shown (
    entity text not null,
    entry integer not null,
    version integer not null,
    at real not null,
    reference text not null,
    body text not null,
    primary key (entity, entry, version)
);
create index if not exists erp_shown_number on erp_shown (entity, json_extract(body, '$.U_Number'));
create index if not exists erp_shown_reference
    on erp_shown (entity, json_extract(body, '$.U_Reference'));
create index if not exists erp_shown_of_order on erp_shown (reference, at);
create table if not exists erp_session (id text primary key, used real not null);
create table if not exists erp_knob (name text primary key, value text not null);
create table if not exists told_event (
    seq integer primary key autoincrement,
    id text not null,
    sender text not null,
    subject text not null,
    body text not null,
    due real not null,
    copies integer not null default 1,
    sent integer not null default 0,
    tries integer not null default 0
);
create index if not exists told_event_due on told_event (due) where sent < copies;
"""

_TABLES = (
    "device",
    "log",
    "ledger",
    "answer",
    "knob",
    "mail",
    "text_message",
    "failure",
    "erp_account",
    "erp_order",
    "erp_document",
    "erp_payment",
    "erp_record",
    "erp_shown",
    "erp_session",
    "erp_knob",
    "told_event",
    "solved_puzzle",
    "paid_object",
    "paid_key",
    "paid_entry",
)


class State:
    """One connection to the file; every change happens in `transaction`, which never awaits."""

    def __init__(self, path: Path | str) -> None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.row_factory = sqlite3.Row
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = normal")
        self._db.executescript(_SCHEMA)
        for table in ("ledger", "paid_entry", "mail", "text_message"):
            self._complete(table)

    def _complete(self, table: str) -> None:
        """A file of before has no column for the request's id."""
        columns = {row["name"] for row in self._db.execute(f"pragma table_info({table})")}
        if "request_id" not in columns:
            self._db.execute(f"alter table {table} add column request_id text")

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """All or nothing; a transaction inside a transaction joins it."""
        if self._db.in_transaction:
            yield self._db
            return
        self._db.execute("begin immediate")
        try:
            yield self._db
        except BaseException:
            self._db.execute("rollback")
            raise
        self._db.execute("commit")

    def empty(self) -> None:
        """Forget every device, log, answer, message and knob."""
        with self.transaction() as db:
            for table in _TABLES:
                db.execute(f"delete from {table}")

    def close(self) -> None:
        self._db.close()


def fails(state: State, who: str, *, times: int) -> bool:
    """Whether this is one of the first so many times that `who` is asked."""
    with state.transaction() as db:
        db.execute("insert or ignore into failure values (?, 0)", (who,))
        before = db.execute("select times from failure where recipient = ?", (who,)).fetchone()[0]
        db.execute("update failure set times = times + 1 where recipient = ?", (who,))
    return before < times
