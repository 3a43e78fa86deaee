"""A whole portal inside the test's process: worker, relay, API and the stand-ins, on real Temporal and PostgreSQL."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from secrets import randbelow
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter
from sqlalchemy import func, update
from temporalio.client import Client, WithStartWorkflowOperation, WorkflowHandle
from temporalio.common import WorkflowIDConflictPolicy

from activities.operations.reconciler import Bounds
from activities.orders.confirmations import Confirmations
from assembly import systems_of
from db.base import Sessions
from db.runs import flows
from db.runs.flows import FlowRow
from domain.activation.activation import (
    Act,
    Form,
    Opened,
    Person,
    Policy,
    Reply,
    Skip,
    Start,
    StepName,
    Submit,
    UserEvent,
)
from domain.activation.activation_v2 import STEPS
from domain.billing.reconciliation.bounds import ReconciliationBounds
from domain.card_numbers import passes_luhn
from domain.devices.activation_type import ActivationType
from domain.firmware.firmware import FirmwarePolicy
from domain.paper.seller import DEMO_SELLER
from domain.runs.projection import FlowAnswer
from observing.tracing import UNTRACED, Tracing
from providers.instrumentation import WatchedClient
from providers.systems import Systems
from settings import (
    DEVELOPMENT_BANK_WEBHOOK_SECRET,
    DEVELOPMENT_CARD_WEBHOOK_SECRET,
    DEVELOPMENT_ERP_WEBHOOK_SECRET,
    Settings,
)
from simulators.events import Listener
from simulators.main import create_app as create_simulators
from tests.drivers.numbers import a_count
from tests.drivers.outside.mail_server import taking_mail
from tests.drivers.until import until
from workers.operations.case_starter import CaseStarter
from workers.orders.mailing import OrderMailing
from workers.payment_relay import PaymentRelay
from workers.relay import Relay
from workers.worker import make_worker
from workflows import ids
from workflows.activation import ActivationWorkflow
from workflows.client import send_update

SIMULATED = "http://stand-ins"
WEBHOOK = "http://portal.test/v1/webhooks/device"
_EVENTS = "http://portal.test/v1/webhooks"
LISTENERS = {
    "cards": Listener(f"{_EVENTS}/card", DEVELOPMENT_CARD_WEBHOOK_SECRET, "Stripe-Signature"),
    "gateway": Listener(f"{_EVENTS}/bank", DEVELOPMENT_BANK_WEBHOOK_SECRET),
    "erp": Listener(f"{_EVENTS}/erp", DEVELOPMENT_ERP_WEBHOOK_SECRET),
}
"""The portal's webhooks for the events of other third parties."""

EVERY_ROW = Bounds(looked=100_000, visits=100_000)
"""A round of a reconciler reaches every row, whatever other tests leave open."""

QUICK = FirmwarePolicy(
    waits=(timedelta(milliseconds=100),),
    download=timedelta(seconds=3),
    update=timedelta(seconds=3),
    offline=timedelta(seconds=8),
    offline_poll=timedelta(seconds=1),
    failed=timedelta(milliseconds=500),
)
"""Every wait of a firmware run, short enough for a test."""

NAMED_BY_TESTS = 1_000
"""Serials below are written out in tests."""


def a_device_key(product: str = "FT-X1", *, traits: str = "000") -> str:
    """A device that no other test of this run uses; `traits` are the first digits (simulators/README.md).

    The serial stays below 99000, where those that cannot be configured begin.
    """
    free = min(99_000, 10 ** (8 - len(traits))) - NAMED_BY_TESTS
    serial = NAMED_BY_TESTS + a_count() * 7919 % free
    return f"{product}-{traits}{serial:0{8 - len(traits)}d}"


OPAQUE = dict(
    zip(
        [
            "FT-XC",
            "FT-X1MAX",
            "FT-X1R",
            "FT-X1S",
            "FT-X1",
            "FT-X2I",
            "FT-X2",
            "DR6400",
            "DR5400",
            "DR3400",
            "DR3300",
            "DR3100R",
            "DR3100",
        ],
        "ABCDEFGHIJKLM",
        strict=True,
    )
)


