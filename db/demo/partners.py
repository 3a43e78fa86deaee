"""The demo businesses and who works there: 60 partners and 190 people, the same on every machine. All is invented.

44 are Canadian (`N…`), 12 of the U.S. (`A…`), 4 consumers (`B2C…`). The first ones carry the stories of the sign-in list.
"""

from dataclasses import dataclass
from random import Random

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Base
from db.demo.people import (
    BUSINESSES,
    CONFIRMED_AT,
    PASSWORD_HASH,
    PEOPLE,
    Somebody,
    add_person,
    tax_number_of,
)
from db.identity.people import InstallerRow, PersonRow
from db.partner_tables import DealerRow, PartnerAddressRow, PartnerRow
from db.partners.reps import RepPartnerRow
from domain.identity.people import (
    DEALER_ACCOUNTING_GROUP,
    DEALER_PRIMARY_GROUP,
    INSIDE_REP_GROUP,
    INSTALLER_GROUP,
    OUTSIDE_REP_GROUP,
)

SEED = 20_260_101
PEOPLE_IN_ALL = 190

TOWNS = {
    "BC": ("CA", ("Kelowna", "Nanaimo", "Surrey"), "V1Y 2A3"),
    "AB": ("CA", ("Calgary", "Red Deer", "Edmonton"), "T2P 1J9"),
    "SK": ("CA", ("Regina", "Saskatoon"), "S4P 3Y2"),
    "MB": ("CA", ("Winnipeg", "Brandon"), "R3C 4T3"),
    "ON": ("CA", ("Ottawa", "Sudbury", "Windsor"), "K1P 5M7"),
    "QC": ("CA", ("Gatineau", "Laval", "Sherbrooke"), "J8X 3X4"),
    "NB": ("CA", ("Moncton", "Fredericton"), "E1C 4Z6"),
    "NS": ("CA", ("Halifax", "Truro"), "B3J 1V7"),
    "NL": ("CA", ("Gander", "Corner Brook"), "A1V 1W6"),
    "MN": ("US", ("Duluth", "Rochester"), "55802"),
    "MI": ("US", ("Lansing", "Flint"), "48933"),
    "NY": ("US", ("Buffalo", "Syracuse"), "14203"),
}
CANADIAN = [area for area, town in TOWNS.items() if town[0] == "CA"]
AMERICAN = [area for area, town in TOWNS.items() if town[0] == "US"]

BRANDS = (
    "Arctic Start", "Compustar", "Compustar Pro", "DroneMobile", "Firstech", "FTX", "iDatalink",
    "iDataStart", "Lucas Lighting", "Maestro", "Momento", "Soundskins", "Tesa Tape",
)  # fmt: skip
"""Shop spec 3."""
FIRST_WORDS = (
    "Aurora", "Beacon", "Cedar", "Delta", "Evergreen", "Falcon", "Granite", "Horizon", "Ivory",
    "Juniper", "Keystone", "Lakeside", "Maple", "Northgate", "Orchard", "Pioneer", "Quarry",
    "Ridgeline", "Summit", "Timber",
)  # fmt: skip
SECOND_WORDS = ("Car Audio", "Auto Electric", "Remote Start", "12 Volt", "Mobile Sound")
FIRST_NAMES = (
    "Alex", "Blair", "Casey", "Dana", "Elliot", "Frankie", "Gale", "Harper", "Indigo", "Jamie",
    "Kerry", "Logan", "Morgan", "Noel", "Oakley", "Parker", "Quinn", "Riley", "Sasha", "Taylor",
)  # fmt: skip
LAST_NAMES = (
    "Abbott", "Bouchard", "Campbell", "Dubois", "Eriksen", "Fournier", "Gagnon", "Hughes",
    "Ito", "Jansen", "Kowalski", "Lavoie", "Mackenzie", "Nguyen", "Olsen", "Pelletier", "Reid",
    "Singh", "Thompson", "Wagner",
)  # fmt: skip


