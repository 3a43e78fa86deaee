"""Guests: proof of possession, and a secret that opens one activation (rulings "Screens"; promise 39)."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from api.activation.start import CAPABILITY_LIFE
from api.platform.deps import Portal
from api.platform.throttling import devices as throttling
from api.platform.throttling.devices import GUEST_ALL, GUEST_DEVICE
from db.runs.capabilities import GuestCapabilityRow
from providers.security.tokens import CAPABILITY_PREFIX, secret_hash
from tests.drivers.factories import a_name, an_email
from tests.drivers.stage import a_device_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Flow, Whole, iccid_of, problem


async def a_guests_run(whole: Whole, device_key: str | None = None) -> Flow:
    key = device_key or a_device_key()
    async with whole.anonymous() as guest:
        return await guest.started(key, iccid_last_digits=iccid_of(key))


async def test_a_guest_gets_a_secret_once_and_activates_with_it(whole: Whole) -> None:
    key = a_device_key()
    begun = await a_guests_run(whole, key)
    assert begun["resume_token"].startswith(CAPABILITY_PREFIX)
    assert begun["view"]["guest"] is True
    async with whole.anonymous(begun["resume_token"]) as guest:
        looked = await guest.look(begun["id"])
        assert "resume_token" not in looked
        await guest.walk_to(looked, "completed")
    assert (await whole.stage.effects(key))["activate"] == 1


async def test_the_secret_works_in_the_other_header_too(whole: Whole) -> None:
    begun = await a_guests_run(whole)
    async with whole.anonymous() as guest:
        guest.browser.headers["X-Access-Token"] = begun["resume_token"]
        assert (await guest.look(begun["id"]))["id"] == begun["id"]


async def test_a_guest_resumes_by_proving_possession_again(whole: Whole) -> None:
    key = a_device_key()
    begun, again = await a_guests_run(whole, key), await a_guests_run(whole, key)
    assert again["id"] == begun["id"]
    assert again["resume_token"] != begun["resume_token"]
    for token in (begun["resume_token"], again["resume_token"]):
        async with whole.anonymous(token) as guest:
            assert (await guest.look(begun["id"]))["id"] == begun["id"]


async def test_a_secret_opens_one_activation_only(whole: Whole) -> None:
    mine, theirs = await a_guests_run(whole), await a_guests_run(whole)
    async with whole.anonymous(mine["resume_token"]) as guest:
        answer = await guest.browser.get(f"/v1/activations/{theirs['id']}")
        assert problem(answer) == (404, "not_found")
        assert problem(await guest.submit(theirs)) == (404, "not_found")


async def test_an_invented_or_outlived_secret_opens_nothing(whole: Whole) -> None:
    begun = await a_guests_run(whole)
    async with whole.sessions.begin() as session:
        await session.execute(
            update(GuestCapabilityRow)
            .where(GuestCapabilityRow.hash == secret_hash(begun["resume_token"]))
            .values(expires_at=GuestCapabilityRow.created_at)
        )
    for token in (begun["resume_token"], CAPABILITY_PREFIX + "x" * 43):
        async with whole.anonymous(token) as guest:
            assert problem(await guest.submit(begun)) == (404, "not_found")


async def test_a_secret_ends_by_the_clock_that_it_is_read_by(whole: Whole) -> None:
    """The database's: one of the API that is wrong makes it neither longer nor shorter (promise 15)."""
    begun = await a_guests_run(whole)
    async with whole.sessions() as session:
        life = await session.scalar(
            select(GuestCapabilityRow.expires_at - GuestCapabilityRow.created_at).where(
                GuestCapabilityRow.hash == secret_hash(begun["resume_token"])
            )
        )
    assert life == CAPABILITY_LIFE


async def test_without_the_sim_digits_a_guest_is_told_which_field_is_missing(whole: Whole) -> None:
    async with whole.anonymous() as guest:
        answer = await guest.start(a_device_key())
    assert problem(answer) == (422, "invalid")
    assert answer.json()["validation_errors"] == [
        {"field": "iccid_last_digits", "message": "Required field"}
    ]


@pytest.mark.parametrize("digits", ["1234", "123456", "12a45", "", "١٢٣٤٥"])
async def test_malformed_sim_digits_are_refused_unseen(whole: Whole, digits: str) -> None:
    async with whole.anonymous() as guest:
        answer = await guest.start(a_device_key(), iccid_last_digits=digits)
    assert problem(answer) == (422, "invalid")
    assert [f["field"] for f in answer.json()["validation_errors"]] == ["iccid_last_digits"]


async def test_wrong_digits_look_like_an_absent_device_and_are_throttled(whole: Whole) -> None:
    key = a_device_key()
    wrong = f"{(int(iccid_of(key)) + 1) % 100_000:05d}"
    async with whole.anonymous() as guest:
        for _ in range(GUEST_DEVICE.tries):
            assert problem(await guest.start(key, iccid_last_digits=wrong)) == (
                404,
                "unknown_device",
            )
        for digits in (wrong, iccid_of(key)):
            refused = await guest.start(key, iccid_last_digits=digits)
            assert problem(refused) == (429, "throttled")
            assert int(refused.headers["retry-after"]) > 0
    async with whole.anonymous() as elsewhere:
        checked = await elsewhere.browser.post(
            "/api/iot/device-check", json={"device_key": key, "iccid_last_digits": iccid_of(key)}
        )
        assert problem(checked) == (429, "throttled")
    assert (await whole.stage.effects(key)) == {}


