"""Adding, verifying, changing and deleting bank accounts, as browsers meet them."""

import asyncio
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from sqlalchemy import select, text

from api.platform.throttling.money import BANK_ACCOUNTS
from db.billing.payment_methods import PaymentMethodRow
from db.operations.audit import AuditRow
from db.platform.sealed_secrets import SealedSecretRow
from db.platform.throttles import count
from domain.identity.people import User
from tests.billing.bank_accounts.stories import US_ROUTING
from tests.drivers.factories import a_dealer, an_inside_rep, an_installer, an_outside_rep, an_owner
from tests.drivers.histories import written
from tests.drivers.numbers import an_account_number
from tests.drivers.portal import a_key
from tests.drivers.stage import SIMULATED
from tests.drivers.until import until
from tests.drivers.whole_portal import Caller, Whole, problem
from tests.orders.factories import code_of
from tests.partners.factories import a_primary, let_see

ADDRESS = {
    "streetAddress1": "1 Dock Street",
    "city": "Seattle",
    "state": "WA",
    "postalCode": "98101",
    "countryCode": "US",
}


def an_account(**more: Any) -> dict[str, Any]:
    return {
        "name": "Harbour Car Audio",
        "holderType": "Company",
        "accountType": "Checking",
        "routingNumber": US_ROUTING,
        "accountNumber": an_account_number(),
        **ADDRESS,
        **more,
    }


async def add(caller: Caller, key: dict[str, str] | None = None, **more: Any) -> httpx.Response:
    return await caller.browser.post(
        "/api/create-bank-account", json=an_account(**more), headers=key or a_key()
    )


async def added(caller: Caller, **more: Any) -> httpx.Response:
    """What a busy machine puts off is sent again under its key."""
    account, key = an_account(**more), a_key()

    async def answered() -> httpx.Response:
        return await caller.browser.post("/api/create-bank-account", json=account, headers=key)

    return await until(answered, lambda answer: answer.status_code != 503, within=60)


@asynccontextmanager
async def away(whole: Whole) -> AsyncGenerator[None]:
    """The gateway answers nobody."""
    control = f"{SIMULATED}/gateway/_control"
    (await whole.stage.http.post(control, json={"outage": True})).raise_for_status()
    try:
        yield
    finally:
        (await whole.stage.http.post(control, json={"outage": False})).raise_for_status()


async def verify(
    whole: Whole, caller: Caller, method_id: str, *amounts: int, key: dict[str, str] | None = None
) -> httpx.Response:
    """Once the deposits are out."""
    body = {"paymentMethodId": method_id, "amounts": list(amounts)}
    told: list[httpx.Response] = []

    async def out() -> bool:
        answer = await caller.browser.post(
            "/api/verify-bank-account", json=body, headers=key or a_key()
        )
        told[:] = [answer]
        return answer.is_success or answer.json()["code"] != "deposits_on_their_way"

    await until(out)
    return told[0]


async def an_account_of(whole: Whole, caller: Caller) -> str:
    """A verified one."""
    answer = await added(caller)
    assert answer.status_code == 200, answer.text
    verified = await verify(whole, caller, answer.json()["id"], 67, 89)
    assert verified.status_code == 200, verified.text
    return verified.json()["id"]


async def test_an_owner_adds_an_account_and_names_its_deposits(whole: Whole) -> None:
    owner = await an_owner(whole.sessions)
    async with whole.signed_in(owner) as caller:
        added = await add(caller)
        assert added.status_code == 200, added.text
        told = added.json()
        assert (told["status"], told["isValid"], told["shown"]) == (
            "pending",
            False,
            "Checking •••• 6789",
        )
        assert told["billingAddress"]["state"] == "WA"
        assert told["verification"]["triesLeft"] == 3
        wrong = await verify(whole, caller, told["id"], 1, 2)
        assert problem(wrong) == (409, "wrong_amounts")
        assert wrong.json()["tries_left"] == 2
        right = await verify(whole, caller, told["id"], 89, 67)
        assert right.status_code == 200, right.text
        assert (right.json()["status"], right.json()["isMain"]) == ("ready", True)


async def test_numbers_and_amounts_are_nowhere_afterwards(whole: Whole) -> None:
    owner, number = await an_owner(whole.sessions), an_account_number()
    async with whole.signed_in(owner) as caller:
        added = await add(caller, accountNumber=number)
        assert number not in added.text
        method_id = added.json()["id"]
        await verify(whole, caller, method_id, 1, 2)
        assert (await verify(whole, caller, method_id, 67, 89)).status_code == 200
    history = await whole.stage.client.get_workflow_handle(f"bank-{method_id}").fetch_history()
    told = written(history)
    assert number[-4:].encode() in told
    assert number.encode() not in told
    async with whole.sessions() as session:
        kept = await session.scalars(
            select(SealedSecretRow).where(SealedSecretRow.flow_id == method_id)
        )
        assert kept.all() == []
        for table in ("payment_method", "bank_verification", "idempotency", "audit"):
            rows = await session.scalars(text(f"select t::text from {table} t"))
            assert not [row for row in rows if number in row], table


