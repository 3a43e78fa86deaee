"""Whoever runs a business is told of each change of its activations, and of nobody else's."""

import asyncio
import json

import httpx
import pytest

from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Whole


async def test_a_team_is_followed_as_one(whole: Whole, address: str) -> None:
    dealer = await a_dealer(whole.sessions)
    owner, hand = (
        await an_owner(whole.sessions, dealer),
        await an_installer(whole.sessions, dealer),
    )
    async with (
        whole.signed_in(owner) as watching,
        whole.signed_in(hand) as working,
        whole.signed_in() as stranger,
        httpx.AsyncClient(base_url=address, timeout=20) as client,
        client.stream(
            "GET",
            "/v1/events",
            params={"follow": f"team:{dealer.id}"},
            headers={"Authorization": watching.browser.headers["Authorization"]},
        ) as stream,
    ):
        lines = stream.aiter_lines()

        async def next_team() -> dict[str, str]:
            async with asyncio.timeout(15):
                while await anext(lines) != "event: team":
                    pass
                return json.loads((await anext(lines)).removeprefix("data: "))

        await stranger.started(a_device_key())
        begun = await working.started(a_device_key())
        first = await next_team()
        assert first["id"] == dealer.id
        board = (await watching.browser.get(f"/v1/dealers/{dealer.id}/open-activations")).json()
        assert [one["id"] for one in board["results"]] == [begun["id"]]
        taken = await watching.browser.post(
            f"/v1/activations/{begun['id']}/hand-over",
            json={"seq": board["results"][0]["seq"], "user_id": owner.id},
            headers={"Idempotency-Key": f"take-{begun['id']}"},
        )
        assert taken.status_code == 200, taken.text
        assert (await next_team())["at"] > first["at"]
        board = (await watching.browser.get(f"/v1/dealers/{dealer.id}/open-activations")).json()
        assert board["results"][0]["owner_id"] == owner.id


@pytest.mark.parametrize("follow", ["team:", "team:a,team:b", "teams:a"])
async def test_what_names_no_team_is_refused(whole: Whole, follow: str) -> None:
    async with whole.signed_in(await an_owner(whole.sessions)) as owner:
        answer = await owner.browser.get("/v1/events", params={"follow": follow})
        assert answer.status_code == 422
