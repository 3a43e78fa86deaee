"""Puts a worker together: workflows, activities, sandbox. The one place that knows them all."""

from collections.abc import Callable
from datetime import timedelta
from inspect import getmembers, ismethod
from typing import Any

from temporalio.client import Client
from temporalio.worker import UnsandboxedWorkflowRunner, Worker
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

from activities.activation.activation import ActivationActivities
from activities.activation.configuring import ConfiguringActivities
from activities.billing.bank_verifications import BankVerificationActivities
from activities.billing.invoice_payments import InvoicePaymentActivities
from activities.billing.payments import PaymentActivities
from activities.billing.reconciliation.rounds import ReconciliationActivities
from activities.checkout.approvals import ApprovalActivities
from activities.checkout.placements import PlacementActivities
from activities.dealers.payouts import PayoutActivities
from activities.devices.visits import VisitActivities
from activities.firmware.firmware import FirmwareActivities
from activities.identity.invitations import InvitationActivities
from activities.operations.cases import CaseActivities
from activities.operations.erp_mirror import ErpMirrorActivities
from activities.operations.plans_of_case import PlansOfCaseActivities
from activities.operations.reconciler import Bounds, ReconcilerActivities
from activities.operations.showing import ShowingActivities
from activities.orders.confirmations import Confirmations
from activities.orders.orders import OrderActivities
from activities.plans.approvals import PurchaseApprovalActivities
from activities.plans.purchase_mails import PurchaseMailActivities
from activities.plans.purchases import PurchaseActivities
from activities.plans.quoting import PlanQuoteActivities
from activities.runs.flows import FlowActivities
from db.base import Sessions
from domain.billing.reconciliation.bounds import ReconciliationBounds
from domain.paper.seller import DEMO_SELLER, Seller
from providers.bank_accounts import BankAccounts
from providers.systems import Systems
from workers.interceptors import LinksToPortal, PortalErrors, ShowBusy
from workflows.activation import ActivationWorkflow
from workflows.billing.bank_verification import BankVerificationWorkflow
from workflows.billing.invoice_payment import InvoicePaymentWorkflow
from workflows.billing.reconciliation import ReconciliationWorkflow
from workflows.checkout.placement import PlacementWorkflow
from workflows.firmware import FirmwareWorkflow
from workflows.invitation import InvitationWorkflow
from workflows.operations.case import CaseWorkflow
from workflows.operations.erp_mirror import ErpComparisonWorkflow, ErpFeedWorkflow
from workflows.operations.reconciler import ReconcilerWorkflow
from workflows.payouts import PayoutsWorkflow
from workflows.plans.purchase import PurchaseWorkflow
from workflows.release import taking_part
from workflows.request_ids import CarriesRequests
from workflows.visit import VisitWorkflow

WORKFLOWS = (
    ActivationWorkflow,
    BankVerificationWorkflow,
    CaseWorkflow,
    ErpComparisonWorkflow,
    ErpFeedWorkflow,
    FirmwareWorkflow,
    InvitationWorkflow,
    InvoicePaymentWorkflow,
    PayoutsWorkflow,
    PlacementWorkflow,
    PurchaseWorkflow,
    ReconcilerWorkflow,
    ReconciliationWorkflow,
    VisitWorkflow,
)

OURS = (
    "activities",
    "domain",
    "workflows",
    "pydantic",
    "pydantic_core",
    "annotated_types",
    "orjson",
)
"""Passed through the sandbox: deterministic, or imported for their names only."""

MARK = "__temporal_activity_definition"
"""Where `activity.defn` leaves what it knows; the SDK looks for it there too."""


def sandbox() -> SandboxedWorkflowRunner:
    return SandboxedWorkflowRunner(
        restrictions=SandboxRestrictions.default.with_passthrough_modules(*OURS)
    )


def make_worker(
    client: Client,
    *,
    task_queue: str,
    sessions: Sessions,
    systems: Systems,
    portal_url: str,
    max_cached_workflows: int = 1000,
    sandboxed: bool = True,
    bounds: Bounds | None = None,
    reconciled: ReconciliationBounds | None = None,
    payouts_from: str = "",
    seller: Seller = DEMO_SELLER,
    release: str = "",
    drain: timedelta = timedelta(0),
) -> Worker:
    """A worker of every workflow and activity. What it cannot read ends no run: the run waits for a worker that can, and a bad
    update is refused (decision 69).

    `bounds` are those of the reconciler, `reconciled` those of reconciliation, `payouts_from` is the first month that is paid,
    `seller` is whom papers are from, `release` the one that it takes part for. `drain` is how long a worker that stops lets an effect
    that is under way come to its end before it is cancelled.
    The sandbox finds what is not deterministic, and costs a third of a worker's time: every test runs in it, a worker on duty
    does without (docs/decisions/0012-sandbox-in-tests.md).
    """
    return Worker(
        client,
        task_queue=task_queue,
        workflows=list(WORKFLOWS),
        activities=activities_of(
            ActivationActivities(systems.device_cloud, systems.messenger, sessions),
            ApprovalActivities(sessions, systems.messenger),
            BankVerificationActivities(
                BankAccounts(systems.cards, systems.gateway),
                systems.messenger,
                systems.vault,
                sessions,
            ),
            CaseActivities(systems.erp_orders, systems.messenger, sessions, portal_url=portal_url),
            ConfiguringActivities(systems.device_cloud, systems.vault, sessions),
            ErpMirrorActivities(systems.erp_master_data, sessions),
            FirmwareActivities(systems.device_cloud, sessions),
            FlowActivities(sessions),
            InvitationActivities(systems.messenger, sessions, systems.tokens),
            InvoicePaymentActivities(systems.erp_payments, systems.messenger, sessions, seller),
            OrderActivities(
                sessions, systems.erp_orders, Confirmations(sessions, systems.messenger, seller)
            ),
            PaymentActivities(systems.cards, systems.gateway, sessions, portal_url=portal_url),
            PayoutActivities(
                systems.cards,
                systems.messenger,
                sessions,
                portal_url=portal_url,
                begins=payouts_from,
            ),
            PlacementActivities(sessions),
            PlansOfCaseActivities(systems.device_cloud, sessions),
            PlanQuoteActivities(systems.device_cloud, sessions),
            PurchaseActivities(systems.device_cloud, sessions),
            PurchaseMailActivities(systems.messenger, sessions, seller),
            PurchaseApprovalActivities(sessions, systems.messenger),
            ReconcilerActivities(client, sessions, systems.device_cloud, bounds),
            ReconciliationActivities(
                client,
                systems.cards,
                systems.gateway,
                systems.erp_documents,
                systems.erp_lists,
                sessions,
                reconciled,
            ),
            ShowingActivities(sessions),
            VisitActivities(systems.messenger, sessions),
        ),
        interceptors=[
            PortalErrors(),
            ShowBusy(sessions),
            LinksToPortal(portal_url),
            CarriesRequests(),
        ],
        workflow_runner=sandbox() if sandboxed else UnsandboxedWorkflowRunner(),
        max_cached_workflows=max_cached_workflows,
        deployment_config=taking_part(task_queue, release),
        graceful_shutdown_timeout=drain,
    )


def activities_of(*objects: object) -> list[Callable[..., Any]]:
    """Every method that is marked with `activity.defn`, so that a new activity needs no line here."""
    return [
        method
        for one in objects
        for _, method in getmembers(one, ismethod)
        if hasattr(method, MARK)
    ]
