"""The calls that configure a device, against the stand-in: tables, toggles, pins, hardwiring, and how each can fail."""

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from pydantic import SecretStr

from domain.devices.devices import Product
from domain.devices.hardwire import HardwiredInput, HardwiredOutput
from domain.devices.keylocker import KeylockerMode
from domain.devices.logs import LogEntry, entry_of
from domain.devices.option_tables import (
    CMX_RUNTIME,
    CONTROLLERS_IN_SCOPE,
    MINUTES,
    RUNTIMES,
    SECONDS,
    OptionTable,
    OptionTables,
    RowKind,
    check_changes,
    digest_of,
)
from domain.devices.toggles import BIT, Toggle
from providers.errors import Refused, SpecialRowNeedsQuery, Unavailable
from tests.drivers.whole_portal import iccid_of
from tests.simulators.harness import World, a_key, a_world

CONTROLLER, KEYLOCKER, POC_PIC = OptionTable.CONTROLLER, OptionTable.KEYLOCKER, OptionTable.POC_PIC
MASTER, SECONDARY = SecretStr("8402"), SecretStr("915377")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("settings")


@pytest.fixture(scope="module")
async def world(folder: Path) -> AsyncGenerator[World]:
    async with a_world(folder / "state.sqlite") as world:
        yield world


async def a_device(world: World, digits: str = "000", product: str = "FT-X1", **traits: object):
    """A device of its own with these traits; without a controller named, one with tables."""
    key = a_key(digits, product)
    await world.control(device_key=key, **{"controller": "CM7300", **traits})
    return key


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


def a_special(tables: OptionTables) -> str:
    return next(row.key for row in tables.rows.values() if row.special)


def a_plain(tables: OptionTables) -> str:
    return next(
        row.key for row in tables.rows.values() if not row.special and row.kind is RowKind.SECONDS
    )


@pytest.mark.parametrize("controller", sorted(CONTROLLERS_IN_SCOPE))
async def test_every_controller_in_scope_has_a_table_within_the_bounds(
    world: World, controller: str
):
    key = await a_device(world, controller=controller)
    tables = await world.cloud.option_tables(key, CONTROLLER)
    rows = tables.rows
    assert tables.controller == controller
    assert tables.values == {row.key: row.default for row in rows.values()}
    assert check_changes(tables, tables.values) == []
    assert {row.kind for row in rows.values()} == set(RowKind)
    assert any(row.special for row in rows.values())
    assert any(row.advanced for row in rows.values())
    for row in rows.values():
        bounds = {RowKind.SECONDS: SECONDS, RowKind.MINUTES: MINUTES}.get(row.kind)
        assert bounds is None or (row.minimum, row.maximum) == bounds
    runtime = rows["runtime"]
    if controller == "CMX":
        assert (runtime.kind, runtime.minimum, runtime.maximum) == (RowKind.NUMBER, *CMX_RUNTIME)
    else:
        assert tuple(choice.value for choice in runtime.choices) == RUNTIMES
    pads = [rows[name] for name in ("keypad_five", "keypad_seven")]
    assert [(pad.minimum, pad.maximum) for pad in pads] == [(1, 5), (1, 7)]


async def test_a_controller_out_of_scope_has_no_table(world: World):
    for controller in ("CM6000", None):
        key = await a_device(world, controller=controller)
        with pytest.raises(Refused) as refusal:
            await world.cloud.option_tables(key, CONTROLLER)
        assert refusal.value.code == "no_option_tables"


async def test_a_change_is_kept_and_changes_the_digest(world: World):
    key = await a_device(world)
    before = await world.cloud.option_tables(key, CONTROLLER)
    row = a_plain(before)
    await world.cloud.patch_option_tables(key, CONTROLLER, {row: 44}, skip_query=True, key=key)
    after = await world.cloud.option_tables(key, CONTROLLER)
    assert after.values == before.values | {row: 44}
    assert after.digest == digest_of(after.values) != before.digest


