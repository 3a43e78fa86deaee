"""Whatever is sent: a clear problem, no effect, never a crash, never the value (promises 21 to 25)."""

import uuid
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dev.testing import is_whole
from tests.activation.people.test_foreign_api import BODIES
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole, problem
from tests.identity.test_policy import OPERATIONS

SECRET = "do-not-repeat-me-5f2c"
"""A value that no answer may hold."""
DOTTED = f"{SECRET}..dealer@example.com"


@pytest.mark.parametrize(
    ("call", "body", "field"),
    [
        ("submit", {}, "step"),
        ("submit", {"step": SECRET, "seq": 1}, "step"),
        ("submit", {"step": "power-on-device", "seq": SECRET}, "seq"),
        ("submit", {"step": "power-on-device", "seq": -1}, "seq"),
        ("submit", {"step": "power-on-device", "seq": 1, "data": SECRET}, "data"),
        ("submit", {"step": "power-on-device", "seq": 1, SECRET: 1}, "body"),
        ("submit", {"step": "power-on-device", "seq": 1, "data": {SECRET: 1}}, "data"),
        ("submit", {"step": "power-on-device", "seq": 1, "data": {"step": SECRET}}, "data.step"),
        ("submit", {"step": "set-vehicle-details", "seq": 1}, "data.year"),
        ("submit", {"step": "send-welcome", "seq": 1, "data": {"email": SECRET}}, "data.email"),
        ("submit", {"step": "send-welcome", "seq": 1, "data": {"email": DOTTED}}, "data.email"),
        ("commands", {"seq": 1, "command": ""}, "command"),
        ("commands", {"seq": 1, "command": SECRET * 9}, "command"),
        ("commands", {"seq": 1, "command": "arm", "bit": 256}, "bit"),
        ("skip", {"seq": 1, "step": "check-firmware", "reason": "  "}, "reason"),
        ("skip", {"seq": 1, "step": "check-firmware", "reason": SECRET * 30}, "reason"),
        ("back", {"seq": 1}, "step"),
        ("change-device", {"seq": 1, "device_key": f"{SECRET}--"}, "device_key"),
        ("hand-over", {"seq": 1, "user_id": SECRET * 30}, "user_id"),
        ("abandon", {"seq": 1, "reason": SECRET * 30}, "reason"),
        ("firmware/retry", {SECRET: 1}, "body"),
    ],
)
async def test_a_fault_names_its_field_and_never_the_value(
    whole: Whole, call: str, body: dict[str, Any], field: str
) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        answer = await installer.send(begun["id"], call, **body)
        assert answer.status_code == 422, answer.text
        problem(answer)
        assert field in [fault["field"] for fault in answer.json()["validation_errors"]]
        assert SECRET not in answer.text
        assert (await installer.look(begun["id"]))["rev"] == begun["rev"]


async def test_a_vehicle_that_is_none_is_refused_before_the_run_is_told_of_it(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        at = await installer.walk_to(begun, "set-vehicle-details")
        for change in ({"year": 1950}, {"make": "Tesla"}, {"model_id": 2470}, {"model": "X"}):
            answer = await installer.submit(at, data=VEHICLE | change)
            assert problem(answer) == (422, "invalid_step_data")
            assert answer.json()["detail"] == "Please select a Year, Make and Model to continue"
        for huge in (10**17, 1e30, -1):
            answer = await installer.submit(at, data=VEHICLE | {"model_id": huge})
            assert problem(answer) == (422, "invalid_step_data")
            assert [f["field"] for f in answer.json()["validation_errors"]] == ["data.model_id"]
        assert (await installer.look(begun["id"]))["rev"] == at["rev"]


async def test_a_command_that_the_product_lacks_is_refused(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key("DR5400"))
        at = await installer.walk_to(begun, "device-testing")
        for command in ("arm", "reboot"):
            answer = await installer.send(begun["id"], "commands", seq=at["seq"], command=command)
            assert problem(answer) == (422, "command_not_supported")


@pytest.mark.parametrize(
    ("body", "media_type", "status"),
    [
        (b'{"seq": 1, "reason": "' + b"x" * 70_000 + b'"}', "application/json", 413),
        (b'{"seq": 1', "application/json", 400),
        (b'{"seq": 1, "seq": 2}', "application/json", 400),
        (b'{"seq": NaN}', "application/json", 400),
        (b'{"seq": 1e309}', "application/json", 400),
        (b'{"seq": 1, "reason": "a\\u0000b"}', "application/json", 400),
        (b'{"seq": 1, "reason": "\\ud800"}', "application/json", 400),
        (b'{"seq": ' + b"[" * 30 + b"]" * 30 + b"}", "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"seq=1", "application/x-www-form-urlencoded", 415),
        (b'"abandon"', "application/json", 422),
        (b"", "application/json", 422),
    ],
)
async def test_a_body_that_is_none_is_refused(
    whole: Whole, body: bytes, media_type: str, status: int
) -> None:
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        answer = await installer.browser.post(
            f"/v1/activations/{begun['id']}/abandon",
            content=body,
            headers={"Content-Type": media_type, "Idempotency-Key": uuid.uuid4().hex},
        )
        assert problem(answer)[0] == status
        assert not (await installer.look(begun["id"]))["ended"]


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**17), 10**17),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=40),
    st.sampled_from([SECRET, "FT-X1-00000001", "power-on-device", "0001-01-01T00:00:00+14:00"]),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=8), st.integers(), max_size=3),
)

