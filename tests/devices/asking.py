"""What the tests of device calls do: ask as somebody, and look into the record and the stand-in's ledger."""

from typing import Any

import httpx
from sqlalchemy import select

from db.operations.audit import AuditRow
from tests.drivers.portal import a_key
from tests.drivers.whole_portal import Caller, Whole

Json = dict[str, Any]


async def ask(
    caller: Caller,
    method: str,
    path: str,
    json: Json | None = None,
    *,
    key: str | None = None,
    **query: Any,
) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await caller.browser.request(method, path, json=json, params=query, headers=headers)


async def done(
    caller: Caller, method: str, path: str, json: Json | None = None, **more: Any
) -> Any:
    """The answer of a call that works."""
    answer = await ask(caller, method, path, json, **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def recorded(whole: Whole, device_key: str) -> list[tuple[str, str, Json]]:
    """(action, outcome, facts) of everything recorded of a device, in order."""
    async with whole.sessions() as session:
        rows = await session.scalars(
            select(AuditRow)
            .where(AuditRow.object_kind == "device", AuditRow.object_id == device_key)
            .order_by(AuditRow.id)
        )
        return [(row.action, row.outcome, row.more) for row in rows]


def fresh_key() -> str:
    return a_key()["Idempotency-Key"]
