"""What people without an account write to us: the request to become a dealer, and a word to us (shell spec 2)."""

from string import punctuation
from typing import Annotated, Literal
from urllib.parse import quote, unquote_plus

from fastapi import APIRouter, Request
from pydantic import AfterValidator, Field, StrictBool, StringConstraints

from api.identity.signing_in.human import Human
from api.platform.deps import Portal, PortalDep, address_of, counted_address, language_of
from api.platform.throttling.mails import MailTries
from db.content.inquiries import LANGUAGE, InquiryKind, save_inquiry
from db.operations.audit import record
from domain.base import Body
from domain.card_numbers import holds_card_number, masked
from domain.contact import CompanyName, Email, PersonName
from domain.identity.second_factor import Phone
from domain.letters.language import Language

router = APIRouter(tags=["inquiries"])

Message = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]


def _page(address: str) -> str:
    """A card number is looked for in what was typed: a space is `+` or `%20` in an address."""
    typed = unquote_plus(address)
    return quote(masked(typed), safe=punctuation) if holds_card_number(typed) else address


Page = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=300, pattern=r"^(/[!-~]*)?$"),
    AfterValidator(_page),
]
"""An address within the portal, as `/activation/device?id=…`: it names the run that somebody writes about."""

MaybeMessage = Annotated[str, StringConstraints(strip_whitespace=True, max_length=4000)]


class DealerRequest(Body):
    """`country` is one of those that a dealer profile may have (shell spec 3)."""

    company_name: Annotated[CompanyName, Field(min_length=1, max_length=120)]
    first_name: PersonName
    last_name: PersonName
    email: Email
    phone_number: Phone
    country: Literal["CA", "US", "MX", "AU"]
    message: MaybeMessage = ""


class ContactUs(Body):
    """`role` is one of the contact roles (shell spec 3), and says which desk answers. `page` is what it is about."""

    name: PersonName
    email: Email
    role: Literal["Owner", "Sales Rep", "Installer", "Purchaser", "Other"]
    phone_number: Phone | None = None
    page: Page = ""
    message: Message
    wants_copy: StrictBool = False


@router.post("/v1/auth/dealer-request", status_code=204, dependencies=[Human])
async def request_dealer_account(body: DealerRequest, request: Request, portal: PortalDep) -> None:
    """Kept, and mailed to the people who open dealer accounts."""
    await _store(portal, request, InquiryKind.DEALER_REQUEST, body, body.email)


@router.post("/v1/contact-us", status_code=204, dependencies=[Human])
async def contact_us(body: ContactUs, request: Request, portal: PortalDep) -> None:
    """Kept, and mailed to the people who answer."""
    await _store(portal, request, InquiryKind.CONTACT_US, body, body.email)


async def _store(
    portal: Portal, request: Request, kind: InquiryKind, body: Body, reply_to: str
) -> None:
    """The workers mail it within seconds, however long the messenger is away. Whoever writes in French is answered so."""
    await MailTries(portal.sessions).count_inquiry(counted_address(request))
    said = {name: str(value) for name, value in body if value}
    if (language := language_of(request)) is Language.FR:
        said[LANGUAGE] = language.value
    async with portal.sessions.begin() as session:
        inquiry = await save_inquiry(session, kind, reply_to, said)
        await record(
            session,
            "inquiry received",
            actor="anonymous",
            on=(kind, inquiry.id),
            request_id=request.state.request_id,
            address=address_of(request),
        )
