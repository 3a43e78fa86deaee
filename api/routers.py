"""Every router of the API, in the order in which its document lists them."""

from collections.abc import Sequence

from fastapi import APIRouter

from api.activation import activation
from api.activation import configuring as activation_configuring
from api.activation import firmware as activation_firmware
from api.activation import handouts as activation_handouts
from api.activation import messages as activation_messages
from api.activation import outcome as activation_outcome
from api.activation import purchase as activation_purchase
from api.billing import bank_accounts, cards, raw_cards
from api.billing import webhooks as webhooks_payments
from api.billing.invoice_payments import advice as invoice_payment_advice
from api.billing.invoice_payments import pay_invoice
from api.billing.invoice_payments import payments as invoice_payments
from api.billing.invoice_payments import quote as invoice_payment_quote
from api.billing.invoices import credit_memos, invoices, statement
from api.billing.invoices import export as invoice_export
from api.billing.pay_links import guests, links
from api.catalogue import catalogue
from api.catalogue import products as catalogue_products
from api.checkout import cart, coupons, placements, quick_order, saved_lists
from api.checkout import draft as checkout_draft
from api.checkout import quote as checkout_quote
from api.checkout.approvals import approvals
from api.content import content, inquiries, palette, start_page
from api.dealers import dealers, leaving, limits, payout_account, permissions, rewards, team
from api.devices import devices, my_devices, visits, webhooks
from api.devices import export as device_export
from api.devices.calls import commands as device_commands
from api.devices.calls import firmware as device_firmware
from api.devices.calls import lifecycle as device_lifecycle
from api.devices.calls import logs as device_logs
from api.devices.calls import people as device_people
from api.devices.calls import pins as device_pins
from api.devices.calls import settings as device_settings
from api.devices.calls import tables as device_tables
from api.firmware import runs as firmware_runs
from api.identity import (
    accounts,
    business,
    email_change,
    passwords,
    policy,
    profile,
)
from api.identity.forgetting import erasure, strangers
from api.identity.invitations import answering, inviting
from api.identity.signing_in import bot_check, identity, second_factor, sign_in
from api.operations import (
    audit,
    cases,
    effects,
    erp_mirror,
    giving_up,
    operations,
    payloads,
    reconciliation,
)
from api.operations import payouts as operations_payouts
from api.orders import export as order_export
from api.orders import orders
from api.orders import reorder as order_reorder
from api.orders import webhooks as webhooks_erp
from api.partners import partners
from api.plans import export as plan_export
from api.plans import lines as plan_lines
from api.plans import payments as plan_payments
from api.plans import plans, purchases, receipts
from api.platform import health
from api.runs import drift, events
from api.vehicles import fit as vehicle_fit
from api.vehicles import guides as vehicle_guides
from api.vehicles import products as vehicle_products
from api.vehicles import served_wires as vehicle_served_wires
from api.vehicles import vehicles
from api.vehicles import wiring as vehicle_wiring

ROUTERS: Sequence[APIRouter] = (
    health.router,
    sign_in.router,
    identity.router,
    second_factor.router,
    passwords.router,
    email_change.router,
    bot_check.router,
    inquiries.router,
    inviting.router,
    answering.router,
    activation.router,
    activation_messages.router,
    activation_configuring.router,
    activation_purchase.router,
    activation_outcome.router,
    activation_firmware.router,
    activation_handouts.router,
    firmware_runs.router,
    my_devices.router,
    device_export.router,
    events.router,
    drift.router,
    devices.router,
    device_commands.router,
    device_lifecycle.router,
    device_people.router,
    device_firmware.router,
    device_tables.router,
    device_settings.router,
    device_pins.router,
    device_logs.router,
    vehicles.router,
    vehicle_wiring.router,
    vehicle_guides.router,
    vehicle_products.router,
    vehicle_fit.router,
    vehicle_served_wires.router,
    catalogue.router,
    catalogue_products.router,
    cart.router,
    coupons.router,
    checkout_draft.router,
    checkout_quote.router,
    placements.router,
    approvals.router,
    quick_order.router,
    saved_lists.router,
    orders.router,
    order_export.router,
    order_reorder.router,
    invoices.router,
    credit_memos.router,
    statement.router,
    invoice_export.router,
    cards.router,
    raw_cards.router,
    plan_lines.router,
    plans.router,
    plan_payments.router,
    receipts.router,
    plan_export.router,
    purchases.router,
    pay_invoice.router,
    invoice_payment_quote.router,
    invoice_payment_advice.router,
    invoice_payments.router,
    links.router,
    guests.router,
    partners.router,
    business.router,
    profile.router,
    policy.router,
    dealers.router,
    limits.router,
    permissions.router,
    rewards.router,
    payout_account.router,
    team.router,
    leaving.router,
    audit.router,
    bank_accounts.router,
    visits.router,
    erp_mirror.router,
    operations.router,
    giving_up.router,
    effects.router,
    reconciliation.router,
    operations_payouts.router,
    payloads.router,
    cases.router,
    accounts.router,
    erasure.router,
    strangers.router,
    webhooks.router,
    webhooks_erp.router,
    webhooks_payments.router,
    content.router,
    start_page.router,
    palette.router,
)
