"""Forgetting a person, and what is known of one, table by table as `db.identity.personal` says."""

import re
import secrets
from collections.abc import Sequence
from typing import Any, cast

from pydantic import JsonValue
from pydantic_core import to_jsonable_python
from sqlalchemy import (
    ARRAY,
    JSON,
    ColumnElement,
    Table,
    Text,
    all_,
    any_,
    delete,
    exists,
    false,
    func,
    literal,
    or_,
    select,
    true,
    update,
)
from sqlalchemy import cast as sql_cast
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Base
from db.identity.people import PersonRow
from db.identity.personal import PLACES, Place
from domain.identity.erasure import (
    ERASED_ADDRESS,
    NOBODY,
    Erased,
    Known,
    OpenRun,
    as_a_whole,
    rewritten,
)
from domain.identity.people import User

MOST_ROWS = 20_000
"""Of one table in an export: more than anybody has done."""

_OPEN = ("flow", "placement", "invoice_payment", "invitation", "visit")
"""Tables of runs that have an end."""


def token_for() -> str:
    """What stands for somebody from then on; it follows from nothing about them, and is too short for a card number."""
    return f"erased-{secrets.token_hex(5)}"


async def open_runs_of(session: AsyncSession, user: User) -> tuple[OpenRun, ...]:
    """Runs that have not ended and name the person: they would write the name again. The first twenty."""
    found: list[OpenRun] = []
    for name in _OPEN:
        table = _table(name)
        columns = table.columns
        id_ = columns["token"] if name == "placement" else columns["id"]
        query = select(id_, columns["kind"] if name == "flow" else func.concat(name)).where(
            columns["ended_at"].is_(None), _is_theirs(table, PLACES[name], user)
        )
        rows = (await session.execute(query.limit(20))).all()
        found += [OpenRun(kind=kind, id=run) for run, kind in rows]
    return tuple({(one.kind, one.id): one for one in found}.values())[:20]


async def erase(session: AsyncSession, user: User) -> Erased:
    """Replaces the person by a token wherever `PLACES` says so. The caller has locked their row, and seen that no run is open.

    Ids, amounts, times and the audit stay.
    """
    token, rows = token_for(), dict[str, int]()
    if user.id != NOBODY:
        rows |= await _delete_carts(session, user)
    for name, place in PLACES.items():
        table = _table(name)
        if name == PersonRow.__tablename__:
            continue
        if place.gone:
            touched = await _delete(session, table, place, user)
        else:
            touched = await _rewrite(session, table, place, user, token)
        touched += await _replace(session, table, place, user, token)
        if touched:
            rows[name] = rows.get(name, 0) + touched
    if user.id == NOBODY:
        return Erased(token=token, rows=rows)
    await session.execute(
        update(PersonRow)
        .where(PersonRow.id == user.id)
        .values(
            dict.fromkeys(PLACES["person"].cleared.split())
            | {
                "email": f"{token}@{ERASED_ADDRESS}",
                "first_name": "Erased",
                "last_name": token,
                "permission_groups": [],
                "mfa_type": "none",
                "mfa_since": None,
                "totp_last_step": None,
                "reset_required": False,
                "is_retired": True,
                "security_stamp": PersonRow.security_stamp + 1,
            }
        )
    )
    return Erased(token=token, rows={**rows, "person": 1})


async def known_of(session: AsyncSession, user: User) -> Known:
    """Every row that is the person's, or names them, without secrets and without what only numbers rows."""
    tables: dict[str, list[dict[str, JsonValue]]] = {}
    for name, place in PLACES.items():
        table = _table(name)
        hidden = set(place.secret.split())
        shown = [column for column in table.columns if column.name not in hidden]
        condition = _is_theirs(table, place, user)
        rows = await session.execute(select(*shown).where(condition).limit(MOST_ROWS))
        found = [
            cast("dict[str, JsonValue]", to_jsonable_python(dict(row), bytes_mode="base64"))
            for row in rows.mappings()
        ]
        if found:
            tables[name] = found
    return Known(person_id=user.id or None, tables=tables)


def _table(name: str) -> Table:
    return Base.metadata.tables[name]


def _columns(table: Table, names: str) -> list[ColumnElement[Any]]:
    return [table.columns[name] for name in names.split()]


def _words(user: User) -> list[str]:
    return [word for word in (user.name, user.email, user.phone_number) if word]


def _marks(user: User) -> list[str]:
    """What nobody else has."""
    return [mark for mark in (user.id, user.email, user.phone_number) if mark]


