"""Vehicles of single years with their wiring, products and guides."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "vehicle_wiring"
down_revision: str | None = "chart_drift"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "vehicle",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("model_id", sa.Integer(), nullable=False),
        sa.Column("year", sa.SmallInteger(), nullable=False),
        sa.Column("trims", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("vehicle_description", sa.Text(), server_default="", nullable=False),
        sa.Column("image", sa.Text(), nullable=True),
        sa.Column("mirrors_vehicle", sa.Integer(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["mirrors_vehicle"], ["vehicle.id"], name=op.f("fk_vehicle_mirrors_vehicle_vehicle")
        ),
        sa.ForeignKeyConstraint(
            ["model_id"], ["vehicle_model.id"], name=op.f("fk_vehicle_model_id_vehicle_model")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vehicle")),
        sa.UniqueConstraint("model_id", "year", name=op.f("uq_vehicle_model_id_year")),
    )
    op.create_index("ix_vehicle_mirrors_vehicle", "vehicle", ["mirrors_vehicle"], unique=False)
    op.create_table(
        "vehicle_category",
        sa.Column("uuid", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "kind in ('wiring', 'instructions')", name=op.f("ck_vehicle_category_kind")
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_vehicle_category")),
    )
    op.create_table(
        "vehicle_wire",
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("category_uuid", sa.Text(), nullable=False),
        sa.Column("ignition", sa.Text(), server_default="", nullable=False),
        sa.Column("function", sa.Text(), nullable=False),
        sa.Column("color", sa.Text(), server_default="", nullable=False),
        sa.Column("location", sa.Text(), server_default="", nullable=False),
        sa.Column("pin_out", sa.Text(), server_default="", nullable=False),
        sa.Column("polarity", sa.Text(), server_default="", nullable=False),
        sa.Column("images", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("trim", sa.Text(), server_default="", nullable=False),
        sa.CheckConstraint("ignition in ('', 'pts', 'sk')", name=op.f("ck_vehicle_wire_ignition")),
        sa.ForeignKeyConstraint(
            ["category_uuid"],
            ["vehicle_category.uuid"],
            name=op.f("fk_vehicle_wire_category_uuid_vehicle_category"),
        ),
        sa.ForeignKeyConstraint(
            ["vehicle_id"],
            ["vehicle.id"],
            name=op.f("fk_vehicle_wire_vehicle_id_vehicle"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("vehicle_id", "position", name=op.f("pk_vehicle_wire")),
    )
    op.create_index(
        "ix_vehicle_wire_category_uuid", "vehicle_wire", ["category_uuid"], unique=False
    )
    op.create_table(
        "vehicle_instruction",
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("category_uuid", sa.Text(), nullable=False),
        sa.Column("ignition", sa.Text(), server_default="", nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("image", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "ignition in ('', 'pts', 'sk')", name=op.f("ck_vehicle_instruction_ignition")
        ),
        sa.ForeignKeyConstraint(
            ["category_uuid"],
            ["vehicle_category.uuid"],
            name=op.f("fk_vehicle_instruction_category_uuid_vehicle_category"),
        ),
        sa.ForeignKeyConstraint(
            ["vehicle_id"],
            ["vehicle.id"],
            name=op.f("fk_vehicle_instruction_vehicle_id_vehicle"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("vehicle_id", "position", name=op.f("pk_vehicle_instruction")),
    )
    op.create_index(
        "ix_vehicle_instruction_category_uuid",
        "vehicle_instruction",
        ["category_uuid"],
        unique=False,
    )
    op.create_table(
        "vehicle_product",
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("sku", sa.Text(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.CheckConstraint("role in ('t_harness', 'module')", name=op.f("ck_vehicle_product_role")),
        sa.ForeignKeyConstraint(
            ["vehicle_id"],
            ["vehicle.id"],
            name=op.f("fk_vehicle_product_vehicle_id_vehicle"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("vehicle_id", "role", "sku", name=op.f("pk_vehicle_product")),
    )
    op.create_table(
        "product_feature",
        sa.Column("product_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("klon", sa.Boolean(), nullable=False),
        sa.Column("keys_for_install", sa.SmallInteger(), nullable=False),
        sa.Column("keys_for_programming", sa.SmallInteger(), nullable=False),
        sa.Column("features", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("accessories", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.ForeignKeyConstraint(
            ["product_id"],
            ["product.id"],
            name=op.f("fk_product_feature_product_id_product"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("product_id", name=op.f("pk_product_feature")),
    )
    op.create_table(
        "guide_folder",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("parent", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["parent"], ["guide_folder.slug"], name=op.f("fk_guide_folder_parent_guide_folder")
        ),
        sa.PrimaryKeyConstraint("slug", name=op.f("pk_guide_folder")),
    )
    op.create_index("ix_guide_folder_parent", "guide_folder", ["parent"], unique=False)
    op.create_table(
        "guide_document",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("blocks", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["folder"], ["guide_folder.slug"], name=op.f("fk_guide_document_folder_guide_folder")
        ),
        sa.PrimaryKeyConstraint("slug", name=op.f("pk_guide_document")),
    )
    op.create_index("ix_guide_document_folder", "guide_document", ["folder"], unique=False)
    op.create_table(
        "vehicle_document",
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["slug"],
            ["guide_document.slug"],
            name=op.f("fk_vehicle_document_slug_guide_document"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["vehicle_id"],
            ["vehicle.id"],
            name=op.f("fk_vehicle_document_vehicle_id_vehicle"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("vehicle_id", "slug", name=op.f("pk_vehicle_document")),
    )
    op.create_index("ix_vehicle_document_slug", "vehicle_document", ["slug"], unique=False)
    op.create_table(
        "wiring_kept",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("wiring", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("fetched_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("fresh_until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["vehicle_id"],
            ["vehicle.id"],
            name=op.f("fk_wiring_kept_vehicle_id_vehicle"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("source", "vehicle_id", name=op.f("pk_wiring_kept")),
    )
    op.create_index("ix_wiring_kept_fetched_at", "wiring_kept", ["fetched_at"], unique=False)


def downgrade() -> None:
    for table in (
        "wiring_kept",
        "vehicle_document",
        "guide_document",
        "guide_folder",
        "product_feature",
        "vehicle_product",
        "vehicle_instruction",
        "vehicle_wire",
        "vehicle_category",
        "vehicle",
    ):
        op.drop_table(table)
