"""Reminds businesses of plans that end soon: once for each plan (decision 32)."""

import asyncio
import hashlib
from collections.abc import Sequence
from datetime import timedelta

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from activities.identity.rights import recipients_of
from db.base import Sessions
from db.partners.site_urls import url_of_business
from db.plans.reminders import mark_reminded, put_back, take_for_reminding, take_unreminded
from domain.errors import PortalError
from domain.letters.language import Reader
from domain.letters.text import Text, written
from domain.plans.plans import Subscription
from providers.errors import Refused, Unavailable
from providers.messenger import Messenger

log = structlog.stdlib.get_logger()

REMIND_EVERY = timedelta(hours=1)
SUBJECT = Text("Plans that end soon", "Forfaits qui prennent bientôt fin")
_TEXT = Text(
    "These plans end soon:\n{plans}\n\nRenew them: {portal}/subscriptions",
    "Ces forfaits prennent bientôt fin :\n{plans}\n\nRenouvelez-les : {portal}/subscriptions",
)


class PlanReminders:
    """Any number of workers may remind: what one writes about the others leave alone for a while."""

    def __init__(self, sessions: Sessions, messenger: Messenger, *, portal_url: str) -> None:
        self._sessions = sessions
        self._messenger = messenger
        self._portal_url = portal_url.rstrip("/")

    async def run(self) -> None:
        """Until cancelled; an outage of a neighbour is waited out."""
        while True:
            try:
                await self.remind()
            except (SQLAlchemyError, OSError, PortalError) as error:
                log.warning("reminding of plans was interrupted", kind=type(error).__name__)
            await asyncio.sleep(REMIND_EVERY.total_seconds())

    async def remind(self) -> int:
        """Mails about all plans that are due, those of the same people at once; answers how many were told of. Those whose
        people cannot be reached now wait for the next time, and the others do not wait for them. Raises Unavailable when
        nobody is there to hand anything to."""
        reminded, missed = 0, set[str]()
        while plans := await self._remind_next(but=missed):
            reminded += len(plans - missed)
        return reminded

    async def _remind_next(self, *, but: set[str]) -> set[str]:
        """Tells of the plans that the same people are told of, and that they were; those whose people could not be reached
        join `but`. Enough is that one of several is reached: a crash before that is written down mails nobody twice, as the
        messenger knows the key. No row is locked meanwhile: plans are renewed and suspended however long a mail takes."""
        async with self._sessions.begin() as session:
            ending = await take_unreminded(session, but=but)
            if not ending:
                return set()
            whose = dict.fromkeys(map(_whose, ending))
            people = {one: await _whom(session, *one) for one in whose}
            to = people[_whose(ending[0])]
            theirs = [one for one in ending if people[_whose(one)] == to]
            plans = {one.id for one in theirs}
            await take_for_reminding(session, sorted(plans))
            url = await url_of_business(session, ending[0].partner_code, self._portal_url)
        is_done = not to
        try:
            mailed = [await self._mail(reader, theirs, url) for reader in to]
            is_done = is_done or any(mailed)
        finally:
            async with self._sessions.begin() as session:
                await (mark_reminded if is_done else put_back)(session, sorted(plans))
        if not is_done:
            but |= plans
        return plans

    async def _mail(self, to: Reader, subscriptions: Sequence[Subscription], url: str) -> bool:
        """Whether it is done with: an address that is refused is."""
        lines = [
            f"{one.device_key}  {one.plan_name}  {one.ends_at:%Y-%m-%d}" for one in subscriptions
        ]
        mail = written(SUBJECT, _TEXT, plans="\n".join(lines), portal=url)
        ids = " ".join(sorted(one.id for one in subscriptions))
        key = f"plans-{hashlib.sha256(f'{to.email} {ids}'.encode()).hexdigest()}"
        try:
            await self._messenger.write(to, mail, key=key)
        except Refused as refused:
            log.warning("a reminder of plans was refused", code=refused.code)
        except Unavailable as unavailable:
            if unavailable.answered is None and not unavailable.may_have_worked:
                raise
            log.warning("a reminder of plans was not taken", answered=unavailable.answered)
            return False
        return True


def _whose(subscription: Subscription) -> tuple[str | None, str | None]:
    """Who bought the plan, and for which business."""
    return subscription.owner_id, subscription.partner_code


async def _whom(
    session: AsyncSession, owner_id: str | None, partner_code: str | None
) -> tuple[Reader, ...]:
    """Who bought the plan and may renew it; else the owners of the business, and in the place of a rep."""
    people = await recipients_of(session, owner_id, partner_code, is_to_pay=True, but_reps=True)
    return tuple(Reader(email=one.email, language=one.language) for one in people)