def an_opaque_key(product: str = "FT-X1", *, traits: str = "000") -> str:
    """As `a_device_key`, with a serial number that does not say what the device is."""
    return f"24{OPAQUE[product]}{a_device_key('', traits=traits)[1:]}"


def a_number_key(*, traits: str = "000") -> str:
    """As `a_device_key`, with a serial number of digits alone, which might be a card's."""
    digits = f"352099{a_device_key('', traits=traits)[1:]}"
    return f"{digits}{check_digit(digits)}"


def a_card_number() -> str:
    """One that no other test types."""
    digits = f"453201{randbelow(10**9):09d}"
    return f"{digits}{check_digit(digits)}"


def check_digit(digits: str) -> str:
    return next(last for last in "0123456789" if passes_luhn(digits + last))


def a_person(dealer_id: str | None = "dealer-1", user_id: str = "person-1") -> Person:
    return Person(user_id=user_id, name="Ina Installer", dealer_id=dealer_id, installer=True)


@dataclass
class Run:
    """One activation, driven as the API drives it."""

    stage: "Stage"
    handle: WorkflowHandle[ActivationWorkflow, Reply]
    person: Person
    reply: Reply

    @property
    def id(self) -> str:
        return self.reply.id

    async def send(self, event: UserEvent) -> Reply:
        self.reply = await send_update(
            self.handle, ActivationWorkflow.event, event, update_id=uuid.uuid4().hex
        )
        return self.reply

    async def submit(self, form: Form | None = None) -> Reply:
        """Submits the present step, by default with a form that fits."""
        chosen = form or form_for(self.reply.state)
        return await self.send(Submit(actor=self.person, seq=self.reply.seq, form=chosen))

    async def skip(self, reason: str = "later") -> Reply:
        step = step_of(self.reply.state)
        return await self.send(
            Skip(actor=self.person, seq=self.reply.seq, step=step, reason=reason)
        )

    async def act(self, command: str) -> Reply:
        return await self.send(Act(actor=self.person, seq=self.reply.seq, command=command))

    async def until(
        self, seen: Callable[[FlowAnswer], bool], *, within: float = 20.0
    ) -> FlowAnswer:
        """Waits for the projection to show it; the run's own `seq` and state are taken from there."""
        flow = await self.stage.until(self.id, seen, within=within)
        self.reply = Reply(
            id=flow.id, seq=flow.seq, rev=flow.rev, state=flow.state, allowed=flow.allowed
        )
        return flow

    async def at(self, state: str, *, within: float = 20.0) -> FlowAnswer:
        return await self.until(lambda flow: flow.state == state, within=within)

    async def walk_to(self, state: str, *, within: float = 20.0) -> FlowAnswer:
        """Submits step after step until `state` is reached; one that can only be skipped is skipped."""
        while True:
            flow = await self.until(
                lambda f: goes_on(f.allowed) or f.ended or f.state == state, within=within
            )
            if flow.state == state:
                return flow
            assert not flow.ended, flow.view["error"]
            if "SUBMIT" in flow.allowed:
                await self.submit()
            else:
                await self.skip()


def goes_on(allowed: Sequence[str]) -> bool:
    """Whether the present step is a person's, and waits for nothing beside it."""
    return "SUBMIT" in allowed or "SKIP" in allowed


