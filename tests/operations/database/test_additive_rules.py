"""What a migration changes leaves the release before at work: it writes on while the later one takes its place (decision 73).

Judged by the statements of each migration: on a table of before it may add columns that need no value, and indexes that
refuse nothing and are built beside its writers; all else is an exception with its reason.
"""

import itertools
import re
from collections.abc import Iterator
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import Script, ScriptDirectory

ROOT = Path(__file__).resolve().parents[3]
BEFORE = "from before releases ran side by side"
NEW_COLUMN = "binds a column alone that the release before leaves empty, or at its default"

EXCEPTIONS = {
    "0004 person": BEFORE,
    "checkout_drafts cart": NEW_COLUMN,
    "security_stamp sign_in": BEFORE,
    "security_stamp link_token": BEFORE,
    "security_stamp one_time_code": BEFORE,
    "security_stamp mfa_challenge": BEFORE,
    "security_stamp trusted_device": BEFORE,
    "known_places one_time_code": NEW_COLUMN,
    "cases payment": BEFORE,
    "team_board reward": BEFORE,
    "coupons coupon": NEW_COLUMN,
    "coupons shop_order": "without a coupon the total is what it was",
    "vehicle_fit cart_line": NEW_COLUMN,
    "erp_addresses partner_address": NEW_COLUMN,
    "accepted audit": "allows one more outcome; the release before writes the others, and cannot list this one",
}
"""Migration and table → why the release before can live with what is changed there."""

LAST_UNDER_LOCK = "device_changes"
"""Up to this one indexes were built under a lock that holds up writers."""

_TABLE = re.compile(
    r"(?:alter table|drop table|create unique index (?:concurrently )?\w+ on) (\w+)"
)
_BUILT_BESIDE = re.compile(r"create index concurrently (?:if not exists )?(\w+) ")
_DROPPED_BESIDE = re.compile(r"drop index concurrently (?:if exists )?(\w+)")
_BUILT_UNDER_LOCK = re.compile(
    r"create (?:unique )?index (?!concurrently )(?:if not exists )?\w+ on (\w+)"
)
_MADE = re.compile(r"create table (\w+)")
_CHANGED = re.compile(r"alter table \w+ ")
_BETWEEN_COMMAS = re.compile(r"(?:\((?:[^()]|\([^()]*\))*\)|'[^']*'|[^,'()])+")
"""What stands between commas that are in no parentheses and in no text."""
_ADDITIVE = (
    re.compile(r"create index "),
    re.compile(r"alter table \w+ alter column \w+ (drop not null|set default)"),
    re.compile(r"alter table \w+ add column (?!.*\bnot null\b)(?!.*\bunique\b)(?!.*\bcheck\b)"),
    re.compile(
        r"alter table \w+ add column (?=.*\b(default|generated)\b)(?!.*\bunique\b)(?!.*\bcheck\b)"
    ),
)


def narrowed(sql: str) -> set[str]:
    """The tables of before that these statements change in more than an additive way."""
    made: set[str] = set()
    found: set[str] = set()
    gone: set[str] = set()
    for statement in (clause for one in _statements(sql) for clause in _clauses(one)):
        if new := _MADE.match(statement):
            made.add(new[1])
        elif dropped := _DROPPED_BESIDE.match(statement):
            gone.add(dropped[1])
        elif built := _BUILT_BESIDE.match(statement):
            gone.discard(built[1])
        elif statement.startswith("drop index"):
            found.add(statement.split()[-1])
        elif any(way.match(statement) for way in _ADDITIVE):
            continue
        elif (table := _TABLE.match(statement)) and table[1] not in made:
            found.add(table[1])
    return found | gone


def held_up(sql: str) -> set[str]:
    """The tables of before whose writers wait for an index to be built."""
    made: set[str] = set()
    found: set[str] = set()
    for statement in _statements(sql):
        if new := _MADE.match(statement):
            made.add(new[1])
        elif (index := _BUILT_UNDER_LOCK.match(statement)) and index[1] not in made:
            found.add(index[1])
    return found


