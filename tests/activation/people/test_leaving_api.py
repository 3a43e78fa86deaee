"""The open work of somebody who leaves goes to a colleague, all of it, by one call or a few."""

from sqlalchemy import select

from db.base import Sessions
from db.operations.audit import AuditRow
from domain.identity.people import User
from tests.drivers.factories import a_dealer, an_inside_rep, an_installer, an_owner
from tests.drivers.portal import a_key
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole, problem
from tests.partners.factories import a_primary, let_see


async def test_all_open_work_goes_to_a_colleague(whole: Whole, sessions: Sessions) -> None:
    dealer = await a_dealer(sessions)
    owner, leaver, heir = (
        await an_owner(sessions, dealer),
        await an_installer(sessions, dealer),
        await an_installer(sessions, dealer),
    )
    async with (
        whole.signed_in(owner) as owners,
        whole.signed_in(leaver) as leavers,
        whole.signed_in(heir) as heirs,
    ):
        runs = [await leavers.started(a_device_key()) for _ in range(2)]
        kept = await heirs.started(a_device_key())
        await owners.browser.patch(f"/v1/installer/{leaver.id}", json={"is_retired": True})
        path, body = f"/v1/dealers/{dealer.id}/hand-over", {"from_id": leaver.id, "to_id": heir.id}
        key = a_key()
        answers = [await owners.browser.post(path, json=body, headers=key) for _ in range(2)]
        assert [answer.json() for answer in answers] == [{"handed": 2, "left": 0}] * 2
        board = await owners.browser.get(f"/v1/dealers/{dealer.id}/open-activations")
        shown = {one["id"]: one["owner_id"] for one in board.json()["results"]}
        assert shown == {run["id"]: heir.id for run in (*runs, kept)}
        moves = await owners.browser.get(f"/v1/activations/{runs[0]['id']}/transitions")
        assert moves.status_code == 200


async def test_what_a_colleague_only_pays_comes_back_to_whoever_takes_over(
    whole: Whole, sessions: Sessions
) -> None:
    """The leaver has handed one over to be paid, and pays another one: nothing comes back to them, nothing stays lost."""
    dealer = await a_dealer(sessions)
    owner = await an_owner(sessions, dealer)
    leaver, heir, payer = [await an_installer(sessions, dealer) for _ in range(3)]
    async with (
        whole.signed_in(owner) as owners,
        whole.signed_in(leaver) as leavers,
        whole.signed_in(payer) as payers,
    ):
        of_leaver, of_payer = await to_be_paid(leavers, payer), await to_be_paid(payers, leaver)
        answer = await owners.browser.post(
            f"/v1/dealers/{dealer.id}/hand-over",
            json={"from_id": leaver.id, "to_id": heir.id},
            headers=a_key(),
        )
        assert answer.json() == {"handed": 2, "left": 0}
        views = [(await owners.look(id_))["view"] for id_ in (of_leaver, of_payer)]
        assert [(one["owner_id"], one["handed"]["back_to_id"]) for one in views] == [
            (payer.id, heir.id),
            (heir.id, payer.id),
        ]
        assert views[0]["handed"]["note"] == "Please"


async def to_be_paid(giver: Caller, payer: User) -> str:
    """An activation at the choice of a plan, handed over only for that."""
    begun = await giver.started(a_device_key(traits="100"), type="purchase-subscription")
    assert begun["state"] == "purchase-plan"
    given = await giver.send(
        begun["id"],
        "hand-over",
        seq=begun["seq"],
        user_id=payer.id,
        only_to_pay=True,
        note="Please",
    )
    assert given.status_code == 200, given.text
    return begun["id"]


async def test_what_a_rep_hands_over_for_a_business_is_recorded_with_both_names(
    whole: Whole, sessions: Sessions
) -> None:
    dealer, rep = await a_dealer(sessions), await an_inside_rep(sessions)
    primary = await a_primary(sessions, dealer)
    hand, heir = await an_installer(sessions, dealer), await an_installer(sessions, dealer)
    await let_see(sessions, rep, dealer.partner_code)
    async with whole.signed_in(rep) as reps, whole.signed_in(hand) as hands:
        begun = await hands.started(a_device_key())
        chosen = {"sapBpCode": dealer.partner_code}
        assert (await reps.browser.put("/v1/auth/business", json=chosen)).status_code == 200
        answer = await reps.browser.post(
            f"/v1/dealers/{dealer.id}/hand-over",
            json={"from_id": hand.id, "to_id": heir.id},
            headers=a_key(),
        )
        assert answer.json() == {"handed": 1, "left": 0}
    async with sessions() as session:
        records = await session.scalars(
            select(AuditRow).where(
                AuditRow.action == "handed an activation over", AuditRow.object_id == begun["id"]
            )
        )
        (record,) = records.all()
    assert record.actor == f"user:{rep.id}"
    assert (record.acting_for, record.partner_code) == (primary.id, dealer.partner_code)


async def test_work_goes_to_nobody_but_a_present_colleague(
    whole: Whole, sessions: Sessions
) -> None:
    dealer = await a_dealer(sessions)
    owner, hand = await an_owner(sessions, dealer), await an_installer(sessions, dealer)
    gone = await an_installer(sessions, dealer, is_retired=True)
    stranger = await an_owner(sessions)
    async with whole.signed_in(owner) as owners, whole.signed_in(hand) as hands:
        begun = await hands.started(a_device_key())
        path = f"/v1/dealers/{dealer.id}/hand-over"
        for to in (gone.id, stranger.id, hand.id, "nobody"):
            body = {"from_id": hand.id, "to_id": to}
            answer = await owners.browser.post(path, json=body, headers=a_key())
            assert problem(answer) == (409, "not_a_colleague"), to
        foreign = await owners.browser.post(
            f"/v1/dealers/{stranger.dealer_id}/hand-over",
            json={"from_id": hand.id, "to_id": owner.id},
            headers=a_key(),
        )
        assert foreign.status_code == 404
        refused = await hands.browser.post(
            path, json={"from_id": hand.id, "to_id": owner.id}, headers=a_key()
        )
        assert refused.status_code == 403
        assert (await hands.look(begun["id"]))["view"]["owner_id"] == hand.id
