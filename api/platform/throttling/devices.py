"""Proofs of possession, serial numbers, pins and VINs."""

from api.platform.deps import CountedAddress
from api.platform.throttling.tries import EVERYBODY, QUARTER, Tries
from db.base import one_statement
from db.devices.lookups import lookups
from db.platform.throttles import Limit, give_back

GUEST_DEVICE = Limit(kind="guest-device", tries=10, window=QUARTER)
GUEST_ADDRESS = Limit(kind="guest-address", tries=60, window=QUARTER)
PIN_DEVICE = Limit(kind="pin-device", tries=10, window=QUARTER)
PIN_CALLER = Limit(kind="pin-caller", tries=30, window=QUARTER)
VIN_CALLER = Limit(kind="vin-caller", tries=60, window=QUARTER)
GUEST_ALL = Limit(kind="guest-all", tries=3000, window=QUARTER)
GUEST_SOLVED_ADDRESS = Limit(kind="guest-solved-address", tries=30, window=QUARTER)


class DeviceTries(Tries):
    async def count_guest(self, address: CountedAddress) -> None:
        """A guest's proof of possession, whatever device it is of (`count_proof` counts that). Raises Throttled."""
        await self._count(*_guest(address))

    async def count_solved_guest(self, address: CountedAddress) -> None:
        """A guest's try beyond the limits, with a puzzle solved for it; never given back. Raises Throttled."""
        await self._count((GUEST_SOLVED_ADDRESS, address))

    async def give_back_guest(self, address: CountedAddress) -> None:
        async with one_statement(self._sessions) as connection:
            await give_back(connection, *_guest(address))

    async def count_proof(self, device_key: str) -> None:
        """A proof of possession of one device, by its ICCID digits: how guests, and persons, are counted besides is theirs.
        Raises Throttled."""
        await self._count((GUEST_DEVICE, device_key))

    async def give_back_proof(self, device_key: str) -> None:
        async with one_statement(self._sessions) as connection:
            await give_back(connection, (GUEST_DEVICE, device_key), clear=GUEST_DEVICE)

    async def count_lookup(self, person_id: str, wrong_per_hour: int) -> None:
        """A serial number that a person looks up; only a wrong one uses up the limit. Raises Throttled."""
        await self._count((lookups(wrong_per_hour), person_id))

    async def give_back_lookup(self, person_id: str, wrong_per_hour: int) -> None:
        async with one_statement(self._sessions) as connection:
            await give_back(connection, (lookups(wrong_per_hour), person_id))

    async def count_pin(self, device_key: str, caller: str) -> None:
        """A KeyLocker pin, set or tried; `caller` is as of `counted_as`, or a run's. Raises Throttled."""
        await self._count(*_pin(device_key, caller))

    async def give_back_pin(self, device_key: str, caller: str) -> None:
        """A pin that was taken uses up nothing."""
        async with one_statement(self._sessions) as connection:
            await give_back(connection, *_pin(device_key, caller))

    async def count_vin(self, caller: str) -> None:
        """A VIN to decode, which others do for us; never given back. `caller` is as of `counted_as`. Raises Throttled."""
        await self._count((VIN_CALLER, caller))


def _guest(address: CountedAddress) -> tuple[tuple[Limit, str], ...]:
    return (GUEST_ALL, EVERYBODY), (GUEST_ADDRESS, address)


def _pin(device_key: str, caller: str) -> tuple[tuple[Limit, str], ...]:
    return (PIN_CALLER, caller), (PIN_DEVICE, device_key)
