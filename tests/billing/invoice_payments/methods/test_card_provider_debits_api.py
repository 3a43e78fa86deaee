"""Invoices paid from a bank account that the card provider keeps, American and Canadian: from its deposits to what the bank says
of the debit, also weeks later (decision 84)."""

from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from temporalio.client import Client

from db.base import Sessions
from db.operations.cases.lists import cases_of
from domain.operations.cases import CaseCause
from tests.billing.bank_accounts.test_api import added
from tests.billing.invoice_payments.methods.test_bank_debits_api import BANKS
from tests.billing.invoice_payments.paying import PayerOf, a_payer
from tests.billing.invoice_payments.runs import PATIENT
from tests.drivers.database.own_database import database_url, sessions
from tests.drivers.histories import written
from tests.drivers.numbers import an_account_number
from tests.drivers.portal import a_key
from tests.drivers.stage import SIMULATED
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole, a_whole_portal, problem

__all__ = ["database_url", "sessions"]

RIGHT = {"amounts": [45, 32]}
CODE = {"descriptorCode": "sm11aa"}
INSUFFICIENT, UNDEPOSITED, DISPUTED = "000222222227", "000666666661", "000555555559"


@pytest.fixture(scope="module")
async def theirs(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Whole]:
    """A portal whose new bank accounts are the card provider's. Beside it no other takes up what its provider says, to ask its
    own, who knows nothing of it."""
    async with a_whole_portal(
        temporal,
        temporal_address,
        sessions,
        database_url,
        tmp_path_factory.mktemp("card-provider-debits"),
        bank_accounts_at="cards",
        starts_cases=True,
        policy_invoice_payment=PATIENT.model_dump(mode="json"),
    ) as here:
        yield here


async def verify(payer: PayerOf, method_id: str, named: dict[str, Any]) -> httpx.Response:
    """Once the deposits are out."""
    told: list[httpx.Response] = []

    async def out() -> bool:
        answer = await payer.caller.browser.post(
            "/api/verify-bank-account",
            json={"paymentMethodId": method_id, **named},
            headers=a_key(),
        )
        told[:] = [answer]
        return answer.is_success or answer.json()["code"] != "deposits_on_their_way"

    await until(out)
    return told[0]


async def an_account(
    payer: PayerOf, bank: str = "american", number: str | None = None, named: Any = None
) -> str:
    answer = await added(payer.caller, accountNumber=number or an_account_number(), **BANKS[bank])
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["status"], told["isValid"]) == ("pending", False)
    verified = await verify(payer, told["id"], named or RIGHT)
    assert verified.status_code == 200, verified.text
    assert verified.json()["status"] == "ready"
    return told["id"]


@pytest.mark.parametrize("bank", BANKS)
async def test_a_debit_is_waited_for_and_posted_once_the_bank_has_paid(
    theirs: Whole, bank: str
) -> None:
    async with a_payer(theirs) as payer:
        account = await an_account(payer, bank)
        invoices = await payer.owes(2)
        answer = await payer.submit(invoices, type="BANK_ACCOUNT", method_id=account)
        assert answer.status_code in (200, 202), answer.text
        id_ = answer.json()["id"]
        await payer.until(id_, "processing")
        held = await payer.invoice(invoices[0].number)
        assert (held["isPaid"], held["inPayment"] is not None) == (False, True)
        seen = await payer.until(id_, "confirmed")
        assert {one["status"] for one in seen["view"]["lines"]} == {"posted"}
        assert str(await payer.kept(id_)) == "196"
        assert await payer.kept(id_, "gateway") == 0
        assert (await payer.invoice(invoices[0].number))["isPaid"]


@pytest.mark.parametrize("bank", BANKS)
async def test_a_debit_that_the_bank_returns_pays_nothing_and_frees_the_invoice(
    theirs: Whole, bank: str
) -> None:
    async with a_payer(theirs) as payer:
        account = await an_account(payer, bank, INSUFFICIENT)
        invoices = await payer.owes()
        answer = await payer.submit(invoices, type="BANK_ACCOUNT", method_id=account)
        id_ = answer.json()["id"]
        await payer.until(id_, "processing")
        seen = await payer.until(id_, "returned")
        assert "insufficient funds" in seen["view"]["error"]["detail"]
        assert await payer.kept(id_) == 0
        again = await payer.invoice(invoices[0].number)
        assert (again["isPaid"], again["inPayment"]) == (False, None)


async def test_a_debit_that_comes_back_after_it_was_posted_is_a_case(theirs: Whole) -> None:
    async with a_payer(theirs) as payer:
        account = await an_account(payer, number=DISPUTED)
        invoices = await payer.owes()
        answer = await payer.submit(invoices, type="BANK_ACCOUNT", method_id=account)
        id_ = answer.json()["id"]
        await payer.until(id_, "confirmed")

        async def causes() -> list[CaseCause]:
            # The bank's word is told once it has said it.
            await payer.kept(id_)
            async with theirs.sessions() as session:
                return [one.cause for one in await cases_of(session, "invoice_payment", id_)]

        assert await until(causes) == [CaseCause.CHARGEBACK]
        assert await payer.kept(id_) == 0
        # There is no appeal: the invoice is open again.
        await until(
            lambda: payer.invoice(invoices[0].number), lambda invoice: not invoice["isPaid"]
        )


async def test_wrong_amounts_use_a_try_and_a_code_is_taken_where_one_was_sent(
    theirs: Whole,
) -> None:
    async with a_payer(theirs) as payer:
        answer = await added(payer.caller, accountNumber=an_account_number())
        method_id = answer.json()["id"]
        wrong = await verify(payer, method_id, {"amounts": [1, 2]})
        assert problem(wrong) == (409, "wrong_amounts")
        assert wrong.json()["tries_left"] == 2
        both = await verify(payer, method_id, RIGHT | CODE)
        assert problem(both) == (422, "invalid")
        assert (await verify(payer, method_id, RIGHT)).json()["status"] == "ready"
        await an_account(payer, number=an_account_number("5"), named=CODE)


async def test_deposits_that_cannot_be_sent_shut_the_account(theirs: Whole) -> None:
    async with a_payer(theirs) as payer:
        answer = await added(payer.caller, accountNumber=UNDEPOSITED)
        method_id = answer.json()["id"]

        async def standing() -> dict[str, Any]:
            answer = await payer.caller.browser.post("/api/users-payment-methods", json={})
            return next(one for one in answer.json()["results"] if one["id"] == method_id)

        told = await until(standing, lambda one: one["status"] == "returned")
        assert "Microdeposit" in told["verification"]["reason"]


async def test_numbers_are_nowhere_and_a_deleted_account_is_forgotten_there(
    theirs: Whole,
) -> None:
    async with a_payer(theirs) as payer:
        number = an_account_number()
        account = await an_account(payer, number=number)
        history = await theirs.stage.client.get_workflow_handle(f"bank-{account}").fetch_history()
        assert number[-4:].encode() in written(history)
        assert number.encode() not in written(history)
        gone = await payer.caller.browser.delete(
            "/api/delete-bank-account", params={"paymentMethodId": account}, headers=a_key()
        )
        assert gone.status_code == 204
        refused = await payer.submit(await payer.owes(), type="BANK_ACCOUNT", method_id=account)
        assert refused.status_code in (404, 409)


async def test_the_ledger_of_the_gateway_knows_nothing_of_them(theirs: Whole) -> None:
    told = await theirs.stage.http.get(f"{SIMULATED}/gateway/_ledger")
    assert told.json()["deposits"] == []
