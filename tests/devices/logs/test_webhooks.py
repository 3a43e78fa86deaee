"""What the device network tells us: signed, repeated, in any order (promise 6)."""

import asyncio
import hashlib
import hmac
import itertools
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import orjson
import pytest
from sqlalchemy import func, select

from db.devices.devices import DeviceLogRow
from settings import DEVELOPMENT_WEBHOOK_SECRET
from tests.drivers.factories import a_name
from tests.drivers.portal import a_browser
from tests.drivers.sampled import sampled
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Flow, Whole, problem

PATH = "/v1/webhooks/device"


def signed(
    body: bytes, *, at: float | None = None, secret: str = DEVELOPMENT_WEBHOOK_SECRET
) -> str:
    sent = int(time.time() if at is None else at)
    digest = hmac.new(secret.encode(), f"{sent}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={sent},v1={digest}"


def a_log(device_key: str | None = None, **given: Any) -> dict[str, Any]:
    return {
        "id": f"log_{a_name()}",
        "device_key": device_key or a_device_key(),
        "type": "report",
        "timestamp": datetime.now(UTC).isoformat(),
        **given,
    }


async def send(
    whole: Whole, *logs: dict[str, Any], body: bytes | None = None, signature: str | None = None
) -> httpx.Response:
    content = body if body is not None else orjson.dumps({"logs": logs})
    async with a_browser(whole.app) as network:
        return await network.post(
            PATH,
            content=content,
            headers={
                "Content-Type": "application/json",
                "X-Signature": signed(content) if signature is None else signature,
            },
        )


async def stored(whole: Whole, *logs: dict[str, Any]) -> int:
    async with whole.sessions() as session:
        ids = [log["id"] for log in logs]
        query = select(func.count()).where(DeviceLogRow.id.in_(ids))
        return int(await session.scalar(query) or 0)


async def test_a_signed_log_is_kept_before_the_answer(whole: Whole) -> None:
    log = a_log()
    answer = await send(whole, log)
    assert (answer.status_code, answer.json()) == (202, {"stored": 1})
    assert await stored(whole, log) == 1


async def test_a_repeated_log_is_kept_once(whole: Whole) -> None:
    one, other = a_log(), a_log()
    answers = [await send(whole, one, one), await send(whole, other, one)]
    assert [answer.json() for answer in answers] == [{"stored": 1}, {"stored": 1}]
    assert await stored(whole, one, other) == 2


FORGERIES: dict[str, Callable[[bytes], str]] = {
    "none": lambda body: "",
    "nonsense": lambda body: "nonsense",
    "another secret": lambda body: signed(body, secret="another"),
    "another body": lambda body: signed(body + b" "),
    "too old": lambda body: signed(body, at=time.time() - 3600),
    "from the future": lambda body: signed(body, at=time.time() + 3600),
    "another time": lambda body: signed(body).replace("t=", "t=1"),
    "in capitals": lambda body: signed(body).upper(),
    "two of them": lambda body: signed(body) + ",v1=" + "0" * 64,
    "a time of twenty digits": lambda body: "t=" + "9" * 20 + ",v1=" + "0" * 64,
}


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_a_forged_old_or_garbled_signature_keeps_nothing(whole: Whole, forgery: str) -> None:
    log = a_log()
    body = orjson.dumps({"logs": [log]})
    answer = await send(whole, body=body, signature=FORGERIES[forgery](body))
    assert problem(answer) == (401, "bad_signature")
    assert await stored(whole, log) == 0


async def test_a_replayed_delivery_changes_nothing(whole: Whole) -> None:
    log = a_log()
    body = orjson.dumps({"logs": [log]})
    signature = signed(body)
    await send(whole, body=body, signature=signature)
    again = await send(whole, body=body, signature=signature)
    assert (again.status_code, again.json()) == (202, {"stored": 0})
    assert await stored(whole, log) == 1


def one(**given: Any) -> bytes:
    return orjson.dumps({"logs": [a_log("FT-X1-00000001") | given]})


NO_BODIES: dict[str, tuple[bytes, int]] = {
    "over 64 KB": (b'{"logs": [' + b'"x",' * 40_000 + b'"x"]}', 413),
    "over 100 logs": (orjson.dumps({"logs": [a_log("FT-X1-00000001") for _ in range(101)]}), 400),
    "no JSON": (b"{", 400),
    "a NUL": (b'{"logs": [{"id": "a\\u0000b"}]}', 400),
    "too deep": (b'{"logs": ' + b"[" * 40 + b"]" * 40 + b"}", 400),
    "not a number": (b'{"logs": NaN}', 400),
    "no list": (b'{"logs": {}}', 422),
    "a list": (b"[]", 422),
    "a time out of range": (one(timestamp="0001-01-01T00:00:00+14:00"), 422),
    "a time without zone": (one(timestamp="2026-01-01T00:00:00"), 422),
    "a long id": (one(id="x" * 5000), 422),
    "an empty id": (one(id=""), 422),
    "a long device key": (one(device_key="x" * 5000), 422),
    "neither yes nor no": (one(ok="perhaps"), 422),
}


@pytest.mark.parametrize("kind", NO_BODIES)
async def test_a_body_that_is_none_is_refused(whole: Whole, kind: str) -> None:
    body, status = NO_BODIES[kind]
    answer = await send(whole, body=body)
    assert problem(answer)[0] == status


async def test_many_deliveries_of_the_same_logs_at_once_never_block_each_other(
    whole: Whole,
) -> None:
    logs = [a_log() for _ in range(50)]
    answers = await asyncio.gather(
        *(send(whole, *order) for order in (logs, logs[::-1]) for _ in range(5))
    )
    assert {answer.status_code for answer in answers} == {202}
    assert sum(answer.json()["stored"] for answer in answers) == len(logs)


def logs_about(flow: Flow) -> list[dict[str, Any]]:
    """What may come while the last command of an activation is waited for: its log, twice, and two others."""
    command = flow["view"]["facts"]["commands"][-1]
    device_key = flow["view"]["device"]["device_key"]
    requested = datetime.fromisoformat(command["requested_at"])
    soon = (requested + timedelta(seconds=1)).isoformat()
    old = (requested - timedelta(hours=1)).isoformat()
    confirming = a_log(
        device_key, type="command", command="arm", command_id=command["id"], timestamp=soon
    )
    return [
        confirming,
        dict(confirming),
        a_log(device_key, type="report", timestamp=soon),
        a_log(device_key, type="command", command="arm", timestamp=old),
    ]


async def test_every_order_of_four_logs_ends_the_same(whole: Whole) -> None:
    key, orders = a_device_key(), sampled(itertools.permutations(range(4)), 5)
    async with whole.signed_in() as installer:
        at = await installer.walk_to(await installer.started(key), "device-testing")
        await whole.stage.control(key, silent_commands=len(orders))
        for order in orders:
            sent = await installer.send(at["id"], "commands", seq=at["seq"], command="arm")
            assert sent.json()["state"] == "device-testing/waiting", sent.text
            logs = logs_about(sent.json())
            for number in order:
                assert (await send(whole, logs[number])).status_code == 202
            at = await installer.until(at["id"], lambda flow: flow["state"] == "device-testing")
            assert at["view"]["facts"]["commands"][-1]["state"] == "confirmed", order
            assert await stored(whole, *logs) == 3
