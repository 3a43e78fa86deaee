"""SAP Business One's Service Layer: a session in a cookie, entities, OData's questions, pages and errors."""

import asyncio
import copy
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import httpx
import structlog
from pydantic import BaseModel, Field, RootModel, ValidationError

from providers.errors import Refused, Unavailable
from providers.http import HttpClient

SPARE_SECONDS = 30
"""A session is renewed so long before it ends by itself."""
WHOLE_PAGE = 1_000
"""Records that are asked for at once where all are wanted: left to itself the ERP gives 20."""
MOST_BYTES = 64_000_000
"""Of one answer: that many records, each with all its fields."""
LARGEST = 100
"""Pages of one collection that are followed; more than it ever holds."""
NOT_THERE = "-2028"
ALREADY_THERE = "-2035"
"""Another record has this key, or this value of a field that is unique there."""
SESSION, NODE = "B1SESSION", "ROUTEID"
"""The cookies of a session. Only one of several nodes knows it: the balancer before them goes by the second one."""
ENDED = 401
"""What a call is answered whose session is over."""

_RULE = re.compile(r"^\(\d+\) ")
"""What stands before the text of a company's own rule."""

log = structlog.stdlib.get_logger()

Record = dict[str, Any]


class _Message(BaseModel):
    value: str


class _Error(BaseModel):
    code: int | str
    message: _Message | str


class _Complaint(BaseModel):
    error: _Error


class _Session(BaseModel):
    SessionId: str = Field(min_length=1)
    SessionTimeout: int = Field(ge=1, description="minutes without a call")
    Version: str | None = Field(None, max_length=40)


class _Page(BaseModel):
    value: list[Record]
    next_link: str | None = Field(None, alias="odata.nextLink")


_Record = RootModel[Record]


class Page(BaseModel):
    records: list[Record]
    has_more: bool


def text(value: str) -> str:
    """A text as a question holds it."""
    return "'" + value.replace("'", "''") + "'"


def money(amount: Decimal) -> float:
    """An amount of cents as a record holds it: a number with two places, written as short as it is exact."""
    return float(amount)


@dataclass
class _SignIn:
    """The session of one user, and what the ERP said when it began."""

    credentials: dict[str, str]
    session: str | None = None
    """Its cookies, as a header has them."""
    ends_at: float = 0.0
    idle_seconds: float = 0.0
    version: str | None = None
    under_way: asyncio.Task[str] | None = None


