"""How long everything waits, how often it tries, how much one may have: what an installation may set otherwise."""

from dataclasses import dataclass

from domain.activation.activation import OpeningPolicy, Policy
from domain.billing.bank_verification import BankVerificationPolicy
from domain.billing.invoice_payment import InvoicePaymentPolicy
from domain.billing.reconciliation.bounds import ReconciliationBounds
from domain.checkout.placement import PlacementPolicy
from domain.dealers.rewards import RewardPolicy
from domain.devices.visits import VisitPolicy
from domain.firmware.firmware import FirmwarePolicy
from domain.identity.invitations import InvitationPolicy
from domain.operations.retention import Retention
from domain.paper.seller import Seller
from domain.plans.purchases import PurchasePolicy


@dataclass(frozen=True, kw_only=True)
class Policies:
    activation_policy: Policy
    opening_policy: OpeningPolicy
    firmware_policy: FirmwarePolicy
    placement_policy: PlacementPolicy
    purchase_policy: PurchasePolicy
    invitation_policy: InvitationPolicy
    bank_verification_policy: BankVerificationPolicy
    invoice_payment_policy: InvoicePaymentPolicy
    visit_policy: VisitPolicy
    reward_policy: RewardPolicy
    retention: Retention
    reconciliation_bounds: ReconciliationBounds
    payouts_from: str
    seller: Seller