async def test_what_the_schema_does_not_take_is_refused(world: World):
    key = await a_device(world)
    for changes in ({"runtime": 4}, {"panic_time": 100}, {"no_such_row": 1}):
        with pytest.raises(Refused) as refusal:
            await world.cloud.patch_option_tables(
                key, CONTROLLER, changes, skip_query=False, key=f"{key}-{changes}"
            )
        assert refusal.value.code == "option_invalid"
    assert await world.effects(key) == {}


async def test_a_special_row_is_written_only_when_the_device_is_asked(world: World):
    key = await a_device(world)
    row = a_special(await world.cloud.option_tables(key, CONTROLLER))
    write = world.cloud.patch_option_tables
    with pytest.raises(SpecialRowNeedsQuery) as refusal:
        await write(key, CONTROLLER, {row: 9}, skip_query=True, key=f"{key}-1")
    assert refusal.value.code == "special_row_needs_query"
    await write(key, CONTROLLER, {row: 9}, skip_query=False, key=f"{key}-2")
    assert (await world.cloud.option_tables(key, CONTROLLER)).values[row] == 9


async def test_special_rows_may_be_refused_once_more_or_for_ever(world: World):
    once, ever = "FT-X1-00099000", "FT-X1-00099010"
    write = world.cloud.patch_option_tables
    for key in (once, ever):
        with pytest.raises(SpecialRowNeedsQuery):
            await write(key, CONTROLLER, {"dome_delay": 9}, skip_query=False, key=f"{key}-1")
    await write(once, CONTROLLER, {"dome_delay": 9}, skip_query=True, key=f"{once}-2")
    for n in range(3):
        with pytest.raises(SpecialRowNeedsQuery):
            await write(ever, CONTROLLER, {"dome_delay": 9}, skip_query=False, key=f"{ever}-a{n}")


async def test_special_tables_hold_the_special_rows_alone(world: World):
    key = await a_device(world)
    every = await world.cloud.option_tables(key, CONTROLLER)
    special = await world.cloud.special_option_tables(key)
    assert set(special.rows) == {row.key for row in every.rows.values() if row.special}
    row = a_special(every)
    await world.cloud.patch_special_option_tables(key, {row: 5}, key=f"{key}-1")
    assert (await world.cloud.special_option_tables(key)).values[row] == 5
    with pytest.raises(Refused) as refusal:
        await world.cloud.patch_special_option_tables(key, {a_plain(every): 5}, key=f"{key}-2")
    assert refusal.value.code == "option_invalid"


async def test_tables_may_take_their_time(world: World):
    key = await a_device(world, slow_tables=True)
    await world.control(slow_seconds=0.3)
    begun = asyncio.get_running_loop().time()
    await world.cloud.option_tables(key, CONTROLLER)
    assert asyncio.get_running_loop().time() - begun >= 0.3
    assert await world.cloud.features(key)


async def test_the_keylockers_table_follows_its_mode(world: World):
    key = await a_device(world, "050")
    add_on = await world.cloud.option_tables(key, KEYLOCKER)
    await world.cloud.set_keylocker_mode(key, KeylockerMode.STANDALONE, key=f"{key}-mode")
    keylocker = (await world.cloud.check(key)).keylocker
    assert keylocker is not None
    assert keylocker.mode == "standalone"
    standalone = await world.cloud.option_tables(key, KEYLOCKER)
    assert set(add_on.rows) < set(standalone.rows)
    assert standalone.rows["kl_keypad_row"].maximum == 5
    assert standalone.rows["kl_keypad_key"].maximum == 7
    await world.cloud.set_keylocker_mode(key, KeylockerMode.ADD_ON, key=f"{key}-back")
    assert await world.cloud.option_tables(key, KEYLOCKER) == add_on


async def test_poc_and_pic_are_shown_by_pairs(world: World):
    key = await a_device(world, "050")
    titles = {
        shown: [
            s.title
            for s in (
                await world.cloud.option_tables(key, POC_PIC, show_1_2=shown[0], show_3_4=shown[1])
            ).sections
        ]
        for shown in ((True, True), (True, False), (False, True))
    }
    aux = ["Aux output 1", "Aux output 2"]
    assert titles[True, True] == [*aux, *[f"{k} {n}" for k in ("POC", "PIC") for n in range(1, 5)]]
    assert titles[True, False] == [*aux, "POC 1", "POC 2", "PIC 1", "PIC 2"]
    assert titles[False, True] == [*aux, "POC 3", "POC 4", "PIC 3", "PIC 4"]
    await world.cloud.patch_option_tables(
        key, POC_PIC, {"poc4_function": 3}, skip_query=True, key=f"{key}-poc"
    )
    assert (await world.cloud.option_tables(key, POC_PIC)).values["poc4_function"] == 3


