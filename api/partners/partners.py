"""Business partners: pages, the search, one with its details (shell spec 4, 6 and 7)."""

from datetime import timedelta
from decimal import Decimal
from typing import Annotated

import structlog
from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, StrictBool, StringConstraints

from api.partners.answers import AddressOut, RepOut, address_out, rep_out
from api.partners.credit import day_at
from api.platform.border.queries import counted, or_default
from api.platform.deps import Portal, PortalDep, SignedIn
from api.platform.paging import pack, unpack
from api.platform.schemas import Camel, PathId, QueryBody
from db.base import reading
from db.checkout.credit import credit_of
from db.operations.audit import Outcome, record_by
from db.partners.businesses import (
    Place,
    find_partner,
    last_chosen_partners,
    list_partners,
    save_account,
)
from db.platform.clock import database_now
from domain.base import EXACT
from domain.card_numbers import masked
from domain.errors import PortalError
from domain.money import Money
from domain.partners.partners import (
    PAGE_SIZE,
    AddressKind,
    Partner,
    PartnerMissing,
    PartnerSummary,
    partner_scope_of,
    sees_limited,
)

router = APIRouter(prefix="/api/business-partners", tags=["partners"])
log = structlog.stdlib.get_logger()

FRESH_FOR = timedelta(seconds=60)
"""How long the mirrored account is shown without asking the ERP again."""

RECENT = 5
"""As many as the start page has."""

PartnerId = PathId


class PartnersQuery(QueryBody):
    """`us` asks for businesses of the U.S. only; `search` is a part of a name or code, and forgives small errors."""

    limit: Annotated[int, Field(ge=1, le=PAGE_SIZE), counted(PAGE_SIZE, most=PAGE_SIZE)] = PAGE_SIZE
    end_cursor: Annotated[str, Field(max_length=1000), EXACT] | None = None
    us: StrictBool = False
    search: Annotated[str, StringConstraints(strip_whitespace=True, max_length=80), EXACT] = ""


class Channel(BaseModel):
    slug: str


class PartnerNode(Camel):
    """A business in a list. `subdistributor` is told to reps only."""

    id: str
    sap_bp_code: str
    company_name: str
    channel: Channel
    country: str
    subdistributor: bool | None = None


class Edge(BaseModel):
    node: PartnerNode


class PageInfo(Camel):
    has_next_page: bool
    end_cursor: str | None


class PartnersPage(Camel):
    """`recent` are the businesses that the rep worked for of late, the present one first; on the first page without a
    search alone, and again among the others by their names."""

    recent: list[PartnerNode]
    edges: list[Edge]
    total_count: int
    page_info: PageInfo


class DroneProfile(Camel):
    drone_user_id: str | None


class DealerPrimary(Camel):
    drone_profile: DroneProfile


class InvoiceCount(Camel):
    total_count: int


class PartnerDetails(PartnerNode):
    """A limited view leaves out money and addresses: those fields are absent then, and null while the ERP was never
    mirrored. `availableCredit` is null too while it was not mirrored within a minute."""

    approved_brands: list[str]
    dealer_primary: DealerPrimary | None
    inside_sales_rep: RepOut | None
    outside_sales_rep: list[RepOut]
    limited: bool
    default_billing_address: AddressOut | None = None
    default_shipping_address: AddressOut | None = None
    addresses: list[AddressOut] | None = None
    account_balance: Money | None = None
    credit_limit: Money | None = None
    available_credit: Money | None = None
    past_due_invoices: int | None = None
    invoices: InvoiceCount | None = None


@router.post("", response_model=PartnersPage)
async def list_business_partners(
    portal: PortalDep, actor: SignedIn, wanted: PartnersQuery
) -> Response:
    """A page of the businesses that the caller may see: a rep's, one's own, or all for an administrator."""
    scope = partner_scope_of(actor.person)
    after = unpack(wanted.end_cursor, Place, "endCursor") if wanted.end_cursor else None
    async with portal.sessions.begin() as session:
        page = await list_partners(
            session,
            scope,
            only_us=wanted.us,
            wanted=wanted.search,
            limit=wanted.limit,
            after=after,
        )
        recent = (
            await last_chosen_partners(
                session, scope.rep_id, actor.partner_code, only_us=wanted.us, limit=RECENT
            )
            if scope.rep_id and after is None and not wanted.search
            else ()
        )
    tells = actor.person.is_sales_rep
    answer = PartnersPage(
        recent=[_node(summary, tells_subdistributor=tells) for summary in recent],
        edges=[Edge(node=_node(summary, tells_subdistributor=tells)) for summary in page.partners],
        total_count=page.total,
        page_info=PageInfo(
            has_next_page=page.end is not None, end_cursor=pack(page.end) if page.end else None
        ),
    )
    # Said once: a hundred businesses are not worth a second validation.
    return Response(answer.model_dump_json(by_alias=True), media_type="application/json")


