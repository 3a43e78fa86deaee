"""SAP Business One's Service Layer: a session in a cookie, entities, OData's questions, pages and errors."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import httpx
from pydantic import BaseModel, Field, RootModel, ValidationError

from providers.errors import Refused, Unavailable
from providers.http import Wire

SPARE_SECONDS = 30
"""A session is renewed so long before it ends by itself."""
LARGEST = 100
"""Pages of one collection that are followed; more than it ever holds."""
NOT_THERE = "-2028"
ENDED = 401
"""What a call is answered whose session is over."""

Record = dict[str, Any]


class _Message(BaseModel):
    value: str = "The request was refused."


class _Error(BaseModel):
    code: int | str = "refused"
    message: _Message | str = _Message()


class _Complaint(BaseModel):
    error: _Error = _Error()


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


class ServiceLayer:
    """One user's session, shared by every call of this process; it signs in when there is none, or when it has ended.

    Raises Unavailable without a usable answer, Refused with the ERP's own code and text for a clear no.
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
        self._credentials = {"CompanyDB": company, "UserName": user, "Password": password}
        self._wire = Wire(
            client,
            system="erp",
            base_url=f"{base_url.rstrip('/')}/b1s/v1",
            seconds=seconds,
            at_once=at_once,
            complain=_complaint,
        )
        self.version: str | None = None
        """What it said at the last signing in."""
        self._session: str | None = None
        self._ends_at = 0.0
        self._idle_seconds = 0.0
        self._signing_in = asyncio.Lock()

    async def page(self, entity: str, asked: Mapping[str, str], *, size: int | None = None) -> Page:
        """The first page of an answer; of no more than `size` records."""
        prefer = {} if size is None else {"Prefer": f"odata.maxpagesize={size}"}
        answer = await self._get(entity, f"/{entity}", asked, prefer)
        page = self._read(entity, answer)
        return Page(records=page.value, has_more=page.next_link is not None)

    async def everything(self, entity: str, asked: Mapping[str, str] | None = None) -> list[Record]:
        """All pages of a small collection."""
        found: list[Record] = []
        question = dict(asked or {})
        for _ in range(LARGEST):
            page = self._read(entity, await self._get(entity, f"/{entity}", question, {}))
            found += page.value
            if page.next_link is None:
                break
            question = dict(parse_qsl(urlsplit(page.next_link).query))
        return found

    async def one(self, entity: str, code: str) -> Record | None:
        """The record under this key, None where there is none."""
        path = f"/{entity}({quote(text(code), safe='')})"
        try:
            answer = await self._get(entity, path, {}, {})
        except Refused as refusal:
            if refusal.code == NOT_THERE:
                return None
            raise
        try:
            return _Record.model_validate_json(answer).root
        except ValidationError as error:
            raise self._wire.unreadable(entity, error) from None

    def _read(self, entity: str, answer: bytes) -> _Page:
        try:
            return _Page.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable(entity, error) from None

    async def _get(
        self, operation: str, path: str, asked: Mapping[str, str], headers: Mapping[str, str]
    ) -> bytes:
        session = await self._signed_in(None)
        try:
            return await self._ask(session, operation, path, asked, headers)
        except Unavailable as error:
            if error.answered != ENDED:
                raise
        # It ended there before its time: once more in another one.
        session = await self._signed_in(session)
        return await self._ask(session, operation, path, asked, headers)

    async def _ask(
        self,
        session: str,
        operation: str,
        path: str,
        asked: Mapping[str, str],
        headers: Mapping[str, str],
    ) -> bytes:
        answer = await self._wire.call(
            operation,
            "GET",
            path,
            params=dict(asked),
            headers={**headers, "Cookie": f"B1SESSION={session}"},
        )
        self._ends_at = time.monotonic() + self._idle_seconds
        return answer

    async def _signed_in(self, ended: str | None) -> str:
        """The session; another one than `ended`. Of several calls that find it ended one signs in."""
        async with self._signing_in:
            session = self._session
            if session and session != ended and time.monotonic() < self._ends_at:
                return session
            answer = await self._wire.call("Login", "POST", "/Login", json=self._credentials)
            try:
                told = _Session.model_validate_json(answer)
            except ValidationError as error:
                raise self._wire.unreadable("Login", error) from None
            self._session, self.version = told.SessionId, told.Version
            self._idle_seconds = max(1.0, 60.0 * told.SessionTimeout - SPARE_SECONDS)
            self._ends_at = time.monotonic() + self._idle_seconds
            return told.SessionId


def _complaint(body: bytes) -> tuple[str, str]:
    try:
        error = _Complaint.model_validate_json(body).error
    except ValidationError:
        error = _Error()
    message = error.message if isinstance(error.message, str) else error.message.value
    return str(error.code), message
