"""The configuring steps on a real worker, a real server and the stand-in for the device network."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from db.devices.option_writes import OptionWriteRow
from db.platform.sealed_secrets import SealedSecretRow
from db.runs import device_reservations
from domain.activation.activation import (
    Abandon,
    ChangeDevice,
    FeatureAct,
    PinAct,
    PinRemoval,
    Reset,
)
from domain.activation.configuring import ReplaceForm, RewardsForm, TablesForm, WiresForm
from domain.devices.activation_type import ActivationType
from domain.devices.devices import Family
from domain.devices.keylocker import PinSlot
from domain.devices.option_tables import OptionTable
from domain.devices.toggles import Toggle
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import Unavailable
from tests.activation.configuring.forms import PIN, a_change, sealed, standing_at
from tests.drivers.factories import an_owner
from tests.drivers.histories import written
from tests.drivers.rewards import a_reward, rewards_with
from tests.drivers.stage import Run, Stage, a_device_key
from workflows import ids

SERVICE, REPLACE = ActivationType.SERVICE_DEVICE, ActivationType.REPLACE_DEVICE


async def facts(run: Run) -> dict[str, Any]:
    shown = await run.until(lambda flow: True)
    return shown.view["facts"]


async def fault(run: Run) -> dict[str, Any]:
    """Why the latest effect did not work."""
    return (await run.until(lambda flow: flow.view["error"] is not None)).view["error"]


async def written_tables(stage: Stage, run: Run) -> set[str]:
    query = select(OptionWriteRow.option_table).where(OptionWriteRow.flow_id == run.id)
    async with stage.sessions() as session:
        return set((await session.scalars(query)).all())


async def holder(stage: Stage, device_key: str) -> str | None:
    async with stage.sessions() as session:
        row = await device_reservations.holder_of(session, device_key, "activation")
    return row.flow_id if row else None


@pytest.mark.parametrize(
    ("product", "traits", "kind", "installed"),
    [
        ("FT-X1MAX", "050", ActivationType.NEW_DEVICE, 1),
        ("DR5400", "250", SERVICE, 1),
        ("FT-X2", "000", ActivationType.VERIZON_SIM, 1),
        ("FT-XC", "100", ActivationType.PURCHASE_SUBSCRIPTION, 0),
    ],
)
async def test_an_activation_of_version_2_comes_to_its_end(
    stage: Stage, product: str, traits: str, kind: ActivationType, installed: int
):
    key = a_device_key(product, traits=traits)
    run = await stage.open(key, kind=kind, version=2, advanced=True)
    ended = await run.walk_to("completed", within=60)
    assert ended.view["outcome"] == "completed"
    assert (await stage.effects(key)).get("install", 0) == installed


async def test_a_paused_device_is_replaced_and_the_new_one_activated(stage: Stage):
    old, new = a_device_key(traits="370"), a_device_key()
    run = await stage.open(old, kind=REPLACE, version=2)
    assert run.reply.state == "replace-device"
    await run.submit(ReplaceForm(step="replace-device", new_device_key=new))
    shown = await run.at("power-on-device")
    assert shown.view["device"]["device_key"] == new
    assert shown.view["facts"]["replaced"] == {
        "old_device_key": old,
        "new_device_key": new,
        "verified": False,
    }
    assert shown.view["facts"]["vehicle"]["model"] == "Camry"
    assert (await holder(stage, old), await holder(stage, new)) == (None, run.id)
    described = (await run.handle.describe()).typed_search_attributes
    assert (described[ids.DEVICE_KEY], described[ids.PRODUCT_FAMILY]) == (new, Family.X1)
    ended = await run.walk_to("completed", within=60)
    assert ended.view["facts"]["replaced"]["verified"]
    assert (await stage.effects(new))["install"] == 1
    assert "install" not in await stage.effects(old)


async def test_a_lost_answer_swaps_once(stage: Stage):
    await stage.turn(lost_reply_seconds=0.1)
    old, new = a_device_key(traits="303"), a_device_key()
    run = await stage.open(old, kind=REPLACE, version=2)
    reply = await run.submit(ReplaceForm(step="replace-device", new_device_key=new))
    assert reply.state == "power-on-device"
    effects = [await stage.effects(key) for key in (old, new)]
    assert sum(found.get("swap", 0) for found in effects) == 1


async def test_what_the_old_device_earned_lately_goes_back_with_the_swap(stage: Stage):
    old, new, owner = a_device_key(traits="300"), a_device_key(), await an_owner(stage.sessions)
    before = datetime.now(UTC) - timedelta(days=29)
    earned = await a_reward(stage.sessions, owner, before, device_key=old)
    await a_reward(stage.sessions, owner, before - timedelta(days=2), device_key=old)
    run = await stage.open(old, kind=REPLACE, version=2)
    await run.submit(ReplaceForm(step="replace-device", new_device_key=new))
    assert (await rewards_with(stage.sessions, old))[2:] == [(earned, "taken_back", -5)]


async def test_a_swap_that_is_named_again_takes_nothing_back_that_was_earned_since(stage: Stage):
    old, new, owner = a_device_key(traits="300"), a_device_key(), await an_owner(stage.sessions)
    run = await stage.open(old, kind=REPLACE, version=2)
    form = ReplaceForm(step="replace-device", new_device_key=new)
    await run.submit(form)
    earned = await a_reward(stage.sessions, owner, datetime.now(UTC), device_key=old)
    await run.send(Reset(actor=run.person, seq=run.reply.seq))
    await run.submit(form)
    assert run.reply.state == "power-on-device"
    assert await rewards_with(stage.sessions, old) == [(earned, "earned", 5)]


async def test_a_refused_swap_leaves_both_devices_as_they_were(stage: Stage):
    old, new = a_device_key(traits="300"), a_device_key()
    await stage.control(new, refuse_swap=True)
    run = await stage.open(old, kind=REPLACE, version=2)
    reply = await run.submit(ReplaceForm(step="replace-device", new_device_key=new))
    assert (reply.state, reply.error and reply.error.code) == ("replace-device", "not_swappable")
    assert (await holder(stage, old), await holder(stage, new)) == (run.id, None)
    better = a_device_key()
    reply = await run.submit(ReplaceForm(step="replace-device", new_device_key=better))
    assert reply.state == "power-on-device"


@pytest.mark.parametrize("took_place", [False, True])
async def test_a_device_whose_swap_got_no_answer_is_free_once_another_is_named_unless_it_took_place(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, took_place: bool
):
    old, silent, other = a_device_key(traits="300"), a_device_key(), a_device_key()
    swap = DeviceCloud.swap

    async def swap_unanswered(cloud: DeviceCloud, of: str, by: str, *, key: str) -> None:
        if by != silent or took_place:
            await swap(cloud, of, by, key=key)
        if by == silent:
            raise Unavailable(system="device network", may_have_worked=True)

    monkeypatch.setattr(DeviceCloud, "swap", swap_unanswered)
    run = await stage.open(old, kind=REPLACE, version=2)
    await run.submit(ReplaceForm(step="replace-device", new_device_key=silent))
    assert run.reply.state == "replace-device"
    assert await holder(stage, silent) == run.id
    await run.submit(ReplaceForm(step="replace-device", new_device_key=other))
    assert await holder(stage, silent) == (run.id if took_place else None)
    assert run.reply.state == ("replace-device" if took_place else "power-on-device")


async def test_a_device_that_somebody_activates_replaces_nothing(stage: Stage):
    theirs = a_device_key()
    other = await stage.open(theirs)
    run = await stage.open(a_device_key(traits="300"), kind=REPLACE, version=2)
    await run.submit(ReplaceForm(step="replace-device", new_device_key=theirs))
    assert (await fault(run))["code"] == "device_in_use"
    assert await holder(stage, theirs) == other.id


async def test_another_dealers_device_replaces_nothing(stage: Stage):
    foreign = a_device_key()
    await stage.control(foreign, owner_dealer_id="dealer-of-others")
    run = await stage.open(a_device_key(traits="300"), kind=REPLACE, version=2)
    await run.submit(ReplaceForm(step="replace-device", new_device_key=foreign))
    assert (await fault(run))["code"] == "unknown_device"


async def test_a_replacement_that_is_left_half_way_is_marked(stage: Stage):
    run = await stage.open(a_device_key(traits="300"), kind=REPLACE, version=2)
    await run.submit(ReplaceForm(step="replace-device", new_device_key=a_device_key()))
    await run.send(Abandon(actor=run.person, seq=run.reply.seq, reason="no time"))
    ended = await run.at("abandoned")
    assert ended.view["outcome"] == "needs_attention"


async def test_changed_options_are_written(stage: Stage):
    key = a_device_key(traits="050")
    run = await standing_at(stage, "keylocker-option-tables", key)
    form = await a_change(stage, key, "keylocker-option-tables")
    await run.submit(form)
    assert run.reply.state == "keylocker-pin-codes"
    assert (await facts(run))["tables"]["keylocker"]["changed"] == 1
    now = await stage.systems.device_cloud.option_tables(key, OptionTable.KEYLOCKER)
    assert form.changes.items() <= now.values.items()
    async with stage.sessions() as session:
        written = await session.get(OptionWriteRow, (run.id, "keylocker"))
    assert written is not None
    assert written.changes == form.changes


async def test_what_was_written_to_a_device_that_is_taken_out_counts_no_more(stage: Stage):
    first, second = a_device_key("FT-X1MAX"), a_device_key("FT-X1MAX")
    for key in (first, second):
        await stage.control(key, controller="CM900S")
    run = await stage.open(a_device_key("FT-X1MAX", traits="350"), kind=REPLACE, version=3)
    await run.submit(ReplaceForm(step="replace-device", new_device_key=first))
    for step in ("controller-option-tables", "keylocker-option-tables"):
        await run.walk_to(step)
        await run.submit(await a_change(stage, first, step))
    assert await written_tables(stage, run) == {"controller", "keylocker"}
    await run.send(Reset(actor=run.person, seq=run.reply.seq))
    await run.submit(ReplaceForm(step="replace-device", new_device_key=first))
    assert await written_tables(stage, run) == {"controller", "keylocker"}
    await run.send(Reset(actor=run.person, seq=run.reply.seq))
    await run.submit(ReplaceForm(step="replace-device", new_device_key=second))
    assert run.reply.state == "power-on-device"
    assert await written_tables(stage, run) == {"keylocker"}


async def test_what_was_written_to_a_device_that_was_changed_counts_no_more(stage: Stage):
    key, other = a_device_key(), a_device_key()
    await stage.control(key, controller="CM900S")
    run = await standing_at(stage, "controller-option-tables", key)
    await run.submit(await a_change(stage, key, "controller-option-tables"))
    assert await written_tables(stage, run) == {"controller"}
    await run.send(ChangeDevice(actor=run.person, seq=run.reply.seq, device_key=other))
    assert await written_tables(stage, run) == set()


async def test_a_single_refusal_for_special_rows_is_mastered_by_asking(stage: Stage):
    key = a_device_key(traits="050")
    await stage.control(key, special_refusals=1)
    run = await standing_at(stage, "keylocker-option-tables", key)
    await run.submit(await a_change(stage, key, "keylocker-option-tables"))
    assert (run.reply.state, run.reply.error) == ("keylocker-pin-codes", None)


async def test_special_rows_that_are_always_refused_leave_a_step_to_edit(stage: Stage):
    key = a_device_key(traits="050")
    await stage.control(key, special_refusals=3)
    run = await standing_at(stage, "keylocker-option-tables", key)
    form = await a_change(stage, key, "keylocker-option-tables")
    reply = await run.submit(form)
    assert reply.state == "keylocker-option-tables"
    assert (await fault(run))["code"] == "special_row_needs_query"
    assert (await facts(run))["requeries"] == 2
    await run.walk_to("keylocker-pin-codes")


async def test_what_the_schema_does_not_take_is_told_row_by_row(stage: Stage):
    key = a_device_key(traits="050")
    run = await standing_at(stage, "keylocker-option-tables", key)
    form = await a_change(stage, key, "keylocker-option-tables")
    row = next(iter(form.changes))
    wrong = form.model_copy(update={"changes": {row: 999, "no_such_row": 1}})
    reply = await run.submit(wrong)
    assert reply.error is not None
    assert reply.error.code == "option_invalid"
    assert {wrong.field for wrong in reply.error.fields} == {row, "no_such_row"}
    assert "option-tables-update" not in await stage.effects(key)


async def test_options_that_were_changed_elsewhere_are_looked_at_again(stage: Stage):
    key = a_device_key(traits="050")
    run = await standing_at(stage, "keylocker-option-tables", key)
    form = await a_change(stage, key, "keylocker-option-tables")
    await run.submit(form.model_copy(update={"digest": "of-yesterday"}))
    assert (await fault(run))["code"] == "options_changed"


async def test_advanced_options_need_the_advanced_flow(stage: Stage):
    key = a_device_key(traits="050")
    found = await stage.systems.device_cloud.option_tables(key, OptionTable.KEYLOCKER)
    row = next(row for row in found.rows.values() if row.advanced)
    value = next(choice.value for choice in row.choices if choice.value != found.values[row.key])
    form = TablesForm(step="keylocker-option-tables", changes={row.key: value}, digest=found.digest)
    run = await standing_at(stage, "keylocker-option-tables", key)
    reply = await run.submit(form)
    assert reply.error is not None
    assert [wrong.field for wrong in reply.error.fields] == [row.key]
    await run.send(Abandon(actor=run.person, seq=run.reply.seq))
    await run.handle.result()
    advanced = await standing_at(stage, "keylocker-option-tables", key, advanced=True)
    assert (await advanced.submit(form)).state == "keylocker-poc-pic"


async def is_stored(stage: Stage, secret_id: str) -> bool:
    async with stage.sessions() as session:
        return bool(
            await session.scalar(select(SealedSecretRow.id).where(SealedSecretRow.id == secret_id))
        )


async def set_pin(run: Run, slot: PinSlot, secret: str) -> dict[str, Any]:
    await run.send(
        PinAct(actor=run.person, seq=run.reply.seq, slot=slot, secret=secret, duration=30)
    )
    return (await facts(run))["pins"][slot]


async def test_both_pins_are_set_and_the_second_one_removed(stage: Stage):
    key = a_device_key(traits="050")
    run = await standing_at(stage, "keylocker-pin-codes", key)
    for slot, pin in ((PinSlot.MASTER, PIN), (PinSlot.SECONDARY, "4821")):
        secret = await sealed(stage, run, pin)
        row = await set_pin(run, slot, secret)
        assert (row["enabled"], row["success"], row["loading"]) == (True, True, False)
        assert not await is_stored(stage, secret)
    master = await sealed(stage, run)
    await run.send(PinRemoval(actor=run.person, seq=run.reply.seq, secret=master))
    row = (await facts(run))["pins"]["secondary"]
    assert (row["enabled"], row["success"]) == (False, True)
    effects = await stage.effects(key)
    assert (effects["pin"], effects["pin-delete"]) == (2, 1)
    history = written(await run.handle.fetch_history())
    assert key.encode() in history
    assert PIN.encode() not in history


async def test_a_refused_pin_is_forgotten_and_its_flag_flips_back(stage: Stage):
    key = a_device_key(traits="050")
    await stage.control(key, refuse_secondary_pin=True)
    run = await standing_at(stage, "keylocker-pin-codes", key)
    secret = await sealed(stage, run)
    row = await set_pin(run, PinSlot.SECONDARY, secret)
    assert (row["enabled"], row["failed"]) == (False, True)
    assert (await fault(run))["code"] == "pin_refused"
    assert not await is_stored(stage, secret)
    assert (await set_pin(run, PinSlot.MASTER, await sealed(stage, run)))["success"]


async def test_a_pin_that_is_not_there_any_more_is_asked_for_again(stage: Stage):
    run = await standing_at(stage, "keylocker-pin-codes", a_device_key(traits="050"))
    row = await set_pin(run, PinSlot.MASTER, "gone")
    assert row["failed"]
    assert (await fault(run))["code"] == "pin_gone"


async def test_a_pin_that_was_sealed_for_another_run_does_not_open(stage: Stage):
    run = await standing_at(stage, "keylocker-pin-codes", a_device_key(traits="050"))
    other = await standing_at(stage, "keylocker-pin-codes", a_device_key(traits="050"))
    await set_pin(run, PinSlot.MASTER, await sealed(stage, other))
    assert (await fault(run))["code"] == "pin_gone"


async def test_a_toggle_is_known_from_the_check_and_turned(stage: Stage):
    key = a_device_key()
    run = await standing_at(stage, "system-settings", key)
    before = (await facts(run))["features"]
    assert before is not None
    feature = Toggle(next(iter(before)))
    turned = not before[feature]
    await run.send(FeatureAct(actor=run.person, seq=run.reply.seq, feature=feature, enabled=turned))
    assert (await facts(run))["features"][feature] == turned
    assert (await stage.systems.device_cloud.features(key))[feature] == turned


async def test_a_refused_toggle_says_why(stage: Stage):
    key = a_device_key()
    await stage.control(key, refuse_features=True)
    run = await standing_at(stage, "system-settings", key)
    before = (await facts(run))["features"]
    feature = Toggle(next(iter(before)))
    await run.send(
        FeatureAct(
            actor=run.person, seq=run.reply.seq, feature=feature, enabled=not before[feature]
        )
    )
    assert (await fault(run))["code"] == "feature_refused"
    assert (await facts(run))["features"] == before


async def test_a_refused_hardwired_mode_can_be_skipped(stage: Stage):
    key = a_device_key("FT-X1MAX")
    await stage.control(key, refuse_hardwire=True)
    run = await standing_at(stage, "hardwire-x1max", key)
    form = WiresForm.model_validate({"step": "hardwire-x1max", "output": "Panic", "input": "Low"})
    await run.submit(form)
    assert (await fault(run))["code"] == "hardwire_refused"
    assert (await run.skip("no wires")).state == "device-testing"


async def test_a_configuration_command_is_confirmed_by_its_log(stage: Stage):
    key = a_device_key("DR5400")
    run = await standing_at(stage, "device-configuration", key)
    await run.act("ignition_on")
    shown = await run.until(
        lambda flow: flow.view["facts"]["configuration"][-1]["state"] == "confirmed"
    )
    assert shown.state == "device-configuration"
    assert (await stage.effects(key))["command:ignition_on"] == 1


async def test_the_keylockers_mode_and_pairing_are_set(stage: Stage):
    key = a_device_key(traits="250")
    run = await standing_at(stage, "reset-keylocker-pairing", key, kind=SERVICE)
    await run.walk_to("keylocker-option-tables")
    assert (await facts(run))["keylocker_mode"] == "standalone"
    device = await stage.systems.device_cloud.device(key)
    assert device.keylocker is not None
    assert device.keylocker.mode == "standalone"


async def test_whoever_helped_is_told_to_the_network(stage: Stage):
    key = a_device_key()
    run = await standing_at(stage, "device-rewards", key)
    await run.submit(RewardsForm(step="device-rewards", involved_installer_id="person-2"))
    assert (await facts(run))["rewards"] == {
        "installer_id": "person-1",
        "involved_installer_id": "person-2",
    }
    await run.walk_to("completed")
    assert (await stage.effects(key))["link-installer"] == 1


async def test_a_run_that_began_on_version_1_ends_on_version_1(stage: Stage):
    run = await stage.open(a_device_key(traits="050"), version=1)
    ended = await run.walk_to("completed")
    assert ended.view["flow_version"] == 1
    assert "keylocker-mode" not in ended.view["plan"]
