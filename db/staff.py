"""Who looks after the portal, and who begins for a business: `python -m db.staff --help`.

What nobody in the portal can give or take back: an operator of the installation does. Nobody gets a password by it: "Forgot
password?" on the sign-in page mails a code. Each may be repeated; whatever is done is audited.
"""

import argparse
from collections.abc import Awaitable, Callable, Sequence

from pydantic import ValidationError
from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions
from db.dealers.dealers import lock_dealer, make_owner, present_owners
from db.identity.invitations import join
from db.identity.people import (
    PersonRow,
    add_person,
    administrators,
    find_account,
    lock_person,
)
from db.identity.sign_ins import SignInRow, renew_stamp
from db.operations.audit import record
from db.operators import OPERATOR, run
from db.partner_tables import DealerRow, PartnerRow
from db.partners.reps import RepPartnerRow, make_primary
from domain.base import Frozen
from domain.contact import Email, PersonName
from domain.identity.invitations import BelongsElsewhere, check_may_join
from domain.identity.people import (
    ADMIN_ACCESS,
    INSIDE_REP_GROUP,
    OUTSIDE_REP_GROUP,
    REP_GROUPS,
    User,
)
from domain.partners.partners import is_linked
from settings import Settings

HOW_TO_BEGIN = 'Their first password: "Forgot password?" on the sign-in page.'


class Refused(Exception):
    """What was asked may not be; the text says why."""


class Somebody(Frozen):
    """The names count for an address that nobody has yet."""

    email: Email
    first_name: PersonName
    last_name: PersonName


async def add_administrator(session: AsyncSession, who: Somebody) -> str:
    """Raises Refused, as all of these."""
    user, begins = await _staff(session, who)
    if user.is_admin:
        return f"{user.email} is an administrator already."
    await _change(session, user.id, access_type=ADMIN_ACCESS)
    await _note(session, "made an administrator", user)
    return f"{user.email} is an administrator now. {begins}".strip()


async def add_rep(session: AsyncSession, who: Somebody, *, is_outside: bool) -> str:
    """A sales rep is of one kind: who is of the other one changes."""
    user, begins = await _staff(session, who)
    group = OUTSIDE_REP_GROUP if is_outside else INSIDE_REP_GROUP
    said = "outside rep" if is_outside else "inside rep"
    if user.is_sales_rep and user.is_outside_rep is is_outside:
        return f"{user.email} is an {said} already."
    others = [one for one in user.permission_groups if one not in REP_GROUPS]
    await _change(session, user.id, permission_groups=[*others, group])
    # What one kind chose the other may not have: an inside rep acts as somebody, an outside rep as nobody.
    chosen = {"partner_id": None, "impersonated_id": None}
    await session.execute(update(SignInRow).where(SignInRow.person_id == user.id).values(chosen))
    await _note(session, f"made an {said}", user)
    return f"{user.email} is an {said} now. {begins}".strip()


async def dismiss(session: AsyncSession, email: str) -> str:
    """No role as staff and no business is left, and they are signed out; without a role nobody signs in. A business may invite
    them, as it may whoever registered."""
    user = await _known(session, email)
    if not user.is_admin and not user.is_sales_rep:
        return f"{user.email} is not staff."
    others = [one for one in user.permission_groups if one not in REP_GROUPS]
    await _change(session, user.id, access_type=None, permission_groups=others)
    await session.execute(delete(RepPartnerRow).where(RepPartnerRow.person_id == user.id))
    await renew_stamp(session, user.id, "no longer staff")
    await _note(session, "took the roles of staff from somebody", user)
    words = f"{user.email} is not staff any more."
    if not await administrators(session, limit=1):
        words += " Nobody is an administrator now."
    return words


