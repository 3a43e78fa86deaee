"""Dealers with rewards and an account, whatever becomes of what is sent to it."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

from sqlalchemy import func, insert, select

from db.base import Sessions
from db.dealers.payout_accounts import save_account
from db.dealers.payouts import PayoutRow, find_payout
from db.dealers.rewards import RewardRow
from domain.dealers.payout_account import ProviderAccount
from domain.dealers.payouts import Payout, payout_id
from domain.dealers.rewards import RewardKind
from domain.identity.people import User
from simulators.cards import accounts
from tests.drivers.factories import a_name, an_owner
from tests.drivers.stage import Stage, a_device_key

MONTH = "2020-01"
"""Long ago, so that nobody else's rewards are in it."""


async def earnings(
    sessions: Sessions,
    dealer_id: str,
    *amounts: str,
    at: datetime = datetime(2020, 1, 9, tzinfo=UTC),
) -> None:
    async with sessions.begin() as session:
        for amount in amounts:
            is_earned = Decimal(amount) > 0
            await session.execute(
                insert(RewardRow).values(
                    flow_id=uuid.uuid4().hex,
                    installer_id="somebody",
                    kind=RewardKind.EARNED if is_earned else RewardKind.TAKEN_BACK,
                    dealer_id=dealer_id,
                    device_key=a_device_key(),
                    product_name="ft-x1",
                    amount=Decimal(amount),
                    shared_among=1,
                    earned_at=at,
                )
            )


async def an_account(
    stage: Stage, dealer_id: str, name: str = "", *, can_be_paid: bool = True
) -> str:
    """At the stand-in and here; `name` holds the words that it goes by."""
    desk, id_ = stage.app.state.cards, f"acct_demo_complete_{a_name()}"
    found = accounts.account(desk, id_)
    found["business_profile"]["name"] = name
    desk.paying.put("account", found)
    account = ProviderAccount(id=id_, details_submitted=True, can_be_paid=can_be_paid)
    async with stage.sessions.begin() as session:
        await save_account(session, dealer_id, account, datetime.now(UTC))
    return id_


async def a_dealer_to_pay(
    stage: Stage, *amounts: str, name: str = "", account: bool = True
) -> User:
    """Its owner."""
    owner = await an_owner(stage.sessions)
    assert owner.dealer_id is not None
    await earnings(stage.sessions, owner.dealer_id, *(amounts or ("12.34",)))
    if account:
        await an_account(stage, owner.dealer_id, name)
    return owner


async def payout_of(stage: Stage, owner: User, month: str = MONTH) -> Payout:
    async with stage.sessions() as session:
        found = await find_payout(session, owner.dealer_id or "", month)
    assert found is not None
    return found


def ledger(stage: Stage, owner: User, month: str = MONTH) -> dict[str, int]:
    """Cents that the provider moved for a payout."""
    return stage.app.state.cards.paying.sums(payout_id(owner.dealer_id or "", month))


async def mails(stage: Stage, owner: User) -> list[str]:
    """Subjects."""
    answer = await stage.http.get("http://stand-ins/messenger/_outbox", params={"to": owner.email})
    return [one["subject"] for one in answer.json()["results"]]


async def balance(stage: Stage, owners: Sequence[User]) -> None:
    """To the cent: what rewards say was paid, what payouts say, and what the provider moved."""
    async with stage.sessions() as session:
        for owner in owners:
            marked = await session.scalar(
                select(func.coalesce(func.sum(RewardRow.amount), 0)).where(
                    RewardRow.dealer_id == owner.dealer_id, RewardRow.payout_month.is_not(None)
                )
            )
            made = await session.scalar(
                select(func.coalesce(func.sum(PayoutRow.amount), 0)).where(
                    PayoutRow.dealer_id == owner.dealer_id
                )
            )
            months = await session.scalars(
                select(PayoutRow.month).where(PayoutRow.dealer_id == owner.dealer_id)
            )
            sums = [ledger(stage, owner, month) for month in months]
            moved = sum(one.get("transferred", 0) - one.get("transfer_reversed", 0) for one in sums)
            assert marked == made == Decimal(moved) / 100
