"""One activation after another, driven step by step as the portal drives them: by Temporal's client, or over HTTP."""

import itertools
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx
from pydantic import TypeAdapter
from temporalio.client import Client, WithStartWorkflowOperation, WorkflowHandle
from temporalio.common import WorkflowIDConflictPolicy

from api.platform.live import Live
from db.base import Sessions
from db.runs import flows
from domain.activation import activation_v2
from domain.activation.activation import (
    Act,
    Form,
    Opened,
    Person,
    Reply,
    Skip,
    Start,
    Submit,
    UserEvent,
)
from domain.activation.reducer import CURRENT_VERSION
from domain.devices.activation_type import ActivationType
from workflows import ids
from workflows.activation import ActivationWorkflow

INSTALLER = Person(user_id="ivan", name="Ivan Petrov", dealer_id="harbour", installer=True)
VEHICLE = {"year": 2022, "make_id": 448, "make": "Toyota", "model_id": 2469, "model": "Camry"}
TEST_COMMANDS = ("arm", "disarm")
_FORM: TypeAdapter[Form] = TypeAdapter(Form)


@dataclass
class Stand:
    """Where an activation stands, as far as going on needs it."""

    id: str
    seq: int
    state: str
    allowed: tuple[str, ...]


class Road(Protocol):
    """A way to reach the portal's workflows."""

    async def open(self, device_key: str) -> Stand: ...

    async def submit(self, stand: Stand) -> Stand: ...

    async def skip(self, stand: Stand) -> Stand: ...

    async def act(self, stand: Stand, command: str) -> Stand: ...

    async def when(self, stand: Stand, ready: Callable[[Stand], bool]) -> Stand: ...


_serials = itertools.count(1)


@dataclass
class Walked:
    """Seconds of every message a person sends; the opening apart."""

    id: str
    opening: float
    steps: list[float] = field(default_factory=list[float])


def a_device_key(traits: str = "000") -> str:
    """A new device, no other of this run; `traits` as in simulators/README.md."""
    return f"FT-X1-{traits}{next(_serials):05d}"


async def walk(road: Road, device_key: str) -> Walked:
    """One whole activation: every step, and two test commands."""
    begun = time.perf_counter()
    stand = await road.open(device_key)
    walked = Walked(stand.id, time.perf_counter() - begun)
    commands = list(TEST_COMMANDS)
    while stand.state != "completed":
        acting = bool(commands) and stand.state == "device-testing"
        if acting:  # firmware is written beside the earlier steps, and the tests wait for it
            stand = await road.when(stand, lambda s: "ACT" in s.allowed)
        begun = time.perf_counter()
        if acting:
            stand = await road.act(stand, commands.pop(0))
        elif "SUBMIT" in stand.allowed:
            stand = await road.submit(stand)
        else:
            stand = await road.skip(stand)
        walked.steps.append(time.perf_counter() - begun)
        stand = await road.when(stand, lambda s: "BACK" in s.allowed or s.state == "completed")
    return walked


