"""A service visit at a foreign device: asked for, answered, and over after its time (decision 40).

Reads as the process; every change of state goes through `move`, which refuses what the walk in
`domain/devices/visit_v1.py` does not hold.
"""

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate
from temporalio.exceptions import ActivityError, ApplicationError, FailureError

with workflow.unsafe.imports_passed_through():
    from activities.devices.visits import MailKind, Standing, VisitActivities, VisitMail
    from domain.devices import visit_v1 as walk
    from domain.devices.visits import VisitAnswered, VisitAsk, VisitEnded, VisitReply, VisitStart
    from workflows import calls, ids

MOMENT = timedelta(milliseconds=1)


@workflow.defn(name="ServiceVisit")
class VisitWorkflow:
    """One visit of one person at one device."""

    @workflow.init
    def __init__(self, start: VisitStart) -> None:
        self.start = start
        self.state = "waiting"
        self.rev = 0
        self.settled = 0
        self.asked: VisitAsk | None = None
        self.answered_by: str | None = None
        self.cancelled = False
        self.till: datetime = start.expires_at
        self.mails: list[asyncio.Task[None]] = []

    @workflow.run
    async def run(self, start: VisitStart) -> VisitReply:
        life = asyncio.create_task(self.live())
        try:
            await asyncio.shield(life)
        except asyncio.CancelledError:  # an operator's cancel ends the visit
            self.cancelled = True
            await life
        await workflow.wait_condition(workflow.all_handlers_finished)
        return self.reply()

    async def live(self) -> None:
        """From the request to its end."""
        await self.show()
        self.post(MailKind.ASKED)
        await self.wait_for_answer()
        if self.state == "permitted":
            self.post(MailKind.PERMITTED)
            await self.wait_for_end()
            await self.stop_work()
        elif self.state == "refused":
            self.post(MailKind.REFUSED)
        if self.mails:
            await workflow.wait(self.mails[-1:])
        for mail in self.mails:
            mail.cancel()

    # ------------------------------------------------------------ the process

    async def wait_for_answer(self) -> None:
        if await self.something(self.till):
            await self.move(self.asked.event if self.asked else walk.END)
        else:
            await self.move(walk.LAPSE)

    async def wait_for_end(self) -> None:
        """Until somebody ends it, its time is over, or the visitor's activation is."""
        while workflow.now() < self.till:
            look = min(self.till, workflow.now() + self.start.policy.look)
            if await self.something(look) or await self.is_done():
                break
        await self.move(walk.END)

    async def something(self, till: datetime) -> bool:
        """True once somebody asked something, False when the time came first."""
        try:
            await workflow.wait_condition(
                lambda: self.asked is not None or self.cancelled,
                timeout=max(till - workflow.now(), MOMENT),
                timeout_summary=f"{self.state} until {self.till:%Y-%m-%d %H:%M} UTC",
            )
        except TimeoutError:
            return False
        return True

    async def stop_work(self) -> None:
        """The visitor's activation ends with the visit: at once, and once more for one that was just being opened."""
        await self.stop_runs()
        await workflow.sleep(self.start.policy.late, summary="runs that began late")
        await self.stop_runs()

    async def stop_runs(self) -> None:
        held = await workflow.execute_local_activity_method(
            VisitActivities.runs, self.start.id, **calls.OURS
        )
        for run in held:
            handle = workflow.get_external_workflow_handle(run.workflow_id, run_id=run.run_id)
            with suppress(FailureError):  # it ended meanwhile
                await handle.cancel()

    # ------------------------------------------------------------ effects

    async def is_done(self) -> bool:
        return await workflow.execute_local_activity_method(
            VisitActivities.is_done, self.start.id, **calls.OURS
        )

    def post(self, kind: MailKind) -> None:
        self.mails.append(asyncio.create_task(self.mail(kind)))

    async def mail(self, kind: MailKind) -> None:
        """Nobody waits for it: the list shows the visit too."""
        with suppress(ActivityError):
            await workflow.execute_activity_method(
                VisitActivities.mail,
                VisitMail(kind=kind, start=self.start),
                summary=kind,
                **calls.NOTIFY,
            )

    async def move(self, event: str) -> None:
        """The one place where the state changes."""
        target = walk.VISIT[self.state].get(event)
        if target is None:
            raise ApplicationError(f"{event} leads nowhere from {self.state}", non_retryable=True)
        if event in (walk.PERMIT, walk.REFUSE) and self.asked is not None:
            self.answered_by = self.asked.person_id
        self.state = target
        if target == "permitted":
            self.till = workflow.now() + self.start.policy.lasts
        by_itself = self.asked is None
        await self.show(by_itself=by_itself)
        self.asked = None

    async def show(self, *, by_itself: bool = False) -> None:
        """Writes the row that everybody reads."""
        self.rev += 1
        rev = self.rev
        updates: list[SearchAttributeUpdate[Any]] = [ids.FLOW_STEP.value_set(self.state)]
        if rev == 1:
            updates += [
                ids.FLOW_KIND.value_set("visit"),
                ids.DEVICE_KEY.value_set(self.start.device_key),
                ids.DEALER_ID.value_set(self.start.visitor_dealer_id),
                ids.INSTALLER_ID.value_set(self.start.visitor_id),
                ids.SITE.value_set(self.start.site),
            ]
        workflow.upsert_search_attributes(updates)  # pyright: ignore[reportUnknownMemberType]
        workflow.set_current_details(
            f"**{walk.LABELS[self.state]}** ({self.state}) since {workflow.now():%Y-%m-%d %H:%M:%S} UTC, "
            f"until {self.till:%Y-%m-%d %H:%M} UTC"
        )
        await workflow.execute_local_activity_method(
            VisitActivities.move,
            Standing(
                id=self.start.id,
                rev=rev,
                state=self.state,
                at=workflow.now(),
                expires_at=self.till,
                answered_by=self.answered_by,
                ended=self.ended,
                by_itself=by_itself,
            ),
            **calls.OURS,
        )
        self.settled = rev

    # ------------------------------------------------------------ messages

    @workflow.update
    async def answer(self, ask: VisitAsk) -> VisitReply:
        """Answers once the message has had its effect."""
        self.asked = ask
        await workflow.wait_condition(lambda: self.asked is not ask and self.settled == self.rev)
        return self.reply()

    @answer.validator
    def may_answer(self, ask: VisitAsk) -> None:
        if self.asked is None and ask.event in walk.VISIT[self.state]:
            return
        is_answered = self.asked is not None or self.state in ("permitted", "refused")
        why = VisitAnswered if is_answered and ask.event != walk.END else VisitEnded
        raise ApplicationError(why.detail, type=why.code, non_retryable=True)

    @workflow.query
    def view(self) -> VisitReply:
        return self.reply()

    @property
    def ended(self) -> bool:
        return not walk.VISIT[self.state]

    def reply(self) -> VisitReply:
        return VisitReply(id=self.start.id, state=self.state)