def _is_theirs(table: Table, place: Place, user: User) -> ColumnElement[bool]:
    """By a column of their id, their address, or because a text of `within` holds their id, address or number."""
    conditions: list[ColumnElement[bool]] = []
    if user.id != NOBODY:
        keys = (user.id, f"user:{user.id}")
        conditions += [column.in_(keys) for column in _columns(table, place.by)]
    conditions += [
        func.lower(column) == user.email.lower() for column in _columns(table, place.mailed)
    ]
    for column in _columns(table, place.within):
        # Once for all marks, and once more where one is found: making a text of a document is what takes long.
        text = func.lower(sql_cast(column, Text))
        conditions.append(text.like(any_(_patterns(*_marks(user)))) & _names(column, user))
        if user.partner_code is not None:
            names = _patterns(f'"{user.name}"', f'"{user.partner_code}"')
            conditions.append(text.like(all_(names)))
    return or_(false(), *conditions)


def _names(column: ColumnElement[Any], user: User) -> ColumnElement[bool]:
    """An address or a number stands there as a whole: others may begin or end like it. An id is nobody else's."""
    text = sql_cast(column, Text)
    if isinstance(column.type, JSON):
        # what a document writes as `\n` is no letter before an address
        text = func.regexp_replace(text, r"\\(u[0-9a-f]{4}|.)", " ", "g")
    wanted = [re.escape(one) if one == user.id else as_a_whole(one) for one in _marks(user)]
    return text.regexp_match("|".join(wanted), flags="i")


def _patterns(*marks: str) -> ColumnElement[Any]:
    """What holds a mark, as `like` asks for it."""
    escaped = (re.sub(r"([\\%_])", r"\\\1", mark.lower()) for mark in marks)
    return literal([f"%{mark}%" for mark in escaped], ARRAY(Text))


async def _delete_carts(session: AsyncSession, user: User) -> dict[str, int]:
    """With their lines; but one that a coupon was used in counts on."""
    cart, use = _table("cart"), _table("coupon_use")
    counted = exists().where(use.columns["token"] == cart.columns["token"])
    gone = await session.execute(
        delete(cart)
        .where(cart.columns["person_id"] == user.id, ~counted)
        .returning(cart.columns["token"])
    )
    count = len(gone.all())
    return {"cart": count} if count else {}


async def _delete(session: AsyncSession, table: Table, place: Place, user: User) -> int:
    keys = list(table.primary_key.columns)
    gone = await session.execute(
        delete(table).where(_is_theirs(table, place, user)).returning(*keys)
    )
    return len(gone.all())


async def _rewrite(
    session: AsyncSession, table: Table, place: Place, user: User, token: str
) -> int:
    """What stands within a longer text or a document, row by row."""
    if not place.within:
        return 0
    keys, columns = list(table.primary_key.columns), _columns(table, place.within)
    rows = await session.execute(
        select(*keys, *columns).where(_is_theirs(table, place, user)).with_for_update()
    )
    touched = 0
    for row in rows.all():
        values = dict(zip((column.name for column in columns), row[len(keys) :], strict=True))
        changed = {
            name: new
            for name, old in values.items()
            if (new := rewritten(cast("JsonValue", old), _words(user), token)) != old
        }
        if changed:
            which = [key == value for key, value in zip(keys, row[: len(keys)], strict=True)]
            await session.execute(update(table).where(*which).values(changed))
            touched += 1
    return touched


async def _replace(
    session: AsyncSession, table: Table, place: Place, user: User, token: str
) -> int:
    """Whole columns of the person's own rows, and bare names of their business's."""
    own: dict[str, Any] = dict.fromkeys(place.erased.split(), token)
    own |= dict.fromkeys(place.cleared.split())
    touched = 0
    if own:
        by_id = Place(by=place.by, mailed=place.mailed)
        changed = await session.execute(
            update(table)
            .where(_is_theirs(table, by_id, user))
            .values(own)
            .returning(*table.primary_key.columns)
        )
        touched += len(changed.all())
    for column in _columns(table, place.named) if user.name else ():
        changed = await session.execute(
            update(table)
            .where(column == user.name, _of_their_business(table, user))
            .values({column.name: token})
            .returning(*table.primary_key.columns)
        )
        touched += len(changed.all())
    return touched


def _of_their_business(table: Table, user: User) -> ColumnElement[bool]:
    """A bare name is theirs where the row is of their business: others may be called the same."""
    columns = table.columns
    if "partner_code" in columns:
        return columns["partner_code"] == user.partner_code
    if "invited_by" in columns:
        return columns["invited_by"] == user.id
    if "dealer_id" in columns:
        return columns["dealer_id"] == user.dealer_id
    if "flow_id" in columns:
        flow = _table("flow").columns
        own: Sequence[ColumnElement[bool]] = [flow["partner"] == user.partner_code]
        return columns["flow_id"].in_(select(flow["id"]).where(*own))
    return true()
