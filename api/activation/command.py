"""What a person may say to an activation that is under way."""

from typing import Annotated

from fastapi import Depends, Request
from pydantic import Field

from api.platform.deps import Caller, PortalDep
from api.runs.command import RunCommand
from api.runs.flows import FlowId, person_of
from api.runs.messages import RequiredKey
from domain.activation.activation import Person

Seq = Annotated[int, Field(ge=0, le=1_000_000)]


class ActivationCommand(RunCommand):
    kind = "activation"
    audited = frozenset({"command", "reason", "user_id", "slot", "duration", "feature", "enabled"})

    @property
    def person(self) -> Person:
        """The sender; a guest is known by the activation that they opened."""
        return person_of(self.actor, guest_of=self.id if self.actor.capability_hash else None)


async def activation_command(
    request: Request, portal: PortalDep, actor: Caller, id: FlowId, key: RequiredKey
) -> ActivationCommand:
    return ActivationCommand(request, portal, actor, id, key)


OnActivation = Annotated[ActivationCommand, Depends(activation_command)]