@dataclass(frozen=True)
class DemoPartner:
    """`has_dealer` and `has_primary` say whether a rep can act for it."""

    id: str
    code: str
    name: str
    area: str
    channel: str
    has_dealer: bool = True
    has_primary: bool = True

    @property
    def country(self) -> str:
        return TOWNS[self.area][0]


NO_DEALER = DemoPartner("northern", "N1003", "Northern Lights Audio", "MB", "dealer-1", False)
NO_PRIMARY = DemoPartner(
    "maritime", "N1004", "Maritime Mobile", "NS", "dealer-1", has_primary=False
)
WRONG_SITE = DemoPartner("lakeshore", "A2001", "Lakeshore Car Stereo", "MI", "dealer-3")
CONSUMER = DemoPartner("consumer-1", "B2C0001", "Bea Whitfield", "ON", "msrp", False)

STORIES = (
    Somebody(
        id="uma",
        first_name="Uma",
        last_name="Fields",
        what="owner of a U.S. business: asked to change sites",
        dealer_id=WRONG_SITE.id,
        is_installer=True,
        is_owner=True,
        groups=[DEALER_PRIMARY_GROUP, INSTALLER_GROUP],
    ),
    Somebody(
        id="rene",
        first_name="Rene",
        last_name="Caron",
        what="retired installer",
        dealer_id="harbour",
        is_installer=True,
        is_retired=True,
        groups=[INSTALLER_GROUP],
    ),
    Somebody(
        id="paula",
        first_name="Paula",
        last_name="Stone",
        what="purchaser-only installer at Prairie Remote Start",
        dealer_id="prairie",
        is_installer=True,
        is_purchaser=True,
        groups=[INSTALLER_GROUP],
    ),
    Somebody(
        id="petra",
        first_name="Petra",
        last_name="Simard",
        what="purchaser with limits at Prairie Remote Start",
        dealer_id="prairie",
        is_installer=True,
        is_purchaser=True,
        groups=[INSTALLER_GROUP],
    ),
    Somebody(
        id="gus",
        first_name="Gus",
        last_name="Lindqvist",
        what="owner of Prairie Remote Start and its accountant",
        dealer_id="prairie",
        is_installer=True,
        is_owner=True,
        groups=[DEALER_PRIMARY_GROUP, DEALER_ACCOUNTING_GROUP, INSTALLER_GROUP],
    ),
    Somebody(
        id="nadia",
        first_name="Nadia",
        last_name="Roy",
        what="inside sales rep for two businesses that cannot be chosen: no dealer account, no primary person",
        groups=[INSIDE_REP_GROUP],
    ),
    Somebody(
        id="bea",
        first_name="Bea",
        last_name="Whitfield",
        what="consumer with an installer record",
        partner_id=CONSUMER.id,
        is_installer=True,
        groups=[INSTALLER_GROUP],
    ),
    Somebody(
        id="nick",
        first_name="Nick",
        last_name="Farrow",
        what="not an installer: refused at sign-in",
        dealer_id="harbour",
    ),
    Somebody(
        id="lena",
        first_name="Lena",
        last_name="Hart",
        what="owner of a business at its credit limit",
        dealer_id="n40",
        is_installer=True,
        is_owner=True,
        groups=[DEALER_PRIMARY_GROUP, INSTALLER_GROUP],
    ),
    Somebody(
        id="theo",
        first_name="Theo",
        last_name="Blanc",
        what="owner of a business with three invoices past due",
        dealer_id="n41",
        is_installer=True,
        is_owner=True,
        groups=[DEALER_PRIMARY_GROUP, INSTALLER_GROUP],
    ),
    Somebody(
        id="anouk",
        first_name="Anouk",
        last_name="Bergeron",
        what="accountant of a business with three invoices past due",
        dealer_id="n41",
        is_installer=True,
        groups=[DEALER_ACCOUNTING_GROUP, INSTALLER_GROUP],
    ),
    Somebody(
        id="mira",
        first_name="Mira",
        last_name="Solberg",
        what="owner of a business with a discount that ends today",
        dealer_id="n42",
        is_installer=True,
        is_owner=True,
        groups=[DEALER_PRIMARY_GROUP, INSTALLER_GROUP],
    ),
    Somebody(
        id="otis",
        first_name="Otis",
        last_name="Grant",
        what="owner of a business with an invoice of two early-pay tiers",
        dealer_id="n44",
        is_installer=True,
        is_owner=True,
        groups=[DEALER_PRIMARY_GROUP, INSTALLER_GROUP],
    ),
    Somebody(
        id="vera",
        first_name="Vera",
        last_name="Kline",
        what="owner of a business whose bank returned a debit last night",
        dealer_id="n39",
        is_installer=True,
        is_owner=True,
        groups=[DEALER_PRIMARY_GROUP, INSTALLER_GROUP],
    ),
)


