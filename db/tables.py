"""Imports every table, so that migrations see them all."""

from db import partner_tables as partners
from db.base import Base
from db.billing import (
    bank_verifications,
    disputes,
    invoice_payments,
    pay_links,
    payment_methods,
    payments,
)
from db.billing.invoices import documents, erp_places
from db.billing.reconciliation import differences, rounds
from db.catalogue import tables as catalogue
from db.checkout import cart, coupons, limits, placements, reservations, saved_lists
from db.content import inquiries
from db.dealers import payout_accounts, payouts, rewards
from db.devices import changes as device_changes
from db.devices import devices, handouts, option_writes, ownership, visits
from db.identity import codes, invitations, links, sign_ins, trusted_devices
from db.identity import people as identity
from db.operations import audit, erp_mirror, third_parties
from db.operations import rounds as reconciler_rounds
from db.operations import runs as operators_runs
from db.operations.cases import tables as cases
from db.orders import mails as order_mails
from db.orders import tables as orders
from db.partners import reps
from db.plans import agreements, plans, purchase_starts, receipts
from db.plans import lines as plan_lines
from db.platform import idempotency, sealed_secrets, sent_mail, throttles, webhook_events
from db.runs import capabilities, device_reservations, drift, flows, intents
from db.vehicles import fit as vehicle_fit
from db.vehicles import tables as vehicle_tables
from db.vehicles import vehicles

METADATA = Base.metadata

__all__ = [
    "METADATA",
    "agreements",
    "audit",
    "bank_verifications",
    "capabilities",
    "cart",
    "cases",
    "catalogue",
    "codes",
    "coupons",
    "device_changes",
    "device_reservations",
    "devices",
    "differences",
    "disputes",
    "documents",
    "drift",
    "erp_mirror",
    "erp_places",
    "flows",
    "handouts",
    "idempotency",
    "identity",
    "inquiries",
    "intents",
    "invitations",
    "invoice_payments",
    "limits",
    "links",
    "operators_runs",
    "option_writes",
    "order_mails",
    "orders",
    "ownership",
    "partners",
    "pay_links",
    "payment_methods",
    "payments",
    "payout_accounts",
    "payouts",
    "placements",
    "plan_lines",
    "plans",
    "purchase_starts",
    "receipts",
    "reconciler_rounds",
    "reps",
    "reservations",
    "rewards",
    "rounds",
    "saved_lists",
    "sealed_secrets",
    "sent_mail",
    "sign_ins",
    "third_parties",
    "throttles",
    "trusted_devices",
    "vehicle_fit",
    "vehicle_tables",
    "vehicles",
    "visits",
    "webhook_events",
]
