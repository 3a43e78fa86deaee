"""The board of open activations: what stands on it, in which order, who sees it, and who is reminded."""

from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from db.base import Sessions
from domain.identity.people import User
from tests.dealers.team_rows import a_walked_run, an_open_run
from tests.drivers.factories import a_dealer, a_name, an_admin, an_installer, an_owner
from tests.drivers.portal import a_browser, a_key, sign_in
from tests.identity.messages import Reachable, a_reachable_portal


@pytest.fixture
async def reachable(database_url: str, simulators: FastAPI) -> AsyncGenerator[Reachable]:
    async with a_reachable_portal(database_url, simulators, mfa_support=False) as portal:
        yield portal


async def board(browser: httpx.AsyncClient, owner: User, **query: Any) -> dict[str, Any]:
    path = f"/v1/dealers/{owner.dealer_id}/open-activations"
    answer = await browser.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_longest_idle_stands_first_and_says_whom_it_waits_for(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    owner, hand = await an_owner(sessions, dealer), await an_installer(sessions, dealer)
    young = await an_open_run(sessions, hand, idle=timedelta(minutes=2), state="check-firmware")
    old = await an_open_run(
        sessions, owner, idle=timedelta(days=3), state="verify-connection/waiting"
    )
    await an_open_run(sessions, await an_installer(sessions))
    await a_walked_run(sessions, hand, [("check-firmware", timedelta(minutes=1))], lost=False)
    await sign_in(browser, owner)
    shown = (await board(browser, owner))["results"]
    assert [one["id"] for one in shown] == [old, young]
    assert [one["waits_for"] for one in shown] == ["device", "person"]
    assert [one["step"] for one in shown] == ["verify-connection", "check-firmware"]
    assert shown[1]["owner"] == hand.name
    assert shown[1]["product"] == "ft-x1"
    assert not shown[1]["owner_is_gone"]


async def test_pages_follow_each_other_without_gap_or_repeat(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await an_owner(sessions)
    ids = [await an_open_run(sessions, owner, idle=timedelta(hours=9 - n)) for n in range(5)]
    await sign_in(browser, owner)
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = await board(browser, owner, limit=2, **cursor)
        assert (page["counts"] is None) == bool(cursor)
        seen += [one["id"] for one in page["results"]]
        if page["end_cursor"] is None:
            break
        cursor = {"cursor": page["end_cursor"]}
    assert seen == ids


async def test_it_is_narrowed_by_person_product_and_step_and_counted_by_each(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    owner, hand = await an_owner(sessions, dealer), await an_installer(sessions, dealer)
    first = await an_open_run(sessions, hand, state="check-firmware", product="ft-x1")
    second = await an_open_run(sessions, hand, state="device-testing/waiting", product="ft-x2")
    third = await an_open_run(sessions, owner, state="device-testing", product="ft-x2")
    await sign_in(browser, owner)

    async def found(**query: str) -> set[str]:
        return {one["id"] for one in (await board(browser, owner, **query))["results"]}

    assert await found(owner_id=hand.id) == {first, second}
    assert await found(product="ft-x2") == {second, third}
    assert await found(step="device-testing", owner_id=owner.id) == {third}
    counts = (await board(browser, owner, step="device-testing"))["counts"]
    assert counts["count"] == 3
    assert {(one["by"], one["name"]): one["count"] for one in counts["groups"]} == {
        ("person", hand.id): 2,
        ("person", owner.id): 1,
        ("product", "ft-x2"): 2,
        ("product", "ft-x1"): 1,
        ("step", "device-testing"): 2,
        ("step", "check-firmware"): 1,
    }
    assert {one["label"] for one in counts["groups"] if one["by"] == "person"} == {
        hand.name,
        owner.name,
    }


@pytest.mark.parametrize("query", [{"cursor": "x"}, {"step": "a b"}, {"product": "ü"}])
async def test_what_is_no_filter_is_refused(
    sessions: Sessions, browser: httpx.AsyncClient, query: dict[str, Any]
) -> None:
    owner = await an_owner(sessions)
    await sign_in(browser, owner)
    answer = await browser.get(f"/v1/dealers/{owner.dealer_id}/open-activations", params=query)
    assert answer.status_code == 422


async def test_another_dealers_board_is_not_there(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    stranger, hand = await an_owner(sessions), await an_installer(sessions)
    run = await an_open_run(sessions, stranger)
    await sign_in(browser, await an_owner(sessions))
    answer = await browser.get(f"/v1/dealers/{stranger.dealer_id}/open-activations")
    assert answer.status_code == 404
    answer = await browser.post(f"/v1/activations/{run}/remind", headers=a_key())
    assert answer.status_code == 404
    followed = await browser.get("/v1/events", params={"follow": f"team:{stranger.dealer_id}"})
    assert followed.status_code == 404
    await sign_in(browser, hand)
    answer = await browser.get(f"/v1/dealers/{hand.dealer_id}/open-activations")
    assert answer.status_code == 403
    followed = await browser.get("/v1/events", params={"follow": f"team:{hand.dealer_id}"})
    assert followed.status_code == 403


async def test_an_administrator_sees_those_of_all_businesses(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    one, other, product = await an_owner(sessions), await an_owner(sessions), f"p-{a_name()}"
    old = await an_open_run(sessions, one, idle=timedelta(days=2), product=product)
    young = await an_open_run(sessions, other, product=product)
    await sign_in(browser, await an_admin(sessions))
    answer = await browser.get("/v1/operations/open-activations", params={"product": product})
    shown, counts = answer.json()["results"], answer.json()["counts"]
    assert [(run["id"], run["dealer_id"]) for run in shown] == [
        (old, one.dealer_id),
        (young, other.dealer_id),
    ]
    assert all(run["dealer"] for run in shown)
    assert counts["count"] >= 2


async def test_steps_say_where_runs_are_lost_and_how_long_they_take(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner, step, later = await an_owner(sessions), f"s-{a_name()}", f"t-{a_name()}"
    for minutes in (1, 2, 3):
        stays = [
            (step, timedelta(minutes=minutes)),
            (f"{step}/waiting", timedelta(minutes=minutes)),
            (later, timedelta(minutes=1)),
        ]
        await a_walked_run(sessions, owner, stays, lost=minutes == 3)
    await sign_in(browser, await an_admin(sessions))
    found = (await browser.get("/v1/operations/activation-steps")).json()["results"]
    figures = {one["step"]: one for one in found}
    assert figures[step] == {
        "step": step,
        "reached": 3,
        "lost": 0,
        "median_ms": 240_000,
        "p95_ms": 348_000,
    }
    assert (figures[later]["reached"], figures[later]["lost"]) == (3, 1)
    lost = [one["lost"] for one in found]
    assert lost == sorted(lost, reverse=True)


async def test_a_reminder_is_mailed_once_within_its_time(
    sessions: Sessions, reachable: Reachable
) -> None:
    dealer = await a_dealer(sessions)
    owner, hand = await an_owner(sessions, dealer), await an_installer(sessions, dealer)
    run = await an_open_run(sessions, hand)
    async with a_browser(reachable.app) as browser:
        await sign_in(browser, owner)
        key = a_key()
        answers = [
            await browser.post(f"/v1/activations/{run}/remind", headers=key) for _ in range(2)
        ]
        assert [answer.json() for answer in answers] == [{"id": run, "reminded": hand.name}] * 2
        again = await browser.post(f"/v1/activations/{run}/remind", headers=a_key())
        assert again.status_code == 429
        assert int(again.headers["Retry-After"]) > 0
    (mail,) = await reachable.texts_to(hand.email)
    assert f"/activation/device?id={run}" in mail
    assert "Check the firmware" in mail


async def test_nobody_is_reminded_who_reads_no_mail_of_the_business(
    sessions: Sessions, reachable: Reachable
) -> None:
    dealer = await a_dealer(sessions)
    owner, gone = (
        await an_owner(sessions, dealer),
        await an_installer(sessions, dealer, is_retired=True),
    )
    run = await an_open_run(sessions, gone)
    async with a_browser(reachable.app) as browser:
        await sign_in(browser, owner)
        shown = (await board(browser, owner))["results"]
        assert shown[0]["owner_is_gone"]
        answer = await browser.post(f"/v1/activations/{run}/remind", headers=a_key())
        assert (answer.status_code, answer.json()["code"]) == (409, "nobody_to_remind")
    assert await reachable.texts_to(gone.email) == []