async def test_a_refused_number_names_its_field_and_shows_nothing(whole: Whole) -> None:
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        answer = await add(caller, routingNumber="12345", accountNumber="12a4567")
        assert problem(answer) == (422, "invalid")
        faults = {each["field"]: each["message"] for each in answer.json()["validation_errors"]}
        assert faults == {
            "routingNumber": "Must have 9 digits",
            "accountNumber": "Must have 4 to 17 digits",
        }
        unrouted = await add(caller, routingNumber="123456789")
        assert problem(unrouted) == (409, "invalid_routing_number")
        for told in (answer, unrouted):
            assert "12a4567" not in told.text
            assert "123456789" not in told.text


async def test_the_same_key_adds_one_account_and_another_key_finds_it_there(whole: Whole) -> None:
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        account, key = an_account(), a_key()
        send = caller.browser.post
        path = "/api/create-bank-account"
        both = await asyncio.gather(
            *(send(path, json=account, headers=key) for _ in range(2)), return_exceptions=False
        )
        ids = {each.json()["id"] for each in both if each.is_success}
        assert len(ids) == 1
        assert {each.json()["code"] for each in both if not each.is_success} <= {"still_under_way"}
        again = await send(path, json=account, headers=key)
        assert again.json()["id"] in ids
        other = await send(path, json=account, headers=a_key())
        assert problem(other) == (409, "bank_account_saved")


async def test_a_repeated_try_counts_once(whole: Whole) -> None:
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        method_id, key = (await add(caller)).json()["id"], a_key()
        for _ in range(3):
            wrong = await verify(whole, caller, method_id, 3, 4, key=key)
            assert (wrong.json()["code"], wrong.json()["tries_left"]) == ("wrong_amounts", 2)


async def test_after_three_wrong_tries_it_has_to_be_added_anew(whole: Whole) -> None:
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        method_id = (await add(caller)).json()["id"]
        codes = [(await verify(whole, caller, method_id, 3, 4)).json()["code"] for _ in range(4)]
        assert codes == [
            "wrong_amounts",
            "wrong_amounts",
            "too_many_amounts",
            "verification_ended",
        ]


async def test_only_a_verified_account_becomes_the_default(whole: Whole) -> None:
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        first = await an_account_of(whole, caller)
        second = (await add(caller)).json()["id"]
        change = caller.browser.patch
        path = "/api/update-bank-account"
        early = await change(path, json={"paymentMethodId": second, "isDefault": True})
        assert problem(early) == (409, "payment_method_not_ready")
        assert (await verify(whole, caller, second, 67, 89)).status_code == 200
        done = await change(path, json={"paymentMethodId": second, "isDefault": True})
        assert done.json()["isMain"] is True
        back = await change(path, json={"paymentMethodId": first, "isDefault": True})
        assert back.json()["isMain"] is True
    async with whole.sessions() as session:
        mains = await session.scalars(
            select(PaymentMethodRow.id).where(
                PaymentMethodRow.id.in_((first, second)), PaymentMethodRow.is_main
            )
        )
        assert mains.all() == [first]


async def test_the_default_account_is_not_hidden(whole: Whole) -> None:
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        main = {"paymentMethodId": await an_account_of(whole, caller)}
        path = "/api/update-bank-account"
        refused = await caller.browser.patch(path, json={**main, "isHidden": True})
        assert problem(refused) == (409, "default_payment_method_hidden")
        shown = await caller.browser.patch(path, json={**main, "isHidden": False})
        assert shown.json()["isMain"] is True


async def test_name_address_and_offer_are_changed_and_what_is_not_given_stays(
    whole: Whole,
) -> None:
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        await an_account_of(whole, caller)  # the default
        method_id = (await add(caller)).json()["id"]
        path = "/api/update-bank-account"
        changes = {"name": "Harbour Ltd.", "city": "Tacoma", "isHidden": True}
        changed = await caller.browser.patch(path, json={"paymentMethodId": method_id, **changes})
        assert changed.status_code == 200, changed.text
        told = changed.json()
        assert (told["name"], told["isHidden"]) == ("Harbour Ltd.", True)
        assert told["billingAddress"] == {
            **ADDRESS,
            "streetAddress2": "",
            "city": "Tacoma",
        }
        nothing = await caller.browser.patch(path, json={"paymentMethodId": method_id})
        assert problem(nothing) == (422, "no_updates")
        assert nothing.json()["detail"] == "Updates object is required"


