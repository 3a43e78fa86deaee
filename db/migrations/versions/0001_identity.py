"""Sites, business partners, dealers, people, sign-ins, throttles, kept answers and the audit."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0001"
down_revision: str | None = None
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


APP_ROLE = "turnkey_app"
"""What the application signs in as, where the two roles are told apart."""

LET_APP_USE_TABLES = f"""
do $$ begin
  if exists (select from pg_roles where rolname = '{APP_ROLE}') then
    grant usage on schema public to {APP_ROLE};
    alter default privileges in schema public
      grant select, insert, update, delete on tables to {APP_ROLE};
    alter default privileges in schema public grant usage, select on sequences to {APP_ROLE};
    grant select on alembic_version to {APP_ROLE};
  end if;
end $$
"""

KEEP_AUDIT = f"""
do $$ begin
  if exists (select from pg_roles where rolname = '{APP_ROLE}') then
    revoke update, delete, truncate on audit from {APP_ROLE};
  end if;
end $$
"""

SITES = """
insert into site (code, host, label, country, time_zone) values
  ('ca', 'localhost', 'Turnkey Canada', 'CA', 'America/Toronto'),
  ('us', 'us.localhost', 'Turnkey USA', 'US', 'America/New_York')
"""


def upgrade() -> None:
    op.execute(LET_APP_USE_TABLES)
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("acting_for", sa.Text(), nullable=True),
        sa.Column("partner_code", sa.Text(), nullable=True),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("object_kind", sa.Text(), nullable=True),
        sa.Column("object_id", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column(
            "more", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False
        ),
        sa.CheckConstraint("outcome in ('done', 'refused')", name=op.f("ck_audit_outcome")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_actor_at", "audit", ["actor", "at"], unique=False)
    op.create_index("ix_audit_at", "audit", ["at"], unique=False)
    op.create_index("ix_audit_object_at", "audit", ["object_kind", "object_id", "at"], unique=False)
    op.create_table(
        "idempotency",
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("operation", sa.Text(), nullable=False),
        sa.Column("body_hash", sa.Text(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("answer", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column(
            "claimed_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("actor", "key", name=op.f("pk_idempotency")),
    )
    op.create_index("ix_idempotency_claimed_at", "idempotency", ["claimed_at"], unique=False)
    op.create_table(
        "partner",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("sap_bp_code", sa.Text(), nullable=False),
        sa.Column("company_name", sa.Text(), nullable=False),
        sa.Column("channel_slug", sa.Text(), server_default="msrp", nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("approved_brands", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("country in ('CA', 'US', 'MX', 'AU')", name=op.f("ck_partner_country")),
        sa.CheckConstraint("sap_bp_code = upper(sap_bp_code)", name=op.f("ck_partner_code_upper")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_partner")),
        sa.UniqueConstraint("sap_bp_code", name=op.f("uq_partner_sap_bp_code")),
    )
    op.create_table(
        "site",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=False),
        sa.CheckConstraint("country in ('CA', 'US')", name=op.f("ck_site_country")),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_site")),
        sa.UniqueConstraint("host", name=op.f("uq_site_host")),
    )
    op.create_table(
        "throttle",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column(
            "since", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject", name=op.f("pk_throttle")),
    )
    op.create_index("ix_throttle_since", "throttle", ["since"], unique=False)
    op.create_table(
        "dealer",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("partner_id", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["partner_id"], ["partner.id"], name=op.f("fk_dealer_partner_id_partner")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dealer")),
        sa.UniqueConstraint("partner_id", name=op.f("uq_dealer_partner_id")),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("first_name", sa.Text(), nullable=False),
        sa.Column("last_name", sa.Text(), nullable=False),
        sa.Column("image", sa.Text(), nullable=True),
        sa.Column("phone_number", sa.Text(), nullable=True),
        sa.Column("dealer_id", sa.Text(), nullable=True),
        sa.Column("partner_id", sa.Text(), nullable=True),
        sa.Column("drone_user_id", sa.Text(), nullable=True),
        sa.Column("permission_groups", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("access_type", sa.Text(), nullable=True),
        sa.Column("subscriber_id", sa.Text(), nullable=True),
        sa.Column("is_retired", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reset_required", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("mfa_type", sa.Text(), server_default="none", nullable=False),
        sa.Column("totp_secret", sa.LargeBinary(), nullable=True),
        sa.Column("totp_last_step", sa.Integer(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("mfa_type in ('none', 'sms', 'totp')", name=op.f("ck_person_mfa_type")),
        sa.CheckConstraint(
            "dealer_id is null or partner_id is null", name=op.f("ck_person_one_business")
        ),
        sa.CheckConstraint("email = lower(email)", name=op.f("ck_person_email_lower")),
        sa.ForeignKeyConstraint(
            ["dealer_id"], ["dealer.id"], name=op.f("fk_person_dealer_id_dealer")
        ),
        sa.ForeignKeyConstraint(
            ["partner_id"], ["partner.id"], name=op.f("fk_person_partner_id_partner")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("drone_user_id", name=op.f("uq_person_drone_user_id")),
        sa.UniqueConstraint("email", name=op.f("uq_person_email")),
    )
    op.create_index("ix_person_dealer_id", "person", ["dealer_id"], unique=False)
    op.create_table(
        "installer",
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("is_owner", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("is_purchaser", sa.Boolean(), server_default="false", nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_installer_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_installer")),
    )
    op.create_table(
        "sign_in",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("remembered", sa.Boolean(), nullable=False),
        sa.Column("turn", sa.Integer(), server_default="1", nullable=False),
        sa.Column(
            "turned_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_because", sa.Text(), nullable=True),
        sa.Column("partner_id", sa.Text(), nullable=True),
        sa.Column("impersonated_id", sa.Text(), nullable=True),
        sa.CheckConstraint("turn > 0", name=op.f("ck_sign_in_turn")),
        sa.ForeignKeyConstraint(
            ["impersonated_id"], ["person.id"], name=op.f("fk_sign_in_impersonated_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["partner_id"], ["partner.id"], name=op.f("fk_sign_in_partner_id_partner")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_sign_in_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in")),
    )
    op.create_index("ix_sign_in_expires_at", "sign_in", ["expires_at"], unique=False)
    op.create_index(
        "ix_sign_in_person_id_open",
        "sign_in",
        ["person_id"],
        unique=False,
        postgresql_where=sa.text("ended_at is null"),
    )
    op.create_table(
        "trusted_device",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "last_used_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_trusted_device_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trusted_device")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_trusted_device_token_hash")),
    )
    op.create_index("ix_trusted_device_person_id", "trusted_device", ["person_id"], unique=False)
    op.execute(KEEP_AUDIT)
    op.execute(SITES)


def downgrade() -> None:
    op.drop_index("ix_trusted_device_person_id", table_name="trusted_device")
    op.drop_table("trusted_device")
    op.drop_index(
        "ix_sign_in_person_id_open",
        table_name="sign_in",
        postgresql_where=sa.text("ended_at is null"),
    )
    op.drop_index("ix_sign_in_expires_at", table_name="sign_in")
    op.drop_table("sign_in")
    op.drop_table("installer")
    op.drop_index("ix_person_dealer_id", table_name="person")
    op.drop_table("person")
    op.drop_table("dealer")
    op.drop_index("ix_throttle_since", table_name="throttle")
    op.drop_table("throttle")
    op.drop_table("site")
    op.drop_table("partner")
    op.drop_index("ix_idempotency_claimed_at", table_name="idempotency")
    op.drop_table("idempotency")
    op.drop_index("ix_audit_object_at", table_name="audit")
    op.drop_index("ix_audit_at", table_name="audit")
    op.drop_index("ix_audit_actor_at", table_name="audit")
    op.drop_table("audit")
