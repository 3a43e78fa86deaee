"""What an operator of the installation does: staff, the businesses of reps, and the first owner of a business."""

import httpx
import pytest
from sqlalchemy import select

from db import staff
from db.base import Sessions
from db.dealers.dealers import set_retired
from db.identity.people import find_account
from db.operations.audit import AuditRow
from db.operators import OPERATOR
from db.partners.erp_businesses import write_business
from db.partners.reps import primary_of
from db.staff import HOW_TO_BEGIN, Refused
from domain.identity.people import Role, User, roles_of
from domain.partners.erp_businesses import BusinessPart, ErpBusiness
from tests.drivers.factories import (
    Dealer,
    a_consumer,
    a_dealer,
    a_name,
    an_email,
    an_inside_rep,
    an_installer,
    an_owner,
)
from tests.drivers.portal import a_browser, sign_in
from tests.identity.messages import Reachable
from tests.partners.factories import a_primary

NEW = "Garage-Lantern-26"
NAMES = ("Nia", "Newcomer")


async def operator(sessions: Sessions, *words: str) -> list[str]:
    """`python -m db.staff` with these words."""
    return await staff.carry_out(sessions, staff.parser().parse_args(words))


async def known(sessions: Sessions, email: str) -> User:
    async with sessions() as session:
        account = await find_account(session, email)
    assert account is not None
    return account.user


async def a_new_business(sessions: Sessions) -> str:
    """As the ERP's feed brings it; its code."""
    code = f"N{a_name()}".upper()
    async with sessions.begin() as session:
        told = ErpBusiness.model_construct(
            code=code,
            name=f"Business {code}",
            channel="dealer-1",
            country="CA",
            is_blocked=False,
            po_required=False,
            subdistributor=False,
            approved_brands=(),
            tax_number="",
        )
        await write_business(session, told, [BusinessPart.BUSINESS])
    return code


async def first_sign_in(here: Reachable, browser: httpx.AsyncClient, user: User) -> None:
    """As the operator told them: a mailed code, a password, and in."""
    await browser.post("/v1/auth/forgot-password", json={"username": user.email})
    body = {"username": user.email, "code": await here.last_code(user.email), "password": NEW}
    answer = await browser.post("/v1/auth/reset-password", json=body)
    assert answer.status_code == 204, answer.text
    assert (await sign_in(browser, user, password=NEW)).status_code == 200


async def chosen(browser: httpx.AsyncClient, code: str) -> httpx.Response:
    return await browser.put("/v1/auth/business", json={"sapBpCode": code})


async def test_from_a_business_of_the_erp_to_its_owner_and_a_rep_who_works_for_it(
    sessions: Sessions, here: Reachable
) -> None:
    code, owner, rep = await a_new_business(sessions), an_email(), an_email()
    (told,) = await operator(sessions, "owner", code.lower(), owner, *NAMES)
    assert told.endswith(HOW_TO_BEGIN)
    await operator(sessions, "rep", "inside", rep, *NAMES)
    await operator(sessions, "give", rep, code)
    async with a_browser(here.app) as browser:
        await first_sign_in(here, browser, await known(sessions, owner))
        me = (await browser.get("/v1/auth/user")).json()
        assert (me["user"]["is_owner"], me["user"]["is_dealer_primary"]) == (True, True)
    async with a_browser(here.app) as browser:
        await first_sign_in(here, browser, await known(sessions, rep))
        answer = await chosen(browser, code)
        assert answer.status_code == 200, answer.text
        assert answer.json()["impersonated"]["email"] == owner
        await operator(sessions, "rep", "outside", rep, *NAMES)
        now = (await browser.get("/v1/auth/user")).json()
        assert (now["business"], now["impersonated"]) == (None, None), "they act for nobody"
        await operator(sessions, "take", rep, code)
        assert (await browser.get("/v1/auth/user")).json()["business"] is None
        assert (await chosen(browser, code)).status_code == 404


async def test_each_may_be_repeated_and_is_audited_once(sessions: Sessions) -> None:
    code = await a_new_business(sessions)
    owner, rep, admin = an_email(), an_email(), an_email()
    asked = (
        ("administrator", admin, *NAMES),
        ("rep", "outside", rep, *NAMES),
        ("owner", code, owner, *NAMES),
        ("primary", code, owner),
        ("give", rep, code),
        ("take", rep, code),
    )
    for words in asked:
        await operator(sessions, *words)
        (again,) = await operator(sessions, *words)
        assert "already" in again or "does not have" in again, again
    people = [(await known(sessions, one)).id for one in (admin, rep, owner)]
    assert roles_of(await known(sessions, admin)) == {Role.ADMIN}
    assert roles_of(await known(sessions, rep)) == {Role.OUTSIDE_REP}
    async with sessions() as session:
        noted = await session.scalars(
            select(AuditRow.action)
            .where(AuditRow.actor == OPERATOR, AuditRow.object_id.in_(people))
            .order_by(AuditRow.id)
        )
    assert noted.all() == [
        "made an administrator",
        "made an outside rep",
        "made an owner",
        "gave a rep a business",
        "took a business from a rep",
    ]