async def test_without_a_keylocker_nothing_of_it_can_be_set(world: World):
    key = await a_device(world)
    cloud = world.cloud
    for table in (KEYLOCKER, POC_PIC):
        with pytest.raises(Refused, match="no KeyLocker"):
            await cloud.option_tables(key, table)
    with pytest.raises(Refused, match="no KeyLocker"):
        await cloud.set_pin(key, MASTER, is_secondary_pin=False, duration=None, key=f"{key}-p")
    with pytest.raises(Refused) as refusal:
        await cloud.reset_keylocker_pairing(key, key=f"{key}-r")
    assert refusal.value.code == "command_not_supported"


async def test_pairing_is_reset_at_once_and_told_by_a_log(world: World):
    key = await a_device(world, "050")
    for _ in range(2):
        await world.cloud.reset_keylocker_pairing(key, key=f"{key}-reset")
    assert (await world.control(device_key=key))["pairing_resets"] == 1
    (log,) = await world.logs(key)
    assert (log.command, log.command_id, log.ok) == (
        "reset_keylocker_pairing",
        f"{key}-reset",
        True,
    )
    sample = {"key_present", "mode", "roof_locked", "roof_open", "version"}
    assert set(log.reading["keylocker"]) == sample


@pytest.mark.parametrize("product", Product)
async def test_each_family_has_its_own_toggles(world: World, product: Product):
    features = await world.cloud.features(await a_device(world, product=product.value.upper()))
    expected: set[Toggle] = set()
    if product.value.startswith("ft-x1"):
        expected = set(Toggle)
    elif product.value.startswith("ft-x2"):
        expected = set(Toggle) - {Toggle.DRIVE_LOCK, Toggle.TURBO_TIMER_START}
    assert set(features) == expected


@pytest.mark.parametrize("toggle", Toggle)
async def test_a_toggle_changes_alone(world: World, toggle: Toggle):
    key = await a_device(world)
    before = await world.cloud.features(key)
    for value in (not before[toggle], before[toggle]):
        await world.cloud.patch_features(key, {toggle: value}, key=f"{key}-{value}")
        assert await world.cloud.features(key, query_device=True) == before | {toggle: value}
    assert len(BIT) == 5


async def test_toggles_may_be_refused_or_unknown(world: World):
    for key, toggle, code in (
        ("FT-X1-00099040", Toggle.SIREN, "feature_refused"),
        (await a_device(world, product="FT-X2"), Toggle.DRIVE_LOCK, "feature_not_supported"),
        (await a_device(world, product="DR5400"), Toggle.SIREN, "feature_not_supported"),
    ):
        with pytest.raises(Refused) as refusal:
            await world.cloud.patch_features(key, {toggle: True}, key=f"{key}-t")
        assert refusal.value.code == code


async def test_a_device_that_is_away_answers_no_query_and_takes_no_change(world: World):
    key = await a_device(world, "050", product="FT-X1MAX", offline_seconds=60)
    cloud = world.cloud
    tries = (
        lambda: cloud.features(key, query_device=True),
        lambda: cloud.patch_features(key, {Toggle.SIREN: False}, key="f"),
        lambda: cloud.patch_option_tables(
            key, CONTROLLER, {"dome_delay": 3}, skip_query=False, key="t"
        ),
        lambda: cloud.set_pin(key, MASTER, is_secondary_pin=False, duration=1, key="p"),
        lambda: cloud.hardwired_mode(key, HardwiredOutput.PANIC, HardwiredInput.LOW, key="h"),
    )
    for attempt in tries:
        with pytest.raises(Refused) as refusal:
            await attempt()
        assert refusal.value.code == "device_offline"
    assert await cloud.features(key)


