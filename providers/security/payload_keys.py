"""The keys of `PAYLOAD_KEYS`, apart from what seals with them: settings are read by processes that never meet Temporal."""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

NOTHING = "none"
"""As the first entry: nothing is sealed."""

_KEY_BYTES = 32


@dataclass(frozen=True)
class PayloadKeys:
    """Id → key in their order: all of them open, and the first seals unless nothing is sealed."""

    by_id: Mapping[str, bytes] = field(repr=False)
    seal: bool


def read_keys(text: str) -> PayloadKeys:
    """Those of `id:base64,id:base64`, of which the first seals; behind the word `none` none does. Raises ValueError, which
    repeats nothing of them."""
    entries = [one.strip() for one in text.split(",")] if text.strip() else []
    seals_nothing = entries[:1] == [NOTHING]
    keys: dict[str, bytes] = {}
    for one in entries[1:] if seals_nothing else entries:
        id_, _, encoded = one.partition(":")
        try:
            key = base64.b64decode(encoded, validate=True)
        except binascii.Error:
            key = b""
        if not re.fullmatch(r"[A-Za-z0-9_.-]{1,40}", id_) or len(key) != _KEY_BYTES or id_ in keys:
            raise ValueError(
                "keys must be id:base64 of 32 bytes, parted by commas, each id once, or none before them"
            )
        keys[id_] = key
    return PayloadKeys(by_id=keys, seal=bool(keys) and not seals_nothing)