async def add_partners(session: AsyncSession) -> None:
    """Adds what is missing; nothing is changed. The first businesses and people must be there."""
    chance = Random(SEED)
    partners = demo_partners()
    await _add(session, PartnerRow, [_partner(partner, chance) for partner in partners])
    first = [DemoPartner(b.id, b.code, b.name, "BC", b.channel) for b in BUSINESSES]
    everyone = [*first, *partners]
    await _add(session, PartnerAddressRow, [row for p in everyone for row in _addresses(p, chance)])
    dealers = [partner for partner in partners if partner.has_dealer]
    await _add(
        session, DealerRow, [{"id": d.id, "partner_id": d.id, "name": d.name} for d in dealers]
    )
    for person in STORIES:
        await add_person(session, person)
    people = _people(dealers, chance)
    await _add(session, PersonRow, [_person(person) for person in people])
    await _add(
        session,
        InstallerRow,
        [
            {"person_id": p.id, "is_owner": p.is_owner, "is_purchaser": p.is_purchaser}
            for p in people
            if p.is_installer
        ],
    )
    await _add(session, RepPartnerRow, _memberships(everyone, people))


def demo_partners() -> list[DemoPartner]:
    """The 58 that stand beside the first two."""
    stories = [NO_DEALER, NO_PRIMARY, WRONG_SITE, CONSUMER]
    canadian = [
        _ordinary(f"n{number}", f"N{1000 + number}", number, CANADIAN) for number in range(5, 45)
    ]
    american = [
        _ordinary(f"a{number}", f"A{2000 + number}", number + 44, AMERICAN)
        for number in range(2, 13)
    ]
    consumers = [
        DemoPartner(f"consumer-{n}", f"B2C000{n}", f"Consumer {n}", "ON", "msrp", False)
        for n in range(2, 5)
    ]
    return [*stories, *canadian, *american, *consumers]