async def test_a_device_that_installs_its_firmware_takes_nothing_until_that_is_over(world: World):
    key = await a_device(world, "050", product="FT-X1MAX", updating_seconds=60)
    cloud = world.cloud
    tries = (
        lambda: cloud.patch_features(key, {Toggle.SIREN: False}, key=f"{key}-f"),
        lambda: cloud.patch_option_tables(
            key, CONTROLLER, {"dome_delay": 3}, skip_query=True, key=f"{key}-t"
        ),
        lambda: cloud.set_pin(key, MASTER, is_secondary_pin=False, duration=1, key=f"{key}-p"),
        lambda: cloud.hardwired_mode(
            key, HardwiredOutput.PANIC, HardwiredInput.LOW, key=f"{key}-h"
        ),
        lambda: cloud.set_keylocker_mode(key, KeylockerMode.STANDALONE, key=f"{key}-m"),
        lambda: cloud.reset_keylocker_pairing(key, key=f"{key}-r"),
    )
    for attempt in tries:
        with pytest.raises(Refused) as refusal:
            await attempt()
        assert refusal.value.code == "device_updating"
    assert await cloud.option_tables(key, CONTROLLER)
    await world.control(device_key=key, updating_seconds=0)
    for attempt in tries:
        await attempt()


async def test_pins_are_set_and_the_master_opens_the_deletion(world: World):
    key = await a_device(world, "050")
    cloud = world.cloud
    await cloud.set_pin(key, MASTER, is_secondary_pin=False, duration=2, key=f"{key}-m")
    await cloud.set_pin(key, SECONDARY, is_secondary_pin=True, duration=480, key=f"{key}-s")
    with pytest.raises(Refused) as refusal:
        await cloud.delete_pin(key, SECONDARY, key=f"{key}-d1")
    assert refusal.value.code == "wrong_master_pin"
    for n in (2, 2, 3):
        await cloud.delete_pin(key, MASTER, key=f"{key}-d{n}")
    assert await world.effects(key) == {"pin": 2, "pin-delete": 1}


async def test_pins_may_be_refused(world: World):
    secondary, both = "FT-X1-05099020", "FT-X1-05099030"
    cloud = world.cloud
    await cloud.set_pin(secondary, MASTER, is_secondary_pin=False, duration=1, key="m1")
    for key, is_secondary in ((secondary, True), (both, False), (both, True)):
        with pytest.raises(Refused) as refusal:
            await cloud.set_pin(
                key, SECONDARY, is_secondary_pin=is_secondary, duration=1, key=f"{key}-x"
            )
        assert refusal.value.code == "pin_refused"


async def test_no_pin_enters_the_state_file_or_the_ledger(world: World, folder: Path):
    key = await a_device(world, "050")
    pin = SecretStr("73190246")
    await world.cloud.set_pin(key, pin, is_secondary_pin=False, duration=1, key=f"{key}-m")
    with pytest.raises(Refused):
        await world.cloud.set_pin(key, pin, is_secondary_pin=True, duration=1, key=f"{key}-s")
    await world.cloud.delete_pin(key, pin, key=f"{key}-d")
    kept = everything_in(folder)
    told = json.dumps([await world.ledger(key), await world.control(device_key=key)])
    assert key.encode() in kept
    assert pin.get_secret_value().encode() not in kept
    assert pin.get_secret_value() not in told


async def test_hardwiring_is_for_the_x1max_alone_and_may_be_refused(world: World):
    key = await a_device(world, product="FT-X1MAX")
    output, input_ = HardwiredOutput.STARTER_KILL, HardwiredInput.HIGH_LOW
    for other in HardwiredOutput:
        await world.cloud.hardwired_mode(key, other, input_, key=f"{key}-{other}")
    await world.cloud.hardwired_mode(key, output, input_, iccid_last_digits=iccid_of(key), key=key)
    kept = (await world.control(device_key=key))["hardwired"]
    assert kept == {"hardwired_output": "Starter Kill", "hardwired_input": "High/Low"}
    for refused, code in (
        ("FT-X1MAX-00099060", "hardwire_refused"),
        ("FT-X1-00000001", "hardwire_not_supported"),
    ):
        with pytest.raises(Refused) as refusal:
            await world.cloud.hardwired_mode(refused, output, input_, key=refused)
        assert refusal.value.code == code


