"""Loaded by Schemathesis: the token of the person of FUZZ_EMAIL, anew every few minutes, as access tokens are short-lived;
or of the guest who activates FUZZ_DEVICE.
"""

import os
import secrets
from typing import Any

import httpx
import schemathesis

REFRESH_SECONDS = 300


@schemathesis.auth(refresh_interval=REFRESH_SECONDS)  # pyright: ignore[reportUnknownMemberType]  # not typed
class SignIn:
    """A bearer token for every request, unless the check at hand leaves it out."""

    def get(self, case: Any, ctx: Any) -> str:
        if "FUZZ_DEVICE" in os.environ:
            return _resume_token(os.environ["FUZZ_DEVICE"], os.environ["FUZZ_SIM"])
        answer = httpx.post(
            f"{os.environ['FUZZ_PORTAL']}/v1/auth/sign-in",
            json={
                "username": os.environ["FUZZ_EMAIL"],
                "password": os.environ["FUZZ_PASSWORD"],
                "remember_me": False,
            },
            timeout=10,
        )
        answer.raise_for_status()
        return str(answer.json()["access_token"])

    def set(self, case: Any, data: str, ctx: Any) -> None:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


def _resume_token(device_key: str, sim_digits: str) -> str:
    """A guest proves possession of the device, by its key and the digits of its SIM, and gets a key to its activation."""
    answer = httpx.post(
        f"{os.environ['FUZZ_PORTAL']}/v1/activations",
        json={
            "device_key": device_key,
            "iccid_last_digits": sim_digits,
            "type": "new-device",
        },
        headers={"Idempotency-Key": secrets.token_hex(8)},
        timeout=10,
    )
    answer.raise_for_status()
    return str(answer.json()["resume_token"])
