"""Which saved method is the default: one that can be used, and that is shown to those who order."""

import httpx
from fastapi import FastAPI

from db.base import Sessions
from tests.billing.payment_methods.test_api import a_number, methods, signed_in
from tests.billing.payments.factories import a_method
from tests.orders.factories import code_of

HIDDEN = "default_payment_method_hidden"


async def hide(browser: httpx.AsyncClient, id: str, **more: object) -> httpx.Response:
    body = {"paymentMethodId": id, "isHidden": True, **more}
    return await browser.patch("/api/update-credit-card", json=body)


async def mains(browser: httpx.AsyncClient) -> list[tuple[str, bool]]:
    return [(one["id"], one["isHidden"]) for one in await methods(browser) if one["isMain"]]


async def test_a_hidden_card_that_becomes_the_default_is_shown(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    code = code_of(await signed_in(browser, sessions))
    await a_method(sessions, partner_code=code)
    hidden = await a_method(sessions, partner_code=code)
    assert (await hide(browser, hidden.id)).json()["isHidden"] is True
    chosen = await browser.patch(f"/v1/card/{hidden.id}", json={"isDefault": True})
    assert chosen.status_code == 200, chosen.text
    assert await mains(browser) == [(hidden.id, False)]


async def test_the_default_is_not_hidden_nor_is_what_becomes_it(
    sessions: Sessions, browser: httpx.AsyncClient, stand_ins: FastAPI
) -> None:
    code = code_of(await signed_in(browser, sessions))
    first, second = [await a_method(sessions, partner_code=code) for _ in range(2)]
    refusals = [
        await hide(browser, first.id, name="Olivia Roy"),
        await hide(browser, second.id, isDefault=True),
        await browser.patch(f"/v1/card/{first.id}", json={"isHidden": True}),
    ]
    for refused in refusals:
        assert (refused.status_code, refused.json()["code"]) == (409, HIDDEN)
    assert await mains(browser) == [(first.id, False)]
    told = stand_ins.state.cards.paying.find("method", first.provider_id)
    assert told is None  # the provider was never asked


async def test_an_expired_card_inherits_nothing(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    code = code_of(await signed_in(browser, sessions))
    first = await a_method(sessions, partner_code=code)
    expired = await a_method(sessions, partner_code=code, exp_year=2024)
    account = await a_method(sessions, bank="good", partner_code=code)
    assert (await browser.delete(f"/v1/card/{first.id}")).status_code == 204
    assert await mains(browser) == [(account.id, False)]
    gone = {"paymentMethodId": account.id}
    assert (await browser.delete("/api/delete-bank-account", params=gone)).status_code == 204
    assert await mains(browser) == []
    renewed = await browser.patch(f"/v1/card/{expired.id}", json={"expYear": 2031})
    assert renewed.json()["is_main"] is True


async def test_a_card_saved_again_is_the_default_where_there_is_none(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    code = code_of(await signed_in(browser, sessions))
    first = await a_method(sessions, partner_code=code)
    saved = (await browser.post("/v1/card", json=a_number())).json()["id"]
    assert (await hide(browser, saved)).status_code == 200
    assert (await browser.delete(f"/v1/card/{first.id}")).status_code == 204
    assert await mains(browser) == []
    again = await browser.post("/v1/card", json=a_number(expYear=2033))
    assert again.json()["id"] == saved
    assert await mains(browser) == [(saved, False)]
