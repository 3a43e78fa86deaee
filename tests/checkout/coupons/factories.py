"""Coupons for one channel, so that no other test meets them."""

from decimal import Decimal
from typing import Any

import httpx
from sqlalchemy import insert, update

from db.base import Sessions
from db.checkout.coupons import CouponRow
from db.partner_tables import PartnerRow
from tests.catalogue.factories import a_word
from tests.checkout.quote.buyers import Shop, a_shop
from tests.drivers.factories import a_name


async def a_channel_shop(sessions: Sessions, channel: str | None = None) -> tuple[Shop, str]:
    """A shop of its own channel, or of the given one."""
    channel = channel or a_word()
    shop = await a_shop(sessions)
    async with sessions.begin() as session:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == shop.code)
            .values(channel_slug=channel)
        )
    return shop, channel


async def a_coupon(sessions: Sessions, channel: str, **values: Any) -> str:
    """Ten per cent unless told otherwise; its code."""
    code = a_name().upper()
    if "amount" not in values:
        values = {"percent": Decimal(10), **values}
    async with sessions.begin() as session:
        await session.execute(
            insert(CouponRow).values(code=code, description="Less", channels=[channel], **values)
        )
    return code


async def enter(browser: httpx.AsyncClient, token: str, code: str) -> dict[str, Any]:
    """The coupons of the cart once the code was entered."""
    answer = await browser.post(f"/v1/carts/{token}/coupon", json={"code": code})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def listed(browser: httpx.AsyncClient) -> list[str]:
    return [one["code"] for one in (await browser.get("/api/get-coupons")).json()]
