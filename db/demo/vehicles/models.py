"""Makes and models to choose from, marked as demo data: common vehicles with the years they were sold in.

Ids are ours, but for the one vehicle that the stand-in of the device network knows.
"""

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.demo.vehicles.names import more_models
from db.vehicles.vehicles import MakeRow, ModelRow

MODELS: dict[str, tuple[tuple[str, int, int], ...]] = {
    "Acura": (("ILX", 2013, 2022), ("MDX", 2001, 2027), ("RDX", 2007, 2027), ("TLX", 2015, 2025)),
    "Audi": (("A4", 1996, 2025), ("A6", 1995, 2027), ("Q3", 2015, 2027), ("Q5", 2009, 2027)),
    "BMW": (
        ("3 Series", 1977, 2027),
        ("5 Series", 1975, 2027),
        ("X3", 2004, 2027),
        ("X5", 2000, 2027),
    ),
    "Buick": (("Enclave", 2008, 2027), ("Encore", 2013, 2022), ("LaCrosse", 2005, 2019)),
    "Cadillac": (("CTS", 2003, 2019), ("Escalade", 1999, 2027), ("XT5", 2017, 2027)),
    "Chevrolet": (
        ("Camaro", 1967, 2024),
        ("Colorado", 2004, 2027),
        ("Cruze", 2011, 2019),
        ("Equinox", 2005, 2027),
        ("Impala", 1958, 2020),
        ("Malibu", 1964, 2025),
        ("Silverado 1500", 1999, 2027),
        ("Suburban", 1940, 2027),
        ("Tahoe", 1995, 2027),
        ("Traverse", 2009, 2027),
    ),
    "Chrysler": (("200", 2011, 2017), ("300", 2005, 2023), ("Pacifica", 2004, 2027)),
    "Dodge": (
        ("Challenger", 2008, 2023),
        ("Charger", 2006, 2027),
        ("Durango", 1998, 2027),
        ("Grand Caravan", 1987, 2020),
        ("Journey", 2009, 2020),
    ),
    "Ford": (
        ("Bronco", 1966, 2027),
        ("Edge", 2007, 2024),
        ("Escape", 2001, 2027),
        ("Expedition", 1997, 2027),
        ("Explorer", 1991, 2027),
        ("F-150", 1975, 2027),
        ("F-250 Super Duty", 1999, 2027),
        ("Focus", 2000, 2018),
        ("Fusion", 2006, 2020),
        ("Mustang", 1965, 2027),
        ("Ranger", 1983, 2027),
        ("Transit", 2015, 2027),
    ),
    "GMC": (
        ("Acadia", 2007, 2027),
        ("Canyon", 2004, 2027),
        ("Sierra 1500", 1999, 2027),
        ("Terrain", 2010, 2027),
        ("Yukon", 1992, 2027),
    ),
    "Honda": (
        ("Accord", 1976, 2027),
        ("Civic", 1973, 2027),
        ("CR-V", 1997, 2027),
        ("Fit", 2007, 2020),
        ("HR-V", 2016, 2027),
        ("Odyssey", 1995, 2027),
        ("Pilot", 2003, 2027),
        ("Ridgeline", 2006, 2027),
    ),
    "Hyundai": (
        ("Accent", 1995, 2023),
        ("Elantra", 1992, 2027),
        ("Kona", 2018, 2027),
        ("Santa Fe", 2001, 2027),
        ("Sonata", 1989, 2027),
        ("Tucson", 2005, 2027),
    ),
    "Infiniti": (("Q50", 2014, 2024), ("QX50", 2014, 2025), ("QX60", 2014, 2027)),
    "Jeep": (
        ("Cherokee", 1974, 2023),
        ("Compass", 2007, 2027),
        ("Gladiator", 2020, 2027),
        ("Grand Cherokee", 1993, 2027),
        ("Wrangler", 1987, 2027),
    ),
    "Kia": (
        ("Forte", 2010, 2024),
        ("Optima", 2001, 2020),
        ("Sorento", 2003, 2027),
        ("Soul", 2010, 2025),
        ("Sportage", 1995, 2027),
    ),
    "Lexus": (("ES", 1990, 2027), ("IS", 2001, 2027), ("NX", 2015, 2027), ("RX", 1999, 2027)),
    "Lincoln": (("MKZ", 2007, 2020), ("Navigator", 1998, 2027), ("Nautilus", 2019, 2027)),
    "Mazda": (
        ("3", 2004, 2027),
        ("6", 2003, 2021),
        ("CX-5", 2013, 2027),
        ("CX-9", 2007, 2023),
        ("MX-5", 1990, 2027),
    ),
    "Mercedes-Benz": (
        ("C-Class", 1994, 2027),
        ("E-Class", 1986, 2027),
        ("GLC", 2016, 2027),
        ("Sprinter", 2007, 2027),
    ),
    "Mitsubishi": (("Eclipse Cross", 2018, 2027), ("Outlander", 2003, 2027), ("RVR", 2011, 2024)),
    "Nissan": (
        ("Altima", 1993, 2027),
        ("Frontier", 1998, 2027),
        ("Maxima", 1982, 2023),
        ("Pathfinder", 1986, 2027),
        ("Rogue", 2008, 2027),
        ("Sentra", 1982, 2027),
        ("Titan", 2004, 2024),
    ),
    "Ram": (
        ("1500", 2011, 2027),
        ("2500", 2011, 2027),
        ("3500", 2011, 2027),
        ("ProMaster", 2014, 2027),
    ),
    "Subaru": (
        ("Crosstrek", 2013, 2027),
        ("Forester", 1998, 2027),
        ("Impreza", 1993, 2027),
        ("Outback", 1995, 2027),
        ("WRX", 2002, 2027),
    ),
    "Tesla": (
        ("Model 3", 2017, 2027),
        ("Model S", 2012, 2027),
        ("Model X", 2016, 2027),
        ("Model Y", 2020, 2027),
    ),
    "Toyota": (
        ("4Runner", 1984, 2027),
        ("Camry", 1983, 2027),
        ("Corolla", 1968, 2027),
        ("Highlander", 2001, 2027),
        ("Prius", 2001, 2027),
        ("RAV4", 1996, 2027),
        ("Sienna", 1998, 2027),
        ("Tacoma", 1995, 2027),
        ("Tundra", 2000, 2027),
    ),
    "Volkswagen": (
        ("Atlas", 2018, 2027),
        ("Golf", 1975, 2027),
        ("Jetta", 1980, 2027),
        ("Passat", 1990, 2022),
        ("Tiguan", 2009, 2027),
    ),
    "Volvo": (("S60", 2001, 2027), ("V60", 2015, 2027), ("XC60", 2010, 2027), ("XC90", 2003, 2027)),
}

