"""A business that is new at the ERP orders: its first owner was added by an operator, and nothing else was."""

from domain.identity.people import User
from tests.catalogue.factories import a_product
from tests.checkout.cart.buyers import begin, buying
from tests.checkout.placements.buying import Basket
from tests.checkout.quote.buyers import equipped, pay_by
from tests.drivers.factories import PASSWORD, an_email
from tests.drivers.portal import a_browser
from tests.drivers.stage import SIMULATED
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole
from tests.identity.test_staff import NAMES, a_new_business, known, operator


async def test_the_first_owner_of_a_new_business_orders(whole: Whole) -> None:
    code, email = await a_new_business(whole.sessions), an_email()
    await operator(whole.sessions, "owner", code, email, *NAMES)
    owner = await known(whole.sessions, email)
    await _choose_password(whole, owner)
    shop = await equipped(whole.sessions, owner, code)
    product = await a_product(whole.sessions, msrp="100.00", on_hand=10)
    async with buying(whole.app, owner) as browser:
        token = (await begin(browser, (product, 2)))["token"]
        await pay_by(browser, token, "COD")
        basket = Basket(whole, browser, shop, product, token)
        await basket.placed()
        run = await basket.until("confirmed")
    assert run["view"]["order"]["erp_number"]


async def _choose_password(whole: Whole, owner: User) -> None:
    async def mailed() -> list[str]:
        answer = await whole.stage.http.get(
            f"{SIMULATED}/messenger/_outbox", params={"to": owner.email}
        )
        return [one["text"] for one in answer.json()["results"]]

    async with a_browser(whole.app) as browser:
        await browser.post("/v1/auth/forgot-password", json={"username": owner.email})
        (text,) = await until(mailed)
        code = next(word for word in text.replace(".", " ").split() if word.isdigit())
        body = {"username": owner.email, "code": code, "password": PASSWORD}
        answer = await browser.post("/v1/auth/reset-password", json=body)
        assert answer.status_code == 204, answer.text
