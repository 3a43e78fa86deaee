"""Signatures of webhooks (rulings "Calls")."""

import hashlib
import hmac
import re

from domain.errors import Unauthenticated

_SIGNATURE = re.compile(r"^t=(\d{1,12}),v1=([0-9a-f]{64})$")


TOLERANCE_SECONDS = 300


class BadSignature(Unauthenticated):
    code = "bad_signature"
    detail = "The signature does not fit."


def check_signature(secret: str, header: str, body: bytes, now: float) -> None:
    """`t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`, at most 300 s old. Raises BadSignature."""
    match = _SIGNATURE.match(header)
    if match is None or abs(now - int(match[1])) > TOLERANCE_SECONDS:
        raise BadSignature
    wanted = hmac.new(secret.encode(), match[1].encode() + b"." + body, hashlib.sha256)
    if not hmac.compare_digest(wanted.hexdigest(), match[2]):
        raise BadSignature
