"""Runs a write once per Idempotency-Key (rulings "Calls"; promise 3)."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import orjson
import structlog
from fastapi import Response
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError

from db.base import Executes, Sessions, one_statement
from db.platform.idempotency import (
    TAKEN_OVER_AFTER,
    StillUnderWay,
    StoredAnswer,
    claim,
    first_answer,
    release,
    renew,
    store_answer,
)
from domain.card_numbers import masked
from domain.identity.people import Actor

log = structlog.stdlib.get_logger()

Look = Callable[[Executes], Awaitable[BaseModel]]
"""Reads an answer over the connection that is to keep it, and takes none itself."""
Check = Callable[[Executes], Awaitable[None]]
"""Raises what must not be, over the connection that is to take the key, and takes none itself."""

REPEATED_HEADER = "Idempotency-Replayed"

RENEWED_EVERY = TAKEN_OVER_AFTER / 3


@dataclass
class Claim:
    """A request's hold on its key. `replayed` is the first answer, where there was one; `joined`: the first request is
    still under way, and answers for itself; `worked`: the effect was had."""

    sessions: Sessions
    actor: Actor
    key: str | None
    replayed: Response | None = None
    joined: bool = False
    worked: bool = False

    async def answer(self, status: int, body: BaseModel | Look) -> Response:
        """This answer, kept for repeats of the request."""
        if isinstance(body, BaseModel):
            self.worked = True
            if self._key_to_store is None:
                return _json(status, _content(body).encode())
        async with one_statement(self.sessions) as connection:
            content = _content(body if isinstance(body, BaseModel) else await body(connection))
            self.worked = True
            if self._key_to_store is not None:
                await store_answer(
                    connection,
                    actor=self.actor.key,
                    key=self._key_to_store,
                    status=status,
                    answer=content,
                )
        return _json(status, content.encode())

    @property
    def _key_to_store(self) -> str | None:
        return None if self.joined else self.key


@asynccontextmanager
async def claimed(
    sessions: Sessions,
    actor: Actor,
    key: str | None,
    operation: str,
    body: BaseModel | None,
    *,
    store_body_hash: bool = True,
    joins: bool = False,
    check: Check | None = None,
) -> AsyncGenerator[Claim]:
    """Holds the key while the block works; whoever finds `replayed` answers that and does nothing. What `check` refuses takes
    no key.

    Raises KeyReused for the same key with another body and StillUnderWay while the first request runs; with `joins` the
    block works beside it, under keys of its effects' own. A refusal is not kept. `store_body_hash=False` for bodies with
    card numbers. When the process dies between effect and keeping, a repeat does the work again: the effect needs a key
    of its own too.
    """
    if key is None:
        if check is not None:
            async with one_statement(sessions) as connection:
                await check(connection)
        yield Claim(sessions, actor, None)
        return
    digest = digest_of(body) if store_body_hash else None
    try:
        stored = await _claimed_before(
            sessions, check, actor=actor.key, key=key, operation=operation, body_hash=digest
        )
    except StillUnderWay:
        if not joins:
            raise
        yield Claim(sessions, actor, key, joined=True)
        return
    if stored is not None:
        replayed = _json(stored.status, orjson.dumps(stored.answer), {REPEATED_HEADER: "true"})
        yield Claim(sessions, actor, key, replayed)
        return
    held = Claim(sessions, actor, key)
    try:
        async with _renewed(sessions, actor, key):
            yield held
    except BaseException:
        if not held.worked:
            async with one_statement(sessions) as connection:
                await release(connection, actor=actor.key, key=key)
        raise


@asynccontextmanager
async def _renewed(sessions: Sessions, actor: Actor, key: str) -> AsyncGenerator[None]:
    """The claim is nobody else's while the block works, however long it takes. Most are over before it is renewed once: those
    begin no task."""
    renewing: list[asyncio.Task[None]] = []

    def begin() -> None:
        renewing.append(asyncio.create_task(_renew(sessions, actor, key)))

    later = asyncio.get_running_loop().call_later(RENEWED_EVERY.total_seconds(), begin)
    try:
        yield
    finally:
        later.cancel()
        for task in renewing:
            task.cancel()
            await asyncio.wait([task])


async def _renew(sessions: Sessions, actor: Actor, key: str) -> None:
    while True:
        try:
            async with one_statement(sessions) as connection:
                await renew(connection, actor=actor.key, key=key)
        except (SQLAlchemyError, OSError) as error:
            log.warning("a claim was not renewed", kind=type(error).__name__)
        await asyncio.sleep(RENEWED_EVERY.total_seconds())


async def _claimed_before(
    sessions: Sessions, check: Check | None, **claimed: Any
) -> StoredAnswer | None:
    """Takes the key, or answers what the first request with it got."""
    async with one_statement(sessions) as connection:
        if check is not None:
            await check(connection)
        if await claim(connection, **claimed):
            return None
    async with sessions.begin() as session:
        return await first_answer(session, **claimed)


async def answer_once(
    sessions: Sessions,
    actor: Actor,
    key: str | None,
    operation: str,
    body: BaseModel | None,
    work: Callable[[], Awaitable[tuple[int, BaseModel]]],
    *,
    store_body_hash: bool = True,
) -> Response:
    """The answer of `work` (status, body) under `claimed`, or the first answer given to this caller under this key."""
    async with claimed(
        sessions, actor, key, operation, body, store_body_hash=store_body_hash
    ) as held:
        return held.replayed or await held.answer(*await work())


def digest_of(body: BaseModel | None, *, by_alias: bool = True) -> str:
    """Of what may be the number of a card, in a field that counts sign by sign, only the last digits are in it."""
    said = body.model_dump_json(by_alias=by_alias) if body else ""
    return hashlib.sha256(masked(said).encode()).hexdigest()


def _content(body: BaseModel) -> str:
    return body.model_dump_json(by_alias=True)


def _json(status: int, content: bytes, headers: dict[str, str] | None = None) -> Response:
    return Response(content, status, headers=headers, media_type="application/json")
