"""The decoder of VINs: a third party that tells year, make and model in the words of manufacturers' filings.

After the public U.S. decoder (NHTSA vPIC): `POST /vin/vehicles/DecodeVINValuesBatch/` with the form fields `format=json`
and `DATA`, VINs parted by semicolons, answers {Count, Message, SearchCriteria, Results: [{VIN, ModelYear, Make, Model,
ErrorCode, ErrorText, …}]}: all texts, makes in capitals, what is not known empty. An error is a 200 too: `ErrorCode` lists
what was found, by commas: 0 clean, 1 a check digit that does not fit (and is decoded all the same), 7 an unknown
manufacturer, 8 no details, 11 a year to come. Sentinels, by the serial number (the last six characters):
    000206  without a model
    000404  of an unknown manufacturer
    000429  asked too often, 429
    000500  500, always
    000503  503, always
    000504  answers after four seconds
    000600  a script in make and model
    000998  an answer of ten megabytes
    000999  an answer that is not what was agreed
`GET /vin/_ledger?vin=&after=` lists every request.
"""

import asyncio
import re
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, HTTPException, Query, Request

from simulators.ledger import Ledger
from simulators.wiring.vehicles import SCRIPT

router = APIRouter(prefix="/vin")

SLOW_SECONDS = 4.0
HUGE_BYTES = 10_000_000

MODELS = {
    "19XZE4F5": ("HONDA", "Insight"),
    "1C4HJXDG": ("JEEP", "Wrangler"),
    "1C6SRFFT": ("RAM", "1500"),
    "1FMSK8DH": ("FORD", "Explorer"),
    "1FTEW1EP": ("FORD", "F-150"),
    "1GCUYDED": ("CHEVROLET", "Silverado 1500"),
    "1HGCV1F3": ("HONDA", "Accord"),
    "2HGFC2F5": ("HONDA", "Civic"),
    "2T3P1RFV": ("TOYOTA", "RAV4"),
    "3VWC57BU": ("VOLKSWAGEN", "Jetta"),
    "4S4BTANC": ("SUBARU", "Outback"),
    "4T1B11HK": ("TOYOTA", "Camry"),
    "5N1AT2MV": ("NISSAN", "Rogue"),
    "5NMS3CAD": ("HYUNDAI", "Santa Fe"),
    "5XYP54HC": ("KIA", "Telluride"),
    "5YJ3E1EA": ("TESLA", "Model 3"),
    "JM3KFBCM": ("MAZDA", "CX-5"),
    "WDAPF4CD": ("WINNEBAGO", "View"),
    "WBA5R1C5": ("BMW", "3 Series"),
    "WDDWF8DB": ("MERCEDES-BENZ", "C-Class"),
}
"""The first eight characters (manufacturer, model, body, engine) → make and model."""

_YEARS = "ABCDEFGHJKLMNPRSTVWXY123456789"
"""The tenth character, from 1980 and again from 2010."""
_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789", strict=True))
_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)

_UNREGISTERED = "000404"
_FAILURES = {
    "000429": (429, "Too Many Requests"),
    "000500": (500, "Internal Server Error"),
    "000503": (503, "Service Unavailable"),
}
_FORM = re.compile(r"[A-HJ-NPR-Z0-9]{17}")
_MOST = 50
"""VINs of one batch."""


@router.post("/vehicles/DecodeVINValuesBatch/")
async def decode(request: Request) -> dict[str, Any]:
    fields = parse_qs((await request.body()).decode())
    vins = [
        one.split(",")[0].strip() for one in fields.get("DATA", [""])[0].split(";") if one.strip()
    ]
    if fields.get("format") != ["json"] or not 0 < len(vins) <= _MOST:
        raise HTTPException(400, "Bad Request")
    ledger: Ledger = request.app.state.ledger
    for vin in vins:
        failure = _FAILURES.get(vin[11:])
        ledger.record("vin-decode", vin, None, status=failure[0] if failure else 200)
        if failure is not None:
            raise HTTPException(*failure)
        if vin[11:] == "000999":
            return {"vehicle": "not what was agreed"}
        if vin[11:] == "000504":
            await asyncio.sleep(SLOW_SECONDS)
    huge = any(vin[11:] == "000998" for vin in vins)
    return {
        "Count": len(vins),
        "Message": "x" * HUGE_BYTES if huge else "Results returned successfully.",
        "SearchCriteria": None,
        "Results": [_result(vin) for vin in vins],
    }


@router.get("/_ledger")
async def read_ledger(
    request: Request, vin: str | None = None, after: Annotated[int, Query(ge=0)] = 0
) -> dict[str, Any]:
    ledger: Ledger = request.app.state.ledger
    return ledger.read(vin, "vin-decode", after)


def a_vin(model: str, year: int, serial: str) -> str:
    """A VIN with a right check digit: `model` is a key of `MODELS`, `serial` has six characters."""
    rest = f"{_YEARS[(year - 1980) % 30]}A{serial}"
    return f"{model}{_check_digit(f'{model}0{rest}')}{rest}"


def _result(vin: str) -> dict[str, str]:
    empty = {"VIN": vin, "ModelYear": "", "Make": "", "Model": "", "VehicleType": "PASSENGER CAR"}
    if not _FORM.fullmatch(vin):
        return {**empty, **_found(("6", "Incomplete VIN"))}
    if vin[:8] not in MODELS or vin[11:] == _UNREGISTERED:
        return {**empty, **_found(("7", "Manufacturer is not registered with NHTSA"))}
    wrong = () if vin[8] == _check_digit(vin) else (("1", "Check Digit (9th position) does not calculate properly"),)  # fmt: skip
    year = _year_of(vin)
    if year is None:
        return {**empty, **_found(*wrong, ("11", "Incorrect Model Year"))}
    make, model = MODELS[vin[:8]]
    if vin[11:] == "000600":
        make, model = f"{SCRIPT}{make}", f"{SCRIPT}{model}"
    decoded = {**empty, "ModelYear": str(year), "Make": make, "Model": model}
    if vin[11:] == "000206":
        return {
            **decoded,
            "Model": "",
            **_found(*wrong, ("8", "No detailed data available currently")),
        }
    return {**decoded, **_found(*wrong or (("0", "VIN decoded clean. Check Digit is correct"),))}


def _found(*errors: tuple[str, str]) -> dict[str, str]:
    return {
        "ErrorCode": ",".join(code for code, _ in errors),
        "ErrorText": "; ".join(f"{code} - {words}" for code, words in errors),
    }


def _year_of(vin: str) -> int | None:
    """A digit in seventh place means the years before 2010; no car is from after next year."""
    if vin[9] not in _YEARS:
        return None
    year = 1980 + _YEARS.index(vin[9]) + (0 if vin[6].isdigit() else 30)
    return year if year <= datetime.now(UTC).year + 1 else None


def _check_digit(vin: str) -> str:
    """The ninth character, from all others (49 CFR 565.15)."""
    values = (int(_VALUES.get(character, character)) for character in vin)
    remainder = sum(w * v for w, v in zip(_WEIGHTS, values, strict=True)) % 11
    return "X" if remainder == 10 else str(remainder)
