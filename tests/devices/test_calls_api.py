"""Every call on a device that is one's own and that nobody is activating."""

import secrets
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from api.platform.throttling.mails import WELCOME, MailTries
from db.operations.search import find_things
from domain.devices.option_tables import REQUERY_LIMIT
from tests.devices.asking import Json, ask, done, fresh_key, recorded
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.portal import a_browser, use_token
from tests.drivers.rewards import a_reward, rewards_with
from tests.drivers.stage import a_device_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Caller, Whole, iccid_of, problem


@pytest.fixture(scope="module")
async def own(whole: Whole) -> AsyncGenerator[Caller]:
    """An installer whose dealer owns what `a_device` makes."""
    async with whole.signed_in() as installer:
        yield installer


async def a_device(
    whole: Whole, own: Caller, product: str = "FT-X1", *, traits: str = "000", **control: Any
) -> str:
    assert own.user is not None
    key = a_device_key(product, traits=traits)
    control = {"owner_dealer_id": own.user.dealer_id, "controller": "CM7300", **control}
    await whole.stage.control(key, **control)
    return key


async def test_a_command_is_sent_and_answered_by_a_log(whole: Whole, own: Caller) -> None:
    key = await a_device(whole, own, "DR5400")
    sent = await done(
        own,
        "POST",
        "/api/iot/send-command",
        {"device_key": key, "command": "dash_camera_query_settings", "bit": 2},
    )
    assert (sent["device_key"], sent["status"]) == (key, "sent")

    async def answered() -> bool:
        entries = await done(own, "GET", "/v1/iot/logs", device_key=key)
        return any(entry["command_id"] == sent["command_id"] for entry in entries["results"])

    await until(answered)
    command = {"command": "dash_camera_query_settings"}
    assert await recorded(whole, key) == [("sent a device command", "done", command)]


@pytest.mark.parametrize(
    ("product", "command"),
    [
        ("FT-X2", "erase_device"),
        ("DR5400", "arm"),
        ("FT-X1", "towing"),
        ("FT-X1", "update_firmware"),
    ],
)
async def test_a_command_that_the_product_does_not_know_is_not_sent(
    whole: Whole, own: Caller, product: str, command: str
) -> None:
    key = await a_device(whole, own, product)
    body = {"device_key": key, "command": command}
    answer = await ask(own, "POST", "/api/iot/send-command", body)
    assert problem(answer) == (422, "command_not_supported")
    assert await whole.stage.effects(key) == {}


async def test_a_lost_reply_to_an_acting_command_is_unknown_and_not_repeated(
    whole: Whole, own: Caller
) -> None:
    key = await a_device(whole, own, lose_replies=1)
    await whole.stage.turn(lost_reply_seconds=0)
    body = {"device_key": key, "command": "arm"}
    sent = await done(own, "POST", "/api/iot/send-command", body)
    assert sent["status"] == "unknown"
    assert await whole.stage.effects(key) == {"command:arm": 1}


async def test_a_refused_command_is_recorded_with_its_reason(whole: Whole, own: Caller) -> None:
    key = await a_device(whole, own, refuse_commands=True)
    body = {"device_key": key, "command": "arm"}
    answer = await ask(own, "POST", "/api/iot/send-command", body)
    assert problem(answer) == (409, "command_refused")
    facts = {"command": "arm", "code": "command_refused"}
    assert await recorded(whole, key) == [("sent a device command", "refused", facts)]