def _ordinary(id_: str, code: str, number: int, areas: list[str]) -> DemoPartner:
    first = FIRST_WORDS[number % len(FIRST_WORDS)]
    second = SECOND_WORDS[number // len(FIRST_WORDS) % len(SECOND_WORDS)]
    channel = f"dealer-{number % 4 + 1}"
    return DemoPartner(id_, code, f"{first} {second}", areas[number % len(areas)], channel)


def _partner(partner: DemoPartner, chance: Random) -> dict[str, object]:
    return {
        "id": partner.id,
        "sap_bp_code": partner.code,
        "company_name": partner.name,
        "channel_slug": partner.channel,
        "country": partner.country,
        "tax_number": tax_number_of(partner.code, partner.country),
        "approved_brands": sorted(chance.sample(BRANDS, k=chance.randint(2, len(BRANDS)))),
        "subdistributor": chance.random() < 0.1,
    }


def _addresses(partner: DemoPartner, chance: Random) -> list[dict[str, object]]:
    country, towns, postal_code = TOWNS[partner.area]
    kinds = [("BILLING", True), ("SHIPPING", True)]
    if chance.random() < 0.3:
        kinds.append(("SHIPPING", False))
    return [
        {
            "id": f"{partner.id}-{number}",
            "partner_id": partner.id,
            "kind": kind,
            "is_default": is_default,
            "name": partner.name,
            "street": f"{chance.randint(10, 9800)} Example Street",
            "city": chance.choice(towns),
            "country_area": partner.area,
            "postal_code": postal_code,
            "country": country,
        }
        for number, (kind, is_default) in enumerate(kinds, start=1)
    ]


def _people(dealers: list[DemoPartner], chance: Random) -> list[Somebody]:
    """Primary persons, two more inside and three more outside reps, and installers up to the full number."""
    names = _names()
    people = [
        _somebody(
            names,
            f"primary-{dealer.id}",
            dealer,
            is_owner=True,
            groups=[DEALER_PRIMARY_GROUP, INSTALLER_GROUP],
        )
        for dealer in dealers
        if dealer.has_primary and dealer is not WRONG_SITE
    ]
    people += [_somebody(names, f"inside-{number}", groups=[INSIDE_REP_GROUP]) for number in (2, 3)]
    people += [
        _somebody(names, f"outside-{number}", groups=[OUTSIDE_REP_GROUP]) for number in (2, 3, 4)
    ]
    owned = {story.dealer_id for story in STORIES if story.is_owner}
    people = [person for person in people if person.dealer_id not in owned]
    missing = PEOPLE_IN_ALL - len(PEOPLE) - len(STORIES) - len(people)
    people += [
        _somebody(
            names,
            f"installer-{number}",
            chance.choice(dealers),
            is_purchaser=number % 5 == 0,
            is_retired=number % 8 == 0,
            groups=[INSTALLER_GROUP],
        )
        for number in range(missing)
    ]
    return people


def _names() -> list[tuple[str, str]]:
    """Every pair once, well mixed."""
    return [
        (
            FIRST_NAMES[(n + n // len(LAST_NAMES)) % len(FIRST_NAMES)],
            LAST_NAMES[n % len(LAST_NAMES)],
        )
        for n in range(len(FIRST_NAMES) * len(LAST_NAMES))
    ]


def _somebody(
    names: list[tuple[str, str]],
    id_: str,
    dealer: DemoPartner | None = None,
    *,
    is_owner: bool = False,
    is_purchaser: bool = False,
    is_retired: bool = False,
    groups: list[str],
) -> Somebody:
    first_name, last_name = names.pop(0)
    return Somebody(
        id=id_,
        first_name=first_name,
        last_name=last_name,
        what="",
        dealer_id=dealer.id if dealer else None,
        is_installer=dealer is not None,
        is_owner=is_owner,
        is_purchaser=is_purchaser,
        is_retired=is_retired,
        groups=groups,
    )


def _person(person: Somebody) -> dict[str, object]:
    return {
        "id": person.id,
        "email": person.email,
        "password_hash": PASSWORD_HASH,
        "first_name": person.first_name,
        "last_name": person.last_name,
        "dealer_id": person.dealer_id,
        "is_retired": person.is_retired,
        "drone_user_id": f"drone-{person.id}",
        "permission_groups": person.groups,
        "confirmed_at": CONFIRMED_AT,
    }


def _memberships(partners: list[DemoPartner], people: list[Somebody]) -> list[dict[str, object]]:
    """Ines sees all; the others share them by country and region."""
    reps = [p.id for p in people if INSIDE_REP_GROUP in p.groups or OUTSIDE_REP_GROUP in p.groups]
    rows: list[dict[str, object]] = []
    for number, partner in enumerate(partners):
        inside = reps[0] if partner.country == "CA" else reps[1]
        outside = "owen" if partner.area in ("BC", "AB") else reps[2 + number % 3]
        named = {"ines": number < 20, inside: number >= 20, outside: True}
        if partner in (NO_DEALER, NO_PRIMARY):
            named["nadia"] = False
        for rep, is_contact in named.items():
            rows.append({"person_id": rep, "partner_id": partner.id, "is_contact": is_contact})
    return rows


async def _add(session: AsyncSession, table: type[Base], rows: list[dict[str, object]]) -> None:
    await session.execute(insert(table).on_conflict_do_nothing(), rows)
