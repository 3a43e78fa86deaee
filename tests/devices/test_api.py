"""The device check that comes before an activation."""

import pytest

from tests.billing.payments.factories import a_main_card
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Flow, Whole, iccid_of, problem


async def check(caller: Caller, device_key: str, **body: object) -> Flow:
    answer = await caller.browser.post(
        "/api/iot/device-check", json={"device_key": device_key, **body}
    )
    assert answer.status_code == 200, answer.text
    (device,) = answer.json()["results"]
    return device


@pytest.mark.parametrize(
    ("traits", "types"),
    [
        ("000", ["new-device", "verizon-sim"]),
        ("200", ["service-device", "replace-device", "purchase-subscription"]),
        ("300", ["replace-device"]),
    ],
)
async def test_the_check_tells_what_can_be_done_with_a_device(
    whole: Whole, traits: str, types: list[str]
) -> None:
    key = a_device_key(traits=traits)
    async with whole.signed_in() as installer:
        device = await check(installer, f" {key.lower()} ")
    assert (device["device_key"], device["product_name"]) == (key, "ft-x1")
    assert (device["activation_types"], device["activation"]) == (types, None)


async def test_the_check_takes_a_device_as_it_is_held_and_passes_over_what_it_does_not_know(
    whole: Whole,
) -> None:
    key = a_device_key()
    held = {"product_name": "ft-x1", "service_mode": False, "controller": {"a": 1}, "new": [1]}
    async with whole.signed_in() as installer:
        assert (await check(installer, key, **held))["device_key"] == key
        answer = await installer.browser.post(
            "/api/iot/device-purchasing-check", json={"device_key": key, **held}
        )
    assert answer.json()["results"][0]["device_key"] == key


async def test_the_sim_digits_are_told_to_nobody_who_did_not_know_them(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as installer:
        assert installer.user is not None
        await whole.stage.control(key, owner_dealer_id=installer.user.dealer_id)
        assert (await check(installer, key))["iccid_last_digits"] is None
        known = await check(installer, key, iccid_last_digits=iccid_of(key))
    assert known["iccid_last_digits"] == iccid_of(key)
    assert known["owner_dealer_id"] is None


async def test_the_check_finds_what_a_colleague_left_unfinished(whole: Whole) -> None:
    dealer, key = await a_dealer(whole.sessions), a_device_key()
    first, second = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with whole.signed_in(first) as one, whole.signed_in(second) as other:
        at = await one.walk_to(await one.started(key), "set-vehicle-details")
        found = (await check(other, key))["activation"]
    assert (found["id"], found["step"], found["position"]) == (at["id"], "set-vehicle-details", 2)
    assert found["saved_by"] == first.name


async def test_a_guest_proves_possession_for_a_check_too(whole: Whole) -> None:
    key = a_device_key()
    async with whole.anonymous() as guest:
        device = await check(guest, key, iccid_last_digits=iccid_of(key))
        assert device["activation_types"] == ["new-device", "verizon-sim"]
        for body, expected in (
            ({}, (422, "invalid")),
            ({"iccid_last_digits": "00000"}, (404, "unknown_device")),
        ):
            answer = await guest.browser.post(
                "/api/iot/device-check", json={"device_key": key, **body}
            )
            assert problem(answer) == expected


@pytest.mark.parametrize(
    "device_key",
    ["FT1", "-FT-X1", "FT-X1-", "FT--X1", "FT_X1_12345678", "FT-X1-١٢٣٤٥٦٧٨", "FT X1 12345678"],
)
async def test_a_malformed_serial_number_is_refused_unseen(whole: Whole, device_key: str) -> None:
    async with whole.signed_in() as installer:
        answer = await installer.browser.post(
            "/api/iot/device-check", json={"device_key": device_key}
        )
        assert problem(answer) == (422, "malformed_device_key")
        assert problem(await installer.start(device_key)) == (422, "malformed_device_key")
    assert device_key not in answer.text


async def test_on_the_canadian_site_the_flag_cannot_be_talked_away(whole: Whole) -> None:
    key = a_device_key(traits="600")
    async with whole.signed_in() as installer:
        answer = await installer.browser.post(
            "/api/iot/device-check", json={"device_key": key, "isCanadianUser": False}
        )
    assert problem(answer) == (409, "region_refused")


@pytest.mark.parametrize(
    ("host", "card", "said"),
    [
        ("localhost", None, (409, "region_refused")),
        ("localhost", "US", None),
        ("us.localhost", None, None),
        ("us.localhost", "CA", (409, "region_refused")),
    ],
)
async def test_canadian_is_who_pays_with_a_canadian_card_else_who_is_on_that_site(
    whole: Whole, host: str, card: str | None, said: tuple[int, str] | None
) -> None:
    owner = await an_owner(whole.sessions)
    if card is not None:
        await a_main_card(whole.sessions, owner.partner_code or "", country=card)
    key = a_device_key(traits="600")
    async with whole.signed_in(owner) as caller:
        for flag in (True, False):
            answer = await caller.browser.post(
                "/api/iot/device-check",
                json={"device_key": key, "isCanadianUser": flag},
                headers={"Host": host},
            )
            if said is None:
                assert answer.status_code == 200, answer.text
            else:
                assert problem(answer) == said
