"""Codes and links on their way to a person: kept first, sent second."""

import secrets
import uuid

from api.deps import Portal
from db.codes import CodeUse, keep_code
from db.links import LinkKind, add_link
from domain.identity import User
from providers.tokens import secret_hash


async def send_code_by_sms(
    portal: Portal, person_id: str, phone: str, use: CodeUse, *, bound_to: str
) -> None:
    """Raises Unavailable when the messenger does not answer; the code then just expires."""
    code = await _new_code(portal, person_id, use, bound_to)
    await portal.messenger.send_sms(
        phone, f"Your Turnkey verification code is {code}.", key=uuid.uuid4().hex
    )


async def send_code_by_mail(portal: Portal, user: User, use: CodeUse, *, asked_from: str) -> None:
    """`asked_from` is the address of whoever asked."""
    code = await _new_code(portal, user.id, use, "", asked_from)
    await portal.messenger.send_mail(
        user.email,
        "Your Turnkey verification code",
        f"Your verification code is {code}. It is valid for 10 minutes.",
        key=uuid.uuid4().hex,
    )


async def send_registration_link(portal: Portal, user: User) -> None:
    """A link to the page where the account gets its password. Opening the page uses nothing up."""
    token = secrets.token_urlsafe(32)
    async with portal.sessions.begin() as session:
        await add_link(
            session, secret_hash(token), LinkKind.COMPLETE_REGISTRATION, user.id, user.email
        )
    await portal.messenger.send_mail(
        user.email,
        "Finish setting up your Turnkey account",
        f"Choose your password: {portal.portal_url}/set-password?token={token}",
        key=uuid.uuid4().hex,
    )


async def _new_code(
    portal: Portal, person_id: str, use: CodeUse, bound_to: str, asked_from: str = ""
) -> str:
    code = f"{secrets.randbelow(1_000_000):06d}"
    digest = portal.tokens.code_hash(use, person_id, code)
    async with portal.sessions.begin() as session:
        await keep_code(session, person_id, use, digest, bound_to=bound_to, asked_from=asked_from)
    return code
