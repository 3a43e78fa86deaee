"""Reminds businesses of plans that end soon: once for each plan (decision 32)."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions
from db.identity.people import colleagues_of, find_user
from db.plans.plans import mark_reminded, take_unreminded
from domain.errors import PortalError
from domain.plans.plans import Subscription
from providers.errors import Refused
from providers.messenger import Messenger

log = structlog.stdlib.get_logger()

REMIND_EVERY = timedelta(hours=1)
SUBJECT = "Plans that end soon"


class PlanReminders:
    """Any number of workers may remind: rows that one mails are locked for the others."""

    def __init__(self, sessions: Sessions, messenger: Messenger, *, portal_url: str) -> None:
        self._sessions = sessions
        self._messenger = messenger
        self._portal_url = portal_url.rstrip("/")

    async def run(self) -> None:
        """Until cancelled; an outage of a neighbour is waited out."""
        while True:
            try:
                while await self.remind():
                    pass
            except (SQLAlchemyError, OSError, PortalError) as error:
                log.warning("reminding of plans was interrupted", kind=type(error).__name__)
            await asyncio.sleep(REMIND_EVERY.total_seconds())

    async def remind(self) -> int:
        """Mails about a batch of plans; answers how many. A crash between mail and commit mails nobody twice: the
        messenger knows the key."""
        async with self._sessions.begin() as session:
            ending = await take_unreminded(session)
            by_person: dict[str, list[Subscription]] = defaultdict(list)
            for subscription in ending:
                for email in await _whom(session, subscription):
                    by_person[email].append(subscription)
            for email, subscriptions in by_person.items():
                await self._mail(email, subscriptions)
            await mark_reminded(session, [subscription.id for subscription in ending])
        return len(ending)

    async def _mail(self, email: str, subscriptions: Sequence[Subscription]) -> None:
        lines = [
            f"{one.device_key}  {one.plan_name}  {one.ends_at:%Y-%m-%d}" for one in subscriptions
        ]
        text = "\n".join(
            ["These plans end soon:", *lines, "", f"Renew them: {self._portal_url}/subscriptions"]
        )
        key = f"plans-{subscriptions[0].id}-{len(subscriptions)}"
        try:
            await self._messenger.send_mail(email, SUBJECT, text, key=key)
        except Refused as refused:
            log.warning("a reminder of plans was refused", code=refused.code)


async def _whom(session: AsyncSession, subscription: Subscription) -> tuple[str, ...]:
    """Who bought the plan; after they left, the owners of the business."""
    if subscription.owner_id is not None:
        buyer = await find_user(session, subscription.owner_id)
        if buyer is not None and not buyer.is_retired:
            return (buyer.email,)
    if subscription.dealer_id is None:
        return ()
    colleagues = await colleagues_of(session, subscription.dealer_id)
    return tuple(one.email for one in colleagues if one.is_owner)
