"""What paths and bodies of calls are made of."""

from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, ConfigDict, StringConstraints
from pydantic.alias_generators import to_camel

from domain.address import AddressLines
from domain.base import ID_PATTERN, Body

Id = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=ID_PATTERN)]
PathId = Annotated[str, Path(min_length=1, max_length=64, pattern=ID_PATTERN)]


class SpecBody(Body):
    """The spec's names in JSON."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class QueryBody(SpecBody):
    """Of a call that only reads: fields that it does not know are dropped, as its query names are (rulings "Later rulings")."""

    model_config = ConfigDict(extra="ignore")


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class AddressLinesOut(Camel):
    """`country_area` is a province or state."""

    company_name: str
    street_address1: str
    city: str
    country_area: str
    postal_code: str
    country: str


def lines_out(address: AddressLines) -> dict[str, str]:
    """The fields of `AddressLinesOut`."""
    return {
        "company_name": address.name,
        "street_address1": address.street,
        "city": address.city,
        "country_area": address.country_area,
        "postal_code": address.postal_code,
        "country": address.country,
    }