async def add_owner(session: AsyncSession, code: str, who: Somebody) -> str:
    """The first owner of a business, who invites everybody else; where one is present, owners make others."""
    dealer = await _dealer(session, code)
    await lock_dealer(session, dealer.id)
    user, begins = await _person(session, who)
    try:
        check_may_join(user, dealer.id)
    except BelongsElsewhere:
        raise Refused(f"{user.email} is staff, or of another business.") from None
    owners = await present_owners(session, dealer.id)
    if user.id in {owner.id for owner in owners}:
        return f"{user.email} is an owner of {dealer.name} already."
    if owners:
        raise Refused(f"{dealer.name} has an owner, {owners[0].email}: owners make others.")
    await join(session, user.id, dealer.id)
    await make_owner(session, user.id)
    await _note(session, "made an owner", user, code)
    return f"{user.email} is the owner of {dealer.name} now. {begins}".strip()


async def name_primary(session: AsyncSession, code: str, email: str) -> str:
    """Whom inside reps stand for while they work for the business: one of its owners."""
    dealer = await _dealer(session, code)
    await lock_dealer(session, dealer.id)
    user = await _known(session, email)
    if user.id not in {owner.id for owner in await present_owners(session, dealer.id)}:
        raise Refused(f"{user.email} is no owner of {dealer.name}.")
    if user.is_dealer_primary:
        return f"{user.email} is the primary person of {dealer.name} already."
    await make_primary(session, user.id, dealer.id)
    await _note(session, "made the primary person", user, code)
    return f"{user.email} is the primary person of {dealer.name} now."


async def give(session: AsyncSession, email: str, code: str) -> str:
    """The rep sees the business, and may work for it. Whom it may call is what the ERP says."""
    rep, partner = await _rep(session, email), await _partner(session, code)
    given = await session.scalar(
        insert(RepPartnerRow)
        .values(person_id=rep.id, partner_id=partner.id)
        .on_conflict_do_nothing()
        .returning(RepPartnerRow.partner_id)
    )
    if given is None:
        return f"{rep.email} has {partner.company_name} already."
    await _note(session, "gave a rep a business", rep, code)
    return f"{rep.email} has {partner.company_name} now."


async def take(session: AsyncSession, email: str, code: str) -> str:
    """It ends at the rep's next request, also where they work for it just now."""
    rep, partner = await _rep(session, email), await _partner(session, code)
    was_contact = await session.scalar(
        delete(RepPartnerRow)
        .where(RepPartnerRow.person_id == rep.id, RepPartnerRow.partner_id == partner.id)
        .returning(RepPartnerRow.is_contact)
    )
    if was_contact is None:
        return f"{rep.email} does not have {partner.company_name}."
    await _note(session, "took a business from a rep", rep, code)
    words = f"{rep.email} does not have {partner.company_name} any more."
    if was_contact:
        words += (
            " Where the ERP names them as its sales person, it brings them back: change it there."
        )
    return words


async def _staff(session: AsyncSession, who: Somebody) -> tuple[User, str]:
    """Somebody who works for no business."""
    user, begins = await _person(session, who)
    if user.dealer_id is not None or user.partner_code is not None:
        raise Refused(f"{user.email} belongs to a business: staff need an address of their own.")
    return user, begins


async def _person(session: AsyncSession, who: Somebody) -> tuple[User, str]:
    """Whoever has the address, or a new person; and how they sign in first, if they never did."""
    new = await add_person(session, **who.model_dump())
    user = new or await _known(session, who.email)
    account = await find_account(session, user.email)
    await _change(session, user.id, confirmed_at=func.coalesce(PersonRow.confirmed_at, func.now()))
    has_password = account is not None and account.password_hash is not None
    return user, "" if has_password else HOW_TO_BEGIN


async def _known(session: AsyncSession, email: str) -> User:
    """Changed by nobody else until the transaction ends."""
    await lock_person(session, email.strip().lower())
    account = await find_account(session, email)
    if account is None:
        raise Refused(f"Nobody has the address {email}.")
    if account.user.is_retired:
        raise Refused(f"{email} has retired.")
    return account.user


