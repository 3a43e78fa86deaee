"""Somebody else's activation is not there, whatever is asked of it (promises 35 and 42)."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import select

from db.operations.audit import AuditRow, Outcome
from domain.identity.policy import ACTIVATION
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole, problem
from tests.identity.test_policy import OPERATIONS

BODIES: dict[str, dict[str, Any]] = {
    "submit_step": {"step": "power-on-device", "seq": 1},
    "send_activation_command": {"seq": 1, "command": "arm"},
    "skip_step": {"step": "check-firmware", "seq": 1, "reason": "no time"},
    "back_step": {"step": "power-on-device", "seq": 1},
    "reset_activation": {"seq": 1},
    "change_activation_device": {"seq": 1, "device_key": "FT-X1-00000001"},
    "hand_over_activation": {"seq": 1, "user_id": "somebody"},
    "abandon_activation": {"seq": 1, "reason": ""},
    "set_activation_pin": {"seq": 1, "slot": "master", "pin": "2580", "duration": 30},
    "delete_activation_pin": {"seq": 1, "master_pin": "2580"},
    "set_activation_feature": {"seq": 1, "feature": "siren_enabled", "enabled": True},
    "buy_activation_plan": {"seq": 1, "plan_id": "premium_prepaid-1_year"},
    "retry_firmware": {},
    "cancel_firmware": {},
    "defer_firmware": {"until": "2030-01-01T00:00:00Z"},
    "link_handout": {},
    "revoke_handout_link": {},
}
"""A well-formed body for each message."""

QUERIES = {
    "get_activation_option_tables": {"table": "controller"},
    "list_option_suggestions": {"table": "controller"},
}

ON_ONE_RUN = sorted(name for name in ACTIVATION if "{id}" in OPERATIONS[name][1])


def test_every_message_has_a_body_here() -> None:
    assert {name for name in ON_ONE_RUN if OPERATIONS[name][0] == "POST"} == set(BODIES)


@dataclass(frozen=True)
class Meeting:
    """An activation that its owner has begun, and somebody whom it does not concern."""

    owner: Caller
    stranger: Caller
    begun: dict[str, Any]


@pytest.fixture(scope="module")
async def meeting(whole: Whole) -> AsyncGenerator[Meeting]:
    """One for all: whatever the stranger asks changes nothing."""
    async with whole.signed_in() as owner, whole.signed_in() as stranger:
        yield Meeting(owner, stranger, await owner.started(a_device_key()))


@pytest.mark.parametrize("name", ON_ONE_RUN)
async def test_a_strangers_activation_is_not_found_and_the_try_is_audited(
    whole: Whole, meeting: Meeting, name: str
) -> None:
    method, path = OPERATIONS[name]
    stranger, begun = meeting.stranger, meeting.begun
    answers = [
        await stranger.browser.request(
            method,
            path.replace("{id}", flow_id),
            params=QUERIES.get(name),
            json=BODIES.get(name),
            headers={"Idempotency-Key": f"{name}-{flow_id}"},
        )
        for flow_id in (begun["id"], "0" * 32)
    ]
    assert [problem(answer) for answer in answers] == [(404, "not_found")] * 2
    bodies = [answer.json() | {"instance": ""} for answer in answers]
    assert bodies[0] == bodies[1]
    after = await meeting.owner.look(begun["id"])
    assert (after["seq"], after["state"]) == (begun["seq"], "power-on-device")
    async with whole.sessions() as session:
        audited = (
            await session.scalars(
                select(AuditRow).where(AuditRow.request_id == answers[0].json()["instance"])
            )
        ).one()
    assert (audited.outcome, audited.object_id) == (Outcome.REFUSED, begun["id"])
    assert stranger.user is not None
    assert audited.actor == f"user:{stranger.user.id}"


async def test_a_strangers_device_cannot_be_opened_or_checked(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as owner, whole.signed_in() as stranger:
        await owner.started(key)
        assert problem(await stranger.start(key)) == (404, "unknown_device")
        checked = await stranger.browser.post("/api/iot/device-check", json={"device_key": key})
        assert problem(checked) == (404, "unknown_device")
