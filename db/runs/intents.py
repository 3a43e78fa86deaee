"""What runs ask of outside systems: an intent of each effect, and its outcome."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import Index, Text, func, select, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes


class IntentRow(Base):
    """One effect on an outside system: written before the call, settled after it. `refused_at` is when its outside system last
    said no."""

    __tablename__ = "intent"
    __table_args__ = (
        Index(
            "ix_intent_unsettled",
            "created_at",
            postgresql_where=text("settled_at is null and refused_at is null"),
        ),
    )

    key: Mapped[str] = mapped_column(Text, primary_key=True)
    flow_id: Mapped[str] = mapped_column(Text, index=True)
    kind: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    settled_at: Mapped[datetime | None]
    refused_at: Mapped[datetime | None]
    outcome: Mapped[dict[str, Any] | None] = mapped_column(JSONB)


_BEGIN_INTENT = text(
    """
    insert into intent (key, flow_id, kind) values (:key, :flow_id, :kind)
    on conflict (key) do update set refused_at = null
    returning outcome
    """
)


_COMPLETE_INTENT = text(
    """
    update intent set outcome = cast(:outcome as jsonb), settled_at = now()
    where key = :key and settled_at is null
    """
)


_REFUSE_INTENTS = text(
    "update intent set refused_at = now() where key = any(:keys) and settled_at is null"
)


async def begin_intent(
    session: Executes, *, key: str, flow_id: str, kind: str
) -> dict[str, Any] | None:
    """Notes that an effect is about to be asked for, or answers the outcome of an earlier try. One statement."""
    begun = await session.execute(_BEGIN_INTENT, {"key": key, "flow_id": flow_id, "kind": kind})
    return begun.scalar_one()


async def complete_intent(session: Executes, key: str, outcome: dict[str, Any]) -> None:
    """Keeps the first outcome. One statement."""
    await session.execute(_COMPLETE_INTENT, {"key": key, "outcome": orjson.dumps(outcome).decode()})


async def completed_at(session: Executes, key: str) -> datetime | None:
    """When its outcome was noted, which is once."""
    return await session.scalar(select(IntentRow.settled_at).where(IntentRow.key == key))


async def refuse_intents(session: Executes, keys: Sequence[str]) -> None:
    """What was asked for was refused, so that nobody waits for its outcome. It may be asked for again. One statement."""
    await session.execute(_REFUSE_INTENTS, {"keys": list(keys)})
