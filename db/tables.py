"""Imports every table, so that migrations see them all."""

from db import (
    audit,
    cart,
    catalogue,
    codes,
    devices,
    flows,
    idempotency,
    identity,
    inquiries,
    invitations,
    links,
    operations,
    partners,
    reps,
    sealed_secrets,
    sign_ins,
    throttles,
    trusted_devices,
    vehicles,
)
from db.base import Base

METADATA = Base.metadata

__all__ = [
    "METADATA",
    "audit",
    "cart",
    "catalogue",
    "codes",
    "devices",
    "flows",
    "idempotency",
    "identity",
    "inquiries",
    "invitations",
    "links",
    "operations",
    "partners",
    "reps",
    "sealed_secrets",
    "sign_ins",
    "throttles",
    "trusted_devices",
    "vehicles",
]
