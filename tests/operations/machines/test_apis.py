"""What one API knows the other one knows at once: nobody sees which of them answers."""

import asyncio
from decimal import Decimal
from itertools import cycle

import httpx

from db.catalogue.prices import set_msrp
from tests.catalogue.factories import a_product
from tests.drivers.factories import a_name, an_installer
from tests.drivers.portal import a_browser, serving, sign_in
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole, problem, submission
from tests.runs.events.streams import following


async def test_a_change_through_one_api_is_seen_live_at_the_other(
    whole: Whole, another: Whole
) -> None:
    async with whole.signed_in() as installer, serving(another.app) as address:
        begun = await installer.started(a_device_key())
        async with following(address, installer, f"activation:{begun['id']}") as stream:
            assert await stream.event() == await installer.look(begun["id"])
            await installer.submit(begun)
            changed = await stream.event()
            assert changed is not None
            assert (changed["state"], changed["rev"]) == ("set-vehicle-details", begun["rev"] + 1)


async def test_tries_are_counted_over_both_apis(whole: Whole, another: Whole) -> None:
    user = await an_installer(whole.sessions)
    both = cycle((whole.app, another.app))
    answers: list[int] = []
    for app in [next(both) for _ in range(12)]:
        async with a_browser(app) as browser:
            del browser.headers["X-Bot-Check"]  # whoever solves a puzzle has tries of its own
            answers.append((await sign_in(browser, user, password="not-it")).status_code)
    assert answers == [401] * 10 + [429] * 2


async def test_who_signed_in_at_one_api_is_known_at_the_other_and_gone_from_both_at_once(
    whole: Whole, another: Whole
) -> None:
    user = await an_installer(whole.sessions)
    async with a_browser(whole.app) as here, a_browser(another.app) as there:
        await sign_in(here, user, remember_me=True)
        there.headers["Authorization"] = here.headers["Authorization"]
        there.cookies = here.cookies
        assert (await there.get("/v1/auth/user")).status_code == 200
        turned = await there.post("/v1/auth/refresh")
        assert turned.status_code == 200
        here.cookies = there.cookies
        assert (await here.post("/v1/auth/sign-out-everywhere")).status_code == 204
        for browser in (here, there):
            assert (await browser.get("/v1/auth/user")).status_code == 401
            assert (await browser.post("/v1/auth/refresh")).status_code == 401


async def test_the_same_key_at_both_apis_at_once_begins_one_run(
    whole: Whole, another: Whole
) -> None:
    user = await an_installer(whole.sessions)
    async with whole.signed_in(user) as here, another.signed_in(user) as there:
        device_key, key = a_device_key(), a_name()

        async def begun(caller: Caller) -> str:
            while True:
                answer = await caller.start(device_key, key=key)
                if answer.status_code in (200, 202):
                    return answer.json()["id"]
                assert problem(answer) == (409, "still_under_way")

        ids = set(await asyncio.gather(*(begun(caller) for caller in (here, there) * 5)))
        assert len(ids) == 1


async def test_the_same_click_at_both_apis_is_one_step(whole: Whole, another: Whole) -> None:
    user = await an_installer(whole.sessions)
    async with whole.signed_in(user) as here, another.signed_in(user) as there:
        begun = await here.started(a_device_key())
        body = submission(begun)
        answers = await asyncio.gather(
            *(caller.send(begun["id"], "submit", **body) for caller in (here, there) * 3)
        )
        taken = [answer for answer in answers if answer.status_code in (200, 202)]
        assert taken
        moved = await here.until(begun["id"], lambda flow: flow["seq"] > begun["seq"])
        assert moved["state"] == "set-vehicle-details"
        assert await there.look(begun["id"]) == await here.look(begun["id"])
        refused = {problem(answer)[0] for answer in answers if answer not in taken}
        assert refused <= {409}


async def test_what_each_api_keeps_of_a_product_hides_no_price_of_today(
    whole: Whole, another: Whole
) -> None:
    """Pages of products are kept by each API for itself, for minutes: no price stands in them."""
    made = await a_product(whole.sessions, msrp="100")

    async def price(browser: httpx.AsyncClient) -> float:
        answer = await browser.get(f"/api/product-by-id/{made.id}")
        return answer.json()["pricing"]["priceRange"]["start"]["net"]["amount"]

    async with a_browser(whole.app) as here, a_browser(another.app) as there:
        assert [await price(here), await price(there)] == [100, 100]
        async with whole.sessions.begin() as session:
            await set_msrp(session, made.variant_id, Decimal(90))
        assert [await price(here), await price(there)] == [90, 90]
