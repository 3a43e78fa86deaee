"""Activations of a rep who acts for a business: they are the dealer's, and every record names both."""

import json
import uuid

import pytest
from sqlalchemy import select

from db.base import Sessions
from db.operations.audit import AuditRow
from domain.identity.people import User
from tests.drivers.factories import Dealer, a_dealer, an_inside_rep, an_installer, an_outside_rep
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole, problem, whole
from tests.partners.factories import a_primary, let_see

__all__ = ["whole"]


async def a_dealer_of(sessions: Sessions, rep: User) -> tuple[Dealer, User]:
    dealer = await a_dealer(sessions)
    await let_see(sessions, rep, dealer.partner_code)
    return dealer, await a_primary(sessions, dealer)


async def act_for(caller: Caller, dealer: Dealer) -> None:
    answer = await caller.browser.put("/v1/auth/business", json={"sapBpCode": dealer.partner_code})
    assert answer.status_code == 200, answer.text


async def listed(caller: Caller) -> list[str]:
    answer = await caller.browser.get("/v1/activations", params={"scope": "dealer"})
    assert answer.status_code == 200, answer.text
    return [summary["id"] for summary in answer.json()["results"]]


async def test_an_inside_reps_activation_is_the_dealers(whole: Whole) -> None:
    rep = await an_inside_rep(whole.sessions)
    dealer, primary = await a_dealer_of(whole.sessions, rep)
    colleague = await an_installer(whole.sessions, dealer)
    async with whole.signed_in(rep) as reps, whole.signed_in(colleague) as colleagues:
        await act_for(reps, dealer)
        begun = await reps.started(a_device_key())
        assert begun["id"] in await listed(reps)
        assert begun["id"] in await listed(colleagues)
        answer = await reps.submit(begun)
        assert answer.status_code == 200, answer.text
        assert (await colleagues.look(begun["id"]))["seq"] > begun["seq"]
        moves = await reps.browser.get(f"/v1/activations/{begun['id']}/transitions")
    acts = [(move["actor_id"], move["acting_for"]) for move in moves.json()["results"]]
    assert (rep.id, primary.id) in acts
    async with whole.sessions() as session:
        opened = (
            await session.scalars(
                select(AuditRow).where(
                    AuditRow.object_id == begun["id"], AuditRow.action == "opened an activation"
                )
            )
        ).one()
    assert (opened.actor, opened.acting_for) == (f"user:{rep.id}", primary.id)
    assert opened.partner_code == dealer.partner_code


async def test_a_pin_of_the_dealers_device_is_set_in_both_names(whole: Whole) -> None:
    rep = await an_inside_rep(whole.sessions)
    dealer, primary = await a_dealer_of(whole.sessions, rep)
    async with whole.signed_in(rep) as reps:
        await act_for(reps, dealer)
        at = await reps.walk_to(
            await reps.started(a_device_key(traits="050")), "keylocker-pin-codes"
        )
        a_pin = {"seq": at["seq"], "slot": "master", "pin": "73914682", "duration": 30}
        answer = await reps.send_until_answered(at["id"], "pins", key=uuid.uuid4().hex, **a_pin)
        assert answer.is_success, answer.text
        shown = await reps.until(
            at["id"], lambda flow: flow["view"]["facts"]["pins"]["master"]["success"]
        )
    assert "73914682" not in json.dumps(shown)
    async with whole.sessions() as session:
        set_ = (
            await session.scalars(
                select(AuditRow).where(
                    AuditRow.object_id == at["id"], AuditRow.action == "changed a KeyLocker pin"
                )
            )
        ).one()
    assert (set_.actor, set_.acting_for) == (f"user:{rep.id}", primary.id)


async def test_a_change_of_business_never_changes_a_run_that_goes_on(whole: Whole) -> None:
    rep = await an_inside_rep(whole.sessions)
    first, _ = await a_dealer_of(whole.sessions, rep)
    second, _ = await a_dealer_of(whole.sessions, rep)
    async with whole.signed_in(rep) as reps:
        await act_for(reps, first)
        begun = await reps.started(a_device_key())
        await act_for(reps, second)
        assert begun["id"] not in await listed(reps)
        await reps.submit(begun)
        await act_for(reps, first)
        assert begun["id"] in await listed(reps)


async def test_an_outside_reps_activation_is_their_own(whole: Whole) -> None:
    rep = await an_outside_rep(whole.sessions)
    dealer, primary = await a_dealer_of(whole.sessions, rep)
    async with whole.signed_in(rep) as reps, whole.signed_in(primary) as dealers:
        await act_for(reps, dealer)
        begun = await reps.started(a_device_key())
        assert problem(await dealers.browser.get(f"/v1/activations/{begun['id']}")) == (
            404,
            "not_found",
        )
        assert await listed(reps) == []


@pytest.mark.parametrize("call", ["", "/transitions", "/colleagues"])
async def test_a_dealers_run_is_absent_once_the_business_is_cleared(
    whole: Whole, call: str
) -> None:
    rep = await an_inside_rep(whole.sessions)
    dealer, primary = await a_dealer_of(whole.sessions, rep)
    async with whole.signed_in(primary) as dealers, whole.signed_in(rep) as reps:
        begun = await dealers.started(a_device_key())
        path = f"/v1/activations/{begun['id']}{call}"
        assert problem(await reps.browser.get(path)) == (404, "not_found")
        await act_for(reps, dealer)
        assert (await reps.browser.get(path)).status_code == 200
        await reps.browser.delete("/v1/auth/business")
        assert problem(await reps.browser.get(path)) == (404, "not_found")
