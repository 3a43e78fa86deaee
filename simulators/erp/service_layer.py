"""The ERP after SAP Business One's Service Layer, under `/erp/b1s/v1`.

`POST Login` {CompanyDB, UserName, Password} answers SessionId and SessionTimeout (minutes without a call) and sets the cookies
B1SESSION and ROUTEID; `POST Logout` ends the session. Without a living one every other call answers 401 with code 301.
`GET <Entity>` takes $filter, $select, $orderby, $top, $skip and $inlinecount; a page holds 20 records, or as many as
`Prefer: odata.maxpagesize=n` says (0: all), and `odata.nextLink` leads to the next one. `GET <Entity>/$count` counts,
`GET <Entity>('code')` is one. An error is {error: {code, message: {lang, value}}}.

Known inputs: the user `locked` cannot sign in; a business whose code ends with 503 fails that way, one with 404 is not there.
Each call stands in the ledger (`GET /device-cloud/_ledger?operation=erp:Items`).
"""

import asyncio
import re
import secrets
import time
from typing import Annotated, Any
from urllib.parse import quote

import orjson
from fastapi import APIRouter, Header, Request, Response
from pydantic import BaseModel

from simulators.erp import accounts, records
from simulators.erp.odata import BadQuestion, order, where
from simulators.state import State

router = APIRouter(prefix="/erp/b1s/v1")

COMPANY, USER, PASSWORD = "TURNKEY", "portal", "turnkey-development-erp-password"
PAGE = 20
NOT_FOUND = "No matching records found (ODBC -2028)"
EXPIRED = "Invalid session or session already timeout."

_KEY = re.compile(
    r"(?P<entity>\w+)(?:\((?P<quote>'?)(?P<code>.*)(?P=quote)\))?(?P<count>/\$count)?"
)


class Credentials(BaseModel):
    CompanyDB: str = ""
    UserName: str = ""
    Password: str = ""


class _Failure(Exception):
    def __init__(self, status: int, code: int, value: str) -> None:
        super().__init__(value)
        self.status, self.code, self.value = status, code, value


@router.post("/Login")
async def login(request: Request, given: Credentials) -> Response:
    state: State = request.app.state.file
    try:
        await _enter(state)
        wanted = (COMPANY, USER, request.app.state.erp_password)
        if (given.CompanyDB, given.UserName, given.Password) != wanted:
            raise _Failure(401, 100000027, "Login failed")
    except _Failure as failure:
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
    answer.headers.append("Set-Cookie", "ROUTEID=.node1; path=/")
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
        if asked is None or entity not in records.KEYS:
            raise _Failure(404, -1, f"Unrecognized resource path. {path}")
        if asked["code"] is not None:
            return _answer(request, entity, _one(state, entity, asked["code"]))
        return _list(request, state, entity, prefer, is_count=asked["count"] is not None)
    except _Failure as failure:
        return _failed(request, entity, failure)


def _one(state: State, entity: str, code: str) -> dict[str, Any]:
    code = code.replace("''", "'")
    if entity == records.PARTNERS and code.endswith("503"):
        raise _Failure(503, -1, "Service Unavailable")
    found = records.find(state, entity, code)
    if found is None:
        raise _Failure(404, -2028, NOT_FOUND)
    return _whole(state, entity, found)


def _list(request: Request, state: State, entity: str, prefer: str, *, is_count: bool) -> Response:
    asked = request.query_params
    sized = re.search(r"odata\.maxpagesize=(\d+)", prefer)
    size = int(sized[1]) if sized else PAGE
    try:
        condition, values = where(asked["$filter"]) if asked.get("$filter") else ("true", [])
        ordered = order(asked["$orderby"]) if asked.get("$orderby") else "code"
        top, skip = (int(asked[name]) if name in asked else None for name in ("$top", "$skip"))
        if (top or 0) < 0 or (skip or 0) < 0:
            raise BadQuestion
    except (BadQuestion, ValueError):
        raise _Failure(400, 201, "Query string error") from None
    source = f"from erp_record where entity = ? and {condition}"
    with state.transaction() as db:
        total = db.execute(f"select count(*) {source}", (entity, *values)).fetchone()[0]
        if is_count:
            return Response(str(total), media_type="text/plain")
        left = min(total - (skip or 0), top if top is not None else total)
        shown = min(left, size) if size else left
        rows = db.execute(
            f"select body {source} order by {ordered}, code limit ? offset ?",
            (entity, *values, max(0, shown), skip or 0),
        ).fetchall()
    found = [_whole(state, entity, orjson.loads(row["body"])) for row in rows]
    if asked.get("$select"):
        names = {name.strip() for name in asked["$select"].split(",")}
        found = [{k: v for k, v in one.items() if k in names} for one in found]
    body: dict[str, Any] = {"odata.metadata": f"{request.base_url}b1s/v1/$metadata#{entity}"}
    if asked.get("$inlinecount") == "allpages":
        body["odata.count"] = str(total)
    body["value"] = found
    if left > shown:
        rest = {k: v for k, v in asked.items() if k not in ("$skip", "$top")}
        rest["$skip"] = str((skip or 0) + shown)
        if top is not None:
            rest["$top"] = str(top - shown)
        body["odata.nextLink"] = f"{entity}?" + "&".join(
            f"{name}={quote(value, safe='')}" for name, value in rest.items()
        )
    return _answer(request, entity, body)


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
        **record,
    }


def _check_session(request: Request, state: State) -> None:
    session = request.cookies.get("B1SESSION", "")
    with state.transaction() as db:
        row = db.execute("select used from erp_session where id = ?", (session,)).fetchone()
        if row is None or row["used"] + 60 * _minutes(state) < time.time():
            raise _Failure(401, 301, EXPIRED)
        db.execute("update erp_session set used = ? where id = ?", (time.time(), session))


async def _enter(state: State) -> None:
    await asyncio.sleep(records.knob(state, "b1s_latency", 0))
    if records.knob(state, "outage", False) or records.take_failure(state):
        raise _Failure(503, -1, "Service Unavailable")


def _minutes(state: State) -> int:
    return int(records.knob(state, "b1s_session_minutes", 30))


def _answer(request: Request, entity: str, body: dict[str, Any]) -> Response:
    request.app.state.ledger.record(f"erp:{entity}", "", None, status=200)
    return Response(orjson.dumps(body), media_type="application/json")


def _failed(request: Request, entity: str, failure: _Failure) -> Response:
    request.app.state.ledger.record(
        f"erp:{entity[:60]}", "", None, status=failure.status, detail=str(failure.code)
    )
    message = {"lang": "en-us", "value": failure.value}
    body = {"error": {"code": failure.code, "message": message}}
    return Response(orjson.dumps(body), failure.status, media_type="application/json")
