"""Live views of runs as server-sent events, read by fetch with the ordinary header (architecture "Live").

On connect the present view of each run, then each change. A snapshot supersedes whatever was missed, so nothing is
replayed. The stream ends with the caller's sign-in, or after five minutes; the browser then connects again.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Annotated

import orjson
from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from api.deps import Caller, Portal, PortalDep
from api.flows import reach
from db import flows
from db.sign_ins import user_of_sign_in
from domain.errors import Invalid
from domain.flows.projection import FlowAnswer, FlowKind
from domain.identity import Actor

router = APIRouter(prefix="/v1/events", tags=["events"])

HEARTBEAT_SECONDS = 15.0
LONGEST_SECONDS = 300.0
MOST_RUNS = 20

KINDS: dict[str, FlowKind] = {"activation": "activation", "firmware": "firmware"}


@router.get(
    "",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def follow_events(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    follow: Annotated[str, Query(min_length=1, max_length=2000)],
) -> StreamingResponse:
    """`follow=activation:ID,firmware:ID`: each event is `event: flow`, `id: rev` and the run as JSON."""
    followed = _parse(follow)
    async with portal.sessions() as session:
        for kind, id_ in followed:
            await reach(session, actor, kind, id_)
    return StreamingResponse(
        _stream(request, portal, actor, followed),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _parse(follow: str) -> list[tuple[FlowKind, str]]:
    followed: list[tuple[FlowKind, str]] = []
    for part in follow.split(","):
        kind, colon, id_ = part.strip().partition(":")
        if kind not in KINDS or not colon or not id_ or "\0" in id_:
            raise Invalid(fields=[("follow", "Invalid value")])
        followed.append((KINDS[kind], id_))
    if len(followed) > MOST_RUNS:
        raise Invalid(fields=[("follow", f"Must have at most {MOST_RUNS} entries")])
    return followed


async def _stream(
    request: Request, portal: Portal, actor: Actor, followed: list[tuple[FlowKind, str]]
) -> AsyncGenerator[bytes]:
    seen: dict[str, int] = {}
    ends = asyncio.get_running_loop().time() + LONGEST_SECONDS
    with portal.live.following(id_ for _, id_ in followed) as woken:
        while asyncio.get_running_loop().time() < ends:
            woken.clear()
            for kind, id_ in followed:
                async with portal.sessions() as session:
                    flow = await flows.find_flow(session, kind, id_)
                if flow is not None and flow.rev > seen.get(id_, -1):
                    seen[id_] = flow.rev
                    yield _event(flow)
            with suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await woken.wait()
                    continue
            if await request.is_disconnected() or not await _still_signed_in(portal, actor):
                return
            yield b": alive\n\n"


def _event(flow: FlowAnswer) -> bytes:
    data = orjson.dumps(flow.model_dump(mode="json")).decode()
    return f"event: flow\nid: {flow.rev}\ndata: {data}\n\n".encode()


async def _still_signed_in(portal: Portal, actor: Actor) -> bool:
    if actor.sign_in_id is None:
        return True
    async with portal.sessions() as session:
        return await user_of_sign_in(session, actor.sign_in_id) is not None
