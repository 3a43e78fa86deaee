"""The policy table as the page asks it (shell spec 6): the same table that the server itself obeys."""

from fastapi import APIRouter
from pydantic import BaseModel

from domain.identity.people import Role
from domain.identity.policy import POLICY, REFUSED_WHILE_ACTING, Feature, Owns

router = APIRouter(prefix="/v1/policy", tags=["policy"])


class OperationRule(BaseModel):
    """`is_open` operations ask for no token; `refused_while_acting` ones are shut while a business is chosen.
    `feature` names the switch of `GET /v1/site` without which the operation is not there."""

    roles: list[Role]
    owns: Owns
    is_open: bool
    feature: Feature | None
    refused_while_acting: bool


class Policy(BaseModel):
    """By operation id, as in the OpenAPI document."""

    operations: dict[str, OperationRule]


@router.get("")
async def get_policy() -> Policy:
    """Who may call what."""
    return Policy(
        operations={
            name: OperationRule(
                roles=sorted(rule.roles),
                owns=rule.owns,
                is_open=rule.is_open,
                feature=rule.feature,
                refused_while_acting=name in REFUSED_WHILE_ACTING,
            )
            for name, rule in sorted(POLICY.items())
        }
    )
