"""The form in which a card number is typed: a page of the provider's own, which a shop shows in a frame (as Stripe Elements).

`GET /cards/frame?key=pk_…&origin=https://shop&locale=en|fr&theme=light|dark`. It tells the page around it, at `origin` only:
{type: "ready"}, {type: "change", complete}, {type: "token", paymentMethod: {id, brand, last4, expMonth, expYear}} or
{type: "error", detail}, with no detail for what the form itself shows; and takes {type: "submit", name, address} and, when
the colours around it change, {type: "theme", theme}. Nothing else ever leaves it but the call that makes the token.
"""

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import FileResponse, HTMLResponse

router = APIRouter(prefix="/cards")

_HERE = Path(__file__).parent
_FILES = {"frame.js": "text/javascript", "frame.css": "text/css"}

WORDS = {
    "en": {
        "title": "Card",
        "number": "Card number",
        "expiry": "Expiry (MMYY)",
        "cvc": "Security code",
        "bad_number": "This is not a card number",
        "bad_expiry": "Month and year, as on the card",
        "expired": "This card has expired",
        "bad_cvc": "3 or 4 digits",
    },
    "fr": {
        "title": "Carte",
        "number": "Numéro de carte",
        "expiry": "Expiration (MMAA)",
        "cvc": "Code de sécurité",
        "bad_number": "Ce n'est pas un numéro de carte",
        "bad_expiry": "Mois et année, comme sur la carte",
        "expired": "Cette carte est expirée",
        "bad_cvc": "3 ou 4 chiffres",
    },
}


@router.get("/frame")
async def frame(
    origin: Annotated[str, Query(max_length=200)],
    locale: Literal["en", "fr"] = "en",
    theme: Literal["light", "dark"] = "light",
) -> HTMLResponse:
    """The page; the public key stays in its address, where the script reads it."""
    around = urlsplit(origin)
    if around.scheme not in ("http", "https") or not around.netloc:
        raise HTTPException(400, "The origin is not valid.")
    page = (_HERE / "frame.html").read_text("utf-8")
    for name, word in {**WORDS[locale], "locale": locale, "theme": theme}.items():
        page = page.replace(f"[[{name}]]", word)
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        f"frame-ancestors {around.scheme}://{around.netloc}"
    )
    return HTMLResponse(page, headers={"Content-Security-Policy": policy})


@router.get("/frame/{name}")
async def file(name: str) -> FileResponse:
    if name not in _FILES:
        raise HTTPException(404, "Not Found")
    return FileResponse(_HERE / name, media_type=_FILES[name])