@dataclass
class Stage:
    """`app` is the stand-ins' application; its network can be told what to do."""

    client: Client
    sessions: Sessions
    task_queue: str
    app: FastAPI
    http: httpx.AsyncClient
    relay: Relay
    systems: Systems
    policy: Policy = field(default_factory=Policy)

    async def open(
        self,
        device_key: str,
        *,
        kind: ActivationType = ActivationType.NEW_DEVICE,
        person: Person | None = None,
        id_: str | None = None,
        version: int = 1,
        task_timeout: timedelta | None = None,
        **more: Any,
    ) -> Run:
        """Opens the run of a device, by default of version 1, whose plans are the shortest."""
        who = person or a_person()
        start = Start(
            id=id_ or f"t{device_key.lower()}{a_count()}",
            flow_version=version,
            kind=kind,
            device_key=device_key,
            site="ca",
            canadian=True,
            actor=who,
            policy=more.pop("policy", self.policy),
            firmware_policy=more.pop("firmware_policy", QUICK),
            portal_url="http://portal.test",
            **more,
        )
        workflow_id = ids.activation_id(device_key)
        operation = WithStartWorkflowOperation(
            ActivationWorkflow.run,
            start,
            id=workflow_id,
            task_queue=self.task_queue,
            task_timeout=task_timeout,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        )
        reply = await self.client.execute_update_with_start_workflow(
            ActivationWorkflow.open,
            Opened(actor=who, device_key=device_key),
            start_workflow_operation=operation,
        )
        handle = self.client.get_workflow_handle_for(ActivationWorkflow.run, workflow_id)
        return Run(self, handle, who, reply)

    async def control(self, device_key: str, **traits: Any) -> None:
        """Sets a fault of one device at run time."""
        answer = await self.http.post(
            f"{SIMULATED}/device-cloud/_control", json={"device_key": device_key, **traits}
        )
        answer.raise_for_status()

    async def traits(self, device_key: str) -> dict[str, Any]:
        """What the stand-in remembers of a device."""
        answer = await self.http.post(
            f"{SIMULATED}/device-cloud/_control", json={"device_key": device_key}
        )
        answer.raise_for_status()
        return answer.json()

    async def turn(self, **knobs: Any) -> None:
        """Changes what holds for the whole device network."""
        answer = await self.http.post(f"{SIMULATED}/device-cloud/_control", json=knobs)
        answer.raise_for_status()

    async def mails(self, to: str) -> list[dict[str, Any]]:
        """What the messenger sent to one address."""
        answer = await self.http.get(f"{SIMULATED}/messenger/_outbox", params={"to": to})
        answer.raise_for_status()
        return answer.json()["results"]

    async def effects(self, device_key: str) -> dict[str, int]:
        """Operation → how often it had an effect, by the stand-in's own ledger."""
        return (await self._ledger(device_key))["effects"]

    async def asked(self, device_key: str, operation: str) -> int:
        """How often the stand-in was asked for an operation, by its own ledger."""
        lines = (await self._ledger(device_key))["results"]
        return sum(line["operation"] == operation for line in lines)

    async def _ledger(self, device_key: str) -> dict[str, Any]:
        answer = await self.http.get(
            f"{SIMULATED}/device-cloud/_ledger", params={"device_key": device_key}
        )
        answer.raise_for_status()
        return answer.json()

    async def flow(self, flow_id: str, kind: Any = "activation") -> FlowAnswer | None:
        async with self.sessions() as session:
            return await flows.find_flow(session, kind, flow_id)

    async def until(
        self,
        flow_id: str,
        seen: Callable[[FlowAnswer], bool],
        *,
        kind: Any = "activation",
        within: float = 20.0,
    ) -> FlowAnswer:
        flow = await until(
            lambda: self.flow(flow_id, kind),
            lambda flow: flow is not None and seen(flow),
            within=within,
        )
        assert flow is not None
        return flow


async def leave_nothing_open(client: Client, sessions: Sessions, task_queue: str) -> None:
    """A run whose worker is gone answers nobody, and each later round of a reconciler would wait for it."""
    left = [
        run.id
        async for run in client.list_workflows(
            f"TaskQueue = '{task_queue}' and ExecutionStatus = 'Running'"
        )
    ]
    ends = (client.get_workflow_handle(id_).terminate("its test is over") for id_ in left)
    await asyncio.gather(*ends, return_exceptions=True)  # some have ended meanwhile
    still_open = update(FlowRow).where(FlowRow.workflow_id.in_(left), FlowRow.ended_at.is_(None))
    async with sessions.begin() as session:
        await session.execute(still_open.values(ended_at=func.now()))


