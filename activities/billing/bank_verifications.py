"""The effects of verifying a bank account."""

from contextlib import suppress
from datetime import datetime
from enum import StrEnum

import orjson
from temporalio import activity

from activities.identity.rights import recipients_of
from db.base import Sessions, reading
from db.billing import bank_verifications, payments
from db.billing.payment_methods import make_main
from db.operations.audit import record
from db.platform.sealed_secrets import find_secret, forget_secret
from domain.base import Frozen
from domain.billing.bank_verification import BankVerificationStart, purpose_of_amounts
from domain.billing.bank_verification_v1 import STATUS
from domain.billing.payment_methods import MethodMissing
from domain.errors import Unavailable
from domain.letters.text import Text, written
from providers.bank_accounts import BankAccounts
from providers.errors import Refused
from providers.messenger import Messenger
from providers.security.vault import SealBroken, Vault


class Opening(Frozen):
    """A new bank account, with its times in UTC."""

    start: BankVerificationStart
    workflow_id: str
    at: datetime
    expires_at: datetime


class VerificationStatus(Frozen):
    """Where a verification stands after a move. `becomes_main`: the account was verified, and is to be the default;
    `used_secret` names amounts that were compared and are forgotten with this."""

    method_id: str
    partner_code: str
    rev: int
    state: str
    tries_left: int
    reason: str | None
    at: datetime
    expires_at: datetime
    ended: bool
    becomes_main: bool = False
    used_secret: str | None = None


class Comparing(Frozen):
    """Amounts to be compared, by the id of their sealed row."""

    method_id: str
    token: str
    secret_id: str


class Verdict(StrEnum):
    RIGHT = "right"
    WRONG = "wrong"
    UNKNOWN = "unknown"
    """What was typed is gone: it lay too long while the gateway did not answer."""


class ReturnMail(Frozen):
    start: BankVerificationStart


class StillPays(Unavailable):
    """A run may ask the account for money yet: what was begun with it goes on (decision 84)."""


_RETURNED = (
    Text("Your bank returned our deposits", "Votre banque a retourné nos dépôts"),
    Text(
        "The deposits to your account ending in {last4} came back, so it cannot be used for "
        "payments any more.\nPlease choose another way to pay: {portal}/billing",
        "Les dépôts à votre compte se terminant par {last4} nous ont été retournés : il ne peut plus servir à des "
        "paiements.\nVeuillez choisir un autre mode de paiement : {portal}/billing",
    ),
)
ENDED_BY_ITSELF = frozenset({"failed", "expired", "returned"})


class BankVerificationActivities:
    def __init__(
        self,
        accounts: BankAccounts,
        messenger: Messenger,
        vault: Vault,
        sessions: Sessions,
    ) -> None:
        self._accounts = accounts
        self._messenger = messenger
        self._vault = vault
        self._sessions = sessions

    @activity.defn(name="open_bank_account")
    async def open(self, opening: Opening) -> bool:
        """Keeps the account. False when its business has it already. Idempotent by its id."""
        async with self._sessions.begin() as session:
            return await bank_verifications.open_verification(
                session,
                opening.start,
                workflow_id=opening.workflow_id,
                at=opening.at,
                expires_at=opening.expires_at,
            )

    @activity.defn(name="move_bank_verification")
    async def move(self, status: VerificationStatus) -> None:
        """Writes where it stands, who is the default, and audits an end that no request brought. Idempotent by (id, rev)."""
        async with self._sessions.begin() as session:
            if status.used_secret is not None:
                await forget_secret(session, status.used_secret)
            moved = await bank_verifications.move_verification(
                session,
                status.method_id,
                status=STATUS.get(status.state),
                **status.model_dump(
                    exclude={"method_id", "partner_code", "becomes_main", "used_secret"}
                ),
            )
            if not moved:
                return
            if status.state == "verified" and status.becomes_main:
                with suppress(MethodMissing):  # deleted meanwhile
                    await make_main(session, status.method_id, status.partner_code)
            if status.state in ENDED_BY_ITSELF:
                await record(
                    session,
                    f"bank account {status.state}",
                    actor="bank verification",
                    on=("payment_method", status.method_id),
                    more={"code": status.reason} if status.reason else None,
                )

    @activity.defn(name="send_bank_deposits")
    async def send_deposits(self, start: BankVerificationStart) -> str | None:
        """Two deposits of a few cents. The provider's reason when there is no such account. Idempotent by the account."""
        try:
            await self._accounts.send_deposits(start.account)
        except Refused as refusal:
            return refusal.detail
        return None

    @activity.defn(name="compare_bank_deposits")
    async def compare(self, comparing: Comparing) -> Verdict:
        """Opens the sealed amounts and asks the provider. Idempotent by the sealed row: it answers the same key
        with the same verdict, also after its first answer was lost; the row goes with the move that follows."""
        async with reading(self._sessions) as session:
            sealed = await find_secret(
                session, secret_id=comparing.secret_id, flow_id=comparing.method_id
            )
        if sealed is None:
            return Verdict.UNKNOWN
        try:
            said = self._vault.open(sealed, purpose=purpose_of_amounts(comparing.method_id))
        except SealBroken:
            return Verdict.UNKNOWN
        named: str | tuple[int, int] = orjson.loads(said)
        named = named if isinstance(named, str) else (named[0], named[1])
        is_right = await self._accounts.verify(comparing.token, named, key=comparing.secret_id)
        if is_right is None:
            return Verdict.UNKNOWN
        return Verdict.RIGHT if is_right else Verdict.WRONG

    @activity.defn(name="forget_bank_account")
    async def forget(self, token: str) -> None:
        """Its provider keeps nothing of an account that was removed. Idempotent. Raises StillPays."""
        async with reading(self._sessions) as session:
            if await payments.is_awaited(session, token):
                raise StillPays
        await self._accounts.forget(token)

    @activity.defn(name="mail_bank_return")
    async def mail_return(self, mail: ReturnMail) -> None:
        """Tells whoever added the account that it cannot be paid with any more, or the owners of the business where they may not
        pay with it themselves. Idempotent by account and address."""
        start = mail.start
        async with reading(self._sessions) as session:
            recipients = await recipients_of(
                session, start.person_id, start.partner_code, is_to_pay=True
            )
        await self._messenger.write_to_each(
            recipients,
            written(*_RETURNED, last4=start.account.last4, portal=start.portal_url),
            key=f"{start.account.method_id}-returned",
        )
