"""The id that a browser gives its request is found wherever something was done for it, to the books of third parties."""

from collections.abc import Collection
from typing import Any

import structlog
from structlog.testing import capture_logs

from db.orders.mails import OrderMailRow
from tests.checkout.placements.buying import Basket, a_basket
from tests.drivers.numbers import a_phone_number
from tests.drivers.portal import a_key
from tests.drivers.stage import SIMULATED, a_device_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole
from workflows.ids import placement_id
from workflows.request_ids import REQUEST_ID

CLICK = "0123456789abcdef01234567"
SECOND_CLICK = "76543210fedcba9876543210"


async def test_an_order_is_followed_from_the_click_to_the_erps_ledger(whole: Whole) -> None:
    async with a_basket(whole, payment="visa", po_number="PO 81") as basket:
        with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
            answer = await _clicked(basket, "complete-b2b-checkout", CLICK)
            assert answer.headers["x-request-id"] == CLICK
            run = await basket.until("confirmed")
        handle = whole.stage.client.get_workflow_handle(placement_id(basket.token))
        assert (await (await handle.describe()).memo())[REQUEST_ID] == CLICK
        number = run["view"]["order"]["number"]
        assert await _asked_by(whole, "erp", {"reference": number}) == [CLICK]
        assert set(await _asked_by(whole, "cards", {"flow_id": basket.token})) == {CLICK}
        async with whole.sessions() as session:
            waiting = await session.get_one(OrderMailRow, basket.token)
        assert waiting.request_id == CLICK, "its mail names it too, once it is sent"
        ours = [line for line in lines if line.get("request_id") == CLICK]
        assert "request answered" in {line["event"] for line in ours}
        assert all(line.get("workflow_id", handle.id) == handle.id for line in ours)


async def test_what_a_later_click_has_done_is_that_clicks(whole: Whole) -> None:
    async with a_basket(whole, payment="chargeCustomerFail", po_number="PO 82") as basket:
        await _clicked(basket, "complete-b2b-checkout", CLICK)
        await basket.until(lambda run: run["view"]["waits_for"] == "buyer")
        method = await basket.another_card()
        answer = await basket.browser.post(
            f"/v1/placements/{basket.token}/payment",
            json={"type": "CARD", "method_id": method},
            headers={**a_key(), "X-Request-ID": SECOND_CLICK},
        )
        assert answer.status_code in (200, 202), answer.text
        run = await basket.until("confirmed")
        number = run["view"]["order"]["number"]
        assert await _asked_by(whole, "erp", {"reference": number}) == [SECOND_CLICK]
        moved = await _asked_by(whole, "cards", {"flow_id": basket.token})
        assert set(moved) == {CLICK, SECOND_CLICK}


async def test_an_activation_is_followed_from_the_click_to_the_device_networks_ledger(
    whole: Whole,
) -> None:
    """What goes round by itself asks there too, and names nobody's click."""
    key = a_device_key()
    async with whole.signed_in() as installer:
        installer.browser.headers["X-Request-ID"] = CLICK
        await installer.started(key)
        asked = await _asked_by(whole, "device-cloud", {"device_key": key})
    assert CLICK in asked
    assert set(asked) <= {CLICK, None}


async def test_a_mail_and_a_text_message_name_the_click_that_asked_for_them(whole: Whole) -> None:
    phone = a_phone_number()
    async with whole.signed_in() as caller:
        assert caller.user is not None
        for path, body, click in (
            ("forgot-password", {"username": caller.user.email}, CLICK),
            ("phone/update", {"phone_number": phone}, SECOND_CLICK),
        ):
            asked = await caller.browser.post(
                f"/v1/auth/{path}", json=body, headers={"X-Request-ID": click}
            )
            assert asked.is_success, asked.text
        for to, click in ((caller.user.email, CLICK), (phone, SECOND_CLICK)):
            assert await _asked_by(whole, "messenger", {"to": to}, "_outbox") == [click]


async def _clicked(basket: Basket, call: str, request_id: str) -> Any:
    answer = await basket.browser.post(
        f"/api/products-checkout/{basket.token}/{call}",
        json={},
        headers={"X-Request-ID": request_id},
    )
    assert answer.status_code in (200, 202), answer.text
    return answer


async def _asked_by(
    whole: Whole, system: str, about: dict[str, str], book: str = "_ledger"
) -> Collection[str | None]:
    """The request behind each line of that system's ledger, once there is one."""

    async def look() -> list[dict[str, Any]]:
        answer = await whole.stage.http.get(f"{SIMULATED}/{system}/{book}", params=about)
        told = answer.json()
        return told["results"] if "results" in told else told["entries"]

    return [line["request_id"] for line in await until(look)]
