"""Calls on a device under activation: one's own run judges them, a colleague's refuses them, a stranger's hides them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from db.runs import device_reservations
from db.runs.flows import FlowRow
from domain.activation.device_calls import FLASHING
from tests.devices.asking import Json, ask, done
from tests.drivers.factories import a_dealer, an_admin, an_installer
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole, iccid_of, problem


def calls(key: str) -> list[tuple[str, str, Json | None]]:
    """Each kind of call on a device."""
    body: Json = {"device_key": key}
    hardwired = {"hardwired_input": "Low", "hardwired_output": "Panic"}
    return [
        ("POST", "/api/iot/send-command", body | {"command": "location"}),
        ("PATCH", "/v1/device/activate/", body),
        ("PATCH", "/v1/device/install/", body | {"exit_service_mode": True}),
        ("POST", "/v1/device/welcome", body | {"email": "owner@people.example"}),
        ("PATCH", "/v1/device/hardwired-mode", body | hardwired),
        ("GET", f"/v1/device/{key}/check-firmware-update", None),
        ("PATCH", f"/v1/device/{key}/pin", {"pin": "4821", "is_secondary_pin": False}),
        ("DELETE", f"/v1/device/{key}/pin", {"master_pin": "4821"}),
        ("GET", f"/v1/device/{key}/option-tables", None),
        ("PATCH", f"/v1/device/{key}/option-tables", {"changes": {"dome_delay": 3}}),
        ("GET", f"/v1/device/{key}/special-option-tables", None),
        ("PATCH", f"/v1/device/{key}/special-option-tables", {"changes": {"comfort_close": 3}}),
        ("GET", f"/v1/device/{key}/features", None),
        ("PATCH", f"/v1/device/{key}/features", {"siren_enabled": True}),
        ("POST", f"/v1/device/link-installer/{key}", {"installer_id": "somebody"}),
        ("PATCH", "/v1/device/swap", {"old_device_key": key, "new_device_key": a_device_key()}),
    ]


async def test_a_colleague_is_refused_and_told_of_the_run(whole: Whole) -> None:
    dealer, key = await a_dealer(whole.sessions), a_device_key()
    first, second = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with whole.signed_in(first) as one:
        run = await one.started(key)
    async with whole.signed_in(second) as colleague:
        for method, path, json in calls(key):
            answer = await ask(colleague, method, path, json)
            assert problem(answer) == (409, "device_in_use"), path
            assert answer.json()["flow"]["id"] == run["id"]
    async with whole.signed_in(await an_admin(whole.sessions)) as admin:
        answer = await ask(admin, "GET", f"/v1/device/{key}/features")
        assert problem(answer) == (409, "device_in_use")
    assert await whole.stage.effects(key) == {}


async def test_a_stranger_finds_no_device_even_with_the_sim_digits(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as one:
        await one.started(key)
    async with whole.signed_in() as stranger:
        for method, path, json in calls(key):
            answer = await ask(stranger, method, path, json)
            assert problem(answer) == (404, "unknown_device"), path
            assert "flow" not in answer.json()
        body = {"device_key": key, "iccid_last_digits": iccid_of(key)}
        for call in ("device-check", "device-purchasing-check"):
            answer = await ask(stranger, "POST", f"/api/iot/{call}", body)
            assert problem(answer) == (404, "unknown_device")
    assert await whole.stage.effects(key) == {}


async def test_a_device_that_is_swapped_in_must_be_free_too(whole: Whole) -> None:
    old, new = a_device_key(traits="100"), a_device_key()
    async with whole.signed_in() as one, whole.signed_in() as other:
        await one.started(new)
        assert other.user is not None
        await whole.stage.control(old, owner_dealer_id=other.user.dealer_id)
        body = {"old_device_key": old, "new_device_key": new, "iccid_last_digits": iccid_of(new)}
        answer = await ask(other, "PATCH", "/v1/device/swap", body)
    assert problem(answer) == (404, "unknown_device")
    assert await whole.stage.effects(old) == {}


async def test_under_ones_own_run_a_change_waits_for_its_step(whole: Whole) -> None:
    key = a_device_key(traits="050")
    await whole.stage.control(key, controller="CM7300")
    async with whole.signed_in() as one:
        at = await one.started(key)
        for method, path, json in calls(key):
            answer = await ask(one, method, path, json)
            if method == "GET" or path == "/api/iot/send-command":
                assert answer.status_code == 200, answer.text
            else:
                assert problem(answer) == (409, "step_out_of_order"), path
                assert answer.json()["flow"]["state"] == at["state"]
        arm = {"device_key": key, "command": "arm"}
        answer = await ask(one, "POST", "/api/iot/send-command", arm)
        assert problem(answer) == (409, "step_out_of_order")
        await one.walk_to(await one.look(at["id"]), "device-testing")
        assert (await done(one, "POST", "/api/iot/send-command", arm))["status"] == "sent"


async def test_under_ones_own_run_nothing_is_changed_while_an_effect_runs(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as one:
        at = await one.walk_to(await one.started(key), "device-testing")
        await whole.stage.control(key, silent_commands=1)
        sent = await one.send(at["id"], "commands", seq=at["seq"], command="arm")
        assert sent.json()["state"] == "device-testing/waiting", sent.text
        body = {"device_key": key, "command": "location"}
        answer = await ask(one, "POST", "/api/iot/send-command", body)
        assert problem(answer) == (409, "command_in_progress")
        assert answer.json()["flow"]["state"] == "device-testing/waiting"
        assert len(await done(one, "GET", f"/v1/device/{key}/features")) == 8
    assert (await whole.stage.effects(key)).get("command:arm") == 1


async def test_a_guest_accesses_the_device_of_their_own_run_and_no_other(whole: Whole) -> None:
    key, other = a_device_key(), a_device_key()
    async with whole.anonymous() as visitor:
        started = await visitor.started(key, iccid_last_digits=iccid_of(key))
        body = {"device_key": key, "iccid_last_digits": iccid_of(key), "command": "location"}
        answer = await ask(visitor, "POST", "/api/iot/send-command", body)
        assert problem(answer) == (401, "unauthenticated")
    async with whole.anonymous(started["resume_token"]) as guest:
        assert (await done(guest, "POST", "/api/iot/send-command", body))["status"] == "sent"
        assert len(await done(guest, "GET", f"/v1/device/{key}/features")) == 8
        await whole.stage.control(other, owner_dealer_id="somebody")
        digits = iccid_of(other)
        answer = await ask(guest, "GET", f"/v1/device/{other}/features", iccid_last_digits=digits)
        assert problem(answer) == (404, "unknown_device")


@pytest.mark.parametrize("state", sorted(FLASHING))
async def test_nothing_is_changed_while_firmware_is_written(whole: Whole, state: str) -> None:
    key = a_device_key()
    async with whole.signed_in() as one:
        assert one.user is not None
        await whole.stage.control(key, owner_dealer_id=one.user.dealer_id)
        await a_firmware_run(whole, one, key, state)
        body = {"device_key": key, "command": "location"}
        answer = await ask(one, "POST", "/api/iot/send-command", body)
        assert problem(answer) == (409, "command_in_progress")
        assert answer.json()["flow"]["state"] == state
        assert len(await done(one, "GET", f"/v1/device/{key}/features")) == 8


async def a_firmware_run(whole: Whole, caller: Caller, key: str, state: str) -> None:
    """A run of the caller's dealer that holds the device, as its projection shows it."""
    now = datetime.now(UTC)
    user = caller.user
    assert user is not None
    more: dict[str, Any] = {"dealer_id": user.dealer_id, "owner_id": user.id, "partner": None}
    async with whole.sessions.begin() as session:
        session.add(
            FlowRow(
                id=f"fw-{key}",
                kind="firmware",
                version=1,
                workflow_id=f"fw-{key}",
                run_id=key,
                rev=1,
                seq=1,
                state=state,
                allowed=[],
                view={"run_id": key, "state": state, "since": now.isoformat()},
                device_key=key,
                site="ca",
                outcome=None,
                created_at=now,
                updated_at=now,
                ended_at=None,
                **more,
            )
        )
        await device_reservations.reserve(
            session, device_key=key, kind="firmware", flow_id=f"fw-{key}", workflow_id=f"fw-{key}"
        )
