"""A run's side of the one rule (decision 34): whatever its door let through, a run takes no foreign device."""

from collections.abc import Awaitable

from activities.runs.intents import Call
from db.base import Sessions, reading
from db.devices.ownership import facts_of_device
from db.devices.visits import permitted_visits
from db.identity.people import find_user
from db.runs import flows
from domain.devices.devices import Device, NotInServiceMode, UnknownDevice
from domain.devices.ownership import Asker, Ownership, Party, asker_of_run, whose_device
from domain.devices.visits import permits
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import Refused


class DevicesOfRuns:
    """Asks the device network on behalf of a run."""

    def __init__(self, device_cloud: DeviceCloud, sessions: Sessions) -> None:
        self._device_cloud = device_cloud
        self._sessions = sessions

    async def authorized_answer(
        self, call: Call, device_key: str, asking: Awaitable[Device], *, visiting: bool = False
    ) -> Device:
        """What the network answers, or refuses, once the device is not foreign to the run's people; `visiting` lets in
        whom its owner permits a visit.

        Raises UnknownDevice, and what `asking` raises. Read only.
        """
        try:
            device = await asking
        except (Refused, NotInServiceMode):
            await self._check(
                call, device_key, await self._device_cloud.owner(device_key), visiting
            )
            raise
        await self._check(call, device_key, device.owner_dealer_id, visiting)
        return device

    async def _check(
        self, call: Call, device_key: str, network_owner: str | None, visiting: bool
    ) -> None:
        async with reading(self._sessions) as session:
            run = await flows.find_owner(session, "activation", call.flow_id)
            owner = await find_user(session, run.owner_id) if run and run.owner_id else None
            facts = await facts_of_device(session, device_key)
            permitted = (
                await permitted_visits(session, device_key, run.owner_id)
                if visiting and run and run.owner_id
                else ()
            )
        asker = Asker()
        if run is not None:
            party = Party(dealer_id=run.dealer_id, partner_code=run.partner, person_id=run.owner_id)
            asker = asker_of_run(party, owner)
        known = facts.with_network_owner(network_owner)
        if whose_device(asker, known) is Ownership.FOREIGN and not permits(asker, known, permitted):
            raise UnknownDevice
