"""Firmware beside an activation, through the API: check, start, ask, history, and whose it is."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from sqlalchemy import select

from db.operations.audit import AuditRow
from tests.drivers.factories import Dealer, a_dealer, an_installer, an_owner
from tests.drivers.portal import a_key
from tests.drivers.stage import a_device_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Caller, Flow, Whole, iccid_of, problem

UPDATE = "command:update_firmware"


async def a_dealers_device(whole: Whole, dealer: Dealer, traits: str, **control: Any) -> str:
    """A device of the dealer's account; its digits are never asked for."""
    key = a_device_key(traits=traits)
    await whole.stage.control(key, owner_dealer_id=dealer.id, **control)
    return key


async def ask(caller: Caller, path: str, **query: Any) -> httpx.Response:
    return await caller.browser.get(f"/v1/{path}", params=query)


async def start(caller: Caller, device_key: str, **body: Any) -> httpx.Response:
    sent = {"device_key": device_key, **body}
    return await caller.browser.post("/v1/firmware", json=sent, headers=a_key())


async def send(caller: Caller, run_id: str, call: str, **body: Any) -> httpx.Response:
    return await caller.browser.post(f"/v1/firmware/{run_id}/{call}", json=body, headers=a_key())


async def until_it_is(caller: Caller, run_id: str, state: str) -> Flow:
    answer = await until(
        lambda: ask(caller, f"firmware/{run_id}"),
        lambda answer: answer.status_code == 200 and answer.json()["state"] == state,
        within=30,
    )
    return answer.json()


