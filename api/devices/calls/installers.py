"""Who may be named as installer of a device."""

from typing import Annotated

from pydantic import StringConstraints

from api.platform.deps import Portal
from db.base import reading
from db.identity.people import colleagues_of, find_user
from domain.dealers.dealers import NAMED_TWICE
from domain.errors import Invalid
from domain.identity.people import Actor, Role


class NotOfTheDealer(Invalid):
    """An installer who is not of the caller's dealer does not exist for the caller."""

    code = "installer_not_yours"
    detail = "Please choose an installer of your business."

    def __init__(self, field: str) -> None:
        super().__init__(fields=[(field, self.detail)])


PersonId = Annotated[
    str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9-]+$")
]


async def check_installers(portal: Portal, actor: Actor, field: str, *ids: str) -> None:
    """Raises NotOfTheDealer, or Invalid where somebody stands twice, naming `field`. Administrators choose among all
    installers."""
    if not ids:
        return
    if len(set(ids)) < len(ids):
        raise Invalid(fields=[(field, NAMED_TWICE)])
    async with reading(portal.sessions) as session:
        if Role.ADMIN in actor.roles:
            found = [await find_user(session, id_) for id_ in ids]
            known = {user.id for user in found if user is not None and user.is_installer}
        else:
            people = await colleagues_of(session, actor.dealer_id) if actor.dealer_id else ()
            known = {user.id for user in people}
    if not set(ids) <= known:
        raise NotOfTheDealer(field)
