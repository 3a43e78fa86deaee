"""The agreement with the outside sources of wiring, `docs/wiring-sources.yaml`: what both clients ask and both stand-ins answer is
as it says, of vehicles that they know and of others."""

from collections.abc import AsyncGenerator

import httpx
import pytest
from fastapi.routing import APIRoute

from providers.errors import Unavailable
from providers.wiring.ads import AdsWiring
from providers.wiring.automob import AutoMobWiring
from providers.wiring.source import WiringSource
from simulators.wiring import ads, automob
from tests.simulators.agreement import Agreement
from tests.simulators.harness import BASE, World, a_world

CAMRY = (2022, "Toyota", "Camry")


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    async with a_world(tmp_path_factory.mktemp("wiring") / "state.sqlite") as world:
        yield world


@pytest.fixture
def agreement() -> Agreement:
    return Agreement("wiring-sources.yaml")


@pytest.fixture
async def sources(world: World, agreement: Agreement) -> AsyncGenerator[tuple[WiringSource, ...]]:
    hooks = {"response": [agreement.look]}
    transport = httpx.ASGITransport(world.app)
    async with httpx.AsyncClient(transport=transport, event_hooks=hooks) as client:
        yield (
            AdsWiring(client, base_url=f"{BASE}/ads-wiring", seconds=5),
            AutoMobWiring(client, base_url=f"{BASE}/automob-wiring", seconds=5),
        )


def test_the_stand_ins_have_the_operations_of_the_document_and_no_others(
    agreement: Agreement,
) -> None:
    built = {
        (method, route.path)
        for module in (ads, automob)
        for route in module.router.routes
        if isinstance(route, APIRoute) and "/_" not in route.path
        for method in route.methods or ()
    }
    assert built == agreement.operations()


def test_each_schema_of_the_document_is_one(agreement: Agreement) -> None:
    agreement.check_schemas()


async def test_both_are_asked_and_answer_as_the_document_says(
    sources: tuple[WiringSource, ...], agreement: Agreement
) -> None:
    for source in sources:
        assert (await source.wiring(*CAMRY)).count
        assert not (await source.wiring(1901, "Nobody's", "Carriage")).trims
    for source, model in zip(sources, ("Ads Down", "Automob Down"), strict=True):
        with pytest.raises(Unavailable):
            await source.wiring(2021, "Testmark", model)
    assert agreement.asked == agreement.operations()


async def test_what_the_document_does_not_have_is_found(
    sources: tuple[WiringSource, ...],
) -> None:
    for source in sources:
        with pytest.raises(AssertionError, match="answers 200"):
            await source.wiring(2021, "Testmark", "Garbled")
