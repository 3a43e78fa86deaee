"""Setting an account up, what is told of it to whom, and payouts as owners and operators see them."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import text, update

from db.dealers.payout_accounts import PayoutAccountRow, account_of_dealer
from db.dealers.payouts import payouts_for_a_person
from db.identity.people import PersonRow
from db.operations.audit_search import AuditQuery, search_audit
from domain.dealers.payouts import PayoutRef
from domain.identity.people import ADMIN_ACCESS, User
from tests.dealers.payouts.factories import MONTH, a_dealer_to_pay, an_account, ledger
from tests.dealers.payouts.stories import made
from tests.drivers.factories import (
    a_dealer,
    a_name,
    an_admin,
    an_inside_rep,
    an_installer,
    an_owner,
)
from tests.drivers.portal import a_browser, a_key, sign_in
from tests.drivers.until import until
from tests.drivers.whole_portal import Caller, Whole
from workflows.payouts import Paying, PayoutsDone

STAND_INS = "http://stand-ins"


WHY = {"note": "The account was corrected."}


async def record_of(caller: Caller) -> dict[str, Any]:
    assert caller.user is not None
    answer = await caller.browser.get(f"/v1/user/{caller.user.id}")
    assert answer.status_code == 200, answer.text
    return {name: value for name, value in answer.json().items() if name.startswith("stripe")}


async def opened(caller: Caller, dealer_id: str | None) -> dict[str, Any]:
    answer = await caller.browser.post(f"/v1/dealers/{dealer_id}/payout-account")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_whoever_sets_an_account_up_comes_back_to_the_site_where_they_are(
    whole: Whole,
) -> None:
    owner = await an_owner(whole.sessions)
    async with a_browser(whole.app, host="us.localhost") as browser:
        assert (await sign_in(browser, owner)).status_code == 200
        set_up = await opened(Caller(browser, owner), owner.dealer_id)
    page = urlsplit(set_up["stripe_onboarding_url"]).path
    done = await post(whole, page, data={"answer": "complete"})
    assert done.headers["location"] == "http://us.localhost:8000/my-business?payouts=back"


async def state_of(caller: Caller, dealer_id: str | None) -> str:
    answer = await caller.browser.get(f"/v1/dealers/{dealer_id}/payout-account")
    return answer.json()["state"]


async def post(whole: Whole, path: str, **sent: Any) -> httpx.Response:
    return await whole.stage.http.post(f"{STAND_INS}{path}", **sent)


NOTHING = {
    "stripe_onboarding_complete": False,
    "stripe_onboarding_url": None,
    "stripe_onboarding_url_expires_at": None,
    "stripe_login_link": None,
}


async def test_an_account_is_set_up_by_a_link_that_is_renewed_and_waiting_money_follows(
    whole: Whole,
) -> None:
    owner = await a_dealer_to_pay(whole.stage, account=False)
    await made(whole.stage, month=MONTH)
    async with whole.signed_in(owner) as caller:
        assert await record_of(caller) == NOTHING
        assert await state_of(caller, owner.dealer_id) == "not_begun"
        assert (await payouts_of(caller, owner))[0]["state"] == "waiting"

        await post(whole, "/cards/_accounts/links?seconds=0")
        stale = await opened(caller, owner.dealer_id)
        assert stale["state"] == "incomplete"
        assert (await record_of(caller))["stripe_onboarding_url"] == stale["stripe_onboarding_url"]
        back = await whole.stage.http.get(stale["stripe_onboarding_url"])
        assert back.headers["location"].endswith("/my-business?payouts=expired")
        await post(whole, "/cards/_accounts/links?seconds=300")
        fresh = await opened(caller, owner.dealer_id)
        assert fresh["stripe_onboarding_url"] != stale["stripe_onboarding_url"]
        assert fresh["stripe_onboarding_url_expires_at"] > stale["stripe_onboarding_url_expires_at"]

        page = urlsplit(fresh["stripe_onboarding_url"]).path
        done = await post(whole, page, data={"answer": "complete"})
        assert done.headers["location"].endswith("/my-business?payouts=back")

        async def paid() -> Any:
            return (await payouts_of(caller, owner))[0]

        # The webhook alone: nobody has come back to our page.
        assert (await until(paid, lambda one: one["state"] == "paid", within=30))["paid_at"]
        assert ledger(whole.stage, owner) == {"transferred": 1234}
        complete = await record_of(caller)
        assert complete["stripe_onboarding_complete"] is True
        assert complete["stripe_onboarding_url"] is None
        login = await opened(caller, owner.dealer_id)
        assert (await record_of(caller))["stripe_login_link"] == login["stripe_login_link"]
        assert login["stripe_login_link"].startswith(STAND_INS)

        account = await _account_of(whole, owner)
        due = {"currently_due": ["individual.verification.document"]}
        await post(whole, f"/cards/_accounts/{account}", json=due)

        async def state() -> str:
            return await state_of(caller, owner.dealer_id)

        await until(state, lambda now: now == "more_needed", within=30)
        assert (await record_of(caller))["stripe_login_link"] is None
        more = await opened(caller, owner.dealer_id)
        assert (more["due"], more["can_be_paid"]) == (1, True)
        assert more["stripe_onboarding_url"] != fresh["stripe_onboarding_url"]


async def _account_of(whole: Whole, owner: User) -> str:
    async with whole.sessions() as session:
        found = await session.scalar(
            text("select account_id from payout_account where dealer_id = :id"),
            {"id": owner.dealer_id},
        )
    return found or ""


async def payouts_of(caller: Caller, owner: User, **query: str) -> list[dict[str, Any]]:
    answer = await caller.browser.get(f"/v1/dealers/{owner.dealer_id}/payouts", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


async def test_what_opens_an_account_is_told_to_its_owners_alone(whole: Whole) -> None:
    owner = await an_owner(whole.sessions)
    async with whole.signed_in(owner) as caller:
        link = (await opened(caller, owner.dealer_id))["stripe_onboarding_url"]
        assert link
    stranger, admin = await an_owner(whole.sessions), await an_admin(whole.sessions)
    async with whole.signed_in(admin) as caller:
        seen = await caller.browser.get(f"/v1/dealers/{owner.dealer_id}/payout-account")
        assert seen.json()["state"] == "incomplete"
        user = await caller.browser.get(f"/v1/user/{owner.id}")
        opening = await caller.browser.post(f"/v1/dealers/{owner.dealer_id}/payout-account")
        assert opening.status_code == 403
        for answer in (seen, user):
            assert answer.json()["stripe_onboarding_url"] is None
            assert link not in answer.text
    async with whole.signed_in(stranger) as caller:
        path = f"/v1/dealers/{owner.dealer_id}/payout-account"
        assert (await caller.browser.get(path)).status_code == 404
        assert (await caller.browser.post(path)).status_code == 404
    async with whole.sessions() as session:
        kept = await session.scalar(
            text("select link from payout_account where dealer_id = :id"), {"id": owner.dealer_id}
        )
    assert kept
    assert link.encode() not in bytes(kept)


async def test_payouts_are_narrowed_by_the_months_that_days_touch(whole: Whole) -> None:
    owner = await a_dealer_to_pay(whole.stage, "7.00")
    await made(whole.stage, month=MONTH)
    async with whole.signed_in(owner) as caller:
        for query, count in (
            ({"from_date": "2020-01-31"}, 1),
            ({"to_date": "2020-01-01"}, 1),
            ({"from_date": "2020-02-01"}, 0),
            ({"to_date": "2019-12-31"}, 0),
        ):
            found = await payouts_of(caller, owner, **query)
            assert len(found) == count
        (one,) = await payouts_of(caller, owner)
        assert (one["month"], one["amount"], one["devices"], one["state"]) == (MONTH, 7, 1, "paid")


async def test_an_operator_tries_a_refused_payout_again_once(whole: Whole) -> None:
    owner = await a_dealer_to_pay(whole.stage, name="TRANSFER-ONCE")
    await made(whole.stage, month=MONTH)
    path = f"/v1/payouts/{owner.dealer_id}/{MONTH}/retry"
    async with whole.signed_in(await an_admin(whole.sessions)) as caller:
        listed = (await caller.browser.get("/v1/payouts", params={"shown": "refused"})).json()
        one = next(one for one in listed["results"] if one["dealer_id"] == owner.dealer_id)
        assert (one["attempt"], one["amount"]) == (1, 12.34)
        assert "insufficient" in one["detail"]
        assert (await caller.browser.post(path, json={}, headers=a_key())).status_code == 422
        key = a_key()
        first = await caller.browser.post(path, json=WHY, headers=key)
        assert (first.status_code, first.json()["attempt"]) == (202, 2)
        assert (await caller.browser.post(path, json=WHY, headers=key)).json() == first.json()

        async def state() -> str:
            async with whole.sessions() as session:
                found = await session.scalar(
                    text("select state from payout where dealer_id = :id"),
                    {"id": owner.dealer_id},
                )
            return found or ""

        await until(state, lambda now: now == "paid", within=30)
        assert (await caller.browser.post(path, json=WHY, headers=a_key())).json()[
            "code"
        ] == "payout_moved"
        nobody = path.replace(owner.dealer_id or "", a_name())
        assert (await caller.browser.post(nobody, json=WHY, headers=a_key())).status_code == 404
    async with whole.sessions() as session:
        wanted = AuditQuery(object_kind="payout", object_id=f"payout-{owner.dealer_id}-{MONTH}")
        noted = [entry.more for entry in await search_audit(session, wanted, limit=5)]
    assert {"attempt": 2, "amount": "12.34", **WHY} in noted
    assert ledger(whole.stage, owner) == {"transfer_refused": 1234, "transferred": 1234}
    for person in (owner, await an_installer(whole.sessions), await an_inside_rep(whole.sessions)):
        async with whole.signed_in(person) as caller:
            assert (await caller.browser.get("/v1/payouts")).status_code == 403
            assert (await caller.browser.post(path, json=WHY, headers=a_key())).status_code == 403


async def test_a_refused_payout_that_was_settled_in_another_way_is_paid_by_nobody(
    whole: Whole,
) -> None:
    owner = await a_dealer_to_pay(whole.stage, name="TRANSFER-ONCE")
    await made(whole.stage, month=MONTH)
    ref = PayoutRef(dealer_id=owner.dealer_id or "", month=MONTH)
    path = f"/v1/payouts/{owner.dealer_id}/{MONTH}"

    async def listed(caller: Caller, shown: str) -> list[str]:
        answer = await caller.browser.get("/v1/payouts", params={"shown": shown, "limit": 100})
        mine = [one for one in answer.json()["results"] if one["dealer_id"] == owner.dealer_id]
        return [one["state"] for one in mine]

    async with whole.sessions() as session:
        before = await payouts_for_a_person(session)
    async with whole.signed_in(await an_admin(whole.sessions)) as caller:
        key, note = a_key(), {"note": "Paid by cheque 114."}
        settled = await caller.browser.post(f"{path}/settle", json=note, headers=key)
        assert settled.status_code == 200, settled.text
        again = await caller.browser.post(f"{path}/settle", json=note, headers=key)
        assert again.json() == settled.json()
        other = await caller.browser.post(f"{path}/settle", json=note, headers=a_key())
        assert (other.status_code, other.json()["code"]) == (409, "payout_not_to_settle")
        retried = await caller.browser.post(f"{path}/retry", json=WHY, headers=a_key())
        assert (retried.status_code, retried.json()["code"]) == (409, "payout_moved")
        assert await listed(caller, "open") == await listed(caller, "refused") == []
        assert await listed(caller, "settled") == ["settled"]
    async with whole.signed_in(owner) as caller:
        assert (await payouts_of(caller, owner))[0]["state"] == "settled"
        mine = await caller.browser.post(f"{path}/settle", json=note, headers=a_key())
        assert mine.status_code == 403
    # A run that was begun before pays nothing either.
    _, late = await made(whole.stage, again=Paying(ref=ref, again_after=1))
    assert late.states == {"settled": 1}
    assert ledger(whole.stage, owner) == {"transfer_refused": 1234}
    async with whole.sessions() as session:
        after = await payouts_for_a_person(session)
        wanted = AuditQuery(object_kind="payout", object_id=f"payout-{owner.dealer_id}-{MONTH}")
        noted = [entry.more.get("note") for entry in await search_audit(session, wanted, limit=5)]
    assert after["refused"] == before["refused"] - 1
    assert noted == ["Paid by cheque 114."]


async def test_a_payout_that_was_tried_without_an_account_is_tried_again(whole: Whole) -> None:
    owner = await a_dealer_to_pay(whole.stage, name="TRANSFER-ONCE")
    await made(whole.stage, month=MONTH)
    path = f"/v1/payouts/{owner.dealer_id}/{MONTH}/retry"
    await an_account(whole.stage, owner.dealer_id or "", can_be_paid=False)
    async with whole.sessions() as session:
        kept = await account_of_dealer(session, owner.dealer_id or "")
    assert kept is not None
    at_provider = f"http://stand-ins/cards/_accounts/{kept.account.id}"
    await whole.stage.http.post(at_provider, json={"transfers": "inactive", "told": False})
    run = whole.stage.client.get_workflow_handle(
        f"payouts-payout-{owner.dealer_id}-{MONTH}-2", result_type=PayoutsDone
    )
    async with whole.signed_in(await an_admin(whole.sessions)) as caller:
        early = await caller.browser.post(path, json=WHY, headers=a_key())
        assert early.status_code == 202
        assert (await run.result()).states == {"refused": 1}
        await whole.stage.http.post(at_provider, json={"transfers": "active", "told": False})
        again = await caller.browser.post(path, json=WHY, headers=a_key())
        assert (again.status_code, again.json()["attempt"]) == (202, 2)
        assert (await run.result()).states == {"paid": 1}
    assert ledger(whole.stage, owner) == {"transfer_refused": 1234, "transferred": 1234}


async def test_owners_who_look_after_all_dealers_open_the_account_of_their_own_alone(
    whole: Whole,
) -> None:
    other = await a_dealer_to_pay(whole.stage)
    person = await an_owner(whole.sessions)
    async with whole.sessions.begin() as session:
        admin = update(PersonRow).where(PersonRow.id == person.id).values(access_type=ADMIN_ACCESS)
        await session.execute(admin)
    async with whole.signed_in(person) as caller:
        answer = await caller.browser.get(f"/v1/dealers/{other.dealer_id}/payout-account")
        assert answer.json()["stripe_login_link"] is None
        refused = await caller.browser.post(f"/v1/dealers/{other.dealer_id}/payout-account")
        assert (refused.status_code, refused.json()["code"]) == (403, "owners_only")


async def test_a_transfer_that_comes_back_is_known_by_its_event(whole: Whole) -> None:
    owner = await a_dealer_to_pay(whole.stage, name="TRANSFER-RETURNED")
    await made(whole.stage, month=MONTH)
    async with whole.signed_in(owner) as caller:

        async def last() -> Any:
            return (await payouts_of(caller, owner))[0]["state"]

        await until(last, lambda now: now == "returned", within=30)


async def test_an_account_is_of_the_dealers_country_and_a_lost_one_is_found_by_another_owner(
    whole: Whole,
) -> None:
    dealer = await a_dealer(whole.sessions, country="CA")
    first, second = [await an_owner(whole.sessions, dealer) for _ in range(2)]
    names: list[str] = []
    for owner in (first, second):
        async with whole.signed_in(owner) as caller:
            await opened(caller, dealer.id)
        async with whole.sessions.begin() as session:
            kept = await account_of_dealer(session, dealer.id)
            assert kept is not None
            names.append(kept.account.id)
            await session.execute(
                text("delete from payout_account where dealer_id = :dealer"), {"dealer": dealer.id}
            )
    assert names[0] == names[1]
    assert whole.stage.app.state.cards.paying.find("account", names[0])["country"] == "CA"


async def test_an_answer_is_as_old_as_the_database_says(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two processes whose clocks differ the later answer counts."""
    owner = await a_dealer_to_pay(whole.stage)
    later = datetime.now(UTC) + timedelta(days=1)

    async def then(*_: object) -> datetime:
        return later

    monkeypatch.setattr("api.dealers.payout_account.database_now", then)
    async with whole.signed_in(owner) as caller:
        await opened(caller, owner.dealer_id)
    async with whole.sessions() as session:
        row = await session.get_one(PayoutAccountRow, owner.dealer_id)
    assert row.looked_at == later
