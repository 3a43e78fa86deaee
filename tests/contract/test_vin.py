"""The client of the VIN decoder against its stand-in."""

from collections.abc import AsyncGenerator

import pytest

from domain.errors import PortalError
from domain.vehicles.vehicles import NoVehicleData, Vin, VinIncomplete, VinSearchUnavailable
from providers.vin import VinDecoder
from simulators.vin import MODELS, a_vin
from tests.simulators.harness import BASE, World, a_world


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    async with a_world(tmp_path_factory.mktemp("vin") / "state.sqlite") as world:
        yield world


def a_decoder(world: World, *, seconds: float = 5, at_once: int = 16) -> VinDecoder:
    return VinDecoder(world.http, base_url=f"{BASE}/vin", seconds=seconds, at_once=at_once)


def a_camry(serial: str) -> Vin:
    return Vin(a_vin("4T1B11HK", 2022, serial))


async def asked(world: World, vin: str) -> list[int]:
    """The statuses that this VIN was answered with."""
    answer = await world.http.get("/vin/_ledger", params={"vin": vin})
    return [line["status"] for line in answer.json()["results"]]


@pytest.mark.parametrize("model", MODELS)
async def test_every_model_is_decoded_in_the_decoders_words(world: World, model: str):
    vehicle = await a_decoder(world).decode(Vin(a_vin(model, 2021, "100002")))
    assert (vehicle.ModelYear, vehicle.Make, vehicle.Model) == (2021, *MODELS[model])


async def test_a_wrong_check_digit_is_decoded_all_the_same(world: World):
    vehicle = await a_decoder(world).decode(Vin("4T1B11HK0NA100001"))
    assert (vehicle.ModelYear, vehicle.Make, vehicle.Model) == (2022, "TOYOTA", "Camry")


async def test_the_stand_in_answers_as_the_public_decoder_does(world: World):
    vins = f"{a_camry('100004')};{a_camry('100005')},2022"
    form = {"format": "json", "DATA": vins}
    answer = await world.http.post("/vin/vehicles/DecodeVINValuesBatch/", data=form)
    told = answer.json()
    assert (told["Count"], len(told["Results"])) == (2, 2)
    assert {one["ErrorCode"] for one in told["Results"]} == {"0"}
    assert (await world.http.post("/vin/vehicles/DecodeVINValuesBatch/")).status_code == 400


@pytest.mark.parametrize(
    "vin",
    [
        pytest.param(a_camry("000206"), id="no model"),
        pytest.param(a_vin("4T1B11HK", 2038, "100001"), id="a year to come"),
    ],
)
async def test_an_answer_with_gaps_is_incomplete(world: World, vin: str):
    with pytest.raises(VinIncomplete):
        await a_decoder(world).decode(Vin(vin))
    assert await asked(world, vin) == [200]


@pytest.mark.parametrize(
    ("vin", "failure", "status"),
    [
        (a_camry("000404"), NoVehicleData, 200),
        (a_vin("ZZZZZZZZ", 2022, "100001"), NoVehicleData, 200),
        (a_camry("000429"), NoVehicleData, 429),
        (a_camry("000500"), NoVehicleData, 500),
        (a_camry("000998"), NoVehicleData, 200),
        (a_camry("000999"), NoVehicleData, 200),
        (a_camry("000503"), VinSearchUnavailable, 503),
    ],
)
async def test_a_failure_is_named_and_not_tried_again(
    world: World, vin: Vin, failure: type[PortalError], status: int
):
    with pytest.raises(failure) as met:
        await a_decoder(world).decode(vin)
    assert vin not in repr((met.value, met.value.__cause__))
    assert await asked(world, vin) == [status]


async def test_a_slow_answer_is_not_waited_for(world: World):
    with pytest.raises(NoVehicleData):
        await a_decoder(world, seconds=0.1).decode(a_camry("000504"))


async def test_too_many_at_once_are_told_to_come_back(world: World):
    with pytest.raises(VinSearchUnavailable):
        await a_decoder(world, at_once=0).decode(a_camry("100003"))
    assert await asked(world, a_camry("100003")) == []
