"""Puts a worker together: workflows, activities, sandbox. The one place that knows them all."""

from pydantic import ValidationError
from temporalio.client import Client
from temporalio.worker import UnsandboxedWorkflowRunner, Worker
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

from activities.activation.activation import ActivationActivities
from activities.activation.configuring import ConfiguringActivities
from activities.billing.bank_verifications import BankVerificationActivities
from activities.billing.payments import PaymentActivities
from activities.checkout.placements import PlacementActivities
from activities.devices.visits import VisitActivities
from activities.firmware.firmware import FirmwareActivities
from activities.identity.invitations import InvitationActivities
from activities.operations.operations import Bounds, ReconcilerActivities, ShowingActivities
from activities.orders.orders import OrderActivities
from activities.plans.purchases import PurchaseActivities
from activities.runs.flows import FlowActivities
from db.base import Sessions
from providers.cards.payments import Cards
from providers.device_network.device_cloud import DeviceCloud
from providers.erp import ErpOrders
from providers.gateway import Gateway
from providers.messenger import Messenger
from providers.security.tokens import Tokens
from providers.security.vault import Vault
from workers.interceptors import PortalErrors, ShowBusy
from workflows.activation import ActivationWorkflow
from workflows.bank_verification import BankVerificationWorkflow
from workflows.firmware import FirmwareWorkflow
from workflows.invitation import InvitationWorkflow
from workflows.placement import PlacementWorkflow
from workflows.purchase import PurchaseWorkflow
from workflows.reconciler import ReconcilerWorkflow
from workflows.visit import VisitWorkflow

WORKFLOWS = (
    ActivationWorkflow,
    BankVerificationWorkflow,
    FirmwareWorkflow,
    InvitationWorkflow,
    PlacementWorkflow,
    PurchaseWorkflow,
    ReconcilerWorkflow,
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


def sandbox() -> SandboxedWorkflowRunner:
    return SandboxedWorkflowRunner(
        restrictions=SandboxRestrictions.default.with_passthrough_modules(*OURS)
    )


def make_worker(
    client: Client,
    *,
    task_queue: str,
    sessions: Sessions,
    device_cloud: DeviceCloud,
    messenger: Messenger,
    cards: Cards,
    gateway: Gateway,
    erp_orders: ErpOrders,
    tokens: Tokens,
    vault: Vault,
    portal_url: str,
    max_cached_workflows: int = 1000,
    sandboxed: bool = True,
    bounds: Bounds | None = None,
) -> Worker:
    """A worker of every workflow and activity. A start whose input can not be read fails; a bad update is refused.

    `bounds` are those of the reconciler. The sandbox finds what is not deterministic, and costs a third of a worker's time: every test runs in it, a worker
    on duty does without (docs/decisions/0012-sandbox-in-tests.md).
    """
    activation = ActivationActivities(device_cloud, messenger, sessions)
    configuring = ConfiguringActivities(device_cloud, vault, sessions)
    firmware = FirmwareActivities(device_cloud, sessions)
    flows = FlowActivities(sessions)
    invitations = InvitationActivities(messenger, sessions, tokens)
    ordering = OrderActivities(sessions, erp_orders, messenger)
    placing = PlacementActivities(sessions)
    paying = PaymentActivities(cards, gateway, sessions, portal_url=portal_url)
    banks = BankVerificationActivities(gateway, messenger, vault, sessions)
    purchases = PurchaseActivities(device_cloud, messenger, sessions)
    visits = VisitActivities(messenger, sessions)
    showing = ShowingActivities(sessions)
    reconciler = ReconcilerActivities(client, sessions, bounds)
    return Worker(
        client,
        task_queue=task_queue,
        workflows=list(WORKFLOWS),
        activities=[
            activation.check_device,
            activation.send_command,
            activation.check_firmware,
            activation.send_welcome,
            activation.finish,
            activation.remind,
            configuring.swap_device,
            configuring.reset_pairing,
            configuring.set_mode,
            configuring.patch_tables,
            configuring.set_pin,
            configuring.delete_pin,
            configuring.set_feature,
            configuring.set_wires,
            configuring.link_installer,
            firmware.send_firmware,
            firmware.read_readings,
            firmware.read_version,
            flows.project,
            flows.hold,
            invitations.open,
            invitations.move,
            invitations.mail,
            invitations.join,
            invitations.has_joined,
            invitations.tell_inviter,
            ordering.store,
            ordering.hand_over,
            ordering.cancel,
            ordering.mail,
            placing.check,
            placing.reserve,
            placing.release,
            placing.end,
            paying.authorise,
            paying.capture,
            paying.void,
            paying.refund,
            paying.look_up,
            banks.open,
            banks.move,
            banks.send_deposits,
            banks.compare,
            banks.forget,
            banks.mail_return,
            purchases.quote,
            purchases.hold,
            purchases.release,
            purchases.provision,
            purchases.look_up,
            purchases.bought_for,
            purchases.keep_receipt,
            purchases.complete,
            purchases.mail,
            visits.move,
            visits.is_done,
            visits.runs,
            visits.mail,
            showing.show_again,
            showing.show_invitation_again,
            reconciler.compare,
            reconciler.find_unseen,
            reconciler.release_orphans,
            reconciler.send_logs_again,
            reconciler.free_claims,
            reconciler.keep_pass,
        ],
        interceptors=[PortalErrors(), ShowBusy(sessions)],
        workflow_runner=sandbox() if sandboxed else UnsandboxedWorkflowRunner(),
        workflow_failure_exception_types=[ValidationError],
        max_cached_workflows=max_cached_workflows,
    )
