"""Parts fail apart (promise 14): with one third party away its own feature says so, and all others work."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from api.platform.deps import Portal
from db.demo.wiring.load import add_wiring
from domain.identity.people import User
from tests.billing.bank_accounts.test_api import an_account
from tests.billing.payment_methods.test_api import a_number
from tests.catalogue.factories import a_product
from tests.checkout.cart.buyers import a_buyer, begin
from tests.drivers.numbers import a_phone_number
from tests.drivers.portal import a_browser, a_key, running_portal, sign_in
from tests.drivers.stage import SIMULATED, a_device_key
from tests.drivers.whole_portal import Whole, iccid_of, whole
from tests.operations.test_doctor import ADDRESSES, AWAY, NO_MAIL, World
from tests.orders.factories import code_of
from tests.vehicles.wiring_calls import CAMRY

__all__ = ["whole"]

VIN = "4T1B11HK2NA000000"
UNAVAILABLE = (503, "provider_unavailable")

Feature = Callable[[httpx.AsyncClient, User], Awaitable[httpx.Response]]


def read(path: str) -> Feature:
    return lambda browser, _: browser.get(path)


def sent(path: str, body: Callable[[User], dict[str, Any]]) -> Feature:
    return lambda browser, user: browser.post(path, json=body(user), headers=a_key())


async def a_device(browser: httpx.AsyncClient, _: User) -> httpx.Response:
    key = a_device_key()
    params = {"iccid_last_digits": iccid_of(key)}
    return await browser.get(f"/v1/device/{key}/features", params=params)


FEATURES: dict[str, Feature] = {
    "the first page": read("/v1/start-page"),
    "orders": read("/v1/orders.csv"),
    "invoices": read("/v1/invoices.csv"),
    "plans": read("/v1/plans"),
    "saved cards": read("/v1/card"),
    "devices": read("/v1/devices"),
    "activations": read("/v1/activations"),
    "products": read("/api/popular-products"),
    "wiring of ours": sent("/api/internal-vehicle-wiring", lambda _: CAMRY),
    "wiring of vendors": sent("/api/external-vehicle-wiring", lambda _: CAMRY),
    "a forgotten password": sent("/v1/auth/forgot-password", lambda user: {"username": user.email}),
    "a telephone": sent("/v1/auth/phone/update", lambda _: {"phone_number": a_phone_number()}),
    "a car by its VIN": sent("/api/dot-vehicle-by-vin", lambda _: {"vin": VIN}),
    "a page of text": read("/content/v1/pages/privacy-policy"),
    "a business's account": lambda browser, user: browser.get(
        f"/api/business-partners/{code_of(user)}"
    ),
    "a new card": sent("/v1/card", lambda _: a_number()),
    "a new bank account": sent("/api/create-bank-account", lambda _: an_account()),
    "a device": a_device,
}

MISSED: dict[str, dict[str, tuple[int, str]]] = {
    "device_cloud_url": {"a device": UNAVAILABLE},
    "mail_url": {"a forgotten password": UNAVAILABLE},
    "sms_url": {"a telephone": UNAVAILABLE},
    "content_url": {"a page of text": UNAVAILABLE},
    # the spec's word for whatever is no 503 of the decoder
    "vin_url": {"a car by its VIN": (404, "no_vehicle_data")},
    "card_url": {"a new card": UNAVAILABLE},
    "gateway_url": {"a new bank account": UNAVAILABLE},
    "erp_url": {},
    "bot_check_url": {},
    "ads_wiring_url": {},
    "automob_wiring_url": {},
}
"""Setting of a third party → what is refused without it. A page without the ERP or a vendor says what it lacks; nobody is turned
away because nobody judged whether they are a robot."""


def test_every_third_party_is_taken_away() -> None:
    assert MISSED.keys() == ADDRESSES.keys()


@pytest.mark.parametrize("name", MISSED)
async def test_without_a_third_party_everything_else_works(
    whole: Whole, database_url: str, name: str
) -> None:
    async with whole.sessions.begin() as session:
        await add_wiring(session)
    first: Portal = whole.app.state.portal
    outside = World(httpx.ASGITransport(whole.stage.app))
    buyer, product = await a_buyer(whole.sessions), await a_product(whole.sessions)
    away: dict[str, Any] = {name: NO_MAIL if name == "mail_url" else AWAY}
    async with (
        running_portal(
            database_url,
            temporal_address=first.temporal.service_client.config.target_host,
            task_queue=first.task_queue,
            outside=outside,
            simulators_url=SIMULATED,
            **away,
        ) as app,
        a_browser(app) as browser,
    ):
        assert (await sign_in(browser, buyer)).status_code == 200
        assert (await begin(browser, (product, 1)))["token"]
        answers = {called: await feature(browser, buyer) for called, feature in FEATURES.items()}
    refused = {
        called: (answer.status_code, answer.json()["code"])
        for called, answer in answers.items()
        if not answer.is_success
    }
    assert refused == MISSED[name]
    balance = answers["a business's account"].json()["accountBalance"]
    assert (balance is None) == (name == "erp_url")
