"""Seals what must be read again but never lies open: AES-256-GCM with a key from the settings."""

import base64
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE_BYTES = 12


class SealBroken(Exception):
    """Not sealed by us, or sealed for something else."""


class Vault:
    """`key` is 32 bytes in base64. What is sealed for one purpose does not open for another."""

    def __init__(self, key: str) -> None:
        self._cipher = AESGCM(base64.b64decode(key, validate=True))

    def seal(self, text: str, *, purpose: str) -> bytes:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, text.encode(), purpose.encode())

    def open(self, sealed: bytes, *, purpose: str) -> str:
        """Raises SealBroken."""
        nonce, content = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            return self._cipher.decrypt(nonce, content, purpose.encode()).decode()
        except (InvalidTag, ValueError):
            raise SealBroken from None
