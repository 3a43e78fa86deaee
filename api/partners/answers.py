"""How addresses and reps of a business are said (shell spec 4 and 7)."""

from api.platform.schemas import AddressLinesOut, Camel, lines_out
from domain.partners.partners import Address, AddressKind, Rep


class AddressOut(AddressLinesOut):
    """`country_area` is a province or state. The shop spec's name for `type` is `businessPartnerAddressType`."""

    id: str
    type: AddressKind
    business_partner_address_type: AddressKind


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
        **lines_out(address),
    )


def rep_out(rep: Rep) -> RepOut:
    return RepOut(id=rep.id, name=rep.name, email=rep.email, phone=rep.phone)
