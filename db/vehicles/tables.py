"""Vehicles of single years, their wiring, instructions, products and guides (devices spec 3)."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    Text,
    UniqueConstraint,
    func,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base

_IGNITION = "ignition in ('', 'pts', 'sk')"


class VehicleRow(Base):
    """A model of one year. `description` is the tech tip; one with `mirrors_vehicle` is wired like that one."""

    __tablename__ = "vehicle"
    __table_args__ = (
        UniqueConstraint("model_id", "year"),
        Index("ix_vehicle_mirrors_vehicle", "mirrors_vehicle"),
    )

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    model_id: Mapped[int] = mapped_column(ForeignKey("vehicle_model.id"))
    year: Mapped[int] = mapped_column(SmallInteger)
    trims: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")
    description: Mapped[str] = mapped_column(Text, server_default="")
    vehicle_description: Mapped[str] = mapped_column(Text, server_default="")
    image: Mapped[str | None] = mapped_column(Text)
    mirrors_vehicle: Mapped[int | None] = mapped_column(ForeignKey("vehicle.id"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class VehicleCategoryRow(Base):
    """A category of wires or of instructions."""

    __tablename__ = "vehicle_category"
    __table_args__ = (CheckConstraint("kind in ('wiring', 'instructions')", name="kind"),)

    uuid: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    position: Mapped[int]


class VehicleWireRow(Base):
    """A wire in our own reference. `ignition` is empty where it makes no difference."""

    __tablename__ = "vehicle_wire"
    __table_args__ = (
        CheckConstraint(_IGNITION, name="ignition"),
        Index("ix_vehicle_wire_category_uuid", "category_uuid"),
    )

    vehicle_id: Mapped[int] = mapped_column(
        ForeignKey("vehicle.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    category_uuid: Mapped[str] = mapped_column(ForeignKey("vehicle_category.uuid"))
    ignition: Mapped[str] = mapped_column(Text, server_default="")
    function: Mapped[str] = mapped_column(Text)
    color: Mapped[str] = mapped_column(Text, server_default="")
    location: Mapped[str] = mapped_column(Text, server_default="")
    pin_out: Mapped[str] = mapped_column(Text, server_default="")
    polarity: Mapped[str] = mapped_column(Text, server_default="")
    images: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")
    trim: Mapped[str] = mapped_column(Text, server_default="")


class VehicleInstructionRow(Base):
    __tablename__ = "vehicle_instruction"
    __table_args__ = (
        CheckConstraint(_IGNITION, name="ignition"),
        Index("ix_vehicle_instruction_category_uuid", "category_uuid"),
    )

    vehicle_id: Mapped[int] = mapped_column(
        ForeignKey("vehicle.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    category_uuid: Mapped[str] = mapped_column(ForeignKey("vehicle_category.uuid"))
    ignition: Mapped[str] = mapped_column(Text, server_default="")
    text: Mapped[str] = mapped_column(Text)
    image: Mapped[str | None] = mapped_column(Text)


class VehicleProductRow(Base):
    """A product that goes with a vehicle. Its SKU may be an old one, which `sku_alias` leads on from."""

    __tablename__ = "vehicle_product"
    __table_args__ = (CheckConstraint("role in ('t_harness', 'module')", name="role"),)

    vehicle_id: Mapped[int] = mapped_column(
        ForeignKey("vehicle.id", ondelete="CASCADE"), primary_key=True
    )
    role: Mapped[str] = mapped_column(Text, primary_key=True)
    sku: Mapped[str] = mapped_column(Text, primary_key=True)
    position: Mapped[int] = mapped_column(SmallInteger)


class ProductFeatureRow(Base):
    """What a module does in a car: `features` as [{name, supported}], keys as their number."""

    __tablename__ = "product_feature"

    product_id: Mapped[str] = mapped_column(
        ForeignKey("product.id", ondelete="CASCADE"), primary_key=True
    )
    name: Mapped[str] = mapped_column(Text)
    klon: Mapped[bool]
    keys_for_install: Mapped[int] = mapped_column(SmallInteger)
    keys_for_programming: Mapped[int] = mapped_column(SmallInteger)
    features: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    accessories: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")


class GuideFolderRow(Base):
    __tablename__ = "guide_folder"
    __table_args__ = (Index("ix_guide_folder_parent", "parent"),)

    slug: Mapped[str] = mapped_column(Text, primary_key=True)
    parent: Mapped[str | None] = mapped_column(ForeignKey("guide_folder.slug"))
    title: Mapped[str] = mapped_column(Text)
    description: Mapped[str] = mapped_column(Text, server_default="")
    position: Mapped[int]


class GuideDocumentRow(Base):
    """A document; its text is a list of blocks."""

    __tablename__ = "guide_document"
    __table_args__ = (Index("ix_guide_document_folder", "folder"),)

    slug: Mapped[str] = mapped_column(Text, primary_key=True)
    folder: Mapped[str] = mapped_column(ForeignKey("guide_folder.slug"))
    title: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(Text)
    blocks: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    position: Mapped[int]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class VehicleDocumentRow(Base):
    """A guide that was written for a vehicle."""

    __tablename__ = "vehicle_document"
    __table_args__ = (Index("ix_vehicle_document_slug", "slug"),)

    vehicle_id: Mapped[int] = mapped_column(
        ForeignKey("vehicle.id", ondelete="CASCADE"), primary_key=True
    )
    slug: Mapped[str] = mapped_column(
        ForeignKey("guide_document.slug", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(SmallInteger)


class StoredWiringRow(Base):
    """What an outside source said of a vehicle, as `domain.vehicles.wiring.SourcedWiring`. Shown beyond `fresh_until` only
    while the source is away."""

    __tablename__ = "wiring_kept"
    __table_args__ = (Index("ix_wiring_kept_fetched_at", "fetched_at"),)

    source: Mapped[str] = mapped_column(Text, primary_key=True)
    vehicle_id: Mapped[int] = mapped_column(
        ForeignKey("vehicle.id", ondelete="CASCADE"), primary_key=True
    )
    wiring: Mapped[dict[str, Any]] = mapped_column(JSONB)
    fetched_at: Mapped[datetime]
    fresh_until: Mapped[datetime]
