"""What every run that charges does: it asks for money under a key of its own, looks that payment up, and lets go of it.

What a provider does not give back is a case of its own (decisions 56 and 62).
"""

import asyncio
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any, ClassVar, Protocol

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from activities.billing.payments import PaymentActivities
    from activities.operations.cases import CaseActivities
    from domain.billing.payments import (
        ChargeView,
        PaymentOutcome,
        PaymentRef,
        PaymentRequest,
        PaymentStatus,
        PaymentType,
        RefundRequest,
    )
    from domain.operations.cases import (
        IN_A_CASE,
        ON_ITS_WAY,
        UNANSWERED,
        AskedRefund,
        BelongsTo,
        CasePolicy,
        CaseStart,
        left_words,
        let_go,
        put_off,
        refused_refund,
        with_case,
    )
    from workflows import calls
    from workflows.run import PersonsAsk, ProjectedMachine, reason_of


STOPS_LOOKS = "stops-looks"
VOIDS_BEHIND = "voids-behind"


class PaidBy(Protocol):
    """How somebody pays."""

    @property
    def type(self) -> PaymentType: ...
    @property
    def method_id(self) -> str | None: ...


class ChargingRun(ProjectedMachine[PersonsAsk]):
    """A run that charges, at once or when it has held the money for a while."""

    stops_charges: ClassVar[str] = "stops-charges"
    """Of a kind whose earlier runs waited for every charge: since this patch a buyer stops one."""
    case_policy: CasePolicy | None = None

    @abstractmethod
    def belongs_to(self) -> BelongsTo:
        """What its payments and their cases stand on."""

    def is_stopped(self) -> bool:
        """Whether the buyer does not wait for the present charge any longer."""
        return False

    def patient(self, limit: timedelta | None) -> dict[str, Any]:
        """What moves money is tried again for so long; without a limit until it is known what became of it."""
        return calls.within(limit or calls.LONGEST, calls.PAYING)

    def key_of(self, attempt: int) -> str:
        return f"{workflow.info().workflow_id}:{attempt}"

    def attempt_to_charge(
        self,
        pay_by: PaidBy,
        attempt: int,
        *,
        amount: Decimal,
        currency: str,
        description: str,
        reference: str | None = None,
        at_once: bool = True,
    ) -> PaymentRequest:
        """What the provider is asked for at this attempt, under a key of its own."""
        about, belongs_to = self.about(), self.belongs_to()
        assert about.partner is not None
        assert about.person_id is not None
        return PaymentRequest(
            flow=belongs_to.flow,
            flow_id=belongs_to.flow_id,
            workflow_id=workflow.info().workflow_id,
            attempt=attempt,
            key=self.key_of(attempt),
            partner_code=about.partner,
            person_id=about.person_id,
            type=pay_by.type,
            method_id=pay_by.method_id,
            amount=amount,
            currency=currency,
            description=description,
            reference=reference,
            capture=at_once,
        )

    async def call_provider(
        self, activity: Any, asked: Any, summary: str, limit: timedelta | None = None
    ) -> PaymentOutcome:
        """Raises ActivityError."""
        return await workflow.execute_activity_method(
            activity, asked, summary=summary, **self.patient(limit)
        )

    async def charge_or_stop(
        self, request: PaymentRequest, summary: str, limit: timedelta
    ) -> PaymentOutcome | None:
        """What the provider says; None when the buyer does not wait for it any longer. Raises ActivityError."""
        return await self.call_or_stop(PaymentActivities.authorise, request, summary, limit)

    async def call_or_stop(
        self, activity: Any, asked: Any, summary: str, limit: timedelta
    ) -> PaymentOutcome | None:
        """As `call_provider`; None when the buyer does not wait for it any longer."""
        charging = workflow.start_activity_method(
            activity, asked, summary=summary, **self.patient(limit)
        )
        await workflow.wait_condition(lambda: charging.done() or self.is_stopped())
        stops = not charging.done() and self.does(self.stops_charges)
        if stops:
            charging.cancel()
        try:
            return await charging
        except (ActivityError, asyncio.CancelledError):
            if not stops:
                raise
            return None

    async def look_up_payment(
        self, request: PaymentRequest, how: Mapping[str, Any] = calls.READ
    ) -> PaymentOutcome | None:
        """What the provider says now; None while it does not answer, and when the buyer does not wait for that."""
        looking = workflow.start_activity_method(
            PaymentActivities.look_up,
            PaymentRef.of_key(request.key),
            summary="look the payment up",
            **how,
        )
        await workflow.wait_condition(lambda: looking.done() or self.is_stopped())
        if not looking.done() and self.does(STOPS_LOOKS):
            looking.cancel()
        try:
            return await looking
        except (ActivityError, asyncio.CancelledError):
            return None

    async def void_behind(
        self, request: PaymentRequest, brief: timedelta | None
    ) -> PaymentOutcome | None:
        """Nobody waits for the provider: what it does not let go of at once is a case's, of which the outcome tells. Without
        `brief` it is not waited for at all. None where there is nothing to ask it for."""
        is_dropped = await workflow.execute_local_activity_method(
            PaymentActivities.drop, PaymentRef.of(request), **calls.OURS
        )
        if is_dropped:
            return None
        detail = UNANSWERED
        try:
            if brief is not None:
                return await self.voided(request, brief)
            await self.open_let_go(request)
        except ActivityError as error:
            if is_refusal(error):
                detail = IN_A_CASE
                await self.open_refusal(request, None, error)
            else:
                await self.open_let_go(request)
        return left_behind(request, detail)

    async def voided(self, request: PaymentRequest, limit: timedelta | None) -> PaymentOutcome:
        """What the provider lets go of, or gives back. A debit that a bank is on its way with is a case's, which follows it
        until it is settled. Raises ActivityError."""
        outcome = await self.call_provider(
            PaymentActivities.void, PaymentRef.of(request), "void the payment", limit
        )
        if not outcome.must_arrive:
            return outcome
        await self.open_let_go(request, ON_ITS_WAY)
        return left_behind(request, ON_ITS_WAY)

    async def refund_behind(
        self, request: PaymentRequest, refund: RefundRequest, summary: str, brief: timedelta | None
    ) -> PaymentOutcome | None:
        """What is given back of a payment. Nobody waits long for it: None where a case goes on with it, under the same key.
        Without `brief` it is not waited for at all. Raises ActivityError when it is refused."""
        detail = UNANSWERED
        if brief is not None:
            try:
                outcome = await self.call_provider(PaymentActivities.refund, refund, summary, brief)
                if not outcome.must_arrive:
                    return outcome
                detail = ON_ITS_WAY
            except ActivityError as error:
                if is_refusal(error):
                    raise
        about = self.about()
        await self.open_case(
            put_off(
                self.belongs_to(),
                request,
                refund,
                detail,
                at=workflow.now(),
                dealer_id=about.dealer_id,
                site=about.site,
            )
        )
        return None

    async def open_let_go(self, request: PaymentRequest, detail: str = "") -> None:
        """A case of what no provider answered for, or what is still on its way."""
        about = self.about()
        await self.open_case(
            let_go(
                self.belongs_to(),
                request,
                detail,
                at=workflow.now(),
                dealer_id=about.dealer_id,
                site=about.site,
            )
        )

    async def open_refusal(
        self,
        request: PaymentRequest,
        amount: Decimal | None,
        error: ActivityError,
        *names: str,
        refunds: Sequence[AskedRefund] = (),
    ) -> None:
        """A case of what the provider refuses to give back; `names` say for what, None for the whole payment. `refunds` are what
        it was asked for."""
        about = self.about()
        await self.open_case(
            refused_refund(
                self.belongs_to(),
                request,
                amount,
                reason_of(error),
                *names,
                at=workflow.now(),
                dealer_id=about.dealer_id,
                site=about.site,
                policy=self.case_policy,
                refunds=refunds,
            )
        )

    async def open_case(self, case: CaseStart) -> None:
        """It is looked after beside this run, which goes on."""
        await workflow.execute_activity_method(
            CaseActivities.open, case, summary="open a case", **calls.OURS
        )