async def test_everybody_elses_guesses_are_passed_by_a_solved_puzzle_but_not_those_of_the_device(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobodys = GUEST_ALL.model_copy(update={"kind": a_name(), "tries": 0})
    monkeypatch.setattr(throttling, "GUEST_ALL", nobodys)
    key = a_device_key()
    wrong = f"{(int(iccid_of(key)) + 1) % 100_000:05d}"
    async with whole.anonymous() as guest, whole.anonymous() as solver:
        guest.browser.headers.pop("X-Bot-Check", None)
        refused = await guest.start(key, iccid_last_digits=iccid_of(key))
        assert problem(refused) == (429, "throttled")
        solver.browser.headers["X-Bot-Check"] = "human-who-tests"
        for _ in range(GUEST_DEVICE.tries):
            answer = await solver.start(key, iccid_last_digits=wrong)
            assert problem(answer) == (404, "unknown_device")
        refused = await solver.start(key, iccid_last_digits=iccid_of(key))
        assert problem(refused) == (429, "throttled")
        another = a_device_key()
        assert (await solver.started(another, iccid_last_digits=iccid_of(another)))["id"]


async def test_right_digits_use_up_no_tries(whole: Whole) -> None:
    key = a_device_key()
    for _ in range(GUEST_DEVICE.tries + 2):
        assert (await a_guests_run(whole, key))["id"]


async def test_a_device_of_an_account_does_not_exist_for_a_guest(whole: Whole) -> None:
    key = a_device_key()
    await whole.stage.control(key, owner_dealer_id=a_name())
    async with whole.anonymous() as guest:
        answer = await guest.start(key, iccid_last_digits=iccid_of(key))
    assert problem(answer) == (404, "unknown_device")


async def test_guests_and_dealers_do_not_access_each_others_activations(whole: Whole) -> None:
    guests, dealers = a_device_key(), a_device_key()
    begun = await a_guests_run(whole, guests)
    async with whole.signed_in() as installer, whole.anonymous() as guest:
        await installer.started(dealers)
        answer = await guest.start(dealers, iccid_last_digits=iccid_of(dealers))
        assert problem(answer) == (404, "unknown_device")
        assert problem(await installer.start(guests)) == (404, "unknown_device")
        assert problem(await installer.submit(begun)) == (404, "not_found")


async def test_a_guest_proves_possession_of_the_next_device_too(whole: Whole) -> None:
    begun, new = await a_guests_run(whole), a_device_key()
    wrong = f"{(int(iccid_of(new)) + 1) % 100_000:05d}"
    async with whole.anonymous(begun["resume_token"]) as guest:

        async def change(**digits: str) -> Flow:
            answer = await guest.send(
                begun["id"], "change-device", seq=begun["seq"], device_key=new, **digits
            )
            return answer.json()

        assert (await change())["code"] == "invalid"
        assert (await change(iccid_last_digits=wrong))["code"] == "unknown_device"
        assert await guest.look(begun["id"]) == {
            name: value for name, value in begun.items() if name != "resume_token"
        }
        changed = await change(iccid_last_digits=iccid_of(new))
    assert changed["view"]["device"]["device_key"] == new


async def test_what_is_for_dealers_is_closed_to_guests(whole: Whole) -> None:
    begun = await a_guests_run(whole)
    async with whole.anonymous(begun["resume_token"]) as guest:
        for path in ("", f"/{begun['id']}/colleagues"):
            answer = await guest.browser.get(f"/v1/activations{path}")
            assert problem(answer) == (401, "unauthenticated")
        given = await guest.send(begun["id"], "hand-over", seq=begun["seq"], user_id=a_name())
        assert problem(given) == (401, "unauthenticated")


async def test_a_guests_slow_device_comes_with_the_secret_to_follow_it(whole: Whole) -> None:
    key = a_device_key(traits="001")
    async with whole.anonymous() as guest:
        answer = await guest.start(key, iccid_last_digits=iccid_of(key))
    assert answer.status_code == 202, answer.text
    async with whole.anonymous(answer.json()["resume_token"]) as guest:
        begun = await guest.until(answer.json()["id"], lambda f: f["state"] != "checking")
    assert begun["state"] == "power-on-device"


async def test_a_guests_double_click_opens_one_activation(whole: Whole) -> None:
    key, click = a_device_key(), a_name()
    async with whole.anonymous() as guest:
        answers = await asyncio.gather(
            *(guest.start(key, iccid_last_digits=iccid_of(key), key=click) for _ in range(10))
        )
    assert {answer.status_code for answer in answers} == {200}, [a.text for a in answers]
    assert len({answer.json()["id"] for answer in answers}) == 1
    for answer in answers:
        async with whole.anonymous(answer.json()["resume_token"]) as guest:
            assert (await guest.look(answer.json()["id"]))["state"] == "power-on-device"


@contextmanager
def reminding_after(whole: Whole, pause: timedelta) -> Generator[None]:
    """What is begun meanwhile is reminded of this soon."""
    portal: Portal = whole.app.state.portal
    soon = portal.activation_policy.model_copy(update={"reminders": (pause,)})
    whole.app.state.portal = replace(portal, activation_policy=soon)
    try:
        yield
    finally:
        whole.app.state.portal = portal


async def test_a_guest_without_an_account_is_reminded_in_the_language_that_they_began_in(
    whole: Whole,
) -> None:
    key, address = a_device_key(), an_email()
    with reminding_after(whole, timedelta(seconds=0.3)):
        async with whole.anonymous() as guest:
            guest.browser.headers["Accept-Language"] = "fr-CA,fr;q=0.9"
            await guest.started(key, iccid_last_digits=iccid_of(key), consumer_email=address)
    (mail,) = await until(lambda: whole.stage.mails(address))
    assert mail["subject"] == f"Votre activation de {key} n’est pas terminée"
