"""Imports every table, so that migrations see them all."""

from db import audit, idempotency, identity, partners, sign_ins, throttles, trusted_devices
from db.base import Base

METADATA = Base.metadata

__all__ = [
    "METADATA",
    "audit",
    "idempotency",
    "identity",
    "partners",
    "sign_ins",
    "throttles",
    "trusted_devices",
]
