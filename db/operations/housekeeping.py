"""What may be forgotten: rows that have done their service, taken away in batches."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, Text, delete, func, literal_column, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Base
from db.billing.pay_links import PayLinkRow
from db.content.inquiries import InquiryRow
from db.devices.devices import DeviceLogRow
from db.devices.handouts import HandoutLinkRow
from db.identity.codes import ChallengeRow, CodeRow
from db.identity.links import LinkRow
from db.identity.sign_ins import SignInRow
from db.identity.trusted_devices import TrustedDeviceRow
from db.operations.rounds import ReconciliationRow
from db.operations.third_parties import ThirdPartyRow
from db.platform.idempotency import IdempotencyRow
from db.platform.sealed_secrets import SealedSecretRow
from db.platform.sent_mail import SentMailRow
from db.platform.throttles import ThrottleRow
from db.platform.webhook_events import WebhookEventRow
from db.runs.capabilities import GuestCapabilityRow
from db.runs.drift import DriftRow
from db.vehicles.tables import StoredWiringRow
from domain.operations.retention import Retention
from domain.vehicles.wiring import STALE_AFTER

BATCH = 500
"""Rows of one transaction, so that nobody waits for their locks."""

LOCK = 7_341_001
"""The first half of an advisory lock; the table is the other: one process at a time for each."""

_DAY = timedelta(days=1)


def _rules(retention: Retention) -> Sequence[tuple[type[Base], ColumnElement[bool]]]:
    """Which rows go. The longest throttle counts a day; an ended sign-in is remembered for a week, so that
    its page can still be told why it ended; an answer is kept for a week, in which a repeat gets it again."""
    return (
        (ThrottleRow, ThrottleRow.since < func.now() - _DAY),
        (CodeRow, CodeRow.expires_at < func.now() - _DAY),
        (ChallengeRow, ChallengeRow.expires_at < func.now() - _DAY),
        (LinkRow, LinkRow.expires_at < func.now() - 30 * _DAY),
        (PayLinkRow, PayLinkRow.expires_at < func.now() - 365 * _DAY),
        (HandoutLinkRow, HandoutLinkRow.expires_at < func.now() - 365 * _DAY),
        (TrustedDeviceRow, TrustedDeviceRow.expires_at < func.now()),
        (IdempotencyRow, IdempotencyRow.claimed_at < func.now() - 7 * _DAY),
        (GuestCapabilityRow, GuestCapabilityRow.expires_at < func.now() - _DAY),
        (SealedSecretRow, SealedSecretRow.expires_at < func.now()),
        (SentMailRow, SentMailRow.sent_at < func.now() - 90 * _DAY),
        (InquiryRow, InquiryRow.mailed_at < func.now() - 365 * _DAY),
        (ReconciliationRow, ReconciliationRow.at < func.now() - 7 * _DAY),
        (
            DeviceLogRow,
            (DeviceLogRow.received_at < func.now() - retention.device_logs)
            & DeviceLogRow.delivered_at.is_not(None),
        ),
        (DriftRow, DriftRow.at < func.now() - 7 * _DAY),
        (WebhookEventRow, WebhookEventRow.delivered_at < func.now() - 90 * _DAY),
        (StoredWiringRow, StoredWiringRow.fetched_at < func.now() - STALE_AFTER),
        (ThirdPartyRow, ThirdPartyRow.seen_at < func.now() - _DAY),
        (
            SignInRow,
            or_(
                SignInRow.expires_at < func.now() - 7 * _DAY,
                SignInRow.ended_at < func.now() - 7 * _DAY,
            ),
        ),
    )


def swept() -> tuple[str, ...]:
    """The tables that are swept."""
    return tuple(table.__tablename__ for table, _ in _rules(Retention()))


async def may_sweep(session: AsyncSession, table: str) -> bool:
    """Whether this transaction is the only one that sweeps the table, until it ends."""
    lock = func.pg_try_advisory_xact_lock(LOCK, func.hashtext(table))
    return bool(await session.scalar(select(lock)))


async def sweep_batch(
    session: AsyncSession, table: str, *, retention: Retention, batch: int = BATCH
) -> int:
    """Takes one batch of this table's old rows away; answers how many they were."""
    row, is_old = next(rule for rule in _rules(retention) if rule[0].__tablename__ == table)
    place: ColumnElement[str] = literal_column("ctid", Text)
    old = (
        select(place).select_from(row).where(is_old).limit(batch).with_for_update(skip_locked=True)
    )
    gone = await session.execute(delete(row).where(place.in_(old)).returning(place))
    return len(gone.all())
