"""Runs a write once per Idempotency-Key (rulings "Calls"; promise 3)."""

import hashlib
from collections.abc import Awaitable, Callable

import orjson
from fastapi import Response
from pydantic import BaseModel

from db.base import Sessions
from db.platform.idempotency import claim, keep, release
from domain.identity.people import Actor

REPEATED_HEADER = "Idempotency-Replayed"


async def answer_once(
    sessions: Sessions,
    actor: Actor,
    key: str | None,
    operation: str,
    body: BaseModel | None,
    work: Callable[[], Awaitable[tuple[int, BaseModel]]],
    *,
    keep_body_hash: bool = True,
) -> Response:
    """The answer of `work` (status, body), or the first answer given to this caller under this key.

    Without a key the work is simply done. Raises KeyReused for the same key with another body and StillUnderWay while
    the first request runs. A refusal is not kept. `keep_body_hash=False` for bodies with card numbers. When the
    process dies between effect and keeping, a repeat does the work again: the effect needs a key of its own too.
    """
    if key is None:
        return _as_response(*await work())
    digest = _digest(body) if keep_body_hash else None
    async with sessions.begin() as session:
        kept = await claim(session, actor=actor.key, key=key, operation=operation, body_hash=digest)
    if kept is not None:
        return _json(kept.status, orjson.dumps(kept.answer), {REPEATED_HEADER: "true"})
    try:
        status, answer = await work()
    except BaseException:
        async with sessions.begin() as session:
            await release(session, actor=actor.key, key=key)
        raise
    async with sessions.begin() as session:
        await keep(
            session,
            actor=actor.key,
            key=key,
            status=status,
            answer=answer.model_dump(mode="json", by_alias=True),
        )
    return _as_response(status, answer)


def _digest(body: BaseModel | None) -> str:
    said = body.model_dump_json(by_alias=True) if body else ""
    return hashlib.sha256(said.encode()).hexdigest()


def _as_response(status: int, answer: BaseModel) -> Response:
    return _json(status, answer.model_dump_json(by_alias=True).encode())


def _json(status: int, content: bytes, headers: dict[str, str] | None = None) -> Response:
    return Response(content, status, headers=headers, media_type="application/json")