async def test_the_same_key_sends_a_command_once(whole: Whole, own: Caller) -> None:
    key, once = await a_device(whole, own), fresh_key()
    body = {"device_key": key, "command": "arm"}
    answers = [await done(own, "POST", "/api/iot/send-command", body, key=once) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert await whole.stage.effects(key) == {"command:arm": 1}
    other = await ask(own, "POST", "/api/iot/send-command", body | {"command": "disarm"}, key=once)
    assert other.status_code == 409


async def test_a_device_lives_from_activation_to_its_replacement(whole: Whole, own: Caller) -> None:
    key, new = await a_device(whole, own), await a_device(whole, own)
    assert own.user is not None
    body: Json = {"device_key": key}
    for _ in range(2):
        assert await done(own, "PATCH", "/v1/device/activate/", body) == {"device_key": key}
    install = body | {"exit_service_mode": True, "involved_installers": [own.user.id]}
    await done(own, "PATCH", "/v1/device/install/", install)
    await done(own, "POST", "/v1/device/welcome", body | {"email": "owner@people.example"})
    swapped = await done(
        own, "PATCH", "/v1/device/swap", {"old_device_key": key, "new_device_key": new}
    )
    assert swapped == {"device_key": new}
    effects = {"activate": 1, "install": 1, "welcome": 1, "swap": 1}
    assert await whole.stage.effects(key) == effects
    actions = [action for action, _, _ in await recorded(whole, key)]
    assert actions == [
        "activated a device",
        "activated a device",
        "installed a device",
        "welcomed a device's owner",
        "swapped a device",
    ]
    assert await devices_named(whole, key.lower()) == {key, new}


async def test_a_swap_takes_back_what_the_old_device_earned_lately(
    whole: Whole, own: Caller
) -> None:
    old, new = await a_device(whole, own), await a_device(whole, own)
    assert own.user is not None
    now = datetime.now(UTC)
    early = await a_reward(whole.sessions, own.user, now - timedelta(days=31), device_key=old)
    late = await a_reward(whole.sessions, own.user, now - timedelta(days=10), device_key=old)
    await done(own, "PATCH", "/v1/device/activate/", {"device_key": old})
    body = {"old_device_key": old, "new_device_key": new}
    await done(own, "PATCH", "/v1/device/swap", body)
    assert await rewards_with(whole.sessions, old) == [
        (early, "earned", Decimal(5)),
        (late, "earned", Decimal(5)),
        (late, "taken_back", Decimal(-5)),
    ]


async def test_a_swap_that_the_network_refuses_is_told(whole: Whole, own: Caller) -> None:
    old, new = [await a_device(whole, own, traits="100", refuse_swap=True) for _ in range(2)]
    body = {"old_device_key": old, "new_device_key": new}
    assert problem(await ask(own, "PATCH", "/v1/device/swap", body)) == (409, "not_swappable")
    assert await devices_named(whole, old) == set()


async def devices_named(whole: Whole, word: str) -> set[str]:
    """What operators find by it."""
    async with whole.sessions() as session:
        looked = await find_things(session, word)
    return {thing.id for thing in looked.things if thing.kind == "device"}


async def test_a_purchasing_check_answers_as_a_check_does(whole: Whole, own: Caller) -> None:
    key = await a_device(whole, own, traits="160")
    answers = [
        await done(own, "POST", f"/api/iot/{call}", {"device_key": key, "isCanadianUser": True})
        for call in ("device-check", "device-purchasing-check")
    ]
    assert answers[0] == answers[1]
    assert answers[1]["results"][0]["plan"] == "premium-1-year"
    locked = await a_device(whole, own, traits="400")
    answer = await ask(own, "POST", "/api/iot/device-purchasing-check", {"device_key": locked})
    assert problem(answer) == (409, "service_mode_required")
    assert "device is not currently in Service Mode" in answer.json()["detail"]


async def test_waiting_firmware_is_told_for_both_parts(whole: Whole, own: Caller) -> None:
    path = "/v1/device/{}/check-firmware-update"
    both = await done(own, "GET", path.format(await a_device(whole, own, traits="030")))
    assert both["is_ext_device_firmware_available"] is True
    assert both["ext_device_firmware_details"]["device"] == "KeyLocker"
    assert both["firmware_details"]["to_version"] == "1.5.0"
    none = await done(own, "GET", path.format(await a_device(whole, own)))
    assert none["ext_device_firmware_details"] is None
    assert none["is_firmware_available"] is False
    assert none["timestamp"]


async def test_option_tables_are_shown_changed_and_checked(whole: Whole, own: Caller) -> None:
    key = await a_device(whole, own)
    path = f"/v1/device/{key}/option-tables"
    tables = await done(own, "GET", path, schema=True, skip_query=False)
    bare = await done(own, "GET", path, schema=False)
    assert tables["sections"]
    assert (bare["sections"], bare["values"]) == ([], tables["values"])
    changed = await done(own, "PATCH", path, {"changes": {"runtime": 45, "dome_delay": 99}})
    assert changed["requeries"] == 0
    after = await done(own, "GET", path)
    assert (
        after["values"] == changed["values"] == tables["values"] | {"runtime": 45, "dome_delay": 99}
    )
    changes = {"runtime": 20, "dome_delay": 100, "passive_lock": 0, "<b>": 1}
    answer = await ask(own, "PATCH", path, {"changes": changes})
    assert problem(answer) == (422, "invalid")
    assert answer.json()["validation_errors"] == [
        {"field": "changes.runtime", "message": "Required field"},
        {"field": "changes.dome_delay", "message": "Must be at most 99"},
        {"field": "changes.passive_lock", "message": "Must be at least 1"},
        {"field": "changes", "message": "This option does not exist."},
    ]
    assert problem(await ask(own, "PATCH", path, {"changes": {}})) == (422, "invalid")


async def test_the_keylockers_tables_are_named_by_the_query(whole: Whole, own: Caller) -> None:
    path = f"/v1/device/{await a_device(whole, own, traits='050')}/option-tables"
    keylocker = await done(own, "GET", path, keylocker=True)
    assert (keylocker["table"], keylocker["sections"][0]["title"]) == ("keylocker", "Key box")
    poc = await done(own, "GET", path, keylocker=True, show_1_2=True)
    titles = [section["title"] for section in poc["sections"]]
    assert (poc["table"], titles[-1]) == ("poc-pic", "PIC 2")
    await done(own, "PATCH", path, {"changes": {"poc2_function": 3}}, keylocker=True, show_1_2=True)
    poc = await done(own, "GET", path, keylocker=True, show_1_2=True)
    assert poc["values"]["poc2_function"] == 3


@pytest.mark.parametrize(("refusals", "requeries"), [(0, 1), (1, 1), (2, 2)])
async def test_special_rows_are_written_after_a_query_of_the_device(
    whole: Whole, own: Caller, refusals: int, requeries: int
) -> None:
    key = await a_device(whole, own, special_refusals=refusals)
    changes = {"comfort_close": 20}
    changed = await done(
        own, "PATCH", f"/v1/device/{key}/option-tables", {"changes": changes}, skip_query=True
    )
    assert changed["requeries"] == requeries
    assert await whole.stage.effects(key) == {"option-tables-update": 1}


async def test_special_rows_that_are_refused_for_ever_are_given_up_after_two_queries(
    whole: Whole, own: Caller
) -> None:
    key = await a_device(whole, own, special_refusals=100)
    body = {"changes": {"comfort_close": 20}}
    answer = await ask(own, "PATCH", f"/v1/device/{key}/option-tables", body)
    assert problem(answer) == (409, "special_row_needs_query")
    left = await whole.stage.traits(key)
    assert left["special_refusals"] == 100 - (REQUERY_LIMIT + 1)
    assert await whole.stage.effects(key) == {}


async def test_special_option_tables_hold_special_rows_alone(whole: Whole, own: Caller) -> None:
    path = f"/v1/device/{await a_device(whole, own)}/special-option-tables"
    tables = await done(own, "GET", path)
    assert all(row["special"] for section in tables["sections"] for row in section["rows"])
    changed = await done(own, "PATCH", path, {"changes": {"comfort_close": 20}})
    assert changed["values"] == tables["values"] | {"comfort_close": 20}
    answer = await ask(own, "PATCH", path, {"changes": {"dome_delay": 20}})
    assert problem(answer) == (422, "invalid")


async def test_a_controller_without_tables_says_so(whole: Whole, own: Caller) -> None:
    key = await a_device(whole, own, controller="CM6000")
    for path in ("option-tables", "special-option-tables"):
        answer = await ask(own, "GET", f"/v1/device/{key}/{path}")
        assert problem(answer) == (409, "no_option_tables")


async def test_toggles_are_read_and_changed_by_name(whole: Whole, own: Caller) -> None:
    key = await a_device(whole, own)
    path = f"/v1/device/{key}/features"
    before = await done(own, "GET", path, query_device=False)
    assert len(before) == 8
    changes = {"siren_enabled": False, "valet_mode_enabled": True}
    assert (await done(own, "PATCH", path, changes))["features"] == changes
    assert await done(own, "GET", path, query_device=True) == before | changes
    for body in ({}, {"siren_enabled": None}, {"siren_enabled": "yes"}, {"no_such": True}):
        assert (await ask(own, "PATCH", path, body)).status_code == 422
    other = await a_device(whole, own, "FT-X2")
    answer = await ask(own, "PATCH", f"/v1/device/{other}/features", {"drive_lock_enabled": True})
    assert problem(answer) == (409, "feature_not_supported")


async def test_an_x1max_is_hardwired_and_no_other(whole: Whole, own: Caller) -> None:
    body = {"hardwired_input": "High/Low", "hardwired_output": "Starter Kill"}
    key, other = await a_device(whole, own, "FT-X1MAX"), await a_device(whole, own)
    await done(own, "PATCH", "/v1/device/hardwired-mode", body | {"device_key": key})
    assert (await whole.stage.traits(key))["hardwired"] == body
    answer = await ask(own, "PATCH", "/v1/device/hardwired-mode", body | {"device_key": other})
    assert problem(answer) == (409, "hardwire_not_supported")
    bad = body | {"device_key": key, "hardwired_input": "Up"}
    assert problem(await ask(own, "PATCH", "/v1/device/hardwired-mode", bad)) == (422, "invalid")


async def test_only_people_of_the_dealer_are_linked_or_involved(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    owner, colleague = (
        await an_owner(whole.sessions, dealer),
        await an_installer(whole.sessions, dealer),
    )
    stranger = await an_installer(whole.sessions)
    async with whole.signed_in(owner) as own:
        key = await a_device(whole, own)
        path = f"/v1/device/link-installer/{key}"
        pair = {"installer_id": colleague.id, "involved_installer_id": owner.id}
        await done(own, "POST", path, pair)
        await done(own, "POST", path, {"installer_id": colleague.id})
        for body, field in (
            ({"installer_id": stranger.id}, "installer_id"),
            (pair | {"involved_installer_id": "nobody"}, "involved_installer_id"),
        ):
            answer = await ask(own, "POST", path, body)
            assert problem(answer) == (422, "installer_not_yours")
            assert answer.json()["validation_errors"][0]["field"] == field
        for involved in (
            [stranger.id],
            [colleague.id, stranger.id],
            [colleague.id, colleague.id],
            [f"person-{number}" for number in range(10_000)],
            ["<script>alert(1)</script>"],
            [None],
        ):
            install = {
                "device_key": key,
                "exit_service_mode": True,
                "involved_installers": involved,
            }
            answer = await ask(own, "PATCH", "/v1/device/install/", install)
            assert answer.status_code in (413, 422), answer.text
            assert "script" not in answer.text
    assert (await whole.stage.effects(key)) == {"link-installer": 2}


async def test_a_device_of_nobody_is_opened_by_its_sim_digits(whole: Whole, own: Caller) -> None:
    key = a_device_key()
    path = f"/v1/device/{key}/features"
    assert problem(await ask(own, "GET", path)) == (422, "invalid")
    wrong = await ask(own, "GET", path, iccid_last_digits="00000")
    assert problem(wrong) == (404, "unknown_device")
    assert len(await done(own, "GET", path, iccid_last_digits=iccid_of(key))) == 8


async def test_sim_digits_that_are_sent_must_be_right_for_ones_own_device_too(
    whole: Whole, own: Caller
) -> None:
    key = await a_device(whole, own)
    body = {"device_key": key, "command": "location"}
    wrong = body | {"iccid_last_digits": "00000"}
    answer = await ask(own, "POST", "/api/iot/send-command", wrong)
    assert problem(answer) == (404, "unknown_device")
    right = body | {"iccid_last_digits": iccid_of(key)}
    assert (await done(own, "POST", "/api/iot/send-command", right))["status"] == "sent"


async def test_guessing_sim_digits_comes_to_an_end(whole: Whole, own: Caller) -> None:
    key = a_device_key()
    path = f"/v1/device/{key}/features"
    codes = [
        problem(await ask(own, "GET", path, iccid_last_digits=f"0000{n}"))[1] for n in range(10)
    ]
    assert set(codes) == {"unknown_device"}
    last = await ask(own, "GET", path, iccid_last_digits=iccid_of(key))
    assert problem(last) == (429, "throttled")
    assert int(last.headers["retry-after"]) > 0


async def test_another_dealers_device_does_not_exist(whole: Whole, own: Caller) -> None:
    key = await a_device(whole, own)
    body: Json = {"device_key": key, "iccid_last_digits": iccid_of(key)}
    async with whole.signed_in() as stranger:
        for method, path, json in (
            ("POST", "/api/iot/send-command", body | {"command": "arm"}),
            ("PATCH", "/v1/device/activate/", body),
            ("POST", "/v1/device/welcome", body | {"email": "a@people.example"}),
            ("GET", f"/v1/device/{key}/features", None),
        ):
            query = {} if json else {"iccid_last_digits": iccid_of(key)}
            answer = await ask(stranger, method, path, json, **query)
            assert problem(answer) == (404, "unknown_device")
    tries = [entry for entry in await recorded(whole, key) if entry[1] == "refused"]
    assert tries[0][0] == "reached for another's device"
    assert await whole.stage.effects(key) == {}


async def test_the_owner_is_welcomed_without_a_sign_in(whole: Whole) -> None:
    key = a_device_key()
    body = {"device_key": key, "email": "owner@people.example"}
    async with whole.anonymous() as nobody:
        assert problem(await ask(nobody, "POST", "/v1/device/welcome", body)) == (422, "invalid")
        proven = body | {"iccid_last_digits": iccid_of(key)}
        await done(nobody, "POST", "/v1/device/welcome", proven)
    assert await whole.stage.effects(key) == {"welcome": 1}


@pytest.mark.parametrize("token", [None, "resume_" + "x" * 43], ids=["none", "invented"])
async def test_welcomes_without_a_sign_in_are_limited_per_address(
    whole: Whole, token: str | None
) -> None:
    key = a_device_key()
    body = {"device_key": key, "email": "o@people.example", "iccid_last_digits": iccid_of(key)}
    address = f"100.64.{secrets.randbelow(256)}.{secrets.randbelow(256)}"
    for _ in range(WELCOME.tries):
        await MailTries(whole.sessions).count_welcome(address)
    async with a_browser(whole.app, address=address) as browser, whole.anonymous() as elsewhere:
        if token is not None:
            use_token(browser, token)
        refused = await ask(Caller(browser, None), "POST", "/v1/device/welcome", body)
        assert problem(refused) == (429, "throttled")
        assert await whole.stage.effects(key) == {}
        await done(elsewhere, "POST", "/v1/device/welcome", body)


async def test_welcomes_are_limited_per_person(whole: Whole) -> None:
    """A repeat is answered all the same; a colleague has tries of their own."""
    async with whole.signed_in() as person:
        key, name = await a_device(whole, person), fresh_key()
        body = {"device_key": key, "email": "owner@people.example"}
        await done(person, "POST", "/v1/device/welcome", body, key=name)
        assert person.user is not None
        for _ in range(WELCOME.tries - 1):
            await MailTries(whole.sessions).count_welcome(f"user:{person.user.id}")
        refused = await ask(person, "POST", "/v1/device/welcome", body)
        assert problem(refused) == (429, "throttled")
        assert int(refused.headers["retry-after"]) > 0
        await done(person, "POST", "/v1/device/welcome", body, key=name)
        assert await whole.stage.effects(key) == {"welcome": 1}
    async with whole.anonymous() as nobody:
        free = a_device_key()
        proven = {**body, "device_key": free, "iccid_last_digits": iccid_of(free)}
        await done(nobody, "POST", "/v1/device/welcome", proven)


@pytest.mark.parametrize("email", ["", "owner", "owner@people", "a..b@people.example"])
async def test_nobody_is_welcomed_at_what_is_no_address(
    whole: Whole, own: Caller, email: str
) -> None:
    key = await a_device(whole, own)
    async with whole.anonymous() as nobody:
        free = a_device_key()
        proof = {"iccid_last_digits": iccid_of(free)}
        for caller, body in ((own, {"device_key": key}), (nobody, {"device_key": free, **proof})):
            answer = await ask(caller, "POST", "/v1/device/welcome", {**body, "email": email})
            assert problem(answer) == (422, "invalid")
            told = answer.json()["validation_errors"]
            assert told == [{"field": "email", "message": "Email invalid"}]
    assert await whole.stage.effects(key) == await whole.stage.effects(free) == {}


async def test_a_malformed_serial_number_is_refused_unseen(own: Caller) -> None:
    for method, path, json in (
        ("GET", "/v1/device/FT--X9/features", None),
        ("POST", "/api/iot/send-command", {"device_key": "FT--X9", "command": "arm"}),
        ("PATCH", "/v1/device/activate/", {"device_key": "FT--X9"}),
    ):
        answer = await ask(own, method, path, json)
        assert problem(answer) == (422, "malformed_device_key")
