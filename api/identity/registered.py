"""Who was invited has registered."""

import structlog
from temporalio.service import RPCError

from api.platform.deps import Portal
from api.runs.messages import within_deadline
from domain.identity.invitations import Invitation
from workflows.invitation import InvitationWorkflow

log = structlog.stdlib.get_logger()


async def notify_registered(portal: Portal, invitation: Invitation) -> None:
    """Tells the invitation that its person has a password now. If nobody listens, it looks by itself before
    it reminds, is taken back or ends."""
    handle = portal.temporal.get_workflow_handle_for(InvitationWorkflow.run, invitation.workflow_id)
    try:
        await within_deadline(lambda: handle.signal(InvitationWorkflow.completed_registration))
    except (RPCError, RuntimeError, TimeoutError) as error:
        log.warning("invitation was not told", kind=type(error).__name__, id=invitation.id)
