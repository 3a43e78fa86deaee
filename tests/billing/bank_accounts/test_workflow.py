"""What amounts, banks and time do to a bank account that is being verified."""

from datetime import timedelta

from db.billing.bank_verifications import find_verification
from db.billing.payment_methods import method_of, methods_of
from domain.billing.bank_verification import BankVerification, BankVerificationPolicy
from domain.billing.payment_methods import MethodStatus, PaymentMethod
from tests.billing.bank_accounts.stories import (
    RIGHT,
    UNDEPOSITED,
    WRONG,
    Handle,
    at,
    ended,
    gateway_away,
    named,
    opened,
    view,
)
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.numbers import an_account_number
from tests.drivers.stage import Stage


async def stored(stage: Stage, handle: Handle, code: str) -> tuple[PaymentMethod, BankVerification]:
    """As everybody else sees it."""
    async with stage.sessions() as session:
        method = await method_of(session, handle.id.removeprefix("bank-"), code)
        verification = await find_verification(session, method.id)
    assert verification is not None
    return method, verification


async def status_of(stage: Stage, handle: Handle, code: str) -> MethodStatus:
    return (await stored(stage, handle, code))[0].status


async def a_code(stage: Stage) -> str:
    return (await a_dealer(stage.sessions)).partner_code


async def test_the_right_amounts_make_it_the_way_to_pay(stage: Stage) -> None:
    code = await a_code(stage)
    handle = await opened(stage, partner_code=code)
    await at(stage, handle, "waiting")
    assert await status_of(stage, handle, code) == "pending"
    reply = await named(stage, handle, (RIGHT[1], RIGHT[0]))
    assert (reply.state, reply.refusal) == ("verified", None)
    method, verification = await stored(stage, handle, code)
    assert (method.status, method.is_main, method.shown) == ("ready", True, "Checking •••• 6789")
    assert (verification.state, verification.tries_left) == ("verified", 3)


async def test_a_second_account_becomes_the_default_only_when_asked(stage: Stage) -> None:
    code = await a_code(stage)
    first = await opened(stage, partner_code=code)
    await named(stage, first, RIGHT)
    second = await opened(stage, partner_code=code)
    await named(stage, second, RIGHT)
    third = await opened(stage, partner_code=code, is_main=True)
    assert (await stored(stage, first, code))[0].is_main
    await named(stage, third, RIGHT)
    async with stage.sessions() as session:
        mains = [one.id for one in await methods_of(session, code) if one.is_main]
    assert mains == [third.id.removeprefix("bank-")]


async def test_three_wrong_tries_end_it_and_a_new_one_takes_its_place(stage: Stage) -> None:
    code, number = await a_code(stage), an_account_number()
    handle = await opened(stage, number, partner_code=code)
    replies = [await named(stage, handle, WRONG) for _ in range(2)]
    assert [(each.refusal, each.tries_left) for each in replies] == [
        ("wrong_amounts", 2),
        ("wrong_amounts", 1),
    ]
    last = await named(stage, handle, WRONG)
    assert (last.state, last.refusal) == ("failed", "too_many_amounts")
    await ended(handle)
    assert await status_of(stage, handle, code) == "failed"
    again = await opened(stage, number, partner_code=code)
    assert (await named(stage, again, RIGHT)).state == "verified"
    async with stage.sessions() as session:
        assert [one.status for one in await methods_of(session, code)] == ["ready"]


async def test_the_same_number_is_saved_once_for_a_business(stage: Stage) -> None:
    code, number = await a_code(stage), an_account_number()
    await opened(stage, number, partner_code=code)
    second = await opened(stage, number, partner_code=code)
    assert (await view(second)).refusal == "bank_account_saved"
    elsewhere = await opened(stage, number)
    assert (await view(elsewhere)).refusal is None


async def test_what_could_not_be_compared_uses_no_try(stage: Stage) -> None:
    handle = await opened(stage)
    reply = await named(stage, handle, RIGHT, sealed=False)
    assert (reply.state, reply.refusal, reply.tries_left) == ("waiting", "amounts_not_checked", 3)


async def test_it_ends_when_nobody_names_the_amounts(stage: Stage) -> None:
    code = await a_code(stage)
    soon = BankVerificationPolicy(expiry=timedelta(seconds=1))
    handle = await ended(await opened(stage, partner_code=code, policy=soon))
    assert await status_of(stage, handle, code) == "failed"
    assert (await stored(stage, handle, code))[1].state == "expired"


async def test_an_account_that_the_bank_does_not_know_says_why(stage: Stage) -> None:
    code = await a_code(stage)
    handle = await ended(await opened(stage, UNDEPOSITED, partner_code=code))
    method, verification = await stored(stage, handle, code)
    assert (method.status, verification.reason) == (
        "failed",
        "The bank does not know this account.",
    )


async def test_an_outage_of_the_gateway_only_takes_time(stage: Stage) -> None:
    handle = await opened(stage, deposits=False)
    await at(stage, handle, "sending")
    await gateway_away(stage, False)
    assert (await named(stage, handle, RIGHT)).state == "verified"


async def test_a_removed_account_is_forgotten_by_the_gateway(stage: Stage) -> None:
    handle = await opened(stage)
    await named(stage, handle, RIGHT)
    await handle.signal("account_removed")
    assert (await handle.result()).state == "removed"


async def test_an_operators_cancel_ends_the_wait(stage: Stage) -> None:
    waiting, watched = await opened(stage), await opened(stage)
    await at(stage, waiting, "waiting")
    await named(stage, watched, RIGHT)
    for handle in (waiting, watched):
        await handle.cancel()
    assert (await waiting.result()).state == "expired"
    assert (await watched.result()).state == "settled"


async def test_a_late_return_shuts_the_account_and_is_mailed(stage: Stage) -> None:
    owner = await an_owner(stage.sessions)
    assert owner.partner_code is not None
    handle = await opened(stage, partner_code=owner.partner_code, person_id=owner.id)
    await named(stage, handle, RIGHT)
    assert await status_of(stage, handle, owner.partner_code) == "ready"
    await handle.signal("deposits_returned", {"reason": "R03 No account"})
    await ended(handle)
    method, verification = await stored(stage, handle, owner.partner_code)
    assert (method.status, method.is_main) == ("returned", False)
    assert verification.reason == "R03 No account"
    (mail,) = await stage.mails(owner.email)
    assert mail["subject"] == "Your bank returned our deposits"


async def test_owners_are_told_of_the_return_once_whoever_added_the_account_has_retired(
    stage: Stage,
) -> None:
    dealer = await a_dealer(stage.sessions)
    owner = await an_owner(stage.sessions, dealer)
    gone = await an_installer(stage.sessions, dealer, is_purchaser=True, is_retired=True)
    handle = await opened(stage, partner_code=dealer.partner_code, person_id=gone.id)
    await named(stage, handle, RIGHT)
    await handle.signal("deposits_returned", {"reason": "R03 No account"})
    await ended(handle)
    (mail,) = await stage.mails(owner.email)
    assert mail["subject"] == "Your bank returned our deposits"
    assert await stage.mails(gone.email) == []
