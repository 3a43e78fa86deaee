"""Seals what Temporal keeps of our runs: each payload with AES-256-GCM, under a key that its metadata names.

The first of the keys seals, or none does, and all of them open. What was written in clear is read as it is, so a
portal may switch this on and off while runs are under way, each in two steps (docs/going-live.md).
"""

import secrets
from collections.abc import Mapping, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from temporalio.api.common.v1 import Payload
from temporalio.converter import PayloadCodec

from providers.security.vault import SealBroken

ENCODING = b"binary/encrypted"
KEY_ID = "encryption-key-id"

_NONCE_BYTES = 12
_PURPOSE = b"turnkey/payload/"


class UnknownKey(SealBroken):
    """Sealed under a key that this process was not given."""


class SealedPayloads(PayloadCodec):
    """`keys` are id → 32 bytes, at least one; the first seals, unless they only open. Whoever decodes without one of them gets
    UnknownKey, and a worker's task waits for one that has it (decision 69)."""

    def __init__(self, keys: Mapping[str, bytes], *, seal: bool = True) -> None:
        self._ciphers = {id_: AESGCM(key) for id_, key in keys.items()}
        self._newest = next(iter(self._ciphers))
        self._seal = seal

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        return [self._sealed(payload) if self._seal else payload for payload in payloads]

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Raises SealBroken."""
        return [self._opened(payload) for payload in payloads]

    def _sealed(self, payload: Payload) -> Payload:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        content = self._ciphers[self._newest].encrypt(
            nonce, payload.SerializeToString(), _bound_to(self._newest)
        )
        metadata = {"encoding": ENCODING, KEY_ID: self._newest.encode()}
        return Payload(metadata=metadata, data=nonce + content)

    def _opened(self, payload: Payload) -> Payload:
        if payload.metadata.get("encoding") != ENCODING:
            return payload
        id_ = payload.metadata.get(KEY_ID, b"").decode(errors="replace")
        if id_ not in self._ciphers:
            raise UnknownKey
        nonce, content = payload.data[:_NONCE_BYTES], payload.data[_NONCE_BYTES:]
        try:
            opened = self._ciphers[id_].decrypt(nonce, content, _bound_to(id_))
        except (InvalidTag, ValueError):
            raise SealBroken from None
        return Payload.FromString(opened)


def _bound_to(key_id: str) -> bytes:
    return _PURPOSE + key_id.encode()
