"""Codes and links on their way to a person: kept first, sent second."""

import secrets
import uuid
from contextlib import nullcontext
from datetime import datetime

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.deps import Portal
from api.platform.throttling.mails import MailTries
from db.base import reading
from db.identity.codes import CodeUse, save_code
from db.identity.links import LinkKind, add_link
from db.identity.people import find_account
from domain.errors import Unavailable
from domain.identity.people import User
from domain.identity.registration_mail import REGISTRATION
from domain.letters.language import Language, Reader, Reads
from domain.letters.text import Text, written
from providers.errors import Refused
from providers.security.tokens import secret_hash

log = structlog.stdlib.get_logger()

_LINK_MAILS = {
    LinkKind.COMPLETE_REGISTRATION: REGISTRATION,
    LinkKind.CHANGE_EMAIL: (
        Text("Confirm your new e-mail address", "Confirmez votre nouvelle adresse courriel"),
        Text(
            "Use this address for your Turnkey account: {url}/change-email-accept?token={token}\n"
            "It was not you? {url}/change-email-decline?token={token}",
            "Utilisez cette adresse pour votre compte Turnkey : {url}/change-email-accept?token={token}\n"
            "Ce n’était pas vous? {url}/change-email-decline?token={token}",
        ),
    ),
    LinkKind.REVERT_EMAIL: (
        Text(
            "Your Turnkey account has another e-mail address now",
            "Votre compte Turnkey a maintenant une autre adresse courriel",
        ),
        Text(
            "This was not me: {url}/change-email-revert?token={token}\n"
            "The link gives your account this address back and locks it until you choose a new "
            "password. It is valid for 7 days.",
            "Ce n’était pas moi : {url}/change-email-revert?token={token}\n"
            "Le lien rend cette adresse à votre compte et le verrouille jusqu’à ce que vous choisissiez un nouveau "
            "mot de passe. Il est valable 7 jours.",
        ),
    ),
}
_CODE = Text(
    "Your Turnkey verification code is {code}.", "Votre code de vérification Turnkey est {code}."
)
_CODE_MAIL = (
    Text("Your Turnkey verification code", "Votre code de vérification Turnkey"),
    Text(
        "Your verification code is {code}. It is valid for 10 minutes.",
        "Votre code de vérification est {code}. Il est valable 10 minutes.",
    ),
)
_WORD = Text("Your Turnkey account", "Votre compte Turnkey")


async def send_code_by_sms(
    portal: Portal,
    person_id: str,
    phone: str,
    use: CodeUse,
    *,
    bound_to: str,
    language: Language | None,
) -> None:
    """Raises Unavailable when the messenger does not answer; the code then just expires."""
    code = await _new_code(portal, person_id, use, bound_to)
    await portal.messenger.send_sms(phone, _CODE(language, code=code))


async def send_code_by_mail(
    portal: Portal, user: User, use: CodeUse, *, asked_from: str, language: Language | None
) -> None:
    """`asked_from` is the address of whoever asked."""
    code = await _new_code(portal, user.id, use, "", asked_from)
    to = Reader(email=user.email, language=language)
    await portal.messenger.write(to, written(*_CODE_MAIL, code=code), key=uuid.uuid4().hex)


async def send_link(
    portal: Portal,
    kind: LinkKind,
    person_id: str,
    to: Reads,
    *,
    url: str,
    within: AsyncSession | None = None,
    asked_at: datetime | None = None,
) -> None:
    """A link to a page of the site at `url`, whose button uses it; opening the page uses nothing up. `within` a transaction it is
    mailed before the commit, so that nothing is committed that no mail tells of. Raises Unavailable or Refused."""
    async with nullcontext(within) if within else portal.sessions.begin() as session:
        token = await save_link(session, kind, person_id, to.email, asked_at=asked_at)
    await mail_link(portal, kind, to, token, url=url)


async def save_link(
    session: AsyncSession,
    kind: LinkKind,
    person_id: str,
    to: str,
    *,
    asked_at: datetime | None = None,
) -> str:
    """The token of a link that works once this is committed, and that nobody knows before it is mailed."""
    token = secrets.token_urlsafe(32)
    await add_link(session, secret_hash(token), kind, person_id, to, asked_at=asked_at)
    return token


async def mail_link(portal: Portal, kind: LinkKind, to: Reads, token: str, *, url: str) -> None:
    """Raises Unavailable or Refused."""
    mail = written(*_LINK_MAILS[kind], url=url, token=token)
    await portal.messenger.write(to, mail, key=uuid.uuid4().hex)


async def resend_registration_link(
    portal: Portal, email: str, language: Language | None, *, url: str
) -> None:
    """The link to the first password once more, if an account waits for it; in the language of whoever asks, if known. Raises
    Throttled, Unavailable or Refused."""
    async with reading(portal.sessions) as session:
        account = await find_account(session, email)
    if account is None or account.confirmed_at is not None:
        return
    await MailTries(portal.sessions).count_sending(account.user.id)
    user = account.user
    to = Reader(email=user.email, language=language or user.language)
    await send_link(portal, LinkKind.COMPLETE_REGISTRATION, user.id, to, url=url)


async def send_word(portal: Portal, to: Reads, text: Text, **said: str) -> None:
    """Word of a change. Nothing depends on it."""
    try:
        await portal.messenger.write(to, written(_WORD, text, **said), key=uuid.uuid4().hex)
    except (Unavailable, Refused) as error:
        log.warning("word of a change was not sent", code=error.code)


async def _new_code(
    portal: Portal, person_id: str, use: CodeUse, bound_to: str, asked_from: str = ""
) -> str:
    code = f"{secrets.randbelow(1_000_000):06d}"
    digest = portal.tokens.code_hash(use, person_id, code)
    async with portal.sessions.begin() as session:
        await save_code(session, person_id, use, digest, bound_to=bound_to, asked_from=asked_from)
    return code
