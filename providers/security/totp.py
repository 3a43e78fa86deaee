"""Codes of authenticator apps (RFC 6238)."""

import hmac

from pyotp import random_base32
from pyotp.totp import TOTP

from domain.identity.second_factor import TOTP_STEP_SECONDS

ISSUER = "Turnkey"


def new_totp_secret() -> str:
    """160 bits in base32, as apps take them."""
    return random_base32()


def totp_address(secret: str, email: str) -> str:
    """The otpauth address that a QR code shows."""
    return TOTP(secret, interval=TOTP_STEP_SECONDS).provisioning_uri(name=email, issuer_name=ISSUER)


def matching_step(secret: str, code: str, steps: tuple[int, ...]) -> int | None:
    """The step that the code belongs to. Whoever asks must use each step once."""
    totp = TOTP(secret, interval=TOTP_STEP_SECONDS)
    matching = [s for s in steps if hmac.compare_digest(totp.generate_otp(s), code)]
    return matching[0] if matching else None
