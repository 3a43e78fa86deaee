"""Pins, toggles, options and rewards through the calls."""

import json
import uuid
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import select

from db.operations.audit import AuditRow
from db.platform.idempotency import IdempotencyRow
from db.platform.sealed_secrets import SealedSecretRow
from domain.devices.keylocker import PinSlot
from tests.drivers.factories import a_dealer, an_installer
from tests.drivers.portal import said
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Flow, Whole, iccid_of, problem

PIN = "73914682"


async def at_pins(caller: Caller, key: str) -> Flow:
    return await caller.walk_to(await caller.started(key), "keylocker-pin-codes")


async def secrets_of(whole: Whole, flow_id: str) -> int:
    async with whole.sessions() as session:
        rows = await session.scalars(
            select(SealedSecretRow.id).where(SealedSecretRow.flow_id == flow_id)
        )
    return len(rows.all())


def a_pin(flow: Flow, **more: Any) -> dict[str, Any]:
    return {"seq": flow["seq"], "slot": "master", "pin": PIN, "duration": 30, **more}


async def test_a_pin_is_set_and_nothing_keeps_it(whole: Whole) -> None:
    key = uuid.uuid4().hex
    async with whole.signed_in() as installer:
        at = await at_pins(installer, a_device_key(traits="050"))
        first = await installer.send_until_answered(at["id"], "pins", key=key, **a_pin(at))
        again = await installer.send_until_answered(at["id"], "pins", key=key, **a_pin(at))
        shown = await installer.until(
            at["id"], lambda flow: flow["view"]["facts"]["pins"]["master"]["success"]
        )
        assert first.status_code in (200, 202)
        assert again.json()["id"] == at["id"]
    assert PIN not in said(first) + json.dumps(shown)
    assert await secrets_of(whole, at["id"]) == 0
    assert (await whole.stage.effects(shown["view"]["device"]["device_key"]))["pin"] == 1
    async with whole.sessions() as session:
        audited = (
            await session.scalars(
                select(AuditRow).where(
                    AuditRow.object_id == at["id"], AuditRow.action == "changed a KeyLocker pin"
                )
            )
        ).all()
        kept = (
            await session.scalars(select(IdempotencyRow).where(IdempotencyRow.key == key))
        ).one()
    assert [row.more for row in audited] == [{"slot": "master", "duration": 30}]
    assert PIN not in json.dumps(kept.answer)


