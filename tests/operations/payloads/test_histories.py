"""What Temporal keeps of a portal whose payloads are sealed: of every kind of run, read as the server has it."""

import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from google.protobuf.message import Message
from temporalio import activity, workflow
from temporalio.api.common.v1 import Payload, SearchAttributes
from temporalio.client import Client, WorkflowHistory
from temporalio.common import RetryPolicy
from temporalio.exceptions import ApplicationError
from temporalio.worker import Replayer, UnsandboxedWorkflowRunner, Worker

from activities.runs.failures import CANNOT_OPEN
from db.base import Sessions
from domain.kinds import KINDS
from providers.errors import Unavailable
from providers.security.payloads import ENCODING, SealedPayloads, UnknownKey
from tests.drivers.histories import without_ids
from tests.drivers.stage import a_stage
from tests.drivers.until import until
from tests.replay import histories
from tests.replay.stories import STORIES
from tests.replay.test_replay import history
from workers.interceptors import PortalErrors
from workers.worker import WORKFLOWS, sandbox
from workflows.client import connect, data_converter, pending_of, said_by

pytestmark = pytest.mark.timeout(300)

OLD, NEW = {"old": b"o" * 32}, {"new": b"n" * 32}
TOLD = (
    "activation/finished",
    "activation-v2/pins",
    "activation-v2/swap-refused",
    "bank-verification/verified",
    "case/all-given-back",
    "firmware/done",
    "invitation/registered",
    "invoice_payment/paid",
    "placement/confirmed",
    "placement-v2/approved",
    "purchase/confirmed",
    "visit/permitted-and-ended",
)
"""One of each kind of run, and a refusal."""

PERSONAL = re.compile(
    r"(.*_)?(name|email|phone|street|city|postal_code|company|vin|iccid|imei|last4|text|inviter|by)$"
)
SERIAL = re.compile(r"(.*_)?device_key$")
MARKERS = {"core_local_activity": "data", "core_patch": "patch-data"}
"""What the SDK writes in clear of its own: types and times of local activities, names of patches."""


@dataclass
class StoredHistory:
    """A run as the server has it, and the same opened."""

    name: str
    raw: WorkflowHistory
    opened: list[Payload]
    described: Message

    @property
    def shown(self) -> bytes:
        """Every event and the description, without search attributes and ids: a serial number stands in those."""
        parts: list[bytes] = []
        for message in (*self.raw.events, self.described):
            copy = type(message).FromString(message.SerializeToString())
            for found in messages(copy):
                if isinstance(found, SearchAttributes):
                    found.Clear()
            parts.append(copy.SerializeToString())
        return re.sub(rb"(act|fw)-[A-Z0-9-]+", b"", without_ids(b"\n".join(parts)))


def messages(message: Message) -> Iterator[Message]:
    """It, and whatever stands in it."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            parts = [part for part in value.values() if isinstance(part, Message)]
        else:
            parts = [value] if isinstance(value, Message) else list(value)
        for part in parts:
            yield from messages(part)


def payloads_in(event: Any) -> Iterator[Payload]:
    """Those that are ours: search attributes, and the SDK's own notes, are not."""
    copy = type(event).FromString(event.SerializeToString())
    marker = copy.marker_recorded_event_attributes
    if own := MARKERS.get(marker.marker_name):
        del marker.details[own]
    for found in messages(copy):
        if isinstance(found, SearchAttributes):
            found.Clear()
    for found in messages(copy):
        if isinstance(found, Payload):
            yield found


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Field → text, of everything that a payload holds."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, str(key))
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part, name)
    elif isinstance(value, str):
        yield name, value


