"""Sites, business partners and dealers (shell spec 3; rulings "Calls"). `db/partners/businesses.py` asks them."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ARRAY, CheckConstraint, ForeignKey, Index, Numeric, Text, func, select, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.identity.people import Site
from domain.partners.partners import PartnerSummary


class SiteRow(Base):
    __tablename__ = "site"
    __table_args__ = (CheckConstraint("country in ('CA', 'US')", name="country"),)

    code: Mapped[str] = mapped_column(Text, primary_key=True)
    host: Mapped[str] = mapped_column(Text, unique=True)
    label: Mapped[str] = mapped_column(Text)
    country: Mapped[str] = mapped_column(Text)
    time_zone: Mapped[str] = mapped_column(Text)


class PartnerRow(Base):
    """A business partner of the ERP; `sap_bp_code` is its number there. What it owes is mirrored from there."""

    __tablename__ = "partner"
    __table_args__ = (
        CheckConstraint("country in ('CA', 'US', 'MX', 'AU')", name="country"),
        CheckConstraint("sap_bp_code = upper(sap_bp_code)", name="code_upper"),
        Index("ix_partner_by_name", text("lower(company_name)"), "id"),
        Index(
            "ix_partner_name_likeness",
            text("lower(company_name) gin_trgm_ops"),
            postgresql_using="gin",
        ),
        Index("ix_partner_code_likeness", text("sap_bp_code gin_trgm_ops"), postgresql_using="gin"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    sap_bp_code: Mapped[str] = mapped_column(Text, unique=True)
    company_name: Mapped[str] = mapped_column(Text)
    channel_slug: Mapped[str] = mapped_column(Text, server_default="msrp")
    country: Mapped[str] = mapped_column(Text)
    approved_brands: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")
    subdistributor: Mapped[bool] = mapped_column(server_default="false")
    po_required: Mapped[bool] = mapped_column(server_default="false")
    is_blocked: Mapped[bool] = mapped_column(server_default="false")
    tax_number: Mapped[str | None] = mapped_column(Text)
    account_balance: Mapped[Decimal | None] = mapped_column(Numeric(12, 2))
    credit_limit: Mapped[Decimal | None] = mapped_column(Numeric(12, 2))
    past_due_invoices: Mapped[int | None]
    invoice_count: Mapped[int | None]
    mirrored_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class PartnerAddressRow(Base):
    __tablename__ = "partner_address"
    __table_args__ = (
        CheckConstraint("kind in ('SHIPPING', 'BILLING')", name="kind"),
        Index("ix_partner_address_partner_id", "partner_id"),
        Index(
            "uq_partner_address_default",
            "partner_id",
            "kind",
            unique=True,
            postgresql_where=text("is_default"),
        ),
        Index("uq_partner_address_erp_name", "partner_id", "kind", "erp_name", unique=True),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    partner_id: Mapped[str] = mapped_column(ForeignKey("partner.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(Text)
    is_default: Mapped[bool] = mapped_column(server_default="false")
    name: Mapped[str] = mapped_column(Text)
    street: Mapped[str] = mapped_column(Text)
    city: Mapped[str] = mapped_column(Text)
    country_area: Mapped[str] = mapped_column(Text)
    postal_code: Mapped[str] = mapped_column(Text)
    country: Mapped[str] = mapped_column(Text)
    erp_name: Mapped[str | None] = mapped_column(Text)
    """What the ERP calls it; where that is not known, as we do."""


class DealerRow(Base):
    """A dealer's account; a partner may lack one."""

    __tablename__ = "dealer"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    partner_id: Mapped[str | None] = mapped_column(ForeignKey("partner.id"), unique=True)
    name: Mapped[str] = mapped_column(Text)
    is_public_profile: Mapped[bool] = mapped_column(server_default="false")
    dealer_profile: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


async def load_sites(session: AsyncSession) -> tuple[Site, ...]:
    """All sites, by code."""
    rows = await session.scalars(select(SiteRow).order_by(SiteRow.code).limit(20))
    return tuple(Site.model_validate(row, from_attributes=True) for row in rows)


async def place_sites(session: AsyncSession, hosts: Mapping[str, str]) -> None:
    """Gives each site, by its code, the host that it is reached by. Nothing is written where all have theirs."""
    rows = list(await session.scalars(select(SiteRow).where(SiteRow.code.in_(hosts))))
    if all(row.host == hosts[row.code] for row in rows):
        return
    for row in rows:  # two may change places, and no two may be at one host meanwhile
        row.host = row.code
    await session.flush()
    for row in rows:
        row.host = hosts[row.code]


async def site_of(session: AsyncSession, code: str) -> Site:
    """The site of the country where a business is, or else the first."""
    found = await session.scalar(
        select(SiteRow)
        .join(PartnerRow, PartnerRow.country == SiteRow.country)
        .where(PartnerRow.sap_bp_code == code)
        .order_by(SiteRow.code)
        .limit(1)
    )
    if found is None:
        return (await load_sites(session))[0]
    return Site.model_validate(found, from_attributes=True)


def as_summary(row: PartnerRow) -> PartnerSummary:
    return PartnerSummary(
        id=row.id,
        code=row.sap_bp_code,
        company_name=row.company_name,
        channel=row.channel_slug,
        country=row.country,
        subdistributor=row.subdistributor,
        has_approved_brands=bool(row.approved_brands),
        po_required=row.po_required,
        tax_number=row.tax_number,
    )


async def code_of_dealer(session: AsyncSession, dealer_id: str) -> str | None:
    """The code of a dealer's business."""
    return await session.scalar(
        select(PartnerRow.sap_bp_code)
        .join(DealerRow, DealerRow.partner_id == PartnerRow.id)
        .where(DealerRow.id == dealer_id)
    )


async def name_of_dealer(session: AsyncSession, dealer_id: str) -> str:
    """The dealer's own name; empty for an unknown one."""
    return await session.scalar(select(DealerRow.name).where(DealerRow.id == dealer_id)) or ""