KNOWN = {"Toyota": 448, "Camry": 2469}
"""The vehicle that some simulated devices know already."""

SENTINEL = "Testmark"
"""A make that is none: outside sources of wiring answer for each of its models as the model is called
(`simulators/wiring`)."""
SENTINEL_ID = 9000
SENTINELS = (
    "Ads Down",
    "Automob Down",
    "Both Down",
    "Empty",
    "Elsewhere",
    "Hostile",
    "Huge",
    "Garbled",
    "Slow",
    "Unhurried",
)


async def add_vehicles(session: AsyncSession) -> None:
    """Adds what is missing."""
    models = _models()
    names = dict.fromkeys(make for make, *_ in models)
    makes = [
        {"id": KNOWN.get(name, number), "name": name} for number, name in enumerate(names, start=1)
    ]
    ids = {str(make["name"]): make["id"] for make in makes}
    numbered = [
        {
            "id": KNOWN.get(name, number),
            "make_id": ids[make],
            "name": name,
            "first_year": first,
            "last_year": last,
        }
        for number, (make, name, first, last) in enumerate(models, start=1)
    ]
    makes.append({"id": SENTINEL_ID, "name": SENTINEL})
    numbered += [
        {
            "id": SENTINEL_ID + place,
            "make_id": SENTINEL_ID,
            "name": name,
            "first_year": 2020,
            "last_year": 2024,
        }
        for place, name in enumerate(SENTINELS)
    ]
    await session.execute(insert(MakeRow).on_conflict_do_nothing(), makes)
    await session.execute(insert(ModelRow).on_conflict_do_nothing(), numbered)


def _models() -> list[tuple[str, str, int, int]]:
    """Make, model, first and last year; the common ones first, so that their ids stay."""
    common = [(make, *entry) for make, entries in MODELS.items() for entry in entries]
    return [*common, *more_models()]