@pytest.fixture(scope="module")
async def stored(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> list[StoredHistory]:
    """What was told with a newer key at hand, looked at by somebody who has none."""
    codec = SealedPayloads({**NEW, **OLD})
    client = await connect(temporal_address, codec=codec)
    queue, folder = f"sealed-{uuid.uuid4().hex[:12]}", tmp_path_factory.mktemp("sealed")
    found: list[StoredHistory] = []
    async with a_stage(client, sessions, database_url, queue, folder) as stage:
        for name in TOLD:
            workflow_name, _, story = name.partition("/")
            told = await STORIES[workflow_name][story](stage)
            handle = temporal.get_workflow_handle(told.id)
            raw = await handle.fetch_history()
            opened = await codec.decode([one for event in raw.events for one in payloads_in(event)])
            described = (await handle.describe()).raw_description
            found.append(StoredHistory(name, raw, opened, described))
    return found


def test_every_kind_of_run_is_told() -> None:
    assert {name.partition("/")[0].partition("-v2")[0] for name in TOLD} == {
        kind.name.replace("_", "-") if kind.name != "invoice_payment" else kind.name
        for kind in KINDS
    }


def test_every_payload_is_sealed(stored: list[StoredHistory]) -> None:
    for one in stored:
        sealed = [payload for event in one.raw.events for payload in payloads_in(event)]
        assert sealed
        plain = [
            p.metadata.get("encoding") for p in sealed if p.metadata.get("encoding") != ENCODING
        ]
        assert not plain, (one.name, plain)


def test_no_name_address_or_serial_is_found_in_what_the_server_keeps(
    stored: list[StoredHistory],
) -> None:
    looked_for: set[str] = set()
    for one in stored:
        texts = list(leaves([json.loads(p.data) for p in one.opened if p.data]))
        sought = {
            text
            for name, text in texts
            if (PERSONAL.match(name) or SERIAL.match(name) or "@" in text) and len(text) >= 4
        }
        found = [text for text in sought if text.encode() in one.shown]
        assert not found, (one.name, found)
        looked_for |= {name for name, text in texts if text in sought}
    assert {"name", "email", "device_key", "street", "city", "postal_code"} <= looked_for


def test_what_is_kept_in_clear_beside_them_is_no_persons(stored: list[StoredHistory]) -> None:
    """Ids and search attributes are never sealed (promise 43)."""
    for one in stored:
        texts = leaves([json.loads(p.data) for p in one.opened if p.data])
        personal = {text for name, text in texts if PERSONAL.match(name) and " " in text}
        clear = [
            json.loads(payload.data)
            for message in (*one.raw.events, one.described)
            for found in messages(message)
            if isinstance(found, SearchAttributes)
            for payload in found.indexed_fields.values()
        ]
        said = [text for value in clear for _, text in leaves(value if value else "")]
        assert said
        assert not personal & set(said), one.name
        assert not [text for text in said if "@" in text or re.search(r"\+\d{8}", text)]


def test_summaries_are_among_them(stored: list[StoredHistory]) -> None:
    summaries = [
        event.user_metadata.summary
        for one in stored
        for event in one.raw.events
        if event.user_metadata.HasField("summary")
    ]
    assert summaries
    assert {summary.metadata["encoding"] for summary in summaries} == {ENCODING}


async def test_sealed_histories_replay_with_the_codec_and_are_not_read_without(
    stored: list[StoredHistory],
) -> None:
    def replayer(codec: SealedPayloads) -> Replayer:
        return Replayer(
            workflows=list(WORKFLOWS),
            data_converter=data_converter(codec),
            workflow_runner=sandbox(),
        )

    for one in stored:
        await replayer(SealedPayloads({**OLD, **NEW})).replay_workflow(one.raw)
        await replayer(SealedPayloads(NEW, seal=False)).replay_workflow(one.raw)
    with pytest.raises(RuntimeError, match='type: "UnknownKey"'):
        await replayer(SealedPayloads(OLD)).replay_workflow(stored[0].raw)
    with pytest.raises(UnknownKey):
        await SealedPayloads(OLD).decode([next(payloads_in(stored[0].raw.events[0]))])


@pytest.mark.parametrize(
    "name", [n for n in histories.names() if n.endswith(("/finished", "/confirmed"))]
)
async def test_a_history_in_clear_goes_on_with_the_codec(name: str) -> None:
    """A portal that switches it on has runs under way."""
    replayer = Replayer(
        workflows=list(WORKFLOWS),
        data_converter=data_converter(SealedPayloads(NEW)),
        workflow_runner=sandbox(),
    )
    await replayer.replay_workflow(history(name))


SAID = "Nia Newcomer of 1 Main Street was refused"


@activity.defn
async def refuse_nia() -> None:
    raise ApplicationError(SAID)


THEIRS = "req_Vq7"


@activity.defn
async def ask_cards() -> None:
    raise Unavailable(system="card provider", may_have_worked=True, request_id=THEIRS)


@workflow.defn(name="Asking")
class Asking:
    @workflow.run
    async def run(self) -> None:
        await workflow.execute_activity(
            ask_cards,
            start_to_close_timeout=timedelta(seconds=20),
            retry_policy=RetryPolicy(initial_interval=timedelta(minutes=5)),
        )


@pytest.mark.parametrize("is_sealed", [False, True])
async def test_what_the_provider_calls_a_request_is_told_to_operators(
    temporal: Client, temporal_address: str, task_queue: str, *, is_sealed: bool
) -> None:
    client = temporal
    if is_sealed:
        client = await connect(temporal_address, codec=SealedPayloads(NEW))
    async with Worker(
        client,
        task_queue=task_queue,
        workflows=[Asking],
        activities=[ask_cards],
        interceptors=[PortalErrors()],
        workflow_runner=UnsandboxedWorkflowRunner(),
    ):
        handle = await client.start_workflow(Asking.run, id=task_queue, task_queue=task_queue)

        async def failed() -> Any:
            pending = (await handle.describe()).raw_description.pending_activities
            return pending[0] if pending and pending[0].HasField("last_failure") else None

        pending = await until(failed)
        assert (THEIRS.encode() in pending.SerializeToString()) is not is_sealed
        told = await pending_of(client, pending)
        assert (told.failure, told.request_id) == (Unavailable.detail, THEIRS)
        await handle.terminate()


@workflow.defn(name="Refused")
class Refused:
    @workflow.run
    async def run(self) -> None:
        await workflow.execute_activity(
            refuse_nia,
            start_to_close_timeout=timedelta(seconds=20),
            retry_policy=RetryPolicy(initial_interval=timedelta(minutes=5)),
        )


async def test_what_a_failure_says_is_sealed_and_told_to_operators(
    temporal: Client, temporal_address: str, task_queue: str
) -> None:
    client = await connect(temporal_address, codec=SealedPayloads(NEW))
    async with Worker(
        client,
        task_queue=task_queue,
        workflows=[Refused],
        activities=[refuse_nia],
        workflow_runner=UnsandboxedWorkflowRunner(),
    ):
        handle = await client.start_workflow(Refused.run, id=task_queue, task_queue=task_queue)

        async def failed() -> Any:
            pending = (await handle.describe()).raw_description.pending_activities
            return pending[0].last_failure if pending else None

        failure = await until(failed, lambda one: bool(one and one.HasField("encoded_attributes")))
        assert SAID.encode() not in failure.SerializeToString()
        assert (await said_by(client, failure)).words == SAID
        assert (await said_by(client, failure)).words == SAID  # nothing was written into it
        without_its_key = await connect(temporal_address, codec=SealedPayloads(OLD))
        for stranger in (without_its_key, temporal):
            assert (await said_by(stranger, failure)).words == CANNOT_OPEN
        await handle.terminate()
