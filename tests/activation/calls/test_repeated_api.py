"""The same request twice, late, or from many places at once has one effect (promises 3 and 42)."""

import asyncio
from collections import Counter
from typing import Any

import httpx

from tests.drivers.factories import a_dealer, a_name, an_installer
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Flow, Whole, problem, submission

AT_ONCE = 20


async def at_the_tests(caller: Caller, device_key: str) -> Flow:
    return await caller.walk_to(await caller.started(device_key), "device-testing")


async def test_the_same_key_gets_the_same_answer(whole: Whole) -> None:
    key = a_name()
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        first = await installer.send(begun["id"], "submit", key=key, **submission(begun))
        later = await installer.walk_to(await installer.look(begun["id"]), "verify-connection")
        again = await installer.send(begun["id"], "submit", key=key, **submission(begun))
        assert (again.status_code, again.json()) == (200, first.json())
        assert again.headers["idempotency-replayed"] == "true"
        assert (await installer.look(begun["id"]))["rev"] == later["rev"]


async def test_the_same_key_with_another_body_is_refused(whole: Whole) -> None:
    key = a_name()
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        abandoned = await installer.send(
            begun["id"], "abandon", seq=begun["seq"], reason="first", key=key
        )
        assert abandoned.status_code == 200
        for call, body in (
            ("abandon", {"seq": begun["seq"], "reason": "second"}),
            ("reset", {"seq": begun["seq"]}),
        ):
            refused = await installer.send(begun["id"], call, key=key, **body)
            assert problem(refused) == (409, "idempotency_key_reused")


async def test_a_write_without_a_key_is_refused(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        for key in ({}, {"Idempotency-Key": "short"}, {"Idempotency-Key": "x" * 201}):
            answer = await installer.browser.post(
                f"/v1/activations/{begun['id']}/reset", json={"seq": begun["seq"]}, headers=key
            )
            assert problem(answer) == (422, "invalid")
            assert answer.json()["validation_errors"][0]["field"] == "Idempotency-Key"


async def test_a_click_on_an_old_screen_is_told_where_the_activation_stands(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        moved = (await installer.submit(begun)).json()
        refused = await installer.submit(begun)
        assert problem(refused) == (409, "stale_sequence")
        assert refused.json()["flow"] == {
            name: moved[name] for name in ("kind", "id", "seq", "rev", "state", "allowed")
        }


async def test_a_step_out_of_order_is_refused_without_effect(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as installer:
        begun = await installer.started(key)
        early: list[tuple[str, dict[str, Any]]] = [
            ("submit", {"step": "complete-activation", "data": {}}),
            ("submit", {"step": "send-welcome", "data": {"email": "owner@example.com"}}),
            ("commands", {"command": "arm"}),
            ("back", {"step": "device-testing"}),
        ]
        for call, body in early:
            refused = await installer.send(begun["id"], call, seq=begun["seq"], **body)
            assert problem(refused) == (409, "step_out_of_order")
            assert refused.json()["flow"]["state"] == "power-on-device"
    assert await whole.stage.effects(key) == {}


async def test_twenty_same_clicks_have_one_effect_and_one_answer(whole: Whole) -> None:
    device_key, key = a_device_key(), a_name()
    async with whole.signed_in() as installer:
        at = await at_the_tests(installer, device_key)
        answers = await asyncio.gather(
            *(
                installer.send_until_answered(
                    at["id"], "commands", key=key, seq=at["seq"], command="arm"
                )
                for _ in range(AT_ONCE)
            )
        )
    # 202 is the same promise, given before the outcome was known.
    assert {answer.status_code for answer in answers} <= {200, 202}, [a.text for a in answers]
    assert {answer.json()["id"] for answer in answers} == {at["id"]}
    assert (await whole.stage.effects(device_key))["command:arm"] == 1


async def test_twenty_clicks_with_keys_of_their_own_have_one_effect(whole: Whole) -> None:
    device_key = a_device_key()
    async with whole.signed_in() as installer:
        at = await at_the_tests(installer, device_key)
        answers = await asyncio.gather(
            *(
                installer.send_until_answered(
                    at["id"], "commands", key=a_name(), seq=at["seq"], command="arm"
                )
                for _ in range(AT_ONCE)
            )
        )
    counts = Counter(answer.is_success for answer in answers)
    assert counts == {True: 1, False: AT_ONCE - 1}, [a.text for a in answers]
    assert {a.status_code for a in answers if not a.is_success} == {409}
    for answer in answers:
        flow = answer.json() if answer.is_success else answer.json()["flow"]
        assert flow["id"] == at["id"]
    assert (await whole.stage.effects(device_key))["command:arm"] == 1


async def one_run(answers: list[httpx.Response]) -> str:
    # 202 is the same promise, given before the device was checked.
    assert {answer.status_code for answer in answers} <= {200, 202}, [a.text for a in answers]
    (flow_id,) = {answer.json()["id"] for answer in answers}
    return flow_id


async def test_twenty_starts_at_once_open_one_activation(whole: Whole) -> None:
    dealer, device_key = await a_dealer(whole.sessions), a_device_key()
    first, second = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with whole.signed_in(first) as one, whole.signed_in(second) as other:
        same_key = a_name()
        clicks = [one.start_until_answered(device_key, key=same_key) for _ in range(AT_ONCE // 2)]
        tabs = [caller.start_until_answered(device_key) for caller in (one, other) * (AT_ONCE // 4)]
        flow_id = await one_run(await asyncio.gather(*clicks, *tabs))
        await other.until(flow_id, lambda flow: flow["state"] == "power-on-device", within=60)


async def test_of_two_dealers_at_once_one_gets_the_device(whole: Whole) -> None:
    device_key = a_device_key()
    async with whole.signed_in() as one, whole.signed_in() as other:
        answers = await asyncio.gather(*(caller.start(device_key) for caller in (one, other)))
        (lost,) = (answer for answer in answers if not answer.is_success)
        assert problem(lost) in {(409, "conflict"), (404, "unknown_device")}
        loser = other if answers[0].is_success else one
        assert problem(await loser.start(device_key)) == (404, "unknown_device")


async def test_a_refused_message_may_be_sent_again_under_its_key(whole: Whole) -> None:
    key = a_name()
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        body = {"step": "set-vehicle-details", "seq": begun["seq"] + 1, "data": {}}
        assert (await installer.send(begun["id"], "submit", key=key, **body)).status_code == 422
        moved = (await installer.submit(begun)).json()
        good = submission(moved)
        assert (await installer.send(begun["id"], "submit", key=key, **good)).status_code == 200
