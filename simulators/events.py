"""Events that third parties tell the portal: signed, at least once, each again and again until it was taken.

`X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, or a header of the sender's own. What is waiting
stands in the state file, so a restart loses nothing. A sender without an address tells nobody.
"""

import asyncio
import contextlib
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from sqlite3 import Row
from typing import Any

import httpx
import orjson
import structlog

from simulators.device_network.webhooks import sign, trusted
from simulators.state import State

_LIMIT = 100
_LONGEST_WAIT = 5.0

log = structlog.get_logger()


@dataclass(frozen=True)
class Listener:
    """Where the events of one sender go, and the secret that signs them."""

    url: str
    secret: str
    header: str = "X-Signature"


class Events:
    """The delivery loop; `run` it as long as the simulators live."""

    def __init__(
        self,
        state: State,
        listeners: Mapping[str, Listener],
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`listeners` by the name of the sender."""
        self._state = state
        self._listeners = dict(listeners)
        self._transport = transport
        self._woken = asyncio.Event()

    def queue(
        self, sender: str, subject: str, body: dict[str, Any], *, after: float, copies: int = 1
    ) -> None:
        """In `after` seconds, `copies` times. `body` has an `id`; `subject` is what `forget` finds it by."""
        with self._state.transaction() as db:
            db.execute(
                "insert into told_event (id, sender, subject, body, due, copies)"
                " values (?, ?, ?, ?, ?, ?)",
                (
                    body["id"],
                    sender,
                    subject,
                    orjson.dumps(body).decode(),
                    time.time() + after,
                    copies,
                ),
            )
        self._woken.set()

    def forget(self, sender: str, subject: str) -> None:
        """What is not told yet never will be."""
        with self._state.transaction() as db:
            db.execute(
                "delete from told_event where sender = ? and subject = ? and sent = 0",
                (sender, subject),
            )

    def postpone(
        self, sender: str, subject: str, *, after: float, types: Collection[str] = ()
    ) -> None:
        """What is not told yet, of these types if any are named, is told so many seconds from now."""
        with self._state.transaction() as db:
            db.execute(
                "update told_event set due = ?1 where sender = ?2 and subject = ?3 and sent = 0"
                " and (?4 = '[]' or json_extract(body, '$.type') in (select value from json_each(?4)))",
                (time.time() + after, sender, subject, orjson.dumps(list(types)).decode()),
            )
        self._woken.set()

    def wake(self) -> None:
        """There may be something to tell earlier than was thought."""
        self._woken.set()

    async def run(self) -> None:
        """Tells whatever is due, for ever; a fault in one round is logged and the next one goes on."""
        async with httpx.AsyncClient(
            transport=self._transport, verify=trusted(), timeout=5.0
        ) as client:
            while True:
                self._woken.clear()
                try:
                    await self.send_due(client)
                    wait = self._seconds_to_next()
                except Exception:  # the loop must outlive any fault of one round
                    log.exception("telling_round_failed")
                    wait = 1.0
                # `wait_for` loses a cancellation that comes with the wake (Python 3.11).
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._woken.wait()

    async def send_due(self, client: httpx.AsyncClient) -> None:
        """One round, the events in the order in which they are due."""
        if not self._listeners:
            return
        with self._state.transaction() as db:
            rows = db.execute(
                "select * from told_event where sent < copies and due <= ? order by due, seq"
                " limit ?",
                (time.time(), _LIMIT),
            ).fetchall()
        for row in rows:
            listener = self._listeners.get(row["sender"])
            await self._send(client, listener, row)

    async def _send(self, client: httpx.AsyncClient, listener: Listener | None, row: Row) -> None:
        taken = listener is None or await _sent(client, listener, str(row["body"]).encode())
        wait = min(0.2 * 2 ** min(row["tries"], 10), _LONGEST_WAIT)
        with self._state.transaction() as db:
            db.execute(
                "update told_event set sent = sent + 1 where seq = ?1"
                if taken
                else "update told_event set tries = tries + 1, due = ?2 where seq = ?1",
                (row["seq"],) if taken else (row["seq"], time.time() + wait),
            )
        if not taken:
            log.info("telling_postponed", sender=row["sender"], subject=row["subject"])

    def _seconds_to_next(self) -> float | None:
        with self._state.transaction() as db:
            row = db.execute("select min(due) from told_event where sent < copies").fetchone()
        return None if row[0] is None or not self._listeners else max(0.0, row[0] - time.time())


async def _sent(client: httpx.AsyncClient, listener: Listener, body: bytes) -> bool:
    headers = {
        listener.header: sign(listener.secret, int(time.time()), body),
        "Content-Type": "application/json",
    }
    try:
        return (await client.post(listener.url, content=body, headers=headers)).is_success
    except httpx.HTTPError:
        return False