@pytest.fixture
async def stage(
    temporal: Client, sessions: Sessions, database_url: str, task_queue: str, tmp_path: Path
) -> AsyncGenerator[Stage]:
    """One of a test's own, that leaves nothing open."""
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
        yield stage
    await leave_nothing_open(temporal, sessions, task_queue)


def step_of(state: str) -> StepName:
    """The step of a state, by its name."""
    return next(step.name for step in STEPS if step.name == state.partition("/")[0])


def form_for(state: str) -> Form:
    """A form that fits the step."""
    step = state.partition("/")[0]
    forms: dict[str, dict[str, Any]] = {
        "replace-device": {"new_device_key": "FT-X1-00000099"},
        "set-vehicle-details": {
            "year": 2022,
            "make_id": 448,
            "make": "Toyota",
            "model_id": 2469,
            "model": "Camry",
        },
        "controller-option-tables": {"changes": {}},
        "keylocker-option-tables": {"changes": {}},
        "keylocker-poc-pic": {"changes": {}},
        "keylocker-mode": {"mode": "standalone"},
        "hardwire-x1max": {"output": "Trunk", "input": "High"},
        "device-rewards": {},
        "send-welcome": {"email": "owner@example.com"},
    }
    return TypeAdapter[Form](Form).validate_python({"step": step, **forms.get(step, {})})


@asynccontextmanager
async def a_stage(
    client: Client,
    sessions: Sessions,
    database_url: str,
    task_queue: str,
    folder: Path,
    *,
    portal: FastAPI | None = None,
    latency: tuple[float, float] = (0.0, 0.01),
    relays: bool = True,
    starts_cases: bool = False,
    mails_orders: bool = False,
    max_cached_workflows: int = 200,
    bounds: Bounds | None = None,
    reconciled: ReconciliationBounds | None = None,
    tracing: Tracing = UNTRACED,
    drain: timedelta = timedelta(0),
) -> AsyncGenerator[Stage]:
    """With a `portal`, logs come by its webhook; without one, by polling alone."""
    app = create_simulators(
        folder / "simulators.sqlite",
        WEBHOOK if portal else None,
        latency=latency,
        own_url=SIMULATED,
        webhook_transport=httpx.ASGITransport(portal) if portal else None,
        listeners=LISTENERS if portal else None,
    )
    async with (
        app.router.lifespan_context(app),
        WatchedClient(systems={}, process="stage", transport=httpx.ASGITransport(app)) as http,
        taking_mail(lambda: app) as mail_url,
    ):
        settings = Settings(
            environment="test",
            simulators_url=SIMULATED,
            mail_url=mail_url,
            mail_encryption="none",
        )
        tracing.watch_client(http, settings.third_parties)
        tracing.watch_tally(http.tally)
        systems = systems_of(settings, http, sessions)
        worker = make_worker(
            client,
            task_queue=task_queue,
            sessions=sessions,
            systems=systems,
            portal_url="http://portal.test",
            max_cached_workflows=max_cached_workflows,
            bounds=bounds or EVERY_ROW,
            reconciled=reconciled,
            drain=drain,
        )
        relay = Relay(
            client,
            systems.device_cloud,
            sessions,
            database_url=database_url,
            poll_after=timedelta(0),
            poll_every=timedelta(seconds=1) if portal else timedelta(milliseconds=100),
        )
        payment_relay = PaymentRelay(
            client,
            systems.cards,
            systems.gateway,
            sessions,
            task_queue=task_queue,
            database_url=database_url,
        )
        starter = CaseStarter(client, sessions, task_queue=task_queue, database_url=database_url)
        mailing = OrderMailing(
            Confirmations(sessions, systems.messenger, DEMO_SELLER),
            sessions,
            database_url=database_url,
        )
        relaying = [
            asyncio.create_task(one.run())
            for one, is_on in (
                (relay, relays),
                (payment_relay, relays),
                (mailing, mails_orders),
                (starter, starts_cases),
            )
            if is_on
        ]
        async with worker:
            yield Stage(client, sessions, task_queue, app, http, relay, systems)
        for task in relaying:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
