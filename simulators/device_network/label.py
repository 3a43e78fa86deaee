"""The page of a device, `GET /device-cloud/devices/{device_key}`: what is printed on it and inside it.

Whoever holds a real device reads its SIM's digits there; who tries the portal holds none, and reads them here. The portal
never asks this page.
"""

from html import escape

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse

router = APIRouter(prefix="/device-cloud/devices")

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{device_key}</title>
<style>
body {{ font: 1.125rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 26rem; padding: 0 1rem }}
dl {{ display: grid; grid-template-columns: auto 1fr; gap: .25rem 1.5rem }}
dd {{ margin: 0; font-family: ui-monospace, monospace }}
</style>
<h1>{device_key}</h1>
<dl>
<dt>Product</dt><dd>{product_name}</dd>
<dt>State</dt><dd>{device_state}</dd>
<dt>Last 5 digits of the SIM (ICCID)</dt><dd id="sim">{iccid_last_digits}</dd>
</dl>
</html>
"""


@router.get("/{device_key}")
async def label(request: Request, device_key: str) -> HTMLResponse:
    """The label of a device that exists, as a page for people."""
    device = request.app.state.network.device(device_key.strip().upper())
    if device is None:
        raise HTTPException(404, "No such device")
    shown = ("device_key", "product_name", "device_state", "iccid_last_digits")
    return HTMLResponse(_PAGE.format(**{name: escape(getattr(device, name)) for name in shown}))