async def test_an_installer_is_linked_or_refused(world: World):
    key = await a_device(world)
    await world.cloud.link_installer(key, "installer-1", None, key=f"{key}-1")
    await world.cloud.link_installer(key, "installer-1", "installer-2", key=f"{key}-2")
    kept = (await world.control(device_key=key))["installers"]
    assert kept == {"installer_id": "installer-1", "involved_installer_id": "installer-2"}
    with pytest.raises(Refused) as refusal:
        await world.cloud.link_installer("FT-X1-00099090", "installer-1", None, key="l")
    assert refusal.value.code == "installer_not_linked"


async def test_a_swap_takes_keylocker_tables_and_pins_along(world: World):
    old, new = a_key("350"), a_key()
    cloud = world.cloud
    await cloud.patch_option_tables(
        old, KEYLOCKER, {"kl_key_power_delay": 7}, skip_query=True, key=f"{old}-t"
    )
    await cloud.set_pin(old, MASTER, is_secondary_pin=False, duration=1, key=f"{old}-m")
    await cloud.swap(old, new, key=f"{old}-s")
    assert (await cloud.device(new)).is_keylocker_present
    assert not (await cloud.device(old)).is_keylocker_present
    assert (await cloud.option_tables(new, KEYLOCKER)).values["kl_key_power_delay"] == 7
    with pytest.raises(Refused) as refusal:
        await cloud.set_pin(new, MASTER, is_secondary_pin=True, duration=1, key=f"{new}-p")
    assert refusal.value.code == "pin_in_use"


async def test_a_swap_may_be_refused_from_either_side(world: World):
    for old, new in (("FT-X1-10099050", a_key()), (a_key("100"), "FT-X1-00099051")):
        with pytest.raises(Refused) as refusal:
            await world.cloud.swap(old, new, key=f"{old}-{new}")
        assert refusal.value.code == "not_swappable"


async def test_a_dead_sim_answers_no_command(world: World):
    key = "DR5400-00099080"
    for n in range(3):
        await world.cloud.send_command(key, "location", command_id=f"{key}-{n}")
    left = (await world.control(device_key=key))["silent_commands"]
    assert left == 1_000_000 - 3


async def test_the_bit_of_a_command_comes_back_in_its_log(world: World):
    key = await a_device(world, product="DR5400")
    await world.cloud.send_command(key, "dash_camera_query_settings", command_id=key, bit=4)
    (log,) = await world.logs(key)
    assert log.reading["bit"] == 4
    assert log.reading["resolution"]


async def test_report_and_location_fill_every_field_of_a_log(world: World):
    key = await a_device(world, "050")
    for command in ("device_report", "location"):
        await world.cloud.send_command(key, command, command_id=f"{key}-{command}")
    entries = [entry_of(log) for log in await world.logs(key, at_least=2)]
    told = {name for entry in entries for name, value in entry if value is not None}
    of_updates = {"percent"}
    assert told == set(LogEntry.model_fields) - of_updates


async def test_lost_replies_of_changes_have_one_effect(world: World):
    key = await a_device(world, "053", product="FT-X1MAX")
    cloud = world.cloud
    await world.control(lost_reply_seconds=0)
    calls = {
        "option-tables-update": lambda: cloud.patch_option_tables(
            key, KEYLOCKER, {"kl_chirp": 0}, skip_query=True, key="t"
        ),
        "features-update": lambda: cloud.patch_features(key, {Toggle.SIREN: False}, key="f"),
        "pin": lambda: cloud.set_pin(key, MASTER, is_secondary_pin=False, duration=1, key="p"),
        "hardwired-mode": lambda: cloud.hardwired_mode(
            key, HardwiredOutput.NONE, HardwiredInput.NONE, key="h"
        ),
        "link-installer": lambda: cloud.link_installer(key, "one", None, key="l"),
        "command:reset_keylocker_pairing": lambda: cloud.reset_keylocker_pairing(key, key="r"),
    }
    for call in calls.values():
        with pytest.raises(Unavailable) as lost:
            await call()
        assert lost.value.may_have_worked
        await call()
    assert await world.effects(key) == dict.fromkeys(calls, 1)
