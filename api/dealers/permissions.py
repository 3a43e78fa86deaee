"""The business as its people use it, and who of them may buy (devices spec 3, 6 and 7)."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field, StrictBool

from api.dealers.access import PersonId
from api.partners.answers import AddressOut, RepOut, address_out, rep_out
from api.partners.named_business import BusinessCode, check_named
from api.platform.deps import PortalDep, SignedIn, Transaction
from api.platform.schemas import Camel, SpecBody
from db.base import reading
from db.dealers.dealers import find_installers, list_installers, set_purchaser
from db.operations.audit import record_by
from db.partners.businesses import find_partner
from domain.dealers.dealers import INSTALLER_LIMIT, MAX_PERMISSIONS, NAMED_TWICE
from domain.errors import Invalid, NotFound
from domain.identity.people import Actor, Role
from domain.partners.partners import AddressKind, PartnerMissing, partner_scope_of, sees_limited

router = APIRouter(prefix="/api", tags=["dealers"])


class Permission(SpecBody):
    """`id` is the person's."""

    id: PersonId
    is_product_purchaser: StrictBool


class Permissions(SpecBody):
    """All of them are changed, or none."""

    permissions: Annotated[list[Permission], Field(min_length=1, max_length=MAX_PERMISSIONS)]
    business_partner: BusinessCode | None = None


class Employee(Camel):
    id: str
    name: str
    is_product_purchaser: bool


class BusinessInfo(Camel):
    """`employees` are told to those who run the business; everybody else finds themselves alone. The address is left out
    of a limited view."""

    id: str
    sap_bp_code: str
    approved_brands: list[str]
    default_shipping_address: AddressOut | None
    employees: list[Employee]
    inside_sales_rep: RepOut | None
    outside_sales_rep: list[RepOut]


class Updated(Camel):
    updated: int


@router.get("/users-info-saleor")
async def users_info(
    portal: PortalDep,
    actor: SignedIn,
    bp_id: Annotated[BusinessCode | None, Query(alias="bpId")] = None,
) -> BusinessInfo:
    """The business that the caller works for, which `bpId` may name by its code. Raises PartnerMissing, OtherBusiness."""
    async with reading(portal.sessions) as session:
        await check_named(session, actor, bp_id)
        code = actor.business_code
        partner = (
            await find_partner(session, partner_scope_of(actor.person), code) if code else None
        )
        if partner is None:
            raise PartnerMissing
        employees = ()
        if _runs_business(actor) and actor.dealer_id is not None:
            employees, _ = await list_installers(
                session, actor.dealer_id, limit=INSTALLER_LIMIT, offset=0
            )
        elif actor.person.is_installer:
            employees = await find_installers(session, [actor.person.id], actor.dealer_id or "")
    shipping = partner.default_address(AddressKind.SHIPPING)
    reps = [(rep.is_outside, rep_out(rep)) for rep in partner.reps]
    return BusinessInfo(
        id=partner.id,
        sap_bp_code=partner.code,
        approved_brands=list(partner.approved_brands),
        default_shipping_address=(
            address_out(shipping) if shipping and not sees_limited(actor.person) else None
        ),
        employees=[
            Employee(
                id=one.id,
                name=f"{one.first_name} {one.last_name}",
                is_product_purchaser=one.is_purchaser and not one.is_retired,
            )
            for one in employees
        ],
        inside_sales_rep=next((rep for is_outside, rep in reps if not is_outside), None),
        outside_sales_rep=[rep for is_outside, rep in reps if is_outside],
    )


@router.post("/update-user-permissions")
async def update_user_permissions(
    session: Transaction, actor: SignedIn, body: Permissions
) -> Updated:
    """Gives or takes the right to buy; it acts at the next request of each. Somebody who is not of the business is not
    there: nothing is changed then. Raises NotFound, Invalid, PartnerMissing, OtherBusiness."""
    await check_named(session, actor, body.business_partner)
    wanted = {one.id: one.is_product_purchaser for one in body.permissions}
    if len(wanted) < len(body.permissions):
        raise Invalid(fields=[("permissions", NAMED_TWICE)])
    found = await find_installers(session, sorted(wanted), actor.dealer_id or "")
    if {one.id for one in found} != set(wanted):
        raise NotFound
    for one in sorted(found, key=lambda one: one.id):
        await set_purchaser(session, one.id, is_purchaser=wanted[one.id])
        await record_by(
            session,
            actor,
            "changed an installer",
            on=("person", one.id),
            more={"is_purchaser": wanted[one.id]},
        )
    return Updated(updated=len(found))


def _runs_business(actor: Actor) -> bool:
    return bool(actor.roles & {Role.OWNER, Role.INSIDE_REP})
