"""Browsers that a person trusts: they skip the second factor, never the first (promise 33)."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, Text, func
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class TrustedDeviceRow(Base):
    """`token_hash` is the SHA-256 (hex) of a 256-bit random token that only the browser keeps."""

    __tablename__ = "trusted_device"
    __table_args__ = (Index("ix_trusted_device_person_id", "person_id"),)

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    token_hash: Mapped[str] = mapped_column(Text, unique=True)
    name: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_used_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
