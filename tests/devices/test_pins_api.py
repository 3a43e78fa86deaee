"""KeyLocker pins: set, refused, removed with the master pin; limited, recorded without the pin."""

import logging
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import select

from db.operations.audit import AuditRow
from domain.devices.keylocker import PinSlot
from tests.devices.asking import ask, done, fresh_key, recorded
from tests.drivers.factories import a_dealer, an_inside_rep
from tests.drivers.portal import said
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole, problem
from tests.partners.factories import a_primary, let_see

MASTER, SECONDARY = "48213", "730915"


@pytest.fixture(scope="module")
async def own(whole: Whole) -> AsyncGenerator[Caller]:
    async with whole.signed_in() as installer:
        yield installer


async def a_keylocker(whole: Whole, own: Caller, **control: Any) -> str:
    assert own.user is not None
    key = a_device_key(traits="050")
    await whole.stage.control(key, owner_dealer_id=own.user.dealer_id, **control)
    return key


def pin(value: str, *, secondary: bool = False, **more: Any) -> dict[str, Any]:
    return {"pin": value, "is_secondary_pin": secondary, **more}


async def test_both_pins_are_set_and_the_secondary_is_removed(whole: Whole, own: Caller) -> None:
    key = await a_keylocker(whole, own)
    path = f"/v1/device/{key}/pin"
    await done(own, "PATCH", path, pin(MASTER, duration=2))
    await done(own, "PATCH", path, pin(SECONDARY, secondary=True, duration=480))
    await done(own, "DELETE", path, {"master_pin": MASTER})
    await done(own, "PATCH", path, pin(SECONDARY, secondary=True))
    await done(own, "DELETE", path, master_pin=MASTER)
    assert await whole.stage.effects(key) == {"pin": 3, "pin-delete": 2}
    assert [(action, outcome, more) for action, outcome, more in await recorded(whole, key)] == [
        ("set the master KeyLocker pin", "done", {}),
        ("set the secondary KeyLocker pin", "done", {}),
        ("removed the secondary KeyLocker pin", "done", {}),
        ("set the secondary KeyLocker pin", "done", {}),
        ("removed the secondary KeyLocker pin", "done", {}),
    ]


async def test_a_wrong_master_pin_removes_nothing(whole: Whole, own: Caller) -> None:
    key = await a_keylocker(whole, own)
    path = f"/v1/device/{key}/pin"
    await done(own, "PATCH", path, pin(MASTER))
    await done(own, "PATCH", path, pin(SECONDARY, secondary=True))
    answer = await ask(own, "DELETE", path, {"master_pin": "0000"})
    assert problem(answer) == (409, "wrong_master_pin")
    assert problem(await ask(own, "DELETE", path)) == (422, "invalid")
    assert set((await whole.stage.traits(key))["pins"]) == {"master", "secondary"}


async def test_a_refused_pin_is_told_and_the_other_one_stays(whole: Whole, own: Caller) -> None:
    key = await a_keylocker(whole, own, refuse_secondary_pin=True)
    path = f"/v1/device/{key}/pin"
    await done(own, "PATCH", path, pin(MASTER))
    answer = await ask(own, "PATCH", path, pin(SECONDARY, secondary=True))
    assert problem(answer) == (409, "pin_refused")
    last = (await recorded(whole, key))[-1]
    assert last == ("set the secondary KeyLocker pin", "refused", {"code": "pin_refused"})


@pytest.mark.parametrize("value", ["123", "123456789", "12a4", "١٢٣٤", "", " 1234"])
async def test_a_pin_has_four_to_eight_digits(whole: Whole, own: Caller, value: str) -> None:
    key = await a_keylocker(whole, own)
    path = f"/v1/device/{key}/pin"
    for answer in (
        await ask(own, "PATCH", path, pin(value)),
        await ask(own, "DELETE", path, {"master_pin": value}),
        await ask(own, "DELETE", path, master_pin=value),
    ):
        assert problem(answer) == (422, "invalid")
        assert "Must have 4 to 8 digits" in answer.text
        assert not value.strip() or value not in said(answer)