async def test_a_deleted_account_is_gone_and_can_be_added_again(whole: Whole) -> None:
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        number = an_account_number()
        method_id = (await add(caller, accountNumber=number)).json()["id"]
        gone = {"paymentMethodId": method_id}
        path = "/api/delete-bank-account"
        assert (await caller.browser.delete(path, params=gone)).status_code == 204
        assert (await caller.browser.delete(path, params=gone)).status_code == 404
        late = await verify(whole, caller, method_id, 67, 89)
        assert late.status_code == 404
        reply = await whole.stage.client.get_workflow_handle(f"bank-{method_id}").result()
        assert reply["state"] == "removed"
        assert (await add(caller, accountNumber=number)).status_code == 200


async def test_deposits_that_come_back_shut_the_account(whole: Whole) -> None:
    """The bank's webhook reaches the run, however late."""
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        method_id = (await add(caller, accountNumber="000555555559")).json()["id"]

        async def returned() -> bool:
            async with whole.sessions() as session:
                row = await session.get_one(PaymentMethodRow, method_id)
                return row.status == "returned"

        await until(returned)


async def managers(whole: Whole) -> tuple[User, User, str]:
    """An inside and an outside rep who see one business."""
    dealer = await a_dealer(whole.sessions)
    await a_primary(whole.sessions, dealer)
    reps = await an_inside_rep(whole.sessions), await an_outside_rep(whole.sessions)
    for rep in reps:
        await let_see(whole.sessions, rep, dealer.partner_code)
    return *reps, dealer.partner_code


async def test_an_inside_rep_manages_for_the_chosen_business_and_an_outside_rep_never(
    whole: Whole,
) -> None:
    inside, outside, code = await managers(whole)
    async with whole.signed_in(inside) as caller:
        assert problem(await add(caller))[0] == 403
        await caller.browser.put("/v1/auth/business", json={"sapBpCode": code})
        added = await add(caller, sapBpCode=code)
        assert added.status_code == 200, added.text
        async with whole.sessions() as session:
            entry = await session.scalar(
                select(AuditRow).where(AuditRow.object_id == added.json()["id"])
            )
        assert entry is not None
        assert (entry.action, entry.partner_code) == ("added a bank account", code)
    async with whole.signed_in(outside) as caller:
        await caller.browser.put("/v1/auth/business", json={"sapBpCode": code})
        assert problem(await add(caller))[0] == 403


async def test_somebody_elses_account_is_not_found(whole: Whole) -> None:
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        method_id = (await add(caller)).json()["id"]
    async with whole.signed_in(await an_owner(whole.sessions)) as stranger:
        asked = await verify(whole, stranger, method_id, 67, 89)
        assert problem(asked) == (404, "payment_method_missing")
        changed = await stranger.browser.patch(
            "/api/update-bank-account", json={"paymentMethodId": method_id, "name": "Mine"}
        )
        assert problem(changed) == (404, "payment_method_missing")
    async with whole.signed_in(await an_installer(whole.sessions)) as installer:
        assert problem(await add(installer)) == (403, "forbidden")


async def test_a_business_adds_ten_in_a_day_at_most(whole: Whole) -> None:
    """What was put off is counted, and not once more when it is sent again."""
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        answers = await asyncio.gather(*(added(caller) for _ in range(11)))
        assert sorted(each.status_code for each in answers) == [200] * 10 + [429]


async def test_an_account_that_nobody_answered_counts_once_and_a_refused_one_each_time(
    whole: Whole,
) -> None:
    owner = await an_owner(whole.sessions)
    account, key = an_account(), a_key()
    async with whole.signed_in(owner) as caller:
        async with away(whole):
            for _ in range(BANK_ACCOUNTS.tries + 1):
                put_off = await add(caller, key, **account)
                assert put_off.status_code == 503, put_off.text
        assert await counted(whole, owner) == 1
        refused = [await add(caller, key, routingNumber="123456789") for _ in range(2)]
        assert {problem(each) for each in refused} == {(409, "invalid_routing_number")}
        assert await counted(whole, owner) == 2


async def counted(whole: Whole, owner: User) -> int:
    """How many bank accounts of the owner's business count today."""
    async with whole.sessions.begin() as session:
        (told,) = await count(session, [(BANK_ACCOUNTS, code_of(owner))], times=0)
    return told.tries


async def test_while_the_gateway_is_away_nothing_is_kept(whole: Whole) -> None:
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        async with away(whole):
            answer = await add(caller)
        assert answer.status_code == 503
        assert answer.headers["retry-after"]
        found = await caller.browser.post(
            "/api/verify-bank-account",
            json={"paymentMethodId": uuid.uuid4().hex, "amounts": [1, 2]},
            headers=a_key(),
        )
        assert problem(found) == (404, "payment_method_missing")
