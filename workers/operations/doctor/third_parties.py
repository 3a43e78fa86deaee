"""What is asked of each outside system: the smallest read that its client has, with the key where there is one."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

import httpx

from domain.devices.devices import UnknownDevice
from domain.operations.erp_mirror import Records
from domain.vehicles.vehicles import NoVehicleData, Vin, VinIncomplete
from providers.systems import Systems
from workers.operations.doctor.questions import AWAY, SECONDS, Answer, Missing, Question, answered

NOTHING = "doctor"
"""A name that nothing has anywhere."""
A_DEVICE = "FT-X1-00000000"
A_CAR = (2020, "Toyota", "Camry")
A_VIN = Vin("1HGCM82633A004352")
A_PAGE = "privacy-policy"
"""One that the portal shows."""
WRITES_ALONE = 405


def questions_to_third_parties(
    systems: Systems, outside: httpx.AsyncClient, address_of: Callable[[str], str]
) -> list[Question]:
    """Each is a read, of something that is not there where there is no smaller one. `address_of` knows a setting's."""

    async def devices() -> Answer:
        with suppress(UnknownDevice):
            await systems.device_cloud.device(A_DEVICE)
        return Answer(said="takes the key, reads a device")

    async def cards() -> Answer:
        await systems.cards.find(NOTHING)
        return Answer(said="takes the key, searches payments")

    async def gateway() -> Answer:
        await systems.gateway.charges(datetime.now(UTC), None)
        return Answer(said="takes the key, lists transactions")

    async def erp() -> Answer:
        await systems.erp_master_data.named(Records.ITEMS, [NOTHING])
        await systems.erp_lists.orders(datetime.now(UTC), None)
        version = systems.erp_master_data.version
        return Answer(said="takes user and password, reads items, lists orders", version=version)

    async def sends(what: str) -> Answer:
        """It can only send: the refusal of a read shows that it would."""
        try:
            told = await outside.get(
                f"{address_of('MESSENGER_URL').rstrip('/')}/v1/{what}", timeout=SECONDS
            )
        except httpx.RequestError:
            raise Missing(AWAY) from None
        if told.status_code != WRITES_ALONE:
            raise Missing(f"answers, and not as agreed ({told.status_code})")
        return Answer(said="is there; nothing was sent")

    async def bot_check() -> Answer:
        if not systems.bot_check.is_on:
            return Answer(said="is turned off: BOT_CHECK_KEY is empty")
        await systems.bot_check.challenge()
        return Answer(said="takes the public key, hands out a puzzle")

    async def content() -> Answer:
        await systems.content.page(A_PAGE, "en")
        return Answer(said="reads a page")

    async def vins() -> Answer:
        with suppress(NoVehicleData, VinIncomplete):
            await systems.vin_decoder.decode(A_VIN)
        answered()
        return Answer(said="decodes a VIN")

    async def idatawire() -> Answer:
        await systems.ads_wiring.wiring(*A_CAR)
        answered()
        return Answer(said="reads wiring")

    async def automob() -> Answer:
        await systems.automob_wiring.wiring(*A_CAR)
        answered()
        return Answer(said="reads wiring")

    asks = {
        "device network": (devices, "DEVICE_CLOUD_URL", "DEVICE_CLOUD_KEY"),
        "card provider": (cards, "CARD_URL", "CARD_SECRET_KEY"),
        "ACH/COD gateway": (gateway, "GATEWAY_URL", "GATEWAY_KEY"),
        "ERP": (erp, "ERP_URL", "ERP_COMPANY", "ERP_USER", "ERP_PASSWORD"),
        "mail": (lambda: sends("mail"), "MESSENGER_URL"),
        "SMS": (lambda: sends("sms"), "MESSENGER_URL"),
        "bot check": (bot_check, "BOT_CHECK_URL", "BOT_CHECK_KEY"),
        "content": (content, "CONTENT_URL"),
        "VIN decoder": (vins, "VIN_URL"),
        "iDatawire": (idatawire, "ADS_WIRING_URL"),
        "3rd party wiring": (automob, "AUTOMOB_WIRING_URL"),
    }
    return [
        Question(
            name=name, ask=ask, look_at=", ".join((f"{url} ({_shown(address_of(url))})", *keys))
        )
        for name, (ask, url, *keys) in asks.items()
    ]


def _shown(address: str) -> str:
    """Without what an address may hold besides."""
    return str(httpx.URL(address).copy_with(userinfo=b"", query=None, fragment=None))
