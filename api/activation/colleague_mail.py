"""The mail to a colleague to whom an activation is handed over."""

from api.activation.command import ActivationCommand
from api.runs.messages import update_id_of
from db.base import reading
from db.identity.people import find_user
from db.runs import flows
from domain.kinds import ACTIVATION


async def tell_new_owner(
    command: ActivationCommand, user_id: str, note: str, *, only_to_pay: bool
) -> None:
    """Mails them once for the request's key; nobody is mailed of what they took over themselves. It is an errand beside the
    answer, and that no mail goes out does not undo a hand-over: the start page tells of it too. Raises Unavailable,
    Refused."""
    if command.actor.user is None or command.actor.user.id == user_id:
        return
    portal, run = command.portal, await command.run()
    async with reading(portal.sessions) as session:
        to = await find_user(session, user_id)
        shown = await flows.find_flow(session, "activation", run.id)
    if to is None or shown is None:
        return
    device, step = shown.view["device"]["device_key"], shown.view["step"]
    what = "pays the plan of" if only_to_pay else "goes on with"
    lines = [
        f"{command.actor.user.name} asks that you be the one who {what} {device}.",
        f"It waits at “{ACTIVATION.labels.get(step, 'its next step')}”.",
        *([f"They write: {note}"] if note else []),
        *(["It goes back by itself once that is done."] if only_to_pay else []),
        f"Go on: {portal.url_of(command.actor.site)}/activation/device?id={run.id}",
    ]
    await portal.messenger.send_mail(
        to.email,
        f"An activation was handed to you: {device}",
        "\n".join(lines),
        key=update_id_of(command.actor, command.key),
    )