class ServiceLayer:
    """One user's session, shared by every call of this process; it signs in when there is none, or when it has ended.

    Numbers with places are read as exact decimals. Raises Unavailable without a usable answer, Refused with the ERP's own code
    and text for a clear no.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str,
        company: str,
        user: str,
        password: str,
        seconds: float = 10.0,
        at_once: int = 4,
    ) -> None:
        """`base_url` without `/b1s/v1`; `seconds` limits each call; `at_once` the calls under way."""
        self._client = client
        self._base_url = f"{base_url.rstrip('/')}/b1s/v1"
        self._seconds = seconds
        self._sign_in = _SignIn({"CompanyDB": company, "UserName": user, "Password": password})
        self._wire = self._wire_within(seconds, at_once)

    @property
    def version(self) -> str | None:
        """What it said at the last signing in."""
        return self._sign_in.version

    def within(self, *, seconds: float, at_once: int) -> "ServiceLayer":
        """The same session for calls with limits of their own."""
        other = copy.copy(self)
        other._seconds = seconds
        other._wire = self._wire_within(seconds, at_once)
        return other

    def _wire_within(self, seconds: float, at_once: int) -> HttpClient:
        return HttpClient(
            self._client,
            system="erp",
            base_url=self._base_url,
            seconds=seconds,
            at_once=at_once,
            most_bytes=MOST_BYTES,
            complain=_complaint,
        )

    async def page(self, entity: str, asked: Mapping[str, str], *, size: int | None = None) -> Page:
        """The first page of an answer; of no more than `size` records."""
        prefer = {} if size is None else _pages_of(size)
        answer = await self._get(entity, f"/{entity}", asked, prefer)
        page = self._read(entity, answer)
        return Page(records=page.value, has_more=page.next_link is not None and bool(page.value))

    async def everything(self, entity: str, asked: Mapping[str, str] | None = None) -> list[Record]:
        """All pages of a small collection. Raises Unavailable where it has more of them: a part is never taken for all."""
        found: list[Record] = []
        question, prefer = dict(asked or {}), _pages_of(WHOLE_PAGE)
        for _ in range(LARGEST):
            page = self._read(entity, await self._get(entity, f"/{entity}", question, prefer))
            found += page.value
            if page.next_link is None:
                return found
            question = dict(parse_qsl(urlsplit(page.next_link).query))
        log.error("a collection is too large", entity=entity, records=len(found))
        raise Unavailable(system="erp", may_have_worked=False)

    async def asked(self, query: str, given: Mapping[str, str]) -> list[Record]:
        """What a question that is kept in the ERP answers, all pages."""
        values = {name: text(value) for name, value in given.items()}
        return await self.everything(f"SQLQueries({text(query)})/List", values)

    async def first(self, entity: str, condition: str) -> Record | None:
        """The first record that it holds for, None where there is none."""
        found = (await self.page(entity, {"$filter": condition, "$top": "1"})).records
        return found[0] if found else None

    async def one(
        self, entity: str, key: str | int, asked: Mapping[str, str] | None = None
    ) -> Record | None:
        """The record under this key, None where there is none."""
        try:
            answer = await self._get(entity, _path(entity, key), asked or {}, {})
        except Refused as refusal:
            if refusal.code == NOT_THERE:
                return None
            raise
        return self._record(entity, answer)

    async def create(self, entity: str, record: Record) -> Record:
        """The new record as it is there. Not idempotent: it is looked for first."""
        return self._record(entity, await self._call(entity, "POST", f"/{entity}", json=record))

    async def change(self, entity: str, key: int, fields: Record) -> None:
        """Only what is given of the record."""
        await self._call(entity, "PATCH", _path(entity, key), json=fields)

    async def act(self, entity: str, key: int, action: str) -> None:
        """An action of the record, `Cancel` for one."""
        await self._call(f"{entity}/{action}", "POST", f"{_path(entity, key)}/{action}")

    def _record(self, entity: str, answer: bytes) -> Record:
        try:
            return _Record.model_validate(_exact(answer)).root
        except ValidationError as error:
            raise self.unreadable(entity, error) from None

    def unreadable(self, entity: str, error: ValidationError) -> Unavailable:
        """The error for a record that has not the agreed shape."""
        return self._wire.unreadable(entity, error)

    def _read(self, entity: str, answer: bytes) -> _Page:
        try:
            return _Page.model_validate(_exact(answer))
        except ValidationError as error:
            raise self.unreadable(entity, error) from None

    async def _get(
        self, entity: str, path: str, asked: Mapping[str, str], headers: Mapping[str, str]
    ) -> bytes:
        return await self._call(entity, "GET", path, params=dict(asked), headers=headers)

    async def _call(
        self,
        operation: str,
        method: str,
        path: str,
        *,
        json: Record | None = None,
        params: dict[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        """Once more in another session where the first one ended before its time: it had no effect there."""
        sign_in, session = self._sign_in, await self._signed_in(None)
        for is_last in (False, True):
            try:
                answer = await self._wire.call(
                    operation,
                    method,
                    path,
                    json=json,
                    params=params,
                    headers={**(headers or {}), "Cookie": session},
                )
            except Unavailable as error:
                if error.answered != ENDED or is_last:
                    raise
                session = await self._signed_in(session)
            else:
                sign_in.ends_at = time.monotonic() + sign_in.idle_seconds
                return answer
        raise AssertionError

    async def _signed_in(self, ended: str | None) -> str:
        """The session; another one than `ended`. Of several calls without one the first signs in, and all learn what came of
        it; none waits longer than its own limit."""
        sign_in = self._sign_in
        session = sign_in.session
        if session and session != ended and time.monotonic() < sign_in.ends_at:
            return session
        if sign_in.under_way is None or sign_in.under_way.done():
            sign_in.under_way = asyncio.create_task(self._signing_in())
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.shield(sign_in.under_way)
        except TimeoutError:
            raise Unavailable(system="erp", may_have_worked=False) from None

    async def _signing_in(self) -> str:
        sign_in, cookies = self._sign_in, dict[str, str]()
        try:
            answer = await self._wire.call(
                "Login", "POST", "/Login", json=sign_in.credentials, cookies=cookies
            )
        except Refused as refusal:
            # It says no to us, and nothing to what was to be asked.
            log.error("sign-in at the ERP was refused", code=refusal.code)
            raise Unavailable(system="erp", may_have_worked=False) from None
        try:
            opened = _Session.model_validate_json(answer)
        except ValidationError as error:
            raise self.unreadable("Login", error) from None
        cookies_kept = {SESSION: opened.SessionId} | {k: v for k, v in cookies.items() if k == NODE}
        session = "; ".join(f"{name}={value}" for name, value in cookies_kept.items())
        sign_in.session, sign_in.version = session, opened.Version
        sign_in.idle_seconds = max(1.0, 60.0 * opened.SessionTimeout - SPARE_SECONDS)
        sign_in.ends_at = time.monotonic() + sign_in.idle_seconds
        return session


def _pages_of(size: int) -> dict[str, str]:
    return {"Prefer": f"odata.maxpagesize={size}"}


def _path(entity: str, key: str | int) -> str:
    shown = str(key) if isinstance(key, int) else quote(text(key), safe="")
    return f"/{entity}({shown})"


def _exact(answer: bytes) -> Any:
    """None where it is no JSON: no shape takes that."""
    try:
        return json.loads(answer, parse_float=Decimal)
    except ValueError:
        return None


def _complaint(body: bytes) -> tuple[str, str] | None:
    try:
        error = _Complaint.model_validate_json(body).error
    except ValidationError:
        return None
    message = error.message if isinstance(error.message, str) else error.message.value
    return str(error.code), _RULE.sub("", message)
