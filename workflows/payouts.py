"""Payouts of rewards: a schedule of Temporal begins a run each day, and each dealer is paid once for a month (decision 65).

The same run pays one dealer whose account has become ready, tries one payout again for an operator, and looks at what the
provider told of. A payout that cannot be sent now is tried again for days, and keeps no other waiting.
"""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NoReturn

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.dealers.payouts import Due, Paid, Paying, PayoutActivities, PayoutNotice
    from domain.base import Frozen
    from domain.dealers.payouts import PayoutRef, PayoutState, month_before

SCHEDULE = "payouts"
"""The id of the schedule and the start of its runs' ids."""
CONTINUES_IN_PAUSES = "continues-in-pauses"
WORTH_A_MAIL = frozenset({PayoutState.WAITING, PayoutState.REFUSED, PayoutState.RETURNED})
_OWN: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=30),
    "schedule_to_close_timeout": timedelta(hours=6),
    "retry_policy": RetryPolicy(
        initial_interval=timedelta(seconds=1),
        maximum_interval=timedelta(minutes=5),
        maximum_attempts=200,
    ),
}


class PayoutPolicy(Frozen):
    """`at_once` payouts are sent side by side. One is tried `tries` times in a row; those that could not be sent are taken up
    again after `pauses`, in seconds."""

    at_once: int = 8
    tries: int = 4
    pauses: tuple[float, ...] = (600, 3600, 14_400, 43_200, 86_400)


class Progress(Frozen):
    """How far the run before this one came: the last payout that it looked at, and what it left. `paused` is after how many pauses
    that was taken up again; None while not all that is due was looked at."""

    after: PayoutRef | None = None
    left: tuple[Paying, ...]
    states: dict[str, int]
    paused: int | None = None


class PayoutsStart(Frozen):
    """Nothing is named: the last month that is over is made and paid, with all that waits. Otherwise one dealer; one payout
    `again`, after its attempt; an account or a transfer that something was told of. `progress` is that of a run whose history
    had become long."""

    month: str | None = None
    dealer_id: str | None = None
    again: Paying | None = None
    account_id: str | None = None
    transfer_id: str | None = None
    policy: PayoutPolicy = PayoutPolicy()
    progress: Progress | None = None


class PayoutsDone(Frozen):
    """How many came to which state; `left` could not be sent."""

    states: dict[str, int] = {}
    left: int = 0


@workflow.defn(name="Payouts")
class PayoutsWorkflow:
    @workflow.init
    def __init__(self, ask: PayoutsStart) -> None:
        self.policy = ask.policy
        self.ask = ask
        self.states: dict[str, int] = dict(ask.progress.states) if ask.progress else {}
        self.left: list[Paying] = list(ask.progress.left) if ask.progress else []

    @workflow.run
    async def run(self, ask: PayoutsStart) -> PayoutsDone:
        paused = 0
        if ask.progress is not None and ask.progress.paused is not None:
            paused = ask.progress.paused
        elif ask.progress is not None:
            await self.pay_pages(ask.progress.after)
        elif ask.transfer_id is not None:
            await self.look_at_transfer(ask.transfer_id)
        elif ask.again is not None:
            await self.pay_all([ask.again])
        else:
            await self.pay_what_is_due(ask)
        for number, pause in enumerate(self.policy.pauses[paused:], start=paused + 1):
            if not self.left:
                break
            await workflow.sleep(pause, summary="the provider is away")
            again, self.left = self.left, []
            await self.pay_all(again)
            is_long = workflow.info().is_continue_as_new_suggested()
            if is_long and workflow.patched(CONTINUES_IN_PAUSES):
                self.go_on(Progress(left=tuple(self.left), states=self.states, paused=number))
        return PayoutsDone(states=self.states, left=len(self.left))

    async def look_at_transfer(self, transfer_id: str) -> None:
        word = await workflow.execute_activity_method(
            PayoutActivities.look_at_transfer, transfer_id, summary="look at a transfer", **_OWN
        )
        if word is not None:
            await self.notify_owners(word)

    async def pay_what_is_due(self, ask: PayoutsStart) -> None:
        dealer_id = ask.dealer_id
        if ask.account_id is not None:
            dealer_id = await workflow.execute_activity_method(
                PayoutActivities.look_at_account,
                ask.account_id,
                summary="look at an account",
                **_OWN,
            )
            if dealer_id is None:
                return
        if dealer_id is None:
            await workflow.execute_activity_method(
                PayoutActivities.freeze,
                ask.month or month_before(workflow.now()),
                summary="make the payouts of the month",
                **_OWN,
            )
        self.ask = ask.model_copy(update={"dealer_id": dealer_id})
        await self.pay_pages(None)

    async def pay_pages(self, after: PayoutRef | None) -> None:
        """All that is due from there on."""
        while True:
            page = await workflow.execute_activity_method(
                PayoutActivities.due,
                Due(dealer_id=self.ask.dealer_id, after=after),
                summary="what is due",
                **_OWN,
            )
            await self.pay_all([Paying(ref=ref) for ref in page])
            if not page:
                return
            after = page[-1]
            if workflow.info().is_continue_as_new_suggested():
                self.go_on(Progress(after=after, left=tuple(self.left), states=self.states))

    def go_on(self, progress: Progress) -> NoReturn:
        """Its history has become long: another run of the same goes on."""
        workflow.continue_as_new(self.ask.model_copy(update={"progress": progress}))

    async def pay_all(self, wanted: Sequence[Paying]) -> None:
        """Some side by side; what cannot be sent now is left."""
        for first in range(0, len(wanted), self.policy.at_once):
            batch = wanted[first : first + self.policy.at_once]
            await asyncio.gather(*(self.pay(one) for one in batch))

    async def pay(self, paying: Paying) -> None:
        try:
            paid: Paid = await workflow.execute_activity_method(
                PayoutActivities.pay,
                paying,
                summary=f"pay {paying.ref.month}",
                start_to_close_timeout=timedelta(seconds=40),
                schedule_to_close_timeout=timedelta(hours=1),
                retry_policy=RetryPolicy(
                    initial_interval=timedelta(seconds=1),
                    maximum_interval=timedelta(seconds=30),
                    maximum_attempts=self.policy.tries,
                ),
            )
        except ActivityError:
            self.left.append(paying)
            return
        self.states[paid.state] = self.states.get(paid.state, 0) + 1
        if paid.state in WORTH_A_MAIL:
            await self.notify_owners(
                PayoutNotice(ref=paying.ref, state=paid.state, attempt=paid.attempt)
            )

    async def notify_owners(self, word: PayoutNotice) -> None:
        """A mail that cannot be sent keeps nobody from their money."""
        try:
            await workflow.execute_activity_method(
                PayoutActivities.notify_owners,
                word,
                summary="tell the owners",
                start_to_close_timeout=timedelta(seconds=60),
                schedule_to_close_timeout=timedelta(minutes=10),
                retry_policy=RetryPolicy(maximum_attempts=5),
            )
        except ActivityError:
            workflow.logger.warning("owners were not told of a payout")
