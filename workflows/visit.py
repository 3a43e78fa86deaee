"""A service visit at a foreign device: asked for, answered, and over after its time (decision 40).

Reads as the process; every change of state goes through `move`, which refuses what the transitions in
`domain/devices/visit_v1.py` do not hold.
"""

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate
from temporalio.exceptions import ActivityError, FailureError

with workflow.unsafe.imports_passed_through():
    from activities.devices.visits import MailKind, VisitActivities, VisitMail, VisitStatus
    from domain.devices import visit_v1 as transitions
    from domain.devices.visits import VisitMessage, VisitReply, VisitStart
    from domain.kinds import VISIT
    from workflows import calls, ids
    from workflows.run import Command, Machine


@workflow.defn(name="ServiceVisit")
class VisitWorkflow(Machine[VisitMessage]):
    """One visit of one person at one device."""

    kind = VISIT

    @workflow.init
    def __init__(self, start: VisitStart) -> None:
        super().__init__(start.id)
        self.start = start
        self.answered_by: str | None = None
        self.by_itself = False
        self.deadline: datetime | None = start.expires_at
        self.till: datetime = start.expires_at
        self.mails: list[asyncio.Task[None]] = []

    @workflow.run
    async def run(self, start: VisitStart) -> VisitReply:
        await self.carry_out()
        return self.reply()

    async def execute(self) -> None:
        await self.begin()
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

    async def begin(self) -> None:
        """The row is there already, of whoever asked; now its run stands behind it."""
        self.rev += 1
        workflow.upsert_search_attributes(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
            self.first_attributes()
        )
        await self.publish()

    async def wait_for_answer(self) -> None:
        if await self.something(self.till):
            await self.move(self.command.event if self.command else transitions.END)
        else:
            await self.move(transitions.LAPSE)

    async def wait_for_end(self) -> None:
        """Until somebody ends it, its time is over, or the visitor's activation is."""
        while workflow.now() < self.till:
            look = min(self.till, workflow.now() + self.start.policy.look)
            if await self.something(look) or await self.is_done():
                break
        await self.move(transitions.END)

    async def something(self, till: datetime) -> bool:
        """True once somebody asked something, False when the time came first."""
        try:
            await workflow.wait_condition(
                lambda: self.command is not None or self.cancelled,
                timeout=self.left(till),
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

    def entered(self, event: str, before: str, cause: Command[VisitMessage] | None) -> None:
        self.by_itself = cause is None
        if (
            cause is not None
            and cause.ask is not None
            and event in (transitions.PERMIT, transitions.REFUSE)
        ):
            self.answered_by = cause.ask.person_id
        if self.state == "permitted":
            self.till = workflow.now() + self.start.policy.lasts
        self.deadline = self.till

    async def write(self) -> None:
        await workflow.execute_local_activity_method(
            VisitActivities.move,
            VisitStatus(
                id=self.id,
                rev=self.rev,
                state=self.state,
                at=workflow.now(),
                expires_at=self.till,
                answered_by=self.answered_by,
                ended=self.ended,
                by_itself=self.by_itself,
            ),
            **calls.OURS,
        )

    def first_attributes(self) -> list[SearchAttributeUpdate[Any]]:
        return [
            ids.keyword(name).value_set(value)
            for name, value in self.kind.attributes(self.start).items()
        ]

    @workflow.update
    async def answer(self, ask: VisitMessage) -> VisitReply:
        """Answers once the message has had its effect."""
        return await self.respond(ask.event, ask)

    @answer.validator
    def may_answer(self, ask: VisitMessage) -> None:
        self.refuse_unless(ask.event)

    @workflow.query
    def view(self) -> VisitReply:
        return self.reply()

    def reply(self) -> VisitReply:
        return VisitReply(id=self.id, state=self.state)