async def test_a_rep_changes_kind_and_an_administrator_may_be_one_too(sessions: Sessions) -> None:
    email = an_email()
    for words in (("administrator",), ("rep", "inside"), ("rep", "outside")):
        await operator(sessions, *words, email, *NAMES)
    assert roles_of(await known(sessions, email)) == {Role.ADMIN, Role.OUTSIDE_REP}


async def test_who_is_staff_no_more_has_no_role_and_no_business_and_is_signed_out_for_good(
    sessions: Sessions, here: Reachable
) -> None:
    rep, dealer = await an_inside_rep(sessions), await a_dealer(sessions)
    await a_primary(sessions, dealer)
    await operator(sessions, "administrator", rep.email, *NAMES)
    await operator(sessions, "give", rep.email, dealer.partner_code)
    async with a_browser(here.app) as browser:
        assert (await sign_in(browser, rep)).status_code == 200
        assert (await chosen(browser, dealer.partner_code)).status_code == 200
        (told,) = await operator(sessions, "dismiss", rep.email)
        assert told.startswith(f"{rep.email} is not staff any more.")
        assert (await browser.get("/v1/auth/user")).status_code == 401
    assert roles_of(await known(sessions, rep.email)) == frozenset()
    async with a_browser(here.app) as browser:
        answer = await sign_in(browser, rep)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_an_installer")
    assert await operator(sessions, "dismiss", rep.email) == [f"{rep.email} is not staff."]
    await operator(sessions, "rep", "inside", rep.email, *NAMES)
    (told,) = await operator(sessions, "take", rep.email, dealer.partner_code)
    assert "does not have" in told, "what they had before does not come back"


async def test_an_installer_becomes_the_first_owner_and_takes_the_place_of_who_has_retired(
    sessions: Sessions,
) -> None:
    dealer = await a_dealer(sessions)
    gone, hand = await a_primary(sessions, dealer), await an_installer(sessions, dealer)
    async with sessions.begin() as session:
        await set_retired(session, gone.id, is_retired=True)
    await operator(sessions, "owner", dealer.partner_code, hand.email, *NAMES)
    async with sessions() as session:
        primary = await primary_of(session, dealer.id)
    assert primary is not None
    assert (primary.id, primary.is_owner) == (hand.id, True)


async def test_another_owner_becomes_the_primary_person(sessions: Sessions) -> None:
    dealer = await a_dealer(sessions)
    await a_primary(sessions, dealer)
    other = await an_owner(sessions, dealer)
    await operator(sessions, "primary", dealer.partner_code, other.email)
    async with sessions() as session:
        primary = await primary_of(session, dealer.id)
    assert primary is not None
    assert primary.id == other.id


async def a_refusal(sessions: Sessions, *words: str) -> str:
    with pytest.raises(Refused) as refused:
        await operator(sessions, *words)
    return str(refused.value)


async def test_nonsense_is_refused_in_words_and_leaves_nothing(sessions: Sessions) -> None:
    dealer: Dealer = await a_dealer(sessions)
    code, owner = dealer.partner_code, await an_owner(sessions, dealer)
    rep, elsewhere = await an_inside_rep(sessions), await an_owner(sessions)
    retired = await an_installer(sessions, dealer, is_retired=True)
    consumer = await a_consumer(sessions)
    new = an_email()
    for words, said in (
        (("owner", code, new, *NAMES), "owners make others"),
        (("owner", "NOWHERE", new, *NAMES), "No business has the code"),
        (("owner", consumer.partner_code or "", new, *NAMES), "is a consumer"),
        (("owner", code, rep.email, *NAMES), "is staff, or of another business"),
        (("owner", code, elsewhere.email, *NAMES), "is staff, or of another business"),
        (("owner", code, retired.email, *NAMES), "has retired"),
        (("owner", code, "no address", *NAMES), "email: "),
        (("administrator", owner.email, *NAMES), "belongs to a business"),
        (("rep", "inside", consumer.email, *NAMES), "belongs to a business"),
        (("rep", "inside", new, "4111 1111 1111 1111", "X"), "first_name: "),
        (("primary", code, retired.email), "has retired"),
        (("primary", code, elsewhere.email), "is no owner of"),
        (("give", owner.email, code), "is no sales rep"),
        (("give", new, code), "Nobody has the address"),
        (("give", rep.email, code, "NOWHERE"), "No business has the code"),
    ):
        assert said in await a_refusal(sessions, *words), words
    async with sessions() as session:
        assert await find_account(session, new) is None
    (told,) = await operator(sessions, "take", rep.email, code)
    assert "does not have" in told, "the whole of what is refused is taken back"
