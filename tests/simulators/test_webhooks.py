"""Logs on their way to the portal: signed, at least once, retried, kept over a restart."""

import hashlib
import hmac
import time
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response

from tests.drivers.until import until
from tests.simulators.harness import a_key, a_world

URL = "http://portal/v1/webhooks/device"


class Receiver:
    """A portal that takes logs when it is up, and remembers what it was sent."""

    def __init__(self) -> None:
        self.up = True
        self.refused = 0
        self.logs: list[dict[str, Any]] = []
        self.requests: list[tuple[str, bytes]] = []
        self.app = FastAPI()
        self.app.add_api_route("/v1/webhooks/device", self.take, methods=["POST"])

    async def take(self, request: Request) -> Response:
        if not self.up:
            self.refused += 1
            return Response(status_code=503)
        body = await request.body()
        self.requests.append((request.headers["X-Signature"], body))
        self.logs += orjson.loads(body)["logs"]
        return Response(status_code=202)

    async def commands(self) -> list[str | None]:
        return [log["command"] for log in self.logs]


async def test_log_arrives_signed_over_time_and_raw_body(tmp_path: Path):
    receiver, key = Receiver(), a_key()
    async with a_world(tmp_path / "s.sqlite", webhook_url=URL, receiver=receiver.app) as world:
        await world.cloud.send_command(key, "location", command_id="c1")
        await until(receiver.commands, lambda commands: commands == ["location"])
        (polled,) = await world.logs(key)
    ((signature, body),) = receiver.requests
    at, digest = (part.split("=")[1] for part in signature.split(","))
    expected = hmac.new(b"shared-secret", f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(digest, expected)
    assert abs(time.time() - int(at)) < 5
    assert receiver.logs[0]["id"] == polled.id
    assert receiver.logs[0]["device_key"] == key
    assert "latitude" in receiver.logs[0]["reading"]


async def test_log_is_sent_again_until_the_portal_takes_it(tmp_path: Path):
    receiver, key = Receiver(), a_key()
    receiver.up = False
    async with a_world(tmp_path / "s.sqlite", webhook_url=URL, receiver=receiver.app) as world:
        await world.cloud.send_command(key, "location", command_id="c1")

        async def refused() -> int:
            return receiver.refused

        await until(refused, lambda times: times >= 2)
        receiver.up = True
        await until(receiver.commands, lambda commands: commands == ["location"])


async def test_log_that_waits_at_the_end_is_sent_after_the_restart(tmp_path: Path):
    receiver, key = Receiver(), a_key()
    async with a_world(tmp_path / "s.sqlite", webhook_url=URL, receiver=receiver.app) as world:
        await world.control(webhook=False)
        await world.cloud.send_command(key, "location", command_id="c1")
        await world.logs(key)
    assert receiver.logs == []
    async with a_world(tmp_path / "s.sqlite", webhook_url=URL, receiver=receiver.app) as world:
        await world.control(webhook=True)
        await until(receiver.commands, lambda commands: commands == ["location"])


async def test_log_that_is_due_later_comes_after_the_restart(tmp_path: Path):
    receiver, key = Receiver(), a_key()
    async with a_world(tmp_path / "s.sqlite", latency=(0.4, 0.4)) as world:
        await world.cloud.send_command(key, "arm", command_id="c1")
        assert list(await world.logs(key, at_least=0)) == []
    async with a_world(tmp_path / "s.sqlite", webhook_url=URL, receiver=receiver.app):
        await until(receiver.commands, lambda commands: commands == ["arm"])


async def test_each_log_can_be_delivered_twice(tmp_path: Path):
    receiver, key = Receiver(), a_key("004")
    async with a_world(tmp_path / "s.sqlite", webhook_url=URL, receiver=receiver.app) as world:
        await world.cloud.send_command(key, "location", command_id="c1")
        await until(receiver.commands, lambda commands: commands == ["location", "location"])
    assert len({log["id"] for log in receiver.logs}) == 1


async def test_newer_log_can_be_delivered_first(tmp_path: Path):
    receiver, key = Receiver(), a_key("005")
    async with a_world(tmp_path / "s.sqlite", webhook_url=URL, receiver=receiver.app) as world:
        await world.cloud.send_command(key, "location", command_id="c1")
        await until(receiver.commands, lambda commands: commands == ["location", None])
    newer, older = receiver.logs
    assert older["timestamp"] < newer["timestamp"]


async def test_a_backlog_comes_in_requests_that_the_portal_takes(tmp_path: Path):
    receiver, key = Receiver(), a_key()
    async with a_world(tmp_path / "s.sqlite", webhook_url=URL, receiver=receiver.app) as world:
        await world.control(webhook=False)
        for number in range(150):
            await world.cloud.send_command(key, "device_report", command_id=f"c{number}")
        await world.control(webhook=True)
        await until(receiver.commands, lambda commands: len(commands) == 150)
    assert len({log["id"] for log in receiver.logs}) == 150
    sizes = [(len(orjson.loads(body)["logs"]), len(body)) for _, body in receiver.requests]
    assert all(logs <= 100 and length <= 64 * 1024 for logs, length in sizes), sizes
