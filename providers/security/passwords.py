"""Password hashes by Argon2id, off the event loop (promises 26 and 28)."""

from anyio import CapacityLimiter, to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

MEMORY_KIB = 47_104


class Passwords:
    """`at_once` bounds the threads, and with them the memory: each hash takes 46 MiB for some 40 ms, unless `memory_kib` says
    less."""

    def __init__(self, *, memory_kib: int = MEMORY_KIB, at_once: int = 2) -> None:
        self._hasher = PasswordHasher(time_cost=1, memory_cost=memory_kib, parallelism=1)
        self._at_once = at_once
        self._limiter: CapacityLimiter | None = None
        self._nobody = self._hasher.hash("nobody has this password")

    async def hash(self, password: str) -> str:
        return await to_thread.run_sync(self._hasher.hash, password, limiter=self._threads())

    async def verify(self, stored_hash: str | None, password: str) -> bool:
        """Whether the password is the kept one. Without a kept hash it costs the same and answers False."""
        fits = await to_thread.run_sync(
            self._verify, stored_hash or self._nobody, password, limiter=self._threads()
        )
        return fits and stored_hash is not None

    def is_outdated(self, stored_hash: str) -> bool:
        """Whether the hash was made with other costs than today's."""
        return self._hasher.check_needs_rehash(stored_hash)

    def _verify(self, stored_hash: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored_hash, password)
        except (VerificationError, InvalidHashError):
            return False

    def _threads(self) -> CapacityLimiter:
        # A limiter belongs to the running loop, which a constructor may not have yet.
        if self._limiter is None:
            self._limiter = CapacityLimiter(self._at_once)
        return self._limiter
