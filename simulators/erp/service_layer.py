"""The ERP after SAP Business One's Service Layer, under `/erp/b1s/v1`.

`POST Login` {CompanyDB, UserName, Password} answers SessionId and SessionTimeout (minutes without a call) and sets the
cookies B1SESSION and ROUTEID, the one of several nodes that knows the session; `POST Logout` ends it. Without a living one,
and at another node, every other call answers 401 with code 301.
`GET <Entity>` takes $filter, $select, $orderby, $top, $skip and $inlinecount; a page holds 20 records, or as many as
`Prefer: odata.maxpagesize=n` says (0: all), and `odata.nextLink` leads to the next one. `GET <Entity>/$count` counts,
`GET <Entity>('code')` is one, `GET <Entity>(entry)` a document; `GET SQLQueries('name')/List?name='value'` asks a
question that is kept there. `POST <Entity>` makes a document, `PATCH <Entity>(entry)` changes what is given of it,
`POST <Entity>(entry)/Cancel` cancels it: see `writing.py`. A field that is not known is code -1000. An error is {error:
{code, message: {lang, value}}}.

Known inputs: the user `locked` cannot sign in; a business whose code ends with 503 fails that way, one with 404 is not there.
Each call stands in the ledger (`GET /device-cloud/_ledger?operation=erp:Items`).
"""

import asyncio
import re
import secrets
import time
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import quote

import orjson
from fastapi import APIRouter, Header, Request, Response
from pydantic import BaseModel

from simulators.erp import accounts, deliveries, orders, records, shown, writing
from simulators.erp.failure import Failure, is_away, not_found
from simulators.erp.odata import BadQuestion, names_in, order, where
from simulators.state import State

router = APIRouter(prefix="/erp/b1s/v1")

COMPANY, USER, PASSWORD = "TURNKEY", "portal", "turnkey-development-erp-password"
PAGE = 20
BY_REFERENCE = "U_Reference eq "
EXPIRED = "Invalid session or session already timeout."

_KEY = re.compile(
    r"(?P<entity>\w+)(?:\((?P<quote>'?)(?P<code>.*)(?P=quote)\))?(?P<count>/\$count)?"
)
_QUESTION = re.compile(r"SQLQueries\('(?P<name>\w+)'\)/List")
_RECORDS = "erp_record where entity = ?1 and ?2 > 0"
_DOCUMENT = re.compile(r"(?P<entity>\w+)(?:\((?P<entry>\d{1,15})\)(?:/(?P<action>\w+))?)?")


class Credentials(BaseModel):
    CompanyDB: str = ""
    UserName: str = ""
    Password: str = ""


@router.post("/Login")
async def login(request: Request, given: Credentials) -> Response:
    state: State = request.app.state.file
    try:
        await _enter(state)
        wanted = (COMPANY, USER, request.app.state.erp_password)
        if (given.CompanyDB, given.UserName, given.Password) != wanted:
            raise Failure(401, 100000027, "Login failed")
    except Failure as failure:
        return _failed(request, "Login", failure)
    session = secrets.token_hex(16)
    with state.transaction() as db:
        db.execute("insert into erp_session (id, used) values (?, ?)", (session, time.time()))
    answer = _answer(
        request,
        "Login",
        {"SessionId": session, "Version": "1000230", "SessionTimeout": _minutes(state)},
    )
    answer.headers.append("Set-Cookie", f"B1SESSION={session}; HttpOnly; SameSite=None")
    answer.headers.append("Set-Cookie", f"ROUTEID={_node_of(session)}; path=/")
    return answer


@router.post("/Logout", status_code=204)
async def logout(request: Request) -> None:
    state: State = request.app.state.file
    with state.transaction() as db:
        db.execute("delete from erp_session where id = ?", (request.cookies.get("B1SESSION", ""),))