class ChargingAtOnce(ChargingRun[PersonsAsk]):
    """A run that takes the money at once. `request` is the present attempt, `payment` how it is shown; `left_note` is what is said of
    those, of all attempts, that a case goes on with."""

    request: PaymentRequest | None
    payment: ChargeView | None
    left_note: str | None = None

    async def charge_at_once(
        self, request: PaymentRequest, limit: timedelta
    ) -> PaymentOutcome | None:
        """The charge; None while nobody can tell what became of it."""
        self.request = request
        self.payment = ChargeView.asked(request)
        try:
            outcome = await self.charge_or_stop(
                request, f"charge {request.amount} {request.currency}", limit
            )
            if outcome is None or outcome.status is not PaymentStatus.AUTHORISED:
                return outcome
            return await self.call_or_stop(
                PaymentActivities.capture,
                PaymentRef.of_key(request.key),
                "take what is held",
                limit,
            )
        except ActivityError:
            return None

    async def look_up(self) -> PaymentOutcome | None:
        """What the provider says of the present charge; None while there is none, or no answer."""
        return await self.look_up_payment(self.request) if self.request is not None else None

    async def void(self) -> PaymentOutcome:
        """Lets go of the money, however long that takes: after it there is no charge any more."""
        request = self.request
        assert request is not None
        try:
            outcome = await self.voided(request, None)
        except ActivityError as error:
            await self.open_refusal(request, None, error)
            outcome = left_behind(request, IN_A_CASE)
        self.note_left(outcome)
        return outcome

    async def let_go_behind(self, request: PaymentRequest, brief: timedelta) -> PaymentOutcome:
        """Of the present charge, for which nobody waits any longer; a case goes on with it if need be."""
        outcome = await self.void_behind(request, brief) or PaymentOutcome(
            payment_id=request.payment_id, status=PaymentStatus.VOIDED
        )
        self.note_left(outcome)
        self.show_payment(outcome)
        return outcome

    def note_left(self, outcome: PaymentOutcome) -> None:
        """What a case goes on with is told as long as the run is, whatever is tried after it."""
        self.left_note = left_words(outcome.detail) or self.left_note

    def why(self, words: str) -> str:
        """Why nothing came of a payment, with what is left of it or of one before it."""
        return with_case(words, self.left_note)

    def show_payment(self, outcome: PaymentOutcome) -> None:
        if self.payment is not None:
            self.payment = self.payment.model_copy(
                update={
                    "status": outcome.status,
                    "shown": outcome.shown or self.payment.shown,
                    "detail": outcome.detail,
                    "action_url": outcome.action_url,
                }
            )


def left_behind(request: PaymentRequest, detail: str) -> PaymentOutcome:
    """A payment of which its run sees no more: a case goes on with it."""
    return PaymentOutcome(payment_id=request.payment_id, status=PaymentStatus.VOIDED, detail=detail)


def is_refusal(error: ActivityError) -> bool:
    """Whether it is the provider's own no, and not that it did not answer."""
    return isinstance(error.cause, ApplicationError) and error.cause.non_retryable
