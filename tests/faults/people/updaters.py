"""Installers who update the firmware of a device beside any activation, and follow the run to its end."""

import httpx

from tests.faults.people.driver import Browser, Progress, Stuck

STEPS_EACH = 2
"""Somebody begins it, and sees its end."""


class Updater:
    """One run on one device of the dealer's."""

    def __init__(
        self,
        browser: Browser,
        device_key: str,
        progress: Progress,
        *,
        dealer_id: str,
        simulators_url: str,
    ) -> None:
        self._browser = browser
        self._device_key = device_key
        self._progress = progress
        self._dealer_id = dealer_id
        self._simulators_url = simulators_url

    async def update(self) -> None:
        """To its end. Raises Stuck when it does not come to one; any other end than done is noted as broken."""
        async with httpx.AsyncClient(base_url=self._simulators_url, timeout=10) as network:
            told = {"device_key": self._device_key, "owner_dealer_id": self._dealer_id}
            (await network.post("/device-cloud/_control", json=told)).raise_for_status()
        answer = await self._browser.post("/v1/firmware", {"device_key": self._device_key})
        if answer.status_code not in (200, 202):
            raise Stuck(f"{self._device_key}: firmware {answer.status_code} {answer.text}")
        id_ = str(answer.json()["id"])
        await self._progress.step_done()
        run = await self._browser.to_its_end(f"/v1/firmware/{id_}")
        self._progress.answers[f"firmware {run['state']}"] += 1
        if run["state"] != "done":
            self._progress.broken.append(f"{self._device_key}: {run['state']}")
        await self._progress.step_done()