@router.get("/{id}", response_model=PartnerDetails, response_model_exclude_unset=True)
async def get_business_partner(
    portal: PortalDep,
    actor: SignedIn,
    id: PartnerId,
    limited: Annotated[bool, Query(), or_default(False)] = False,
) -> PartnerDetails:
    """A business by its id or code. Who may see it only limited does, whatever the query says."""
    async with portal.sessions.begin() as session:
        partner = await find_partner(session, partner_scope_of(actor.person), id)
        if partner is None:
            await record_by(
                session,
                actor,
                "reached for another's business",
                outcome=Outcome.REFUSED,
                on=("partner", masked(id)),
            )
    if partner is None:
        raise PartnerMissing
    is_limited = limited or sees_limited(actor.person)
    if is_limited:
        return _limited(partner, tells_subdistributor=actor.person.is_sales_rep)
    partner = await with_fresh_account(portal, partner)
    async with reading(portal.sessions) as session:
        credit = await credit_of(session, partner.code)
    return _details(
        partner,
        credit.available if credit else None,
        tells_subdistributor=actor.person.is_sales_rep,
    )


async def with_fresh_account(portal: Portal, partner: Partner) -> Partner:
    """The business with what it owes as of the last minute or, while the ERP does not answer, as it was told last."""
    async with reading(portal.sessions) as session:
        now = await database_now(session)
        if partner.mirrored_at is not None and now - partner.mirrored_at < FRESH_FOR:
            return partner
        today = await day_at(session, partner.code, now)
    try:
        account = await portal.erp.account_of(partner.code, today)
    except PortalError as error:
        log.warning("account was not refreshed", partner_code=partner.code, code=error.code)
        return partner
    async with portal.sessions.begin() as session:
        await save_account(session, partner.id, account, now)
    return partner.model_copy(update={"account": account, "mirrored_at": now})


def _node(summary: PartnerSummary, *, tells_subdistributor: bool) -> PartnerNode:
    return PartnerNode(
        id=summary.id,
        sap_bp_code=summary.code,
        company_name=summary.company_name,
        channel=Channel(slug=summary.channel),
        country=summary.country,
        subdistributor=summary.subdistributor if tells_subdistributor else None,
    )


def _limited(partner: Partner, *, tells_subdistributor: bool) -> PartnerDetails:
    return PartnerDetails.model_validate(
        {**_open_to_all(partner, tells_subdistributor=tells_subdistributor), "limited": True}
    )


def _details(
    partner: Partner, available_credit: Decimal | None, *, tells_subdistributor: bool
) -> PartnerDetails:
    account = partner.account
    billing = partner.default_address(AddressKind.BILLING)
    shipping = partner.default_address(AddressKind.SHIPPING)
    return PartnerDetails.model_validate(
        {
            **_open_to_all(partner, tells_subdistributor=tells_subdistributor),
            "limited": False,
            "default_billing_address": address_out(billing) if billing else None,
            "default_shipping_address": address_out(shipping) if shipping else None,
            "addresses": [address_out(address) for address in partner.addresses],
            "account_balance": account.account_balance if account else None,
            "credit_limit": account.credit_limit if account else None,
            "available_credit": available_credit,
            "past_due_invoices": account.past_due_invoices if account else None,
            "invoices": InvoiceCount(total_count=account.invoice_count) if account else None,
        }
    )


def _open_to_all(partner: Partner, *, tells_subdistributor: bool) -> dict[str, object]:
    reps = [(rep.is_outside, rep_out(rep)) for rep in partner.reps]
    primary = partner.primary_drone_user_id
    return {
        **_node(partner, tells_subdistributor=tells_subdistributor).model_dump(),
        "approved_brands": list(partner.approved_brands),
        "dealer_primary": (
            DealerPrimary(drone_profile=DroneProfile(drone_user_id=primary)) if primary else None
        ),
        "inside_sales_rep": next((rep for is_outside, rep in reps if not is_outside), None),
        "outside_sales_rep": [rep for is_outside, rep in reps if is_outside],
    }
