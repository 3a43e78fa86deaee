"""A quote of many plans while the device network says nothing (decisions 5 and 32, promise 14)."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import httpx
import pytest
from temporalio.testing import ActivityEnvironment

from activities.plans.quoting import AT_ONCE, TRIES, PlanQuoteActivities, QuoteRequest
from db.base import Sessions
from domain.errors import Unavailable
from domain.plans.plans import LineProblem
from domain.plans.purchases import Buyer
from domain.plans.quote import PlanLineRequest
from providers.device_network.device_cloud import DeviceCloud
from tests.drivers.factories import a_dealer, an_installer
from tests.drivers.stage import a_device_key
from tests.plans.purchases.factories import ADDRESS


class Hanging(httpx.AsyncBaseTransport):
    """Takes every question and answers none."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError


async def a_wish(sessions: Sessions, count: int) -> QuoteRequest:
    dealer = await a_dealer(sessions)
    person = await an_installer(sessions, dealer)
    buyer = Buyer(
        partner_code=dealer.partner_code,
        channel="canada",
        dealer_id=dealer.id,
        person_id=person.id,
        name=person.name,
        site="ca",
        canadian=True,
    )
    lines = tuple(
        PlanLineRequest(device_key=a_device_key(), plan_id="premium_prepaid-1_year")
        for _ in range(count)
    )
    return QuoteRequest(
        purchase_id="p", lines=lines, address=ADDRESS, buyer=buyer, at=datetime.now(UTC)
    )


async def test_many_plans_are_quoted_without_what_nobody_answers_in_time(
    sessions: Sessions,
) -> None:
    """More devices than are asked about at a time, and no call of theirs ends by itself."""
    wish = await a_wish(sessions, AT_ONCE * 3)
    env = ActivityEnvironment()
    async with httpx.AsyncClient(transport=Hanging()) as client:
        network = DeviceCloud(client, base_url="http://network", api_key="k", seconds=600)
        quoting = PlanQuoteActivities(network, sessions, quote_seconds=0.2)
        with pytest.raises(Unavailable):
            await env.run(quoting.quote, wish)
        env.info = replace(env.info, attempt=TRIES)
        quote = await env.run(quoting.quote, wish)
    assert [line.problem for line in quote.lines] == [LineProblem.UNCERTAIN] * len(wish.lines)
