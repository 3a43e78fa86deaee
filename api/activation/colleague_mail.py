"""The mail to a colleague to whom an activation is handed over."""

from api.activation.command import ActivationCommand
from api.runs.messages import update_id_of
from db.base import reading
from db.identity.people import find_user
from db.runs import flows
from domain.activation.words import step_words
from domain.letters.text import Text

_SUBJECT = Text(
    "An activation was handed to you: {device}", "Une activation vous a été transférée : {device}"
)
_PAYS = Text(
    "{by} asks that you be the one who pays the plan of {device}.",
    "{by} vous demande de payer le forfait de {device}.",
)
_GOES_ON = Text(
    "{by} asks that you be the one who goes on with {device}.",
    "{by} vous demande de continuer avec {device}.",
)
_WAITS = Text("It waits at “{step}”.", "Elle attend à l’étape « {step} ».")
_NOTE = Text("They write: {note}", "Message : {note}")
_BACK = Text(
    "It goes back by itself once that is done.", "Elle repart d’elle-même une fois que c’est fait."
)
_GO_ON = Text(
    "Go on: {portal}/activation/device?id={id}", "Continuer : {portal}/activation/device?id={id}"
)


async def notify_new_owner(
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
    asked = _PAYS if only_to_pay else _GOES_ON
    parts = [asked, _WAITS, *([_NOTE] if note else []), *([_BACK] if only_to_pay else []), _GO_ON]
    said = {
        "by": command.actor.user.name,
        "device": shown.view["device"]["device_key"],
        "step": step_words(shown.view["step"]),
        "note": note,
        "portal": portal.url_of(command.actor.site),
        "id": run.id,
    }
    await portal.messenger.write(
        to,
        lambda language: (
            _SUBJECT(language, **said),
            "\n".join(part(language, **said) for part in parts),
        ),
        key=update_id_of(command.actor, command.key),
    )
