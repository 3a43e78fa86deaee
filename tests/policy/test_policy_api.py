"""The policy as the page asks it."""

from fastapi import FastAPI

from domain.policy import POLICY, REFUSED_WHILE_ACTING
from tests.portal import a_browser


async def test_the_answer_equals_the_table(portal: FastAPI) -> None:
    async with a_browser(portal) as browser:
        told = (await browser.get("/v1/policy")).json()["operations"]
    assert told == {
        name: {
            "roles": sorted(rule.roles),
            "owns": rule.owns.value,
            "is_open": rule.is_open,
            "refused_while_acting": name in REFUSED_WHILE_ACTING,
        }
        for name, rule in POLICY.items()
    }
