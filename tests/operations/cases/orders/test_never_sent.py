"""Goods of an order are never sent while what it cost is owed again: less is asked for, or nothing (decision 51)."""

from datetime import timedelta
from decimal import Decimal

import pytest

from db.identity.people import find_user
from db.operations import never_sent as rows
from db.operations.cases.starts import find_start
from domain.billing.payments import NOTHING
from domain.operations.case_mails import UNDECIDED, WITH_THE_BANK
from domain.operations.cases import CaseCause, on_order
from tests.drivers.factories import a_name, an_owner
from tests.drivers.stage import Stage
from tests.drivers.until import until
from tests.operations.cases import stories
from tests.operations.cases.factories import Handle, case_in, send_command
from tests.operations.cases.orders.never_sent import NEVER_SENT, never_sent, view_of
from tests.operations.cases.stories import ONCE, QUICK, id_of
from tests.orders.factories import an_order


@pytest.mark.parametrize("name", NEVER_SENT)
async def test_nothing_is_asked_for_that_goes_back_again(stage: Stage, name: str) -> None:
    assert await NEVER_SENT[name](stage)


@pytest.mark.parametrize(
    ("withdrawn", "left"), [("30.00", ("10.00", "60.00")), ("70.00", ("0", "30.00"))]
)
async def test_goods_are_taken_off_once_however_many_cases_are_owed(
    stage: Stage, withdrawn: str, left: tuple[str, str]
) -> None:
    first = await stories.opened(
        stage, amount="40.00", is_paid=False, cause=CaseCause.DEBIT_RETURNED
    )
    belongs_to = (await view_of(first)).belongs_to
    second = await stories.opened(
        stage,
        amount="60.00",
        is_paid=False,
        cause=CaseCause.DEBIT_RETURNED,
        belongs_to=belongs_to,
    )
    for one in (first, second):
        await stories.until(stage, one, "owed")
    part = await never_sent(stage, first, withdrawn)
    await part.result()
    assert (await case_in(stage, id_of(part), "solved")).taken_off == Decimal(withdrawn)
    owed = tuple([(await view_of(one)).owed for one in (first, second)])
    assert owed == tuple(Decimal(one) for one in left)
    async with stage.sessions() as session:
        for one in (first, second):
            assert (await rows.not_sent(session, id_of(one))).withdrawn == ()


async def test_a_debit_that_could_not_be_held_is_told_that_its_order_was_cancelled(
    stage: Stage,
) -> None:
    """Nothing is owed yet, so that the cancellation does not wait for it."""
    buyer, token = await an_owner(stage.sessions), a_name()
    stuck = await stories.opened(
        stage,
        amount="104.99",
        is_paid=False,
        cause=CaseCause.DEBIT_RETURNED,
        policy=ONCE.model_copy(update={"brief": timedelta(milliseconds=300)}),
        buyer=buyer,
        belongs_to=on_order(token, "T-1", token),
    )
    await stories.until(stage, stuck, "needs_attention")
    assert (await view_of(stuck)).owed == NOTHING
    await an_order(stage.sessions, buyer.partner_code or "", token=token, placed_by=buyer.id)
    cancelled = await never_sent(stage, stuck, None)
    await cancelled.result()
    await stuck.result()
    assert (await case_in(stage, id_of(stuck), "solved")).owed == NOTHING


async def buyer_of(stage: Stage, handle: Handle) -> str:
    """The address of the buyer of a case."""
    async with stage.sessions() as session:
        start = await find_start(session, id_of(handle))
        assert start is not None
        buyer = await find_user(session, start.person_id)
    assert buyer is not None
    return buyer.email


async def test_a_cancellation_promises_nothing_that_a_bank_has(stage: Stage) -> None:
    handle, dispute_id = await stories.charged_back(stage)
    cancelled = await never_sent(stage, handle, None)
    await cancelled.result()
    address = await buyer_of(stage, cancelled)
    mails = await until(lambda: stage.mails(address), lambda all_: len(all_) == 2)
    said = " ".join(str(one["text"]) for one in mails)
    assert "What you paid is being paid back" not in said
    assert UNDECIDED[CaseCause.ORDER_CANCELLED].en in said
    assert WITH_THE_BANK.en in said
    await stories.decided(stage, dispute_id, "lost")
    assert await send_command(handle, "retry", note="The bank has decided.") is None
    await stories.ended(stage, handle, "solved", cents=0)


async def test_a_lost_chargeback_asks_for_nothing_that_had_been_given_back(stage: Stage) -> None:
    """The bank took all of it, of which 60.00 were there again."""
    handle = await stories.opened(
        stage,
        amount="104.99",
        cause=CaseCause.CHARGEBACK,
        is_disputed=True,
        given_back_under=a_name(),
    )
    await stories.until(stage, handle, "needs_attention")
    async with stage.sessions() as session:
        start = await find_start(session, id_of(handle))
    assert start is not None
    assert start.dispute_id is not None
    await stories.decided(stage, start.dispute_id, "lost")
    assert await send_command(handle, "retry", note="It is lost.") is None
    await stories.until(stage, handle, "owed")
    assert (await view_of(handle)).owed == Decimal("44.99")
    address = await buyer_of(stage, handle)

    async def written() -> list[str]:
        return [str(one["text"]) for one in await stage.mails(address)]

    texts = await until(written, lambda all_: any("is owed again" in one for one in all_))
    assert any("$44.99 is owed again." in one for one in texts)
    assert await send_command(handle, "resolve", note="A cheque came.") is None
    await handle.result()


async def test_what_a_bank_decided_is_written_down_once(stage: Stage) -> None:
    handle = await stories.opened(
        stage,
        card="refundRefusedTwice",
        amount="104.99",
        cause=CaseCause.CHARGEBACK,
        is_disputed=True,
        policy=QUICK,
    )
    await stories.until(stage, handle, "needs_attention")
    cancelled = await never_sent(stage, handle, None)
    await cancelled.result()
    async with stage.sessions() as session:
        start = await stories.find_start(session, id_of(handle))
    assert start is not None
    assert start.dispute_id is not None
    await stories.decided(stage, start.dispute_id, "won")
    assert await send_command(handle, "retry", note="The bank has decided.") is None
    await stories.ended(stage, handle, "solved", cents=0)
    said = [one.text for one in (await view_of(handle)).done]
    assert len([one for one in said if "decided for us" in one]) == 1, said
