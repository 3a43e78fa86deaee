"""A worker that is stopped while a command is on its way to a car."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from temporalio import activity
from temporalio.client import Client

from db.base import Sessions
from dev.processes import Command
from domain.activation.activation import Policy, Resume
from domain.runs.projection import FlowAnswer
from providers.device_network.device_cloud import DeviceCloud
from tests.drivers.factories import a_name
from tests.drivers.stage import Run, a_device_key, a_stage
from workers.main import DRAIN
from workflows import calls

AT_TESTING = Resume(entry="device-testing")


def state_of_command(shown: FlowAnswer) -> str:
    return shown.view["facts"]["commands"][-1]["state"]


def is_settled(shown: FlowAnswer) -> bool:
    commands = shown.view["facts"]["commands"]
    return bool(commands) and commands[-1]["settled_at"] is not None


async def while_it_is_sent(run: Run, sent: asyncio.Event) -> asyncio.Task[Any]:
    """A command is being handed over: its worker may stop now."""
    asked = asyncio.create_task(run.act("arm"))
    await sent.wait()
    return asked


async def test_a_worker_that_stops_lets_a_command_come_to_its_end(
    temporal: Client,
    sessions: Sessions,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    queue, key, sent = f"drained-{a_name()}", a_device_key(), asyncio.Event()
    send = DeviceCloud.send_command

    async def send_as_it_stops(*args: Any, **named: Any) -> None:
        sent.set()
        await activity.wait_for_worker_shutdown()
        await send(*args, **named)

    monkeypatch.setattr(DeviceCloud, "send_command", send_as_it_stops)
    drain = timedelta(minutes=1)
    async with a_stage(
        temporal, sessions, database_url, queue, tmp_path, drain=drain, max_cached_workflows=0
    ) as stage:
        run = await stage.open(key, resume=AT_TESTING)
        asked = await while_it_is_sent(run, sent)
    async with a_stage(temporal, sessions, database_url, queue, tmp_path) as stage:
        shown = await stage.until(run.id, is_settled)
        assert state_of_command(shown) == "confirmed"
        assert (await stage.effects(key))["command:arm"] == 1
        await asked


async def test_a_command_that_a_stopping_worker_cancels_is_unknown_and_never_refused(
    temporal: Client,
    sessions: Sessions,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    queue, key, sent = f"cancelled-{a_name()}", a_device_key(), asyncio.Event()
    policy = Policy(command=timedelta(seconds=1))
    send = DeviceCloud.send_command

    async def send_without_an_answer(*args: Any, **named: Any) -> None:
        await send(*args, **named)
        sent.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(DeviceCloud, "send_command", send_without_an_answer)
    async with a_stage(
        temporal, sessions, database_url, queue, tmp_path, max_cached_workflows=0
    ) as stage:
        run = await stage.open(key, resume=AT_TESTING, policy=policy)
        await stage.control(key, silent_commands=1)
        asked = await while_it_is_sent(run, sent)
    async with a_stage(temporal, sessions, database_url, queue, tmp_path) as stage:
        shown = await stage.until(run.id, is_settled)
        assert state_of_command(shown) == "unknown"
        assert shown.state == "device-testing"
        assert (await stage.effects(key))["command:arm"] == 1
        await asked


def test_a_worker_drains_for_as_long_as_a_command_takes_and_ends_before_it_is_killed():
    longest: timedelta = calls.ACTING_COMMAND["start_to_close_timeout"]
    assert longest <= DRAIN < timedelta(seconds=Command.stop_seconds)
