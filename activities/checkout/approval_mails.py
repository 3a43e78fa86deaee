"""What the mails of an order's and of a purchase's approval share: to whom they go, and whose words they carry."""

from enum import StrEnum

from sqlalchemy.ext.asyncio import AsyncSession

from db.checkout.approvals import approvers_of
from db.identity.people import find_user
from domain.letters.language import Language, Reads
from domain.letters.text import Text


class MailKind(StrEnum):
    ASKED = "asked"
    APPROVED = "approved"
    REQUOTED = "requoted"
    REJECTED = "rejected"
    EXPIRED = "expired"


async def addressees(
    session: AsyncSession, kind: MailKind, dealer_id: str | None, requester_id: str
) -> tuple[Reads, ...]:
    """The owners who are asked, or the requester who is told."""
    if kind is MailKind.ASKED:
        return await approvers_of(session, dealer_id, requester_id)
    requester = await find_user(session, requester_id)
    return (requester,) if requester and not requester.is_retired else ()


def words_below(
    language: Language, kind: MailKind, requester: str, reason: str | None, note: str | None
) -> str:
    """The requester's reason below a question, the approver's note below an answer; empty without one."""
    if kind is MailKind.ASKED and reason:
        return _REASON(language, requester=requester, words=reason)
    return _NOTE(language, words=note) if note else ""


_REASON = Text("\n\n{requester}: “{words}”", "\n\n{requester} : « {words} »")
_NOTE = Text("\n\n“{words}”", "\n\n« {words} »")
AN_OWNER = Text("An owner", "un propriétaire")
"""Who answered, where no name is known; in French within a sentence."""
