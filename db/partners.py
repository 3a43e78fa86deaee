"""Sites, business partners and dealers (shell spec 3; rulings "Calls")."""

from datetime import datetime

from sqlalchemy import ARRAY, CheckConstraint, ForeignKey, Text, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.identity import Site


class SiteRow(Base):
    __tablename__ = "site"
    __table_args__ = (CheckConstraint("country in ('CA', 'US')", name="country"),)

    code: Mapped[str] = mapped_column(Text, primary_key=True)
    host: Mapped[str] = mapped_column(Text, unique=True)
    label: Mapped[str] = mapped_column(Text)
    country: Mapped[str] = mapped_column(Text)
    time_zone: Mapped[str] = mapped_column(Text)


class PartnerRow(Base):
    """A business partner of the ERP; `sap_bp_code` is its number there."""

    __tablename__ = "partner"
    __table_args__ = (
        CheckConstraint("country in ('CA', 'US', 'MX', 'AU')", name="country"),
        CheckConstraint("sap_bp_code = upper(sap_bp_code)", name="code_upper"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    sap_bp_code: Mapped[str] = mapped_column(Text, unique=True)
    company_name: Mapped[str] = mapped_column(Text)
    channel_slug: Mapped[str] = mapped_column(Text, server_default="msrp")
    country: Mapped[str] = mapped_column(Text)
    approved_brands: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class DealerRow(Base):
    """A dealer's account; a partner may lack one."""

    __tablename__ = "dealer"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    partner_id: Mapped[str | None] = mapped_column(ForeignKey("partner.id"), unique=True)
    name: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


async def load_sites(session: AsyncSession) -> tuple[Site, ...]:
    """All sites, by code."""
    rows = await session.scalars(select(SiteRow).order_by(SiteRow.code).limit(20))
    return tuple(Site.model_validate(row, from_attributes=True) for row in rows)