async def _rep(session: AsyncSession, email: str) -> User:
    user = await _known(session, email)
    if not user.is_sales_rep:
        raise Refused(f"{user.email} is no sales rep.")
    return user


async def _partner(session: AsyncSession, code: str) -> PartnerRow:
    found = await session.scalar(select(PartnerRow).where(PartnerRow.sap_bp_code == code.upper()))
    if found is None:
        raise Refused(f"No business has the code {code}.")
    return found


async def _dealer(session: AsyncSession, code: str) -> DealerRow:
    partner = await _partner(session, code)
    if not is_linked(partner.sap_bp_code):
        raise Refused(f"{partner.sap_bp_code} is a consumer.")
    found = await session.scalar(select(DealerRow).where(DealerRow.partner_id == partner.id))
    if found is None:
        raise Refused(f"{partner.sap_bp_code} has no dealer's account.")
    return found


async def _change(session: AsyncSession, person_id: str, **values: object) -> None:
    await session.execute(update(PersonRow).where(PersonRow.id == person_id).values(**values))


async def _note(session: AsyncSession, action: str, on: User, code: str | None = None) -> None:
    partner_code = code.upper() if code else None
    on_whom = ("person", on.id)
    await record(session, action, actor=OPERATOR, partner_code=partner_code, on=on_whom)


async def carry_out(sessions: Sessions, options: argparse.Namespace) -> list[str]:
    """All of it or nothing; what there is to say of it."""
    async with sessions.begin() as session:
        return [await deed(session) for deed in _deeds(options)]


def _deeds(options: argparse.Namespace) -> Sequence[Callable[[AsyncSession], Awaitable[str]]]:
    if options.what in ("give", "take"):
        do = give if options.what == "give" else take
        return [
            lambda session, code=code: do(session, options.email, code) for code in options.codes
        ]
    if options.what == "dismiss":
        return [lambda session: dismiss(session, options.email)]
    if options.what == "primary":
        return [lambda session: name_primary(session, options.code, options.email)]
    names = {name: getattr(options, name) for name in Somebody.model_fields}
    try:
        who = Somebody.model_validate(names)
    except ValidationError as error:
        faults = [f"{one['loc'][0]}: {one['msg']}" for one in error.errors()]
        raise Refused("; ".join(faults)) from None
    if options.what == "owner":
        return [lambda session: add_owner(session, options.code, who)]
    if options.what == "rep":
        return [lambda session: add_rep(session, who, is_outside=options.kind == "outside")]
    return [lambda session: add_administrator(session, who)]


def parser() -> argparse.ArgumentParser:
    asks = argparse.ArgumentParser(prog="python -m db.staff", description=__doc__)
    known = asks.add_subparsers(dest="what", required=True)

    def on(name: str, text: str, *arguments: str) -> argparse.ArgumentParser:
        one = known.add_parser(name, help=text, description=text)
        for argument in arguments:
            one.add_argument(argument)
        return one

    names = ("email", "first_name", "last_name")
    on("administrator", "somebody who looks after the portal", *names)
    rep = on("rep", "a sales rep, who works for the businesses that are given to them")
    rep.add_argument("kind", choices=("inside", "outside"))
    for argument in names:
        rep.add_argument(argument)
    on("dismiss", "an administrator or rep who is none any more", "email")
    on("owner", "the first owner of a business, by its code at the ERP", "code", *names)
    on("primary", "the owner whom inside reps stand for at a business", "code", "email")
    for name, text in (("give", "gives a rep businesses"), ("take", "takes a rep businesses")):
        on(name, text, "email").add_argument("codes", nargs="+", metavar="code")
    return asks


def main() -> None:
    options = parser().parse_args()
    try:
        said = run(Settings().database_url, lambda sessions: carry_out(sessions, options))
    except Refused as refused:
        raise SystemExit(str(refused)) from None
    print(*said, sep="\n")


if __name__ == "__main__":
    main()
