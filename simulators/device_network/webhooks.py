"""Sends device logs to the portal's webhook: signed, at least once, retried until taken.

`X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; the body is `{"logs": […]}`
with the logs of one device. What is waiting stands in the state file, so a restart loses nothing.
"""

import asyncio
import contextlib
import hashlib
import hmac
import ssl
import time
from functools import cache
from itertools import groupby
from sqlite3 import Row

import httpx
import orjson
import structlog

from simulators.device_network.network import DeviceNetwork, log_of

_LIMIT = 200
_MOST_LOGS = 100
_MOST_BYTES = 60_000
"""What one request holds: the portal takes at most 100 logs and 64 KB."""
_LONGEST_WAIT = 5.0

log = structlog.get_logger()


def sign(secret: str, at: int, body: bytes) -> str:
    """The signature header for a body sent at `at` (unix seconds)."""
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


@cache
def trusted() -> ssl.SSLContext:
    """Whose certificates the stand-ins trust: to read them takes as long as a hundred calls."""
    return httpx.create_ssl_context()


class Webhooks:
    """The delivery loop; `run` it as long as the simulator lives."""

    def __init__(
        self,
        network: DeviceNetwork,
        url: str | None,
        secret: str,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._network = network
        self._url = url
        self._secret = secret
        self._transport = transport
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """There may be something to send earlier than was thought."""
        self._woken.set()

    async def run(self) -> None:
        """Send whatever is due, for ever; a fault in one round is logged and the next one goes on."""
        async with httpx.AsyncClient(
            transport=self._transport, verify=trusted(), timeout=5.0
        ) as client:
            while True:
                self._woken.clear()
                try:
                    await self.send_due(client)
                    wait = self._seconds_to_next()
                except Exception:  # the loop must outlive any fault of one round
                    log.exception("delivery_round_failed")
                    wait = 1.0
                # `wait_for` loses a cancellation that comes with the wake (Python 3.11).
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._woken.wait()

    async def send_due(self, client: httpx.AsyncClient) -> None:
        """One round: for each device its logs in the order in which they came out, in requests of bounded size."""
        self._network.advance()
        if self._url is None or not self._network.knobs().webhook:
            return
        with self._network.state.transaction() as db:
            rows = db.execute(
                "select * from log where applied = 1 and sent < copies and next_try <= ?"
                " order by device_key, due, seq limit ?",
                (time.time(), _LIMIT),
            ).fetchall()
        devices = [list(logs) for _, logs in groupby(rows, lambda row: row["device_key"])]
        await asyncio.gather(*(self._send_all(client, self._url, logs) for logs in devices))

    async def _send_all(self, client: httpx.AsyncClient, url: str, rows: list[Row]) -> None:
        for batch in _batches(rows):
            await self._send(client, url, batch)

    async def _send(self, client: httpx.AsyncClient, url: str, rows: list[Row]) -> None:
        body = _body(rows)
        signature = sign(self._secret, int(time.time()), body)
        headers = {"X-Signature": signature, "Content-Type": "application/json"}
        try:
            taken = (await client.post(url, content=body, headers=headers)).is_success
        except httpx.HTTPError:
            taken = False
        now = time.time()
        with self._network.state.transaction() as db:
            for row in rows:
                wait = min(0.2 * 2 ** min(row["tries"], 10), _LONGEST_WAIT)
                db.execute(
                    "update log set sent = sent + 1, next_try = ? where seq = ?"
                    if taken
                    else "update log set tries = tries + 1, next_try = ? where seq = ?",
                    (now if taken else now + wait, row["seq"]),
                )
        if not taken:
            log.info("delivery_postponed", device_key=rows[0]["device_key"], logs=len(rows))

    def _seconds_to_next(self) -> float | None:
        with self._network.state.transaction() as db:
            row = db.execute(
                "select min(at) from (select min(due) as at from log where applied = 0"
                " union all select min(next_try) from log where applied = 1 and sent < copies"
                " and ?)",
                (self._url is not None and self._network.knobs().webhook,),
            ).fetchone()
        return None if row[0] is None else max(0.0, row[0] - time.time())


def _body(rows: list[Row]) -> bytes:
    return orjson.dumps({"logs": [log_of(row) for row in rows]})


def _batches(rows: list[Row]) -> list[list[Row]]:
    """The rows in order, cut where a request would hold too many or grow too large."""
    batches: list[list[Row]] = [[]]
    size = 0
    for row in rows:
        length = len(_body([row]))
        if batches[-1] and (len(batches[-1]) == _MOST_LOGS or size + length > _MOST_BYTES):
            batches.append([])
            size = 0
        batches[-1].append(row)
        size += length
    return batches