async def test_without_a_pin_the_default_one_is_set(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with whole.signed_in() as installer:
        at = await at_pins(installer, a_device_key(traits="050"))
        body = {"seq": at["seq"], "slot": "master", "duration": 30}
        none = await installer.send(at["id"], "pins", key=uuid.uuid4().hex, **body)
        assert problem(none) == (409, "no_default_pin")
        defaults: dict[PinSlot, SecretStr] = whole.app.state.portal.default_pins
        monkeypatch.setitem(defaults, PinSlot.MASTER, SecretStr(PIN))
        await installer.send_until_answered(at["id"], "pins", key=uuid.uuid4().hex, **body)
        shown = await installer.until(
            at["id"], lambda flow: flow["view"]["facts"]["pins"]["master"]["success"]
        )
    assert (await whole.stage.effects(shown["view"]["device"]["device_key"]))["pin"] == 1
    assert PIN not in json.dumps(shown)


async def test_the_secondary_pin_is_removed_by_the_master_pin(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        at = await at_pins(installer, a_device_key(traits="050"))
        for slot, pin in (("master", PIN), ("secondary", "48217355")):
            await installer.send_until_answered(
                at["id"], "pins", key=uuid.uuid4().hex, **a_pin(at, slot=slot, pin=pin)
            )
            at = await installer.until(
                at["id"],
                lambda flow, slot=slot: flow["view"]["facts"]["pins"][slot]["success"],
            )
        await installer.send_until_answered(
            at["id"], "pins/delete", key=uuid.uuid4().hex, seq=at["seq"], master_pin=PIN
        )
        await installer.until(
            at["id"], lambda flow: not flow["view"]["facts"]["pins"]["secondary"]["enabled"]
        )


async def test_a_pin_of_another_step_is_refused_and_forgotten(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        refused = await installer.send(begun["id"], "pins", **a_pin(begun))
    assert problem(refused) == (409, "step_out_of_order")
    assert await secrets_of(whole, begun["id"]) == 0


@pytest.mark.parametrize("pin", ["12a4", "123", "123456789", "١٢٣٤", ""])
async def test_a_pin_that_is_none_is_refused_without_being_shown(whole: Whole, pin: str) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        refused = await installer.send(begun["id"], "pins", **a_pin(begun, pin=pin))
    assert refused.status_code == 422
    assert [fault["field"] for fault in refused.json()["validation_errors"]] == ["pin"]
    assert not pin or pin not in said(refused)


async def test_pins_are_tried_so_often_and_no_more(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        answers = [await installer.send(begun["id"], "pins", **a_pin(begun)) for _ in range(11)]
    assert [answer.status_code for answer in answers] == [409] * 10 + [429]


async def test_options_are_read_with_their_schema_and_written(whole: Whole) -> None:
    key = a_device_key(traits="050")
    async with whole.signed_in() as installer:
        at = await installer.walk_to(await installer.started(key), "keylocker-option-tables")
        answer = await installer.browser.get(
            f"/v1/activations/{at['id']}/option-tables", params={"table": "keylocker"}
        )
        assert answer.status_code == 200, answer.text
        tables = answer.json()
        rows = [row for section in tables["sections"] for row in section["rows"]]
        row = next(r for r in rows if r["choices"] and not r["advanced"] and not r["special"])
        was = tables["values"][row["key"]]
        value = next(c["value"] for c in row["choices"] if c["value"] != was)
        written = await installer.submit(
            at, data={"changes": {row["key"]: value}, "digest": tables["digest"]}
        )
        assert written.status_code in (200, 202), written.text
        shown = await installer.until(at["id"], lambda flow: flow["state"] == "keylocker-pin-codes")
    assert shown["view"]["facts"]["tables"]["keylocker"]["changed"] == 1


async def test_an_activation_shows_no_options_but_its_own(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        answer = await installer.browser.get(
            f"/v1/activations/{begun['id']}/option-tables", params={"table": "poc-pic"}
        )
    assert problem(answer) == (409, "no_option_tables")


async def test_a_toggle_is_turned(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        at = await installer.walk_to(await installer.started(a_device_key()), "system-settings")
        feature, is_on = next(iter(at["view"]["facts"]["features"].items()))
        assert feature in at["view"]["toggles"]
        await installer.send_until_answered(
            at["id"],
            "features",
            key=uuid.uuid4().hex,
            seq=at["seq"],
            feature=feature,
            enabled=not is_on,
        )
        await installer.until(
            at["id"], lambda flow: flow["view"]["facts"]["features"][feature] is not is_on
        )


async def test_a_reward_is_shared_with_an_installer_of_the_same_dealer_alone(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    owner, colleague = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    stranger = await an_installer(whole.sessions, await a_dealer(whole.sessions))
    async with whole.signed_in(owner) as installer:
        at = await installer.walk_to(await installer.started(a_device_key()), "device-rewards")
        listed = await installer.browser.get(f"/v1/activations/{at['id']}/installers")
        assert listed.json() == [{"id": colleague.id, "name": colleague.name}]
        refused = await installer.submit(at, data={"involved_installer_id": stranger.id})
        assert problem(refused) == (422, "installer_not_yours")
        await installer.submit(at, data={"involved_installer_id": colleague.id})
        shown = await installer.until(
            at["id"], lambda flow: flow["view"]["facts"]["rewards"] is not None
        )
    assert shown["view"]["facts"]["rewards"] == {
        "installer_id": owner.id,
        "involved_installer_id": colleague.id,
    }


async def test_a_guest_replaces_a_device_by_one_that_is_in_hand(whole: Whole) -> None:
    old, new = a_device_key(traits="300"), a_device_key()
    async with whole.anonymous() as guest:
        begun = await guest.started(old, type="replace-device", iccid_last_digits=iccid_of(old))
    async with whole.anonymous(begun["resume_token"]) as guest:
        wrong = {"new_device_key": new, "iccid_last_digits": "99999"}
        assert problem(await guest.submit(begun, data=wrong)) == (404, "unknown_device")
        right = {"new_device_key": new, "iccid_last_digits": iccid_of(new)}
        answer = await guest.submit(begun, data=right)
        assert answer.status_code in (200, 202), answer.text
        shown = await guest.until(begun["id"], lambda flow: flow["state"] == "power-on-device")
    assert shown["view"]["device"]["device_key"] == new
    assert "device-rewards" not in shown["view"]["plan"]
