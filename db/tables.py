"""Imports every table, so that migrations see them all."""

from db import (
    audit,
    devices,
    flows,
    idempotency,
    identity,
    partners,
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
    "devices",
    "flows",
    "idempotency",
    "identity",
    "partners",
    "sign_ins",
    "throttles",
    "trusted_devices",
    "vehicles",
]
