"""How addresses and reps of a business are said (shell spec 4 and 7)."""

from api.platform.schemas import Camel
from domain.partners.partners import Address, AddressKind, Rep


class AddressOut(Camel):
    """`country_area` is a province or state. The shop spec's name for `type` is `businessPartnerAddressType`."""

    id: str
    type: AddressKind
    business_partner_address_type: AddressKind
    company_name: str
    street_address1: str
    city: str
    country_area: str
    postal_code: str
    country: str


class RepOut(Camel):
    id: str
    name: str
    email: str
    phone: str | None = None


def address_out(address: Address) -> AddressOut:
    return AddressOut(
        id=address.id,
        type=address.kind,
        business_partner_address_type=address.kind,
        company_name=address.name,
        street_address1=address.street,
        city=address.city,
        country_area=address.country_area,
        postal_code=address.postal_code,
        country=address.country,
    )


def rep_out(rep: Rep) -> RepOut:
    return RepOut(id=rep.id, name=rep.name, email=rep.email, phone=rep.phone)
