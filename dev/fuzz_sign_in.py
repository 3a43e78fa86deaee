"""Loaded by Schemathesis: signs the person of FUZZ_EMAIL in, anew every few minutes, as access tokens are short-lived."""

import os
from typing import Any

import httpx
import schemathesis

REFRESH_SECONDS = 300


@schemathesis.auth(refresh_interval=REFRESH_SECONDS)  # pyright: ignore[reportUnknownMemberType]  # not typed
class SignIn:
    """A bearer token for every request, unless the check at hand leaves it out."""

    def get(self, case: Any, ctx: Any) -> str:
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
