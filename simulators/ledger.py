"""The record of every request: fault tests judge by it. One idempotency key has one effect, ever."""

import hashlib
import time
from typing import Any

import orjson

from simulators import asking
from simulators.state import State


class KeyReused(Exception):
    """The same idempotency key came with another body."""


class Ledger:
    """Requests as they came, and the first good answer for each idempotency key."""

    def __init__(self, state: State) -> None:
        self._state = state

    def earlier_answer(self, operation: str, key: str | None, body: dict[str, Any]) -> bytes | None:
        """The answer this key got before, if it had an effect; raises KeyReused for another body."""
        if key is None:
            return None
        with self._state.transaction() as db:
            row = db.execute(
                "select fingerprint, body from answer where operation = ? and idempotency_key = ?",
                (operation, key),
            ).fetchone()
        if row is None:
            return None
        if row["fingerprint"] != _fingerprint(body):
            raise KeyReused
        return bytes(row["body"])

    def remember(
        self, operation: str, key: str | None, body: dict[str, Any], answer: bytes
    ) -> None:
        if key is None:
            return
        with self._state.transaction() as db:
            db.execute(
                "insert into answer values (?, ?, ?, 200, ?)",
                (operation, key, _fingerprint(body), answer),
            )

    def record(
        self,
        operation: str,
        device_key: str,
        key: str | None,
        *,
        status: int,
        effect: bool = False,
        replayed: bool = False,
        detail: str = "",
    ) -> None:
        with self._state.transaction() as db:
            db.execute(
                "insert into ledger (at, operation, device_key, idempotency_key, status, effect,"
                " replayed, detail, request_id) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    time.time(),
                    operation,
                    device_key,
                    key,
                    status,
                    effect,
                    replayed,
                    detail,
                    asking.request_id(),
                ),
            )

    def read(self, device_key: str | None, operation: str | None, after: int) -> dict[str, Any]:
        """`results` in order and `effects`, a count per operation; both narrowed alike."""
        with self._state.transaction() as db:
            rows = db.execute(
                "select * from ledger where (?1 is null or device_key = ?1)"
                " and (?2 is null or operation = ?2) and seq > ?3 order by seq",
                (device_key, operation, after),
            ).fetchall()
        effects: dict[str, int] = {}
        for row in rows:
            if row["effect"]:
                effects[row["operation"]] = effects.get(row["operation"], 0) + 1
        flags = ("effect", "replayed")
        results = [{k: bool(row[k]) if k in flags else row[k] for k in row.keys()} for row in rows]  # noqa: SIM118 (a Row iterates over its values)
        return {"results": results, "effects": effects}


def _fingerprint(body: dict[str, Any]) -> str:
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()
