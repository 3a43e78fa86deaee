"""Who is told of what is done to a dealer: the audit names a rep and on whose behalf they act, and owners get a mail."""

import json
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from sqlalchemy import select

from api.routers import ROUTERS
from db.base import Sessions
from db.operations.audit import AuditRow
from domain.identity.people import Role, User
from domain.identity.policy import POLICY, REFUSED_WHILE_ACTING
from tests.dealers.team_rows import an_open_run
from tests.drivers.factories import (
    PASSWORD,
    Dealer,
    a_dealer,
    an_inside_rep,
    an_installer,
    an_owner,
)
from tests.drivers.portal import a_browser, a_key, sign_in
from tests.identity.messages import Reachable, a_reachable_portal
from tests.partners.factories import a_primary, let_see

WRITES: dict[str, tuple[str, Any]] = {
    "update_dealer": ("changed a dealer", {"is_public_profile": True}),
    "update_installer": ("changed an installer", {"is_purchaser": True, "is_retired": True}),
    "update_user_permissions": (
        "changed an installer",
        {"permissions": [{"id": "{hand}", "isProductPurchaser": True}]},
    ),
    "remind_activation": ("reminded of an activation", None),
}
"""What is recorded of each call of `api/dealers` that writes and is open to a rep, and what is sent."""

OVER_A_RUN = {"hand_over_open_work"}
"""Asked where activations run: `tests/activation/people/test_leaving_api.py`."""


@pytest.fixture
async def reachable(database_url: str, simulators: FastAPI) -> AsyncGenerator[Reachable]:
    async with a_reachable_portal(database_url, simulators, mfa_support=False) as portal:
        yield portal


def written() -> dict[str, tuple[str, ...]]:
    """Operation → method and path of each call of `api/dealers` that writes and that an acting rep may make."""
    every = [one for router in ROUTERS for one in router.routes if isinstance(one, APIRoute)]
    found = {
        one.operation_id or one.name: (*(one.methods or ()), one.path)
        for one in every
        if one.endpoint.__module__.startswith("api.dealers.") and one.methods != {"GET"}
    }
    return {
        name: call
        for name, call in found.items()
        if Role.INSIDE_REP in POLICY[name].roles and name not in REFUSED_WHILE_ACTING
    }


async def acting(sessions: Sessions, browser: httpx.AsyncClient) -> tuple[User, Dealer, User]:
    """An inside rep who acts for a dealer, which is served, and its primary person."""
    dealer, rep = await a_dealer(sessions), await an_inside_rep(sessions)
    primary = await a_primary(sessions, dealer)
    await let_see(sessions, rep, dealer.partner_code)
    await sign_in(browser, rep)
    chosen = await browser.put("/v1/auth/business", json={"sapBpCode": dealer.partner_code})
    assert chosen.status_code == 200, chosen.text
    return rep, dealer, primary


def test_no_call_that_a_rep_may_make_is_left_out() -> None:
    assert set(written()) == set(WRITES) | OVER_A_RUN


@pytest.mark.parametrize("name", WRITES)
async def test_what_an_acting_rep_does_is_recorded_with_both_names(
    sessions: Sessions, reachable: Reachable, name: str
) -> None:
    action, said = WRITES[name]
    method, path = written()[name]
    async with a_browser(reachable.app) as browser:
        rep, dealer, primary = await acting(sessions, browser)
        hand = await an_installer(sessions, dealer)
        run = await an_open_run(sessions, hand)
        of_path = {"dealer": dealer.id, "installer": hand.id, "activations": run}
        subject = next((id_ for part, id_ in of_path.items() if f"/{part}/" in path), "")
        answer = await browser.request(
            method,
            path.replace("{id}", subject),
            json=json.loads(json.dumps(said).replace("{hand}", hand.id)),
            headers=a_key(),
        )
    assert answer.status_code == 200, answer.text
    async with sessions() as session:
        records = await session.scalars(
            select(AuditRow).where(AuditRow.actor == f"user:{rep.id}", AuditRow.action == action)
        )
        (record,) = records.all()
    assert (record.acting_for, record.partner_code) == (primary.id, dealer.partner_code)


async def test_every_present_owner_is_told_of_a_new_one(
    sessions: Sessions, reachable: Reachable
) -> None:
    dealer = await a_dealer(sessions)
    owner, second = await an_owner(sessions, dealer), await an_owner(sessions, dealer)
    gone = await an_installer(sessions, dealer, is_owner=True, is_retired=True)
    elsewhere, colleague = await an_owner(sessions), await an_installer(sessions, dealer)
    hand = await an_installer(sessions, dealer)
    async with a_browser(reachable.app) as browser:
        await sign_in(browser, owner)
        for _ in range(2):
            answer = await browser.post(
                f"/v1/dealers/{dealer.id}/owners",
                json={"user_id": hand.id, "password": PASSWORD},
            )
            assert answer.status_code == 200, answer.text
    for told in (owner, second, hand):
        (mail,) = await reachable.texts_to(told.email)
        assert f"{hand.name} is an owner of " in mail
        assert f"by {owner.name}" in mail
    for untold in (gone, elsewhere, colleague):
        assert await reachable.texts_to(untold.email) == []
