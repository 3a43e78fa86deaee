"""Where somebody is found by post."""

from domain.base import Frozen


class AddressLines(Frozen):
    """The lines of an address; `country_area` is a province or state."""

    name: str
    street: str
    city: str
    country_area: str
    postal_code: str
    country: str