@router.get("/{path:path}")
async def read(
    request: Request, path: str, prefer: Annotated[str, Header(max_length=200)] = ""
) -> Response:
    state: State = request.app.state.file
    asked = _KEY.fullmatch(path)
    entity = asked["entity"] if asked else path
    try:
        await _enter(state)
        _check_session(request, state)
        question = _QUESTION.fullmatch(path)
        if question and question["name"] == "OpenInvoices":
            code = request.query_params.get("code", "''")[1:-1].replace("''", "'")
            found = accounts.open_invoices(state, code)
            return _stored(request, entity, found, _page_size(state, prefer))
        if asked is None or not (entity in records.KEYS or entity in shown.FIELDS):
            raise _unrecognized(path)
        if entity == orders.ENTITY:
            deliveries.book(state)
        if asked["code"] is not None:
            return _answer(request, entity, _one(state, entity, asked["code"]))
        return _list(request, state, entity, prefer, is_count=asked["count"] is not None)
    except Failure as failure:
        return _failed(request, entity, failure)


@router.post("/{path:path}")
async def make(request: Request, path: str) -> Response:
    return await _written(request, path)


@router.patch("/{path:path}")
async def change(request: Request, path: str) -> Response:
    return await _written(request, path)


async def _written(request: Request, path: str) -> Response:
    state: State = request.app.state.file
    asked = _DOCUMENT.fullmatch(path)
    entity = asked["entity"] if asked else path
    try:
        await _enter(state)
        _check_session(request, state)
        if asked is None:
            raise _unrecognized(path)
        entry, body = int(asked["entry"] or 0), await request.body()
        match request.method, asked["entry"], asked["action"]:
            case "POST", None, None:
                made = await writing.make(request.app.state, entity, body)
                found = _whole(state, entity, shown.find(state, entity, made) or {})
                return _answer(request, entity, found, status=201)
            case "POST", str(), str(action):
                writing.act(request.app.state, entity, entry, action)
            case "PATCH", str(), None:
                writing.change(request.app.state, entity, entry, body)
            case _:
                raise _unrecognized(path)
        return _answer(request, entity, None, status=204)
    except Failure as failure:
        return _failed(request, entity, failure)


def _unrecognized(path: str) -> Failure:
    return Failure(404, -1, f"Unrecognized resource path. {path}")


def _one(state: State, entity: str, code: str) -> dict[str, Any]:
    code = code.replace("''", "'")
    if entity == records.PARTNERS and code.endswith("503"):
        raise is_away()
    if entity in shown.FIELDS:
        found = shown.find(state, entity, int(code)) if code.isdecimal() else None
    else:
        found = records.find(state, entity, code)
    if found is None and entity == records.PARTNERS and not code.endswith("404"):
        found = {"CardCode": code}
    if found is None:
        raise not_found()
    return _whole(state, entity, found)


def _list(request: Request, state: State, entity: str, prefer: str, *, is_count: bool) -> Response:
    asked, size = request.query_params, _page_size(state, prefer)
    # Not by the key alone: a look-up by a field of its own goes by that index.
    there, key = (shown.THERE, "+entry") if entity in shown.FIELDS else (_RECORDS, "code")
    try:
        _check_names(entity, asked)
        condition, values = where(asked["$filter"]) if asked.get("$filter") else ("true", [])
        ordered = order(asked["$orderby"]) if asked.get("$orderby") else key
        top, skip = (int(asked[name]) if name in asked else None for name in ("$top", "$skip"))
        if (top or 0) < 0 or (skip or 0) < 0:
            raise BadQuestion
    except (BadQuestion, ValueError):
        raise Failure(400, 201, "Query string error") from None
    source, given = f"from {there} and {condition}", (entity, time.time(), *values)
    total: int | None = None
    wanted = (
        min(top if top is not None else size, size) if size else (top if top is not None else -1)
    )
    with state.transaction() as db:
        if is_count or asked.get("$inlinecount") == "allpages":
            total = db.execute(f"select count(*) {source}", given).fetchone()[0]
        if is_count:
            return Response(str(total), media_type="text/plain")
        rows = db.execute(
            f"select body {source} order by {ordered}, {key} limit ? offset ?",
            (*given, wanted + 1 if wanted >= 0 else -1, skip or 0),
        ).fetchall()
    rows, is_more = (rows[:wanted], len(rows) > wanted) if wanted >= 0 else (rows, False)
    if top is not None and top <= len(rows):
        is_more = False
    found = [_whole(state, entity, orjson.loads(row["body"])) for row in rows]
    is_looked_for = entity == orders.ENTITY and asked.get("$filter", "").startswith(BY_REFERENCE)
    if is_looked_for and any(orders.is_unseen(state, one) for one in found):
        raise is_away()
    if asked.get("$select"):
        names = {name.strip() for name in asked["$select"].split(",")}
        found = [{k: v for k, v in one.items() if k in names} for one in found]
    body: dict[str, Any] = {"odata.metadata": f"{request.base_url}b1s/v1/$metadata#{entity}"}
    if total is not None:
        body["odata.count"] = str(total)
    body["value"] = found
    if is_more:
        left = {} if top is None else {"$top": str(top - len(rows))}
        skipped = {"$skip": str((skip or 0) + len(rows))}
        body["odata.nextLink"] = _link(entity, {**asked, **skipped, **left})
    return _answer(request, entity, body)


