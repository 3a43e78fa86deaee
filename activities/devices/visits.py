"""The effects of a service visit."""

from datetime import datetime
from enum import StrEnum

from temporalio import activity

from db.base import Sessions, reading
from db.devices import visits
from db.identity.people import find_user
from db.operations.audit import record
from db.partners.site_urls import url_of_business
from domain.base import Frozen
from domain.devices.visits import VisitStart
from domain.letters.language import Reads
from domain.letters.text import Text, written
from providers.messenger import Messenger


class VisitStatus(Frozen):
    """Where a visit stands after a move. `by_itself`: no request brought it."""

    id: str
    rev: int
    state: str
    at: datetime
    expires_at: datetime
    answered_by: str | None
    ended: bool
    by_itself: bool = False


class HoldingRun(Frozen):
    """A visitor's activation that holds the device."""

    workflow_id: str
    run_id: str | None


class MailKind(StrEnum):
    ASKED = "asked"
    PERMITTED = "permitted"
    REFUSED = "refused"


class VisitMail(Frozen):
    kind: MailKind
    start: VisitStart


_SUBJECTS = {
    MailKind.ASKED: Text(
        "Somebody asks to work on your device {device}",
        "Quelqu’un demande à travailler sur votre appareil {device}",
    ),
    MailKind.PERMITTED: Text(
        "You may work on the device {device}", "Vous pouvez travailler sur l’appareil {device}"
    ),
    MailKind.REFUSED: Text(
        "You may not work on the device {device}",
        "Vous ne pouvez pas travailler sur l’appareil {device}",
    ),
}
_TEXTS = {
    MailKind.ASKED: Text(
        "Who asks, and why, stands here. Nobody gets in before you say yes:\n{link}",
        "Qui le demande, et pourquoi, est indiqué ici. Personne n’y a accès avant votre oui :\n{link}",
    ),
    MailKind.PERMITTED: Text(
        "The owner permits one service visit. Begin here:\n{link}",
        "Le propriétaire permet une visite d’entretien. Commencez ici :\n{link}",
    ),
    MailKind.REFUSED: Text(
        "The owner refuses the service visit that you asked for.\n{link}",
        "Le propriétaire refuse la visite d’entretien que vous avez demandée.\n{link}",
    ),
}


class VisitActivities:
    def __init__(self, messenger: Messenger, sessions: Sessions) -> None:
        self._messenger = messenger
        self._sessions = sessions

    @activity.defn(name="move_visit")
    async def move(self, status: VisitStatus) -> None:
        """Writes where it stands, and audits an end that no request brought. Idempotent by (id, rev)."""
        async with self._sessions.begin() as session:
            moved = await visits.move_visit(
                session, status.id, **status.model_dump(exclude={"id", "by_itself"})
            )
            if moved and status.by_itself:
                await record(
                    session,
                    f"visit {status.state}",
                    actor="service visit",
                    on=("visit", status.id),
                )

    @activity.defn(name="is_visit_done")
    async def is_done(self, visit_id: str) -> bool:
        """Whether the visitor's activation is over. Read only."""
        async with reading(self._sessions) as session:
            return visit_id in await visits.done_visits(session, [visit_id])

    @activity.defn(name="runs_of_visit")
    async def runs(self, visit_id: str) -> tuple[HoldingRun, ...]:
        """The visitor's unfinished activations on the device. Read only."""
        async with reading(self._sessions) as session:
            found = await visits.runs_of_visit(session, visit_id)
        return tuple(HoldingRun(workflow_id=name, run_id=run_id) for name, run_id in found)

    @activity.defn(name="mail_visit")
    async def mail(self, mail: VisitMail) -> None:
        """Writes to the device's owners, or to the visitor. Idempotent by visit, kind and address."""
        start, kind = mail.start, mail.kind
        url = start.portal_url
        async with reading(self._sessions) as session:
            if kind is MailKind.ASKED:
                url = await url_of_business(session, start.owner.partner_code, url)
                readers: tuple[Reads, ...] = await visits.readers_of(session, start.owner)
            else:
                visitor = await find_user(session, start.visitor_id)
                readers = (visitor,) if visitor and not visitor.is_retired else ()
        link = f"{url}/visits/{start.id}"
        await self._messenger.write_to_each(
            readers,
            written(_SUBJECTS[kind], _TEXTS[kind], device=start.device_key, link=link),
            key=f"{start.id}-{kind}",
        )
