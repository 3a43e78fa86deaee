"""The policy as the page asks it."""

from typing import get_args

import pytest
from fastapi import FastAPI

from domain.content.pages import Features
from domain.identity.policy import POLICY, REFUSED_WHILE_ACTING, Feature
from tests.drivers.portal import a_browser, running_portal


async def test_the_answer_equals_the_table(portal: FastAPI) -> None:
    async with a_browser(portal) as browser:
        told = (await browser.get("/v1/policy")).json()["operations"]
    assert told == {
        name: {
            "roles": sorted(rule.roles),
            "owns": rule.owns.value,
            "is_open": rule.is_open,
            "feature": rule.feature,
            "refused_while_acting": name in REFUSED_WHILE_ACTING,
        }
        for name, rule in POLICY.items()
    }


async def test_a_part_that_is_switched_off_is_not_there_for_anybody(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = POLICY["get_policy"].model_copy(update={"feature": "wiring_diagrams"})
    monkeypatch.setitem(POLICY, "get_policy", rule)
    async with (
        running_portal(database_url, wiring_diagrams=False) as app,
        a_browser(app) as browser,
    ):
        answer = await browser.get("/v1/policy")
        assert (answer.status_code, answer.json()["code"]) == (404, "switched_off")
    async with running_portal(database_url, t_harness=False) as app, a_browser(app) as browser:
        told = (await browser.get("/v1/policy")).json()["operations"]["get_policy"]
    assert told["feature"] == "wiring_diagrams"


def test_every_switch_of_the_table_is_one_of_the_settings() -> None:
    assert set(get_args(Feature)) <= set(Features.model_fields)
