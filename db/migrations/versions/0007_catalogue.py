"""The catalogue: products, variants, stock, price lists, and what hangs on them."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "catalogue"
down_revision: str | None = "0006"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "brand",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("slug", name=op.f("pk_brand")),
        sa.UniqueConstraint("name", name=op.f("uq_brand_name")),
    )
    op.create_table(
        "category",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("slug", name=op.f("pk_category")),
        sa.UniqueConstraint("name", name=op.f("uq_category_name")),
    )
    op.create_table(
        "coupon",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("percent", sa.Numeric(precision=5, scale=2), nullable=True),
        sa.Column("amount", sa.Numeric(precision=12, scale=2), nullable=True),
        sa.Column("least", sa.Numeric(precision=12, scale=2), server_default="0", nullable=False),
        sa.Column("channels", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(percent is null) <> (amount is null)", name=op.f("ck_coupon_one_of")),
        sa.CheckConstraint("code = upper(code)", name=op.f("ck_coupon_code_upper")),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_coupon")),
    )
    op.create_table(
        "price_list",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind in ('tier', 'deal', 'agreed')", name=op.f("ck_price_list_kind")),
        sa.CheckConstraint("starts_at < ends_at", name=op.f("ck_price_list_times")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_price_list")),
    )
    op.create_index("ix_price_list_scope", "price_list", ["scope"], unique=False)
    op.create_table(
        "product",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column(
            "name_key",
            sa.Text(collation="C"),
            sa.Computed("lower(name)", persisted=True),
            nullable=False,
        ),
        sa.Column("brand_slug", sa.Text(), nullable=False),
        sa.Column("category_slug", sa.Text(), nullable=False),
        sa.Column("default_variant_id", sa.Text(), nullable=False),
        sa.Column("sku", sa.Text(), nullable=False),
        sa.Column("msrp", sa.Numeric(precision=12, scale=2), nullable=True),
        sa.Column("image", sa.Text(), nullable=False),
        sa.Column("case_quantity", sa.Integer(), server_default="1", nullable=False),
        sa.Column("is_for_purchase", sa.Boolean(), server_default="true", nullable=False),
        sa.Column("popularity", sa.Integer(), server_default="0", nullable=False),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.Column(
            "words",
            postgresql.TSVECTOR(),
            sa.Computed("array_to_tsvector(string_to_array(search_text, ' '))", persisted=True),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("case_quantity >= 1", name=op.f("ck_product_case_quantity")),
        sa.CheckConstraint("msrp >= 0", name=op.f("ck_product_msrp")),
        sa.ForeignKeyConstraint(
            ["brand_slug"], ["brand.slug"], name=op.f("fk_product_brand_slug_brand")
        ),
        sa.ForeignKeyConstraint(
            ["category_slug"], ["category.slug"], name=op.f("fk_product_category_slug_category")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_product")),
        sa.UniqueConstraint("default_variant_id", name=op.f("uq_product_default_variant_id")),
    )
    op.create_index("ix_product_brand_slug", "product", ["brand_slug"], unique=False)
    op.create_index(
        "ix_product_by_msrp",
        "product",
        [sa.literal_column("msrp desc nulls last"), "name_key", "id"],
        unique=False,
    )
    op.create_index("ix_product_by_name", "product", ["name_key", "id"], unique=False)
    op.create_index("ix_product_category_slug", "product", ["category_slug"], unique=False)
    op.create_index(
        "ix_product_likeness",
        "product",
        [sa.literal_column("search_text gin_trgm_ops")],
        unique=False,
        postgresql_using="gin",
    )
    op.create_index(
        "ix_product_popularity",
        "product",
        [sa.literal_column("popularity desc"), "id"],
        unique=False,
    )
    op.create_index("ix_product_words", "product", ["words"], unique=False, postgresql_using="gin")
    op.create_table(
        "accessory",
        sa.Column("goes_with", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("product_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "goes_with in ('brand', 'category')", name=op.f("ck_accessory_goes_with")
        ),
        sa.ForeignKeyConstraint(
            ["product_id"],
            ["product.id"],
            name=op.f("fk_accessory_product_id_product"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("goes_with", "slug", "product_id", name=op.f("pk_accessory")),
    )
    op.create_index("ix_accessory_product_id", "accessory", ["product_id"], unique=False)
    op.create_table(
        "approved_product",
        sa.Column("product_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("listed_as", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["product_id"],
            ["product.id"],
            name=op.f("fk_approved_product_product_id_product"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("product_id", name=op.f("pk_approved_product")),
    )
    op.create_table(
        "product_page",
        sa.Column("product_id", sa.Text(), nullable=False),
        sa.Column("description", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("attributes", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(
            ["product_id"],
            ["product.id"],
            name=op.f("fk_product_page_product_id_product"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("product_id", name=op.f("pk_product_page")),
    )
    op.create_table(
        "product_word",
        sa.Column("word", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("word", name=op.f("pk_product_word")),
    )
    op.create_table(
        "related_product",
        sa.Column("product_id", sa.Text(), nullable=False),
        sa.Column("related_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["product_id"],
            ["product.id"],
            name=op.f("fk_related_product_product_id_product"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["related_id"],
            ["product.id"],
            name=op.f("fk_related_product_related_id_product"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("product_id", "related_id", name=op.f("pk_related_product")),
    )
    op.create_index(
        "ix_related_product_related_id", "related_product", ["related_id"], unique=False
    )
    op.create_table(
        "variant",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("product_id", sa.Text(), nullable=False),
        sa.Column("sku", sa.Text(), nullable=False),
        sa.Column(
            "sku_key",
            sa.Text(),
            sa.Computed("regexp_replace(sku, '[^0-9A-Z]', '', 'g')", persisted=True),
            nullable=False,
        ),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("msrp", sa.Numeric(precision=12, scale=2), nullable=True),
        sa.CheckConstraint("msrp >= 0", name=op.f("ck_variant_msrp")),
        sa.CheckConstraint("sku = upper(sku)", name=op.f("ck_variant_sku_upper")),
        sa.ForeignKeyConstraint(
            ["product_id"],
            ["product.id"],
            name=op.f("fk_variant_product_id_product"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_variant")),
        sa.UniqueConstraint("sku", name=op.f("uq_variant_sku")),
    )
    op.create_index("ix_variant_product_id", "variant", ["product_id"], unique=False)
    op.create_index(
        "ix_variant_sku_key",
        "variant",
        [sa.literal_column("sku_key text_pattern_ops")],
        unique=False,
    )
    op.create_table(
        "effective_price",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("variant_id", sa.Text(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("amount", sa.Numeric(precision=12, scale=2), nullable=False),
        sa.Column("list_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["list_id"],
            ["price_list.id"],
            name=op.f("fk_effective_price_list_id_price_list"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["variant_id"],
            ["variant.id"],
            name=op.f("fk_effective_price_variant_id_variant"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "scope", "variant_id", "starts_at", name=op.f("pk_effective_price")
        ),
    )
    op.create_index("ix_effective_price_list_id", "effective_price", ["list_id"], unique=False)
    op.create_index(
        "ix_effective_price_variant_id", "effective_price", ["variant_id"], unique=False
    )
    op.create_table(
        "price",
        sa.Column("list_id", sa.Text(), nullable=False),
        sa.Column("variant_id", sa.Text(), nullable=False),
        sa.Column("amount", sa.Numeric(precision=12, scale=2), nullable=False),
        sa.CheckConstraint("amount >= 0", name=op.f("ck_price_amount")),
        sa.ForeignKeyConstraint(
            ["list_id"],
            ["price_list.id"],
            name=op.f("fk_price_list_id_price_list"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["variant_id"],
            ["variant.id"],
            name=op.f("fk_price_variant_id_variant"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("list_id", "variant_id", name=op.f("pk_price")),
    )
    op.create_index("ix_price_variant_id", "price", ["variant_id"], unique=False)
    op.create_table(
        "sku_alias",
        sa.Column("alias", sa.Text(), nullable=False),
        sa.Column(
            "alias_key",
            sa.Text(),
            sa.Computed("regexp_replace(alias, '[^0-9A-Z]', '', 'g')", persisted=True),
            nullable=False,
        ),
        sa.Column("variant_id", sa.Text(), nullable=False),
        sa.CheckConstraint("alias = upper(alias)", name=op.f("ck_sku_alias_alias_upper")),
        sa.ForeignKeyConstraint(
            ["variant_id"],
            ["variant.id"],
            name=op.f("fk_sku_alias_variant_id_variant"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("alias", name=op.f("pk_sku_alias")),
    )
    op.create_index(
        "ix_sku_alias_key",
        "sku_alias",
        [sa.literal_column("alias_key text_pattern_ops")],
        unique=False,
    )
    op.create_index("ix_sku_alias_variant_id", "sku_alias", ["variant_id"], unique=False)
    op.create_table(
        "stock",
        sa.Column("variant_id", sa.Text(), nullable=False),
        sa.Column("on_hand", sa.Integer(), nullable=False),
        sa.Column("restock_on", sa.Date(), nullable=True),
        sa.CheckConstraint("on_hand >= 0", name=op.f("ck_stock_on_hand")),
        sa.ForeignKeyConstraint(
            ["variant_id"],
            ["variant.id"],
            name=op.f("fk_stock_variant_id_variant"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("variant_id", name=op.f("pk_stock")),
    )


def downgrade() -> None:
    op.drop_table("stock")
    op.drop_table("sku_alias")
    op.drop_table("price")
    op.drop_table("effective_price")
    op.drop_table("variant")
    op.drop_table("related_product")
    op.drop_table("product_word")
    op.drop_table("product_page")
    op.drop_table("approved_product")
    op.drop_table("accessory")
    op.drop_table("product")
    op.drop_table("price_list")
    op.drop_table("coupon")
    op.drop_table("category")
    op.drop_table("brand")
