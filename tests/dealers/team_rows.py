"""Activations under way, as their projections leave them."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import insert

from db.base import Sessions
from db.runs.flows import FlowRow, TransitionRow
from domain.identity.people import User
from tests.drivers.stage import a_device_key


async def an_open_run(
    sessions: Sessions,
    owner: User | None,
    *,
    idle: timedelta = timedelta(hours=1),
    state: str = "check-firmware",
    product: str = "ft-x1",
    **changed: Any,
) -> str:
    """Of the person, or of a guest; `idle` for so long."""
    flow_id, now = uuid.uuid4().hex, datetime.now(UTC)
    values: dict[str, Any] = {
        "id": flow_id,
        "kind": "activation",
        "version": 2,
        "workflow_id": f"activation-{flow_id}",
        "run_id": "run",
        "rev": 3,
        "seq": 2,
        "state": state,
        "allowed": [] if "/" in state else ["SUBMIT"],
        "view": {
            "type": "new-device",
            "device": {"product_name": product},
            "owner": owner.name if owner else "Guest",
            "position": 2,
            "total": 9,
        },
        "device_key": a_device_key(),
        "site": "ca",
        "dealer_id": owner.dealer_id if owner else None,
        "owner_id": owner.id if owner else None,
        "outcome": None,
        "created_at": now - idle,
        "updated_at": now - idle,
        "ended_at": None,
        **changed,
    }
    async with sessions.begin() as session:
        await session.execute(insert(FlowRow).values(**values))
    return flow_id


async def a_walked_run(
    sessions: Sessions, owner: User, stays: list[tuple[str, timedelta]], *, lost: bool
) -> str:
    """An ended run that was in these states one after another for so long."""
    end = datetime.now(UTC) - timedelta(minutes=1)
    at = began = end - sum((lasted for _, lasted in stays), timedelta())
    outcome = "abandoned" if lost else "completed"
    flow_id = await an_open_run(
        sessions, owner, state=outcome, outcome=outcome, created_at=began, ended_at=end
    )
    states = [state for state, _ in stays] + [outcome]
    async with sessions.begin() as session:
        for rev, (state, lasted) in enumerate(stays):
            at += lasted
            session.add(
                TransitionRow(
                    flow_id=flow_id,
                    rev=rev + 1,
                    event="SUBMIT",
                    from_state=state,
                    to_state=states[rev + 1],
                    at=at,
                )
            )
    return flow_id
