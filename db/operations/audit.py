"""The append-only record of who did what for whom (promise 49). The application's role may only insert and read."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Identity, Index, Table, Text, func, insert, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from domain.identity.people import Actor


class Outcome(StrEnum):
    """ACCEPTED: it was handed on, and another record says what came of it: its run's, or a device's own log."""

    DONE = "done"
    ACCEPTED = "accepted"
    REFUSED = "refused"


class AuditRow(Base):
    """No foreign keys: the record outlives what it speaks of."""

    __tablename__ = "audit"
    __table_args__ = (
        CheckConstraint("outcome in ('done', 'accepted', 'refused')", name="outcome"),
        Index("ix_audit_at", "at"),
        Index("ix_audit_actor_at", "actor", "at"),
        Index("ix_audit_object_at", "object_kind", "object_id", "at"),
        Index("ix_audit_partner_code_at", "partner_code", "at"),
        Index(
            "ix_audit_request", "request_id", "id", postgresql_where=text("request_id is not null")
        ),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    actor: Mapped[str] = mapped_column(Text)
    acting_for: Mapped[str | None] = mapped_column(Text)
    partner_code: Mapped[str | None] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)
    object_kind: Mapped[str | None] = mapped_column(Text)
    object_id: Mapped[str | None] = mapped_column(Text)
    outcome: Mapped[str] = mapped_column(Text)
    request_id: Mapped[str | None] = mapped_column(Text)
    address: Mapped[str | None] = mapped_column(Text)
    more: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}")


_RECORDS: Table = Base.metadata.tables[AuditRow.__tablename__]
_RECORD = insert(_RECORDS).inline()
"""Put together once. Nothing of the entry is read back."""


async def record(
    session: Executes,
    action: str,
    *,
    actor: str,
    outcome: Outcome = Outcome.DONE,
    acting_for: str | None = None,
    partner_code: str | None = None,
    on: tuple[str, str] | None = None,
    request_id: str | None = None,
    address: str | None = None,
    more: dict[str, Any] | None = None,
) -> None:
    """Adds one entry in the caller's transaction.

    `action` is a past-tense phrase ("signed in"), `actor` is `Actor.key`, `on` is (kind, id) of the thing acted on.
    `more` holds plain facts and never a secret.
    """
    kind, object_id = on or (None, None)
    await session.execute(
        _RECORD,
        {
            "actor": actor,
            "acting_for": acting_for,
            "partner_code": partner_code,
            "action": action,
            "object_kind": kind,
            "object_id": object_id,
            "outcome": outcome,
            "request_id": request_id,
            "address": address,
            "more": more or {},
        },
    )


async def record_by(
    session: Executes,
    actor: Actor,
    action: str,
    *,
    outcome: Outcome = Outcome.DONE,
    on: tuple[str, str] | None = None,
    address: str | None = None,
    more: dict[str, Any] | None = None,
) -> None:
    """Adds an entry that names the caller, whom they impersonate, and the business they work for (promise 40)."""
    await record(
        session,
        action,
        actor=actor.key,
        outcome=outcome,
        acting_for=actor.impersonated.id if actor.impersonated else None,
        partner_code=actor.business_code,
        on=on,
        request_id=actor.request_id,
        address=address,
        more=more,
    )
