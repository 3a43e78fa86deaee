"""What a person may ask of a firmware run through the API."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.drivers.stage import a_device_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Caller, Flow, Whole, problem
from tests.operations.reconciler.rounds import came_of
from workflows import ids


async def updating(
    whole: Whole, caller: Caller, device_key: str, *, answer_seconds: float | None = None
) -> Flow:
    """An activation whose firmware run has just begun; the device takes `answer_seconds` from here on."""
    at = await caller.walk_to(await caller.started(device_key), "check-firmware")
    await whole.stage.control(device_key, answer_seconds=answer_seconds)
    assert (await caller.submit(at)).status_code == 200
    return await caller.until(at["id"], lambda flow: flow["view"]["facts"]["firmware"] is not None)


async def until_firmware(caller: Caller, flow: Flow, *states: str) -> Flow:
    return await caller.until(
        flow["id"],
        lambda f: (
            f["view"]["facts"]["firmware"] and f["view"]["facts"]["firmware"]["state"] in states
        ),
    )


async def until_handed_over(whole: Whole, device_key: str, effect: str) -> None:
    """A run shows that it sends before it sends: only the device network knows when it has."""
    await until(lambda: whole.stage.effects(device_key), lambda effects: effect in effects)


def in_days(days: float) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


async def test_an_update_that_fails_twice_ends_well(whole: Whole) -> None:
    key = a_device_key(traits="018")
    async with whole.signed_in() as installer:
        begun = await updating(whole, installer, key)
        at = await installer.until(begun["id"], lambda f: f["view"]["facts"]["firmware_checked"])
    (target,) = at["view"]["facts"]["firmware"]["targets"]
    assert (target["completed"], target["update_attempts"]) == (True, 3)


async def test_an_unwanted_update_is_cancelled_before_it_is_written(whole: Whole) -> None:
    key = a_device_key(traits="010")
    async with whole.signed_in() as installer:
        begun = await updating(whole, installer, key, answer_seconds=30)
        await until_firmware(installer, begun, "download_sent")
        answer = await installer.send(begun["id"], "firmware/cancel")
        assert answer.status_code == 200, answer.text
        assert (answer.json()["kind"], answer.json()["state"]) == ("firmware", "cancelled")
        told = await installer.until(begun["id"], lambda f: f["view"]["beside"] == "failed")
        assert told["state"] != "check-firmware"
        ended = await installer.send(begun["id"], "firmware/retry")
        assert problem(ended) == (410, "closed")
    assert "command:update_firmware" not in await whole.stage.effects(key)


async def test_a_deferred_update_waits_until_somebody_says_now(whole: Whole) -> None:
    key = a_device_key(traits="010")
    async with whole.signed_in() as installer:
        begun = await updating(whole, installer, key, answer_seconds=30)
        await until_firmware(installer, begun, "download_sent")
        deferred = await installer.send(begun["id"], "firmware/defer", until=in_days(1))
        assert (deferred.status_code, deferred.json()["state"]) == (200, "deferred")
        await whole.stage.control(key, answer_seconds=0)
        again = await installer.send(begun["id"], "firmware/retry")
        assert again.status_code == 200, again.text
        told = await came_of(whole.stage, "firmware", again.json()["id"])
        assert told["tried a firmware run again"] == "accepted"
        await installer.until(begun["id"], lambda f: f["view"]["facts"]["firmware_checked"])


async def test_an_update_that_is_being_written_cannot_be_cancelled(whole: Whole) -> None:
    key = a_device_key(traits="010")
    async with whole.signed_in() as installer:
        begun = await updating(whole, installer, key, answer_seconds=1)
        await until_handed_over(whole, key, "command:download_firmware")
        await whole.stage.control(key, answer_seconds=30)
        await until_handed_over(whole, key, "command:update_firmware")
        refused = await installer.send(begun["id"], "firmware/cancel")
        assert problem(refused) == (409, "not_cancellable")
        await whole.stage.control(key, answer_seconds=0)
        await installer.until(begun["id"], lambda f: f["view"]["facts"]["firmware_checked"])


async def test_a_time_to_defer_to_lies_in_the_next_seven_days(whole: Whole) -> None:
    key = a_device_key(traits="010")
    async with whole.signed_in() as installer:
        begun = await updating(whole, installer, key, answer_seconds=30)
        for until in (
            in_days(-1),
            in_days(8),
            "0001-01-01T00:00:00+14:00",
            "2030-01-01T00:00:00",
            "soon",
        ):
            answer = await installer.send(begun["id"], "firmware/defer", until=until)
            assert problem(answer) == (422, "invalid"), until
            assert [f["field"] for f in answer.json()["validation_errors"]] == ["until"]
            assert until not in answer.text
        await installer.send(begun["id"], "firmware/cancel")


async def test_the_tests_wait_for_the_update_or_for_a_reason_to_go_on_without_it(
    whole: Whole,
) -> None:
    key = a_device_key(traits="010")
    await whole.stage.control(key, controller=None)
    async with whole.signed_in() as installer:
        begun = await updating(whole, installer, key, answer_seconds=600)
        at = await installer.walk_to(begun, "device-testing")
        assert at["view"]["beside"] == "under_way"
        passes = {"step": "check-firmware", "seq": at["seq"], "reason": "the owner cannot wait"}
        assert problem(await installer.submit(at)) == (409, "firmware_under_way")
        refused = await installer.send(begun["id"], "commands", seq=at["seq"], command="arm")
        assert problem(refused) == (409, "firmware_under_way")
        assert problem(await installer.send(begun["id"], "skip", **passes)) == (
            409,
            "not_skippable",
        )
        await installer.send(begun["id"], "firmware/cancel")
        at = await installer.until(begun["id"], lambda f: f["view"]["beside"] == "failed")
        assert (await installer.send(begun["id"], "skip", **passes)).status_code == 200
        at = await installer.until(begun["id"], lambda f: f["view"]["beside"] is None)
        assert at["state"] == "device-testing"
        assert at["view"]["skipped"] == {"check-firmware": "the owner cannot wait"}
        assert (await installer.submit(at)).status_code == 200


@pytest.mark.parametrize("asked", ["retry", "cancel"])
async def test_a_request_to_a_firmware_run_that_is_gone_lets_the_activation_go_on_without_it(
    whole: Whole, asked: str
) -> None:
    key = a_device_key(traits="010")
    async with whole.signed_in() as installer:
        begun = await updating(whole, installer, key, answer_seconds=600)
        await until_firmware(installer, begun, "download_sent")
        await whole.stage.client.get_workflow_handle(ids.firmware_id(key)).terminate("by mistake")
        answer = await installer.send(begun["id"], f"firmware/{asked}")
        assert problem(answer) == (410, "closed")
        told = await installer.until(begun["id"], lambda f: f["view"]["beside"] == "failed")
        assert told["view"]["facts"]["firmware"]["state"] == "cancelled"
        assert told["view"]["facts"]["firmware"]["allowed"] == []


async def test_a_request_that_is_refused_while_the_update_goes_on_ends_nothing(
    whole: Whole,
) -> None:
    key = a_device_key(traits="010")
    async with whole.signed_in() as installer:
        begun = await updating(whole, installer, key, answer_seconds=600)
        await until_firmware(installer, begun, "download_sent")
        refused = await installer.send(begun["id"], "firmware/retry")
        assert problem(refused) == (409, "step_out_of_order")
        assert (await installer.look(begun["id"]))["view"]["beside"] == "under_way"
        await installer.send(begun["id"], "firmware/cancel")


async def test_an_abandoned_activation_is_taken_up_at_the_update_that_was_open(
    whole: Whole,
) -> None:
    key = a_device_key(traits="010")
    await whole.stage.control(key, controller=None)
    async with whole.signed_in() as installer:
        begun = await updating(whole, installer, key, answer_seconds=600)
        at = await installer.walk_to(begun, "device-testing")
        run_id = at["view"]["facts"]["firmware"]["run_id"]
        await installer.send(begun["id"], "abandon", seq=at["seq"])
        again = await installer.started(key)
        assert again["state"] == "check-firmware"
        assert (await installer.submit(again)).status_code == 200
        joined = await installer.until(
            again["id"], lambda f: f["view"]["facts"]["firmware"] is not None
        )
        assert joined["view"]["facts"]["firmware"]["run_id"] == run_id
        await installer.send(again["id"], "firmware/cancel")


async def test_without_a_firmware_run_there_is_nothing_to_ask(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        for call, body in (("retry", {}), ("cancel", {}), ("defer", {"until": in_days(1)})):
            answer = await installer.send(begun["id"], f"firmware/{call}", **body)
            assert problem(answer) == (404, "not_found")
