"""The keys of `PAYLOAD_KEYS`, apart from what seals with them: settings are read by processes that never meet Temporal."""

import base64
import binascii
import re

_KEY_BYTES = 32


def read_keys(text: str) -> dict[str, bytes]:
    """Id → key, in their order, of `id:base64,id:base64`. Raises ValueError, which repeats nothing of them."""
    keys: dict[str, bytes] = {}
    for one in text.split(",") if text.strip() else []:
        id_, _, encoded = one.strip().partition(":")
        try:
            key = base64.b64decode(encoded, validate=True)
        except binascii.Error:
            key = b""
        if not re.fullmatch(r"[A-Za-z0-9_.-]{1,40}", id_) or len(key) != _KEY_BYTES or id_ in keys:
            raise ValueError("keys must be id:base64 of 32 bytes, parted by commas, each id once")
        keys[id_] = key
    return keys