async def test_a_device_is_checked_updated_and_has_a_history(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    key = await a_dealers_device(whole, dealer, "038")
    ina = await an_installer(whole.sessions, dealer)
    async with whole.signed_in(ina) as installer:
        checked = await ask(installer, "firmware/offers", device_key=key)
        assert [o["label"] for o in checked.json()["offers"]] == ["Main device", "KeyLocker"]
        assert checked.json()["weaknesses"] == []
        begun = await start(installer, key)
        assert begun.status_code == 200, begun.text
        run_id = begun.json()["id"]
        assert begun.json()["view"]["started_by"] == ina.name
        done = await until_it_is(installer, run_id, "done")
        assert [t["update_attempts"] for t in done["view"]["targets"]] == [3, 1]
        history = (await ask(installer, "firmware", device_key=key)).json()
        assert (history["present"], [r["id"] for r in history["results"]]) == (None, [run_id])
        assert history["results"][0]["outcome"] == "done"
        moves = (await ask(installer, f"firmware/{run_id}/transitions")).json()["results"]
        assert moves[-1]["event"] == "FINISHED"
        assert problem(await start(installer, key)) == (409, "firmware_up_to_date")
        again = await ask(installer, "firmware/offers", device_key=key)
        assert again.json()["offers"] == []


async def test_whoever_comes_second_joins_the_run_under_way(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    key = await a_dealers_device(whole, dealer, "010", silent_commands=1)
    first, second = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with whole.signed_in(first) as ina, whole.signed_in(second) as cole:
        answers = await asyncio.gather(start(ina, key), start(cole, key))
        assert {answer.status_code for answer in answers} == {200}
        (run_id,) = {answer.json()["id"] for answer in answers}
        await until_it_is(cole, run_id, "download_sent")
        listed = (await ask(cole, "firmware", device_key=key)).json()
        assert listed["present"]["id"] == run_id
        assert (await send(cole, run_id, "cancel")).json()["state"] == "cancelled"
        assert problem(await send(ina, run_id, "retry")) == (410, "closed")


async def test_the_same_key_starts_one_run(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    key = await a_dealers_device(whole, dealer, "010", silent_commands=1)
    headers = a_key()
    async with whole.signed_in(await an_installer(whole.sessions, dealer)) as installer:
        sent = {"device_key": key}
        answers = [
            await installer.browser.post("/v1/firmware", json=sent, headers=headers)
            for _ in range(2)
        ]
        assert answers[0].json()["id"] == answers[1].json()["id"]
        assert answers[1].headers["Idempotency-Replayed"] == "true"
        await until_it_is(installer, answers[0].json()["id"], "download_sent")
        await send(installer, answers[0].json()["id"], "cancel")


async def test_the_same_key_finds_its_run_after_its_answer_was_lost(whole: Whole) -> None:
    """The API died between the effect and the answer, and the device was updated meanwhile."""
    dealer = await a_dealer(whole.sessions)
    key = await a_dealers_device(whole, dealer, "038")
    headers = a_key()
    async with whole.signed_in(await an_installer(whole.sessions, dealer)) as installer:
        sent = {"device_key": key}
        begun = await installer.browser.post("/v1/firmware", json=sent, headers=headers)
        done = await until_it_is(installer, begun.json()["id"], "done")
        await whole.forget(headers)
        again = await installer.browser.post("/v1/firmware", json=sent, headers=headers)
        assert (again.status_code, again.json()["id"]) == (200, done["id"])
        assert again.json()["state"] == "done"
        assert problem(await start(installer, key)) == (409, "firmware_up_to_date")


async def test_what_ended_a_run_is_answered_the_same_after_its_answer_was_lost(
    whole: Whole,
) -> None:
    dealer = await a_dealer(whole.sessions)
    key = await a_dealers_device(whole, dealer, "010", silent_commands=1)
    headers = a_key()
    async with whole.signed_in(await an_installer(whole.sessions, dealer)) as installer:
        run_id = (await start(installer, key)).json()["id"]
        await until_it_is(installer, run_id, "download_sent")
        path = f"/v1/firmware/{run_id}/cancel"
        ended = await installer.browser.post(path, json={}, headers=headers)
        await whole.forget(headers)
        again = await installer.browser.post(path, json={}, headers=headers)
        assert (again.status_code, again.json()) == (200, ended.json())
        assert "Idempotency-Replayed" not in again.headers
        assert problem(await send(installer, run_id, "cancel")) == (410, "closed")


async def test_a_deferred_run_is_called_back(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    key = await a_dealers_device(whole, dealer, "010", silent_commands=1)
    async with whole.signed_in(await an_installer(whole.sessions, dealer)) as installer:
        run_id = (await start(installer, key)).json()["id"]
        await until_it_is(installer, run_id, "download_sent")
        deferred = await send(installer, run_id, "defer", until=in_days(1))
        assert deferred.json()["state"] == "deferred"
        assert "RETRY_NOW" in deferred.json()["view"]["allowed"]
        assert (await send(installer, run_id, "retry")).status_code == 200
        await until_it_is(installer, run_id, "done")


async def test_a_time_to_defer_to_lies_in_the_next_seven_days(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    key = await a_dealers_device(whole, dealer, "010", silent_commands=1)
    async with whole.signed_in(await an_installer(whole.sessions, dealer)) as installer:
        run_id = (await start(installer, key)).json()["id"]
        assert problem(await send(installer, run_id, "defer", until=in_days(8))) == (422, "invalid")
        await until_it_is(installer, run_id, "download_sent")
        await send(installer, run_id, "cancel")


async def test_a_weak_device_is_refused_with_its_readings_until_an_owner_overrules(
    whole: Whole,
) -> None:
    dealer = await a_dealer(whole.sessions)
    key = await a_dealers_device(whole, dealer, "080")
    async with whole.signed_in(await an_installer(whole.sessions, dealer)) as installer:
        refused = await start(installer, key)
        assert problem(refused) == (409, "device_too_weak")
        weak = {w["what"]: (w["reading"], w["least"]) for w in refused.json()["weaknesses"]}
        assert weak == {"battery": (10.4, 11.8), "signal": (-113, -105)}
        assert "10.4 V" in refused.json()["detail"]
        assert problem(await start(installer, key, reason="It will do")) == (
            403,
            "may_not_overrule",
        )
        assert await whole.stage.effects(key) == {}
    async with whole.signed_in(await an_owner(whole.sessions, dealer)) as owner:
        assert problem(await start(owner, key)) == (409, "device_too_weak")
        begun = await start(owner, key, reason="On a charger in the bay")
        assert begun.status_code == 200, begun.text
        done = await until_it_is(owner, begun.json()["id"], "done")
        assert done["view"]["overruled"]["reason"] == "On a charger in the bay"
    assert await audited(whole, begun.json()["id"], "overruled a weak reading") == [
        "On a charger in the bay"
    ]


async def test_what_the_device_overtook_is_not_told_nor_audited_as_done(whole: Whole) -> None:
    await whole.stage.turn(slow_seconds=1)
    dealer = await a_dealer(whole.sessions)
    key = await a_dealers_device(whole, dealer, "010", slow=True, offline_seconds=600)
    async with whole.signed_in(await an_installer(whole.sessions, dealer)) as installer:
        begun = await start(installer, key)
        run_id = begun.json()["id"]
        await until_it_is(installer, run_id, "download_sent")
        lapsed = await send(installer, run_id, "defer", until=in_days(1))
        assert problem(lapsed) == (409, "step_out_of_order")
        assert lapsed.json()["detail"] == "This is not possible at this point of the update."
        await until_it_is(installer, run_id, "waiting_online")
        await send(installer, run_id, "cancel")
    assert await audited(whole, run_id, "deferred a firmware run") == []


async def test_an_owner_overrules_what_was_held_back_in_mid_update(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    key = await a_dealers_device(whole, dealer, "010", answer_seconds=1)
    async with whole.signed_in(await an_installer(whole.sessions, dealer)) as installer:
        run_id = (await start(installer, key)).json()["id"]
        await whole.stage.control(key, battery_volts=10.4, answer_seconds=0)
        held_back = await until_it_is(installer, run_id, "weak")
        assert "OVERRULE" in held_back["view"]["allowed"]
        assert UPDATE not in await whole.stage.effects(key)
        refused = await send(installer, run_id, "overrule", reason="It will do")
        assert problem(refused) == (403, "forbidden")
        async with whole.signed_in(await an_owner(whole.sessions, dealer)) as owner:
            empty = await send(owner, run_id, "overrule", reason="  ")
            assert problem(empty) == (422, "invalid")
            answer = await send(owner, run_id, "overrule", reason="On a charger")
            assert answer.status_code == 200, answer.text
        await until_it_is(installer, run_id, "done")
    assert await audited(whole, run_id, "overruled a weak reading") == ["On a charger"]


async def test_a_device_of_another_dealer_does_not_exist(whole: Whole) -> None:
    key = await a_dealers_device(whole, await a_dealer(whole.sessions), "010")
    async with whole.signed_in() as stranger:
        for answer in (
            await ask(stranger, "firmware", device_key=key),
            await ask(stranger, "firmware/offers", device_key=key),
            await ask(stranger, f"devices/{key}"),
            await start(stranger, key),
        ):
            assert problem(answer) == (404, "unknown_device")
    assert await whole.stage.effects(key) == {}


async def test_a_device_of_nobodys_is_opened_with_its_digits(whole: Whole) -> None:
    key = a_device_key(traits="010")
    async with whole.signed_in() as installer:
        without = await ask(installer, "firmware/offers", device_key=key)
        assert problem(without) == (422, "invalid")
        with_digits = {"iccid_last_digits": iccid_of(key)}
        found = await ask(installer, "firmware/offers", device_key=key, **with_digits)
        assert [o["to_version"] for o in found.json()["offers"]] == ["1.5.0"]
        begun = await start(installer, key, **with_digits)
        await until_it_is(installer, begun.json()["id"], "done")


async def test_a_device_that_a_colleague_is_activating_is_updated_there(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    key = a_device_key(traits="010")
    async with whole.signed_in(await an_installer(whole.sessions, dealer)) as colleague:
        activation = await colleague.started(key)
        async with whole.signed_in(await an_installer(whole.sessions, dealer)) as installer:
            refused = await start(installer, key)
            assert problem(refused) == (409, "device_in_use")
            assert refused.json()["flow"]["id"] == activation["id"]
            record = (await ask(installer, f"devices/{key}")).json()
            assert [a["id"] for a in record["activations"]] == [activation["id"]]
        async with whole.signed_in() as stranger:
            assert problem(await start(stranger, key)) == (404, "unknown_device")
        await colleague.send(activation["id"], "abandon", seq=activation["seq"], reason="")


async def test_a_run_of_another_dealer_is_not_found(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    key = await a_dealers_device(whole, dealer, "010", silent_commands=1)
    async with whole.signed_in(await an_owner(whole.sessions, dealer)) as owner:
        run_id = (await start(owner, key)).json()["id"]
        await until_it_is(owner, run_id, "download_sent")
        async with whole.signed_in(await an_owner(whole.sessions)) as stranger:
            for call, body in (
                ("retry", {}),
                ("cancel", {}),
                ("defer", {"until": in_days(1)}),
                ("overrule", {"reason": "On a charger"}),
            ):
                answer = await send(stranger, run_id, call, **body)
                assert problem(answer) == (404, "not_found")
            assert problem(await ask(stranger, f"firmware/{run_id}")) == (404, "not_found")
        await send(owner, run_id, "cancel")


async def test_devices_are_listed_by_their_latest_change_a_page_at_a_time(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    keys = [await a_dealers_device(whole, dealer, "000") for _ in range(3)]
    async with whole.signed_in(await an_installer(whole.sessions, dealer)) as installer:
        for key in keys:
            begun = await installer.started(key)
            await installer.send(begun["id"], "abandon", seq=begun["seq"], reason="")
        first = (await ask(installer, "devices", limit=2)).json()
        rest = (await ask(installer, "devices", limit=2, cursor=first["end_cursor"])).json()
        listed = [device["device_key"] for device in first["results"] + rest["results"]]
        assert listed == keys[::-1]
        assert rest["end_cursor"] is None
        one = await ask(installer, "devices", starts_with=keys[1].lower())
        assert [device["device_key"] for device in one.json()["results"]] == [keys[1]]
    async with whole.signed_in() as stranger:
        assert (await ask(stranger, "devices")).json()["results"] == []


async def test_a_device_is_shown_while_the_network_is_away(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    key = await a_dealers_device(whole, dealer, "000")
    async with whole.signed_in(await an_installer(whole.sessions, dealer)) as installer:
        begun = await installer.started(key)
        at = await installer.walk_to(begun, "completed")
        shown = (await ask(installer, f"devices/{key}")).json()
        assert (shown["device"]["device_state"], shown["device"]["owner_dealer_id"]) == (
            "installed",
            None,
        )
        await whole.stage.control(key, outages=100)
        record = (await ask(installer, f"devices/{key}")).json()
    assert record["device"] is None
    assert [(a["id"], a["outcome"]) for a in record["activations"]] == [(at["id"], "completed")]


def in_days(days: float) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


async def audited(whole: Whole, run_id: str, action: str) -> list[str]:
    """The reasons that the audit holds."""
    async with whole.sessions() as session:
        rows = await session.scalars(
            select(AuditRow).where(AuditRow.object_id == run_id, AuditRow.action == action)
        )
        return [row.more["reason"] for row in rows]
