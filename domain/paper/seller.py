"""Whom our papers are from."""

from domain.address import AddressLines


class Seller(AddressLines):
    """`tax_numbers` are by the name of the tax, as they have to stand on an invoice."""

    phone: str = ""
    email: str = ""
    tax_numbers: dict[str, str] = {}


DEMO_SELLER = Seller(
    name="Turnkey Electronics Inc.",
    street="1200 Station Street",
    city="Vancouver",
    country_area="BC",
    postal_code="V6A 2X1",
    country="CA",
    phone="1 888 555 0101",
    email="accounts@turnkey.example",
    tax_numbers={"GST/HST": "00000 0000 RT0001", "QST": "0000000000 TQ0001"},
)
"""Of the demonstration; production has its own."""
