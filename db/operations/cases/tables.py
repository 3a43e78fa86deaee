"""Cases as rows; where each stands is in its run's own row."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import CheckConstraint, Index, Numeric, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class CaseRow(Base):
    """`start` is the input of its run, `begun_at` is when that began. Where it stands is in the run's own row."""

    __tablename__ = "money_case"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount"),
        Index("ix_money_case_belongs", "belongs_kind", "belongs_id", "opened_at"),
        Index("ix_money_case_opened", "opened_at", "id"),
        Index("ix_money_case_payment", "payment_id"),
        Index("ix_money_case_partner", "partner_code"),
        Index("ix_money_case_not_begun", "opened_at", postgresql_where=text("begun_at is null")),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    cause: Mapped[str] = mapped_column(Text)
    belongs_kind: Mapped[str] = mapped_column(Text)
    belongs_id: Mapped[str] = mapped_column(Text)
    partner_code: Mapped[str] = mapped_column(Text)
    payment_id: Mapped[str | None] = mapped_column(Text)
    amount: Mapped[Decimal | None] = mapped_column(Numeric(12, 2))
    start: Mapped[dict[str, Any]] = mapped_column(JSONB)
    opened_at: Mapped[datetime]
    begun_at: Mapped[datetime | None]