def _statements(sql: str) -> Iterator[str]:
    for part in sql.split(";"):
        if statement := " ".join(part.split()).lower():
            yield statement


def _clauses(statement: str) -> Iterator[str]:
    """Each change of a table as a statement of its own: one may hold several, with commas between them."""
    table = _CHANGED.match(statement)
    if table is None:
        yield statement
        return
    for clause in _BETWEEN_COMMAS.findall(statement, table.end()):
        yield f"{table[0]}{clause.strip()}"


@cache
def scripts() -> tuple[Script, ...]:
    return tuple(ScriptDirectory(str(ROOT / "db" / "migrations")).walk_revisions())


def sql_of(script: Script) -> str:
    """What its upgrade asks of the database, without one."""
    told = StringIO()
    context = MigrationContext.configure(
        dialect_name="postgresql",
        opts={"as_sql": True, "output_buffer": told, "literal_binds": True},
    )
    with Operations.context(context):
        script.module.upgrade()
    return told.getvalue()


def test_each_migration_leaves_the_release_before_at_work() -> None:
    found = {f"{one.revision} {table}" for one in scripts() for table in narrowed(sql_of(one))}
    assert found == set(EXCEPTIONS)


def test_no_index_of_a_table_of_before_holds_up_who_writes_there() -> None:
    later = itertools.takewhile(lambda one: one.revision != LAST_UNDER_LOCK, scripts())
    assert {one.revision: found for one in later if (found := held_up(sql_of(one)))} == {}


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("create index ix_payment_x on payment (detail)", {"payment"}),
        ("create unique index uq_payment_x on payment (detail)", {"payment"}),
        ("create index concurrently ix_payment_x on payment (detail)", set[str]()),
        ("create table said (id text); create index ix_said on said (id)", set[str]()),
    ],
)
def test_an_index_that_is_built_under_a_lock_is_found(sql: str, tables: set[str]) -> None:
    assert held_up(sql) == tables


@pytest.mark.parametrize(
    "statement",
    [
        "alter table payment drop column detail",
        "alter table payment rename column detail to said",
        "alter table payment rename to paid",
        "drop table payment",
        "alter table payment add column said text not null",
        "alter table payment add column said text check (said <> '')",
        "alter table payment add column said text default '' unique",
        "alter table payment add column said text, drop column detail",
        "alter table payment add column sum numeric(9, 2), add column said text not null",
        "alter table payment add column said text default 'a, b', add check (said <> ''), add column n int",
        "alter table payment alter column detail set not null",
        "alter table payment alter column detail drop default",
        "alter table payment alter column detail type integer",
        "alter table payment add constraint ck_payment_x check (amount > 1)",
        "create unique index uq_payment_x on payment (detail)",
        "drop index uq_payment_x",
        "drop index concurrently if exists uq_payment_x",
        "create unique index concurrently uq_payment_x on payment (detail)",
    ],
)
def test_what_the_release_before_cannot_live_with_is_found(statement: str) -> None:
    assert len(narrowed(f"create table other (id text);\n{statement};")) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "alter table payment add column said text",
        "alter table payment add column said text default '' not null",
        "alter table payment alter column detail drop not null",
        "alter table payment add column sum numeric(9, 2), add column said text default 'a, (b' not null",
        "create index ix_payment_x on payment (detail)",
        "create index concurrently ix_payment_x on payment (detail)",
        "drop index concurrently if exists ix_payment_x;"
        " create index concurrently ix_payment_x on payment (detail)",
        "create table said (id text not null); create unique index uq_said on said (id)",
        "insert into payment (id) values ('x')",
    ],
)
def test_what_it_does_not_notice_is_let_be(statement: str) -> None:
    assert narrowed(statement) == set()
