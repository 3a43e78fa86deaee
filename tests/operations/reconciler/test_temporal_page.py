"""Ten parked runs, understood from Temporal alone: summary, current details and search attributes (promise 51).

Nothing of ours is asked: what an operator reads in Temporal's own page must say step, wait, age and where to look.
"""

import asyncio
import re
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from temporalio.api.sdk.v1 import WorkflowMetadata
from temporalio.client import Client

from db.base import Sessions
from domain.base import Frozen
from tests.drivers.factories import a_name, an_email, an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Caller, Whole, a_whole_portal
from tests.firmware.runs import LONG_WAITS
from tests.identity.invitations.conftest import invite
from workflows import ids


class Read(Frozen):
    """What an operator learned of one run."""

    kind: str
    step: str
    waits_for: str
    since: datetime
    link: str
    summary: str
    dealer: str


async def read(client: Client, workflow_id: str) -> Read:
    handle = client.get_workflow_handle(workflow_id)
    description = await handle.describe()
    metadata: WorkflowMetadata = await handle.query(
        "__temporal_workflow_metadata", result_type=WorkflowMetadata
    )
    details = metadata.current_details
    found = description.typed_search_attributes
    waits = re.search(r"\n\nWaits for (.+)\n", f"{details}\n")
    since = re.search(r"since (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC", details)
    link = re.match(r"\[Open in the portal\]\((http[^)]+)\)", details)
    assert waits, details
    assert since, details
    assert link, details
    return Read(
        kind=found[ids.FLOW_KIND],
        step=found[ids.FLOW_STEP],
        waits_for=waits[1],
        since=datetime.fromisoformat(f"{since[1]}+00:00"),
        link=link[1],
        summary=await description.static_summary() or "",
        dealer=found[ids.DEALER_ID],
    )


@pytest.fixture(scope="module")
async def patient(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Whole]:
    """A portal whose firmware runs wait for long."""
    async with a_whole_portal(
        temporal,
        temporal_address,
        sessions,
        database_url,
        tmp_path_factory.mktemp("patient"),
        policy_firmware=LONG_WAITS.model_dump(mode="json"),
    ) as here:
        yield here


async def an_activation(
    caller: Caller, state: str, *, traits: str = "000", submits: bool = False
) -> tuple[str, dict[str, Any]]:
    """The workflow's id and the run where it is parked; `submits` sends the step that then waits for the device."""
    key = a_device_key(traits=traits)
    flow = await caller.walk_to(await begun_at_last(caller, key), state)
    if submits:
        await caller.submit(flow)
        flow = await caller.until(flow["id"], lambda seen: seen["state"] == f"{state}/waiting")
    return ids.activation_id(key), flow


async def begun_at_last(caller: Caller, device_key: str) -> dict[str, Any]:
    """As a browser does it: what a busy machine puts off with a 503 is sent again under the same key."""
    key = a_name()
    async with asyncio.timeout(60):
        while (answer := await caller.start(device_key, key=key)).status_code == 503:
            assert answer.headers["retry-after"]
    assert answer.is_success, answer.text
    return await caller.until(answer.json()["id"], lambda seen: seen["state"] != "checking")


async def a_firmware_run(whole: Whole, caller: Caller, state: str, **fault: Any) -> str:
    key = a_device_key(traits="010")
    await whole.stage.control(key, controller=None)
    flow = await caller.walk_to(await begun_at_last(caller, key), "check-firmware")
    await whole.stage.control(key, **fault)
    await caller.submit(flow)
    await caller.until(
        flow["id"],
        lambda seen: (seen["view"]["facts"]["firmware"] or {}).get("state") == state,
        within=40,
    )
    return ids.firmware_id(key)


@pytest.mark.whole
async def test_ten_parked_runs_are_understood_from_temporal_alone(patient: Whole) -> None:
    begun = datetime.now(UTC) - timedelta(seconds=1)
    owner = await an_owner(patient.sessions)
    address = an_email()
    expected: dict[str, tuple[str, str, str, str]] = {}
    async with patient.signed_in(owner) as caller:
        for state, waits_for in (
            ("power-on-device", "a person"),
            ("set-vehicle-details", "a person"),
            ("verify-connection", "a person"),
            ("check-firmware", "a person"),
        ):
            name, flow = await an_activation(caller, state)
            expected[name] = ("activation", state, waits_for, f"kind=activation&id={flow['id']}")
        name, flow = await an_activation(caller, "verify-connection", traits="500", submits=True)
        expected[name] = (
            "activation",
            "verify-connection",
            "the device",
            f"kind=activation&id={flow['id']}",
        )
        for state, waits_for, fault in (
            ("download_sent", "the device", {"answer_seconds": 600}),
            ("waiting_online", "the device", {"offline_seconds": 600}),
            ("retry_wait", "its time", {"c42_failures": 1}),
        ):
            name = await a_firmware_run(patient, caller, state, **fault)
            expected[name] = ("firmware", state, waits_for, "/operations/run?kind=firmware&id=")
        assert (await invite(caller.browser, address)).is_success
        (pending,) = (await caller.browser.get("/v1/user/token")).json()["results"]
        name = ids.invitation_id(pending["token"])
        expected[name] = (
            "invitation",
            "waiting",
            "a person",
            f"kind=invitation&id={pending['token']}",
        )
        # The activation behind the first firmware run goes on beside it.
        name = next(each for each in expected if each.startswith("fw-")).replace("fw-", "act-")
        expected[name] = (
            "activation",
            "system-settings",
            "a person",
            "/operations/run?kind=activation",
        )
        assert len(expected) == 10
        await until(lambda: _invited(patient, ids.invitation_id(pending["token"])))
        for name, (kind, step, waits_for, link) in expected.items():
            seen = await read(patient.stage.client, name)
            assert (seen.kind, seen.step, seen.waits_for) == (kind, step, waits_for), name
            assert link in seen.link, name
            assert seen.link.startswith("http://")
            assert begun <= seen.since <= datetime.now(UTC), name
            assert seen.dealer == owner.dealer_id
            assert f"dealer {owner.dealer_id}" in seen.summary
            assert len(seen.summary.encode()) <= 200


async def _invited(whole: Whole, workflow_id: str) -> bool:
    return (await read(whole.stage.client, workflow_id)).step == "waiting"