class ByTemporal:
    """The client that the API uses, without the API."""

    def __init__(self, client: Client, sessions: Sessions, live: Live, task_queue: str) -> None:
        self._client = client
        self._sessions = sessions
        self._live = live
        self._task_queue = task_queue
        self._handles: dict[str, WorkflowHandle[Any, Reply]] = {}

    def handle(self, walked: Walked) -> WorkflowHandle[Any, Reply]:
        return self._handles[walked.id]

    async def open(self, device_key: str) -> Stand:
        start = Start(
            id=uuid.uuid4().hex,
            flow_version=CURRENT_VERSION,
            kind=ActivationType.NEW_DEVICE,
            device_key=device_key,
            site="ca",
            canadian=True,
            actor=INSTALLER,
            portal_url="http://localhost:8000",
        )
        operation = WithStartWorkflowOperation(
            ActivationWorkflow.run,
            start,
            id=ids.activation_id(device_key),
            task_queue=self._task_queue,
            id_conflict_policy=WorkflowIDConflictPolicy.FAIL,
        )
        reply = await self._client.execute_update_with_start_workflow(  # pyright: ignore[reportUnknownMemberType]
            ActivationWorkflow.open,
            Opened(actor=INSTALLER, device_key=device_key),
            start_workflow_operation=operation,
        )
        self._handles[reply.id] = await operation.workflow_handle()
        return _stand(reply)

    async def submit(self, stand: Stand) -> Stand:
        form = _form(stand.state)
        return await self._send(stand, Submit(actor=INSTALLER, seq=stand.seq, form=form))

    async def skip(self, stand: Stand) -> Stand:
        step = activation_v2.BY_NAME[stand.state].name
        skip = Skip(actor=INSTALLER, seq=stand.seq, step=step, reason="not sold yet")
        return await self._send(stand, skip)

    async def act(self, stand: Stand, command: str) -> Stand:
        return await self._send(stand, Act(actor=INSTALLER, seq=stand.seq, command=command))

    async def _send(self, stand: Stand, event: UserEvent) -> Stand:
        handle = self._handles[stand.id]
        reply = await handle.execute_update(ActivationWorkflow.event, event)  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
        return _stand(reply)

    async def when(self, stand: Stand, ready: Callable[[Stand], bool]) -> Stand:
        with self._live.following([stand.id]) as woken:
            while not ready(stand):
                async with self._sessions() as session:
                    flow = await flows.find_flow(session, "activation", stand.id)
                if flow is not None:
                    stand = Stand(flow.id, flow.seq, flow.state, flow.allowed)
                if not ready(stand):
                    await woken.wait()
                    woken.clear()
        return stand


class OverHttp:
    """The whole way, as a browser goes it. `live` wakes this side only; the events' own cost is left out."""

    def __init__(self, http: httpx.AsyncClient, live: Live) -> None:
        self._http = http
        self._live = live

    async def open(self, device_key: str) -> Stand:
        return await self._post("/v1/activations", {"device_key": device_key, "type": "new-device"})

    async def submit(self, stand: Stand) -> Stand:
        data = _form(stand.state).model_dump(exclude={"step"})
        body = {"step": stand.state, "seq": stand.seq, "data": data}
        return await self._post(f"/v1/activations/{stand.id}/submit", body)

    async def skip(self, stand: Stand) -> Stand:
        body = {"step": stand.state, "seq": stand.seq, "reason": "not sold yet"}
        return await self._post(f"/v1/activations/{stand.id}/skip", body)

    async def act(self, stand: Stand, command: str) -> Stand:
        body = {"seq": stand.seq, "command": command}
        return await self._post(f"/v1/activations/{stand.id}/commands", body)

    async def when(self, stand: Stand, ready: Callable[[Stand], bool]) -> Stand:
        with self._live.following([stand.id]) as woken:
            while not ready(stand):
                answer = await self._http.get(f"/v1/activations/{stand.id}")
                stand = _read(answer)
                if not ready(stand):
                    await woken.wait()
                    woken.clear()
        return stand

    async def _post(self, path: str, body: dict[str, Any]) -> Stand:
        answer = await self._http.post(
            path, json=body, headers={"Idempotency-Key": uuid.uuid4().hex}
        )
        return _read(answer)


def _form(step: str) -> Form:
    typed: dict[str, dict[str, Any]] = {
        "set-vehicle-details": VEHICLE,
        "send-welcome": {"email": "owner@people.example"},
    }
    return _FORM.validate_python({"step": step, **typed.get(step, {})})


def _stand(reply: Reply) -> Stand:
    return Stand(reply.id, reply.seq, reply.state, reply.allowed)


def _read(answer: httpx.Response) -> Stand:
    """Raises HTTPStatusError for a refusal."""
    answer.raise_for_status()
    flow = answer.json()
    return Stand(flow["id"], flow["seq"], flow["state"], tuple(flow["allowed"]))