def _stored(request: Request, entity: str, found: list[dict[str, Any]], size: int) -> Response:
    """A page of what a question that is kept here answers."""
    skip = request.query_params.get("$skip", "0")
    first = int(skip) if skip.isdecimal() else 0
    end = first + size if size else len(found)
    body: dict[str, Any] = {"value": found[first:end]}
    if end < len(found):
        path = request.url.path.rpartition("/b1s/v1/")[2]
        body["odata.nextLink"] = _link(path, {**request.query_params, "$skip": str(end)})
    return _answer(request, entity, body)


def _page_size(state: State, prefer: str) -> int:
    """0: all."""
    sized = re.search(r"odata\.maxpagesize=(\d+)", prefer)
    size, limit = int(sized[1]) if sized else PAGE, int(records.knob(state, "b1s_page_limit", 0))
    return min(size or limit, limit) if limit else size


def _link(path: str, asked: Mapping[str, str]) -> str:
    return f"{path}?" + "&".join(f"{name}={quote(one, safe='')}" for name, one in asked.items())


def _check_names(entity: str, asked: Mapping[str, str]) -> None:
    """Raises Failure for a field that documents of this kind do not have, BadQuestion."""
    known = shown.FIELDS.get(entity)
    if known is None:
        return
    listed = ",".join(asked[name] for name in ("$select", "$orderby") if asked.get(name))
    named = {part.split()[0] for part in listed.split(",") if part.strip()}
    named |= names_in(asked.get("$filter", ""))
    for name in sorted(named - known):
        raise writing.unknown_field(name)


def _whole(state: State, entity: str, record: dict[str, Any]) -> dict[str, Any]:
    """With what follows from other books of the ERP."""
    if entity == records.ITEMS:
        stock: list[dict[str, Any]] = record.get("ItemWarehouseInfoCollection") or []
        return {**record, "QuantityOnStock": sum(one.get("InStock") or 0 for one in stock)}
    if entity != records.PARTNERS:
        return record
    account = accounts.account_of(state, record["CardCode"])
    return {
        "CreditLimit": account["credit_limit"],
        "CurrentAccountBalance": account["balance"],
        "U_InvoiceCount": account["invoice_count"],
        **record,
    }


def _check_session(request: Request, state: State) -> None:
    session = request.cookies.get("B1SESSION", "")
    is_elsewhere = request.cookies.get("ROUTEID") != _node_of(session)
    with state.transaction() as db:
        row = db.execute("select used from erp_session where id = ?", (session,)).fetchone()
        if row is None or is_elsewhere or row["used"] + 60 * _minutes(state) < time.time():
            raise Failure(401, 301, EXPIRED)
        db.execute("update erp_session set used = ? where id = ?", (time.time(), session))


def _node_of(session: str) -> str:
    return f".node{1 + sum(session.encode()) % 2}"


async def _enter(state: State) -> None:
    await asyncio.sleep(records.knob(state, "b1s_latency", 0))
    if records.knob(state, "outage", False) or records.take_failure(state):
        raise is_away()


def _minutes(state: State) -> int:
    return int(records.knob(state, "b1s_session_minutes", 30))


def _answer(
    request: Request, entity: str, body: dict[str, Any] | None, *, status: int = 200
) -> Response:
    request.app.state.ledger.record(f"erp:{entity}", "", None, status=status)
    if body is None:
        return Response(status_code=status)
    return Response(orjson.dumps(body), status, media_type="application/json")


def _failed(request: Request, entity: str, failure: Failure) -> Response:
    request.app.state.ledger.record(
        f"erp:{entity[:60]}", "", None, status=failure.status, detail=str(failure.code)
    )
    return Response(orjson.dumps(failure.body), failure.status, media_type="application/json")
