"""What is asked of each outside system: the smallest read that its client has, with the key where there is one."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

import httpx

from domain.devices.devices import UnknownDevice
from domain.operations.erp_mirror import Records
from domain.vehicles.vehicles import NoVehicleData, Vin, VinIncomplete
from providers.systems import Systems
from workers.operations.doctor.questions import Answer, Missing, Question, answered

NOTHING = "doctor"
"""A name that nothing has anywhere."""
A_DEVICE = "FT-X1-00000000"
A_CAR = (2020, "Toyota", "Camry")
A_VIN = Vin("1HGCM82633A004352")
A_PAGE = "privacy-policy"
"""One that the portal shows."""
_NOT_USED = "is not used: {} is none"


def questions_to_third_parties(
    systems: Systems, address_of: Callable[[str], str]
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
        if not systems.gateway.is_used:
            return Answer(said=_NOT_USED.format("GATEWAY_URL"))
        await systems.gateway.charges(datetime.now(UTC), None)
        return Answer(said="takes the key, lists transactions")

    async def erp() -> Answer:
        await systems.erp_master_data.named(Records.ITEMS, [NOTHING])
        await systems.erp_lists.orders(datetime.now(UTC), None)
        version = systems.erp_master_data.version
        return Answer(said="takes user and password, reads items, lists orders", version=version)

    async def mail() -> Answer:
        named = await systems.messenger.greeting()
        return Answer(said="lets us in; nothing was sent", version=named or None)

    async def texts() -> Answer:
        status = await systems.messenger.account()
        if status != "active":
            raise Missing(f"the account is {status}")
        return Answer(said="takes the token, the account is active; nothing was sent")

    async def bot_check() -> Answer:
        if not systems.bot_check.is_on:
            return Answer(said="is turned off: BOT_CHECK_KEY is empty")
        await systems.bot_check.verify(NOTHING, "")
        answered()
        return Answer(said="takes the secret, judges an answer")

    async def content() -> Answer:
        await systems.content.page(A_PAGE, "en")
        return Answer(said="reads a page")

    async def vins() -> Answer:
        with suppress(NoVehicleData, VinIncomplete):
            await systems.vin_decoder.decode(A_VIN)
        answered()
        return Answer(said="decodes a VIN")

    async def idatawire() -> Answer:
        if not systems.ads_wiring.is_used:
            return Answer(said=_NOT_USED.format("ADS_WIRING_URL"))
        await systems.ads_wiring.wiring(*A_CAR)
        answered()
        return Answer(said="reads wiring")

    async def automob() -> Answer:
        if not systems.automob_wiring.is_used:
            return Answer(said=_NOT_USED.format("AUTOMOB_WIRING_URL"))
        await systems.automob_wiring.wiring(*A_CAR)
        answered()
        return Answer(said="reads wiring")

    asks = {
        "device network": (devices, "DEVICE_CLOUD_URL", "DEVICE_CLOUD_KEY"),
        "card provider": (cards, "CARD_URL", "CARD_SECRET_KEY"),
        "ACH/COD gateway": (gateway, "GATEWAY_URL", "GATEWAY_KEY"),
        "ERP": (erp, "ERP_URL", "ERP_COMPANY", "ERP_USER", "ERP_PASSWORD"),
        "mail": (mail, "MAIL_URL", "MAIL_ENCRYPTION", "MAIL_USER", "MAIL_PASSWORD"),
        "SMS": (texts, "SMS_URL", "SMS_ACCOUNT", "SMS_TOKEN"),
        "bot check": (bot_check, "BOT_CHECK_URL", "BOT_CHECK_SECRET"),
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
