"""The wire to the ERP's calls for orders, documents and payments."""

import httpx

from providers.http import Wire


def wire_of(client: httpx.AsyncClient, base_url: str, *, seconds: float, at_once: int) -> Wire:
    """`base_url` without `/v1`; `seconds` limits each call; `at_once` the calls under way."""
    return Wire(
        client,
        system="erp",
        base_url=f"{base_url.rstrip('/')}/v1",
        seconds=seconds,
        at_once=at_once,
    )