VEHICLE = {"year": 2022, "make_id": 448, "make": "Toyota", "model_id": 2469, "model": "Camry"}

TEMPLATES: list[tuple[str, dict[str, Any]]] = [
    *sorted(BODIES.items()),
    ("start_activation", {"device_key": "FT-X1-00000001", "type": "new-device"}),
    ("submit_step", {"step": "set-vehicle-details", "seq": 1, "data": VEHICLE}),
    ("submit_step", {"step": "send-welcome", "seq": 1, "data": {"email": "owner@example.com"}}),
    ("list_activations", {}),
]

QUERIES = st.dictionaries(
    st.sampled_from(["scope", "state", "limit", "cursor", "after", "follow"]),
    st.text(max_size=30)
    | st.sampled_from(["MDAwMS0wMS0wMVQwMDowMDowMCsxNDowMCB4", "9" * 30, "activation:x"]),
    max_size=3,
)


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, dict[str, str], dict[str, Any]]:
    """An operation on an activation, with some of its fields replaced, lost or added."""
    name, template = draw(st.sampled_from(TEMPLATES))
    body = draw(spoilt(template))
    if "data" in template and draw(st.booleans()):
        body = {**template, "data": draw(spoilt(template["data"]))}
    return name, draw(QUERIES), body


@st.composite
def spoilt(draw: st.DrawFn, good: dict[str, Any]) -> dict[str, Any]:
    body = dict(good)
    for field in draw(st.lists(st.sampled_from([*sorted(body), "data", "extra"]), max_size=3)):
        body[field] = draw(JUNK)
    for field in draw(st.lists(st.sampled_from(sorted(body) or ["none"]), max_size=1)):
        body.pop(field, None)
    return body


class Target:
    """An installer with an activation that is under way; once one has ended, the next."""

    def __init__(self, installer: Caller) -> None:
        self.installer = installer
        self.flow_id = ""

    async def renew(self) -> None:
        self.flow_id = (await self.installer.started(a_device_key()))["id"]


@pytest.fixture(scope="module")
async def target(whole: Whole) -> AsyncGenerator[Target]:
    async with whole.signed_in() as installer:
        found = Target(installer)
        await found.renew()
        yield found


@settings(max_examples=250 if is_whole() else 100, derandomize=True, deadline=None, database=None)
@given(sent=requests())
async def test_no_input_is_answered_by_a_crash(
    target: Target, sent: tuple[str, dict[str, str], dict[str, Any]]
) -> None:
    name, query, body = sent
    method, path = OPERATIONS[name]
    answer = await target.installer.browser.request(
        method,
        path.replace("{id}", target.flow_id),
        params=query,
        json=None if method == "GET" else body,
        headers={"Idempotency-Key": uuid.uuid4().hex},
    )
    assert answer.status_code < 500, answer.text
    if not answer.is_success:
        problem(answer)
        assert SECRET not in answer.text
    elif answer.json().get("ended"):
        await target.renew()