async def test_a_duration_is_one_of_seven(whole: Whole, own: Caller) -> None:
    path = f"/v1/device/{await a_keylocker(whole, own)}/pin"
    for duration in (1, 2, 30, 60, 120, 240, 480):
        await done(own, "PATCH", path, pin(MASTER, duration=duration))
    assert problem(await ask(own, "PATCH", path, pin(MASTER, duration=5))) == (422, "invalid")


async def test_guessing_the_master_pin_comes_to_an_end(whole: Whole, own: Caller) -> None:
    key = await a_keylocker(whole, own)
    path = f"/v1/device/{key}/pin"
    await done(own, "PATCH", path, pin(MASTER))
    await done(own, "PATCH", path, pin(SECONDARY, secondary=True))
    for n in range(10):
        answer = await ask(own, "DELETE", path, {"master_pin": f"000{n}"})
        assert problem(answer) == (409, "wrong_master_pin")
    assert problem(await ask(own, "DELETE", path, {"master_pin": MASTER})) == (429, "throttled")


async def test_the_same_key_sets_a_pin_once(whole: Whole, own: Caller) -> None:
    key, once = await a_keylocker(whole, own), fresh_key()
    for _ in range(2):
        await done(own, "PATCH", f"/v1/device/{key}/pin", pin(MASTER), key=once)
    assert await whole.stage.effects(key) == {"pin": 1}


async def test_a_rep_who_acts_sets_pins_and_the_record_names_both(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    rep = await an_inside_rep(whole.sessions)
    await let_see(whole.sessions, rep, dealer.partner_code)
    primary = await a_primary(whole.sessions, dealer)
    key = a_device_key(traits="050")
    await whole.stage.control(key, owner_dealer_id=dealer.id)
    async with whole.signed_in(rep) as acting:
        await done(acting, "PUT", "/v1/auth/business", {"sapBpCode": dealer.partner_code})
        path = f"/v1/device/{key}/pin"
        await done(acting, "PATCH", path, pin(MASTER))
        await done(acting, "PATCH", path, pin(SECONDARY, secondary=True))
        await done(acting, "DELETE", path, {"master_pin": MASTER})
    assert await whole.stage.effects(key) == {"pin": 2, "pin-delete": 1}
    async with whole.sessions() as session:
        rows = await session.scalars(select(AuditRow).where(AuditRow.object_id == key))
        names = {(row.actor, row.acting_for, row.partner_code) for row in rows}
    assert names == {(f"user:{rep.id}", primary.id, dealer.partner_code)}


async def test_no_log_line_shows_a_pin(
    whole: Whole, own: Caller, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    key = await a_keylocker(whole, own, refuse_secondary_pin=True)
    path = f"/v1/device/{key}/pin"
    with caplog.at_level(logging.DEBUG):
        await done(own, "PATCH", path, pin("90817263"))
        await ask(own, "PATCH", path, pin("36271809", secondary=True))
        await ask(own, "DELETE", path, master_pin="55443322")
    written = caplog.text + "".join(capsys.readouterr())
    for value in ("90817263", "36271809", "55443322"):
        assert value not in written


async def test_without_a_pin_the_default_of_the_settings_is_set(
    whole: Whole, own: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = await a_keylocker(whole, own)
    path = f"/v1/device/{key}/pin"
    body = {"is_secondary_pin": False}
    assert problem(await ask(own, "PATCH", path, body)) == (409, "no_default_pin")
    defaults: dict[PinSlot, SecretStr] = whole.app.state.portal.default_pins
    monkeypatch.setitem(defaults, PinSlot.MASTER, SecretStr(MASTER))
    monkeypatch.setitem(defaults, PinSlot.SECONDARY, SecretStr(SECONDARY))
    await done(own, "PATCH", path, body)
    await done(own, "PATCH", path, {"is_secondary_pin": True})
    await done(own, "DELETE", path, {"master_pin": MASTER})
    assert await whole.stage.effects(key) == {"pin": 2, "pin-delete": 1}
