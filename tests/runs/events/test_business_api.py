"""A rep's other tabs learn of a chosen and a cleared business at once."""

import asyncio

import httpx

from tests.drivers.factories import a_partner, an_outside_rep
from tests.drivers.whole_portal import Whole
from tests.partners.factories import let_see


async def test_other_tabs_learn_of_the_business(whole: Whole, address: str) -> None:
    rep = await an_outside_rep(whole.sessions)
    code = await a_partner(whole.sessions)
    await let_see(whole.sessions, rep, code)
    async with (
        whole.signed_in(rep) as reps,
        httpx.AsyncClient(base_url=address, timeout=20) as other,
        other.stream(
            "GET",
            "/v1/events",
            params={"follow": "session:me"},
            headers={"Authorization": reps.browser.headers["Authorization"]},
        ) as stream,
    ):
        lines = stream.aiter_lines()

        async def next_business() -> str:
            async with asyncio.timeout(10):
                while await anext(lines) != "event: business":
                    pass
                return await anext(lines)

        assert await next_business() == 'data: {"code":null}'
        await reps.browser.put("/v1/auth/business", json={"sapBpCode": code})
        assert await next_business() == f'data: {{"code":"{code}"}}'
        await reps.browser.delete("/v1/auth/business")
        assert await next_business() == 'data: {"code":null}'


async def test_a_stream_that_is_opened_anew_tells_the_business_of_now(
    whole: Whole, address: str
) -> None:
    rep = await an_outside_rep(whole.sessions)
    code = await a_partner(whole.sessions)
    await let_see(whole.sessions, rep, code)
    async with (
        whole.signed_in(rep) as reps,
        httpx.AsyncClient(base_url=address, timeout=20) as other,
    ):

        async def next_business() -> str:
            asked = {"follow": "session:me"}
            bearer = {"Authorization": reps.browser.headers["Authorization"]}
            async with (
                asyncio.timeout(10),
                other.stream("GET", "/v1/events", params=asked, headers=bearer) as stream,
            ):
                lines = stream.aiter_lines()
                assert await anext(lines) == "event: business"
                return await anext(lines)

        assert await next_business() == 'data: {"code":null}'
        await reps.browser.put("/v1/auth/business", json={"sapBpCode": code})
        assert await next_business() == f'data: {{"code":"{code}"}}'
