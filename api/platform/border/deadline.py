"""No call is waited for longer than the specs allow (shell spec 9: 4000 ms; decision 71): a screen has given up by then, and
so has the server. A database that hangs ends the wait as well (promise 14)."""

import asyncio
from typing import Protocol

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.platform.border.errors import RETRY_AFTER, plain_problem
from api.platform.errands import Errands
from providers.messages.haste import HASTE

PATIENCE = 3.5
"""Seconds that a request has before anybody asks what it waits for; an ordinary one takes milliseconds."""

LOOK_EVERY = 0.25
MAIL_SECONDS = 2.5
"""How long a call waits for a mail server: whoever asked is told that it is away before their time is over."""

READS = frozenset({"GET", "HEAD", "OPTIONS"})


class Watch(Protocol):
    @property
    def is_hung(self) -> bool: ...


class Deadline:
    """Answers 503 to what has not begun to answer in time. A read is cancelled. A write goes on to its end, since its effect
    may be half had, and the portal waits for it before it stops: whoever sends it again under the same key has its
    outcome. While the database hangs nothing is waited for, and all is cancelled. What has begun to answer goes on.
    """

    def __init__(self, app: ASGIApp, *, most: float, patience: float = PATIENCE) -> None:
        """`most`: seconds from the whole request to the first byte of its answer."""
        self._app = app
        self._most = most
        self._patience = min(patience, most)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        portal = getattr(scope["app"].state, "portal", None) if scope["type"] == "http" else None
        if portal is None:
            await self._app(scope, receive, send)
            return
        watch: Watch = portal.database_watch
        errands: Errands = portal.errands
        has_begun = is_over = False

        async def send_in_time(message: Message) -> None:
            nonlocal has_begun
            if not is_over:
                has_begun = True
                await send(message)

        HASTE.set(MAIL_SECONDS)
        ends = asyncio.get_running_loop().time() + self._most
        task = asyncio.ensure_future(self._app(scope, receive, send_in_time))
        try:
            await asyncio.wait([task], timeout=self._patience)
            while not task.done() and not has_begun:
                remaining = ends - asyncio.get_running_loop().time()
                if watch.is_hung or remaining <= 0:
                    is_over = True
                    if watch.is_hung or scope["method"] in READS:
                        task.cancel()
                    errands.adopt(task)
                    headers = {"Retry-After": str(RETRY_AFTER)}
                    answer = plain_problem(scope["state"]["request_id"], 503, headers)
                    await answer(scope, receive, send)
                    return
                await asyncio.wait([task], timeout=min(LOOK_EVERY, remaining))
            await task
        except asyncio.CancelledError:
            # a cancelled query asks the database to stop it, which can take as long as the database hangs
            task.cancel()
            errands.adopt(task)
            raise
