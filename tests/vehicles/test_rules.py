"""What may be a VIN, and what a decoded one must tell."""

import pytest

from domain.vehicles.vehicles import (
    DecodedVehicle,
    VinIncomplete,
    VinMalformed,
    VinMissing,
    decoded_vehicle,
    vin_in,
)

VIN = "4T1B11HK9NA100001"


@pytest.mark.parametrize("typed", [VIN, VIN.lower(), f" {VIN}\n", "4T1-B11HK-9N A100001"])
def test_a_vin_is_read_as_papers_write_it(typed: str) -> None:
    assert vin_in(typed) == VIN


@pytest.mark.parametrize("typed", ["", "   ", "--"])
def test_without_a_vin_one_is_asked_for(typed: str) -> None:
    with pytest.raises(VinMissing) as missing:
        vin_in(typed)
    assert missing.value.detail == "Please provide a vehicle VIN number to continue"
    assert missing.value.fields == (("vin", "Required field"),)


@pytest.mark.parametrize(
    "typed", [VIN[:16], f"{VIN}1", VIN.replace("A", "I"), VIN.replace("A", "O"), "Q" * 17, "é" * 17]
)
def test_what_cannot_be_a_vin_is_refused_without_being_repeated(typed: str) -> None:
    with pytest.raises(VinMalformed) as refused:
        vin_in(typed)
    assert typed not in str((refused.value.detail, refused.value.fields))


def test_a_full_answer_is_a_vehicle() -> None:
    assert decoded_vehicle(year="2022", make=" TOYOTA ", model="Camry") == DecodedVehicle(
        ModelYear=2022, Make="TOYOTA", Model="Camry"
    )


@pytest.mark.parametrize(
    ("year", "make", "model"),
    [
        ("", "TOYOTA", "Camry"),
        ("22", "TOYOTA", "Camry"),
        ("soon", "TOYOTA", "Camry"),
        ("2022", " ", "Camry"),
        ("2022", "TOYOTA", ""),
    ],
)
def test_an_answer_with_a_gap_is_none(year: str, make: str, model: str) -> None:
    with pytest.raises(VinIncomplete):
        decoded_vehicle(year=year, make=make, model=model)
