"""What the two payment systems have in common: objects, idempotency keys, events, faults, and the ledger that tests judge by.

Amounts are whole cents.
"""

import random
import time
from collections.abc import Iterable
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict

from simulators import asking
from simulators.events import Events
from simulators.state import State


class PayingKnobs(BaseModel):
    """Faults of a whole system. Seconds; `lose_replies` counts down; `fault_share` is the part of changing requests, from 0 to 1,
    that are refused with 503 or lose their reply, by chance."""

    model_config = ConfigDict(extra="forbid")

    latency: float = 0.0
    slow_seconds: float = 6.0
    lost_reply_seconds: float = 1.0
    hang_seconds: float = 30.0
    event_min: float = 0.05
    event_max: float = 0.3
    bank_days: float = 2.0
    """How long a bank takes to settle or return a debit; seconds stand for days."""
    late_days: float = 2.0
    """How long after it settled a debit comes back that comes back late."""
    lose_replies: int = 0
    fault_share: float = 0.0
    outage: bool = False
    repeat_events: bool = True
    """Every event is sent twice, and the delays make any order."""


class Paying:
    """The memory of one payment system. Every change happens in a transaction of `state`."""

    def __init__(self, state: State, system: str, events: Events) -> None:
        """`system` is `cards` or `gateway`."""
        self.state = state
        self.events = events
        self.system = system
        self.running: set[str] = set()
        """Idempotency keys of requests that are under way."""

    def knobs(self) -> PayingKnobs:
        with self.state.transaction() as db:
            row = db.execute(
                "select value from knob where name = ?", (f"paying:{self.system}",)
            ).fetchone()
        return PayingKnobs.model_validate_json(row["value"]) if row else PayingKnobs()

    def turn(self, changes: dict[str, Any]) -> PayingKnobs:
        """Raises ValidationError."""
        knobs = PayingKnobs.model_validate(self.knobs().model_dump() | changes)
        with self.state.transaction() as db:
            db.execute(
                "insert or replace into knob values (?, ?)",
                (f"paying:{self.system}", knobs.model_dump_json()),
            )
        return knobs

    def find(self, kind: str, id: str) -> dict[str, Any] | None:
        with self.state.transaction() as db:
            row = db.execute(
                "select body from paid_object where system = ? and kind = ? and id = ?",
                (self.system, kind, id),
            ).fetchone()
        return orjson.loads(row["body"]) if row else None

    def all(self, kind: str, flow_id: str | None = None) -> list[dict[str, Any]]:
        """In the order in which they came."""
        with self.state.transaction() as db:
            rows = db.execute(
                "select body from paid_object where system = ?1 and kind = ?2"
                " and (?3 is null or flow_id = ?3) order by seq",
                (self.system, kind, flow_id),
            ).fetchall()
        return [orjson.loads(row["body"]) for row in rows]

    def put(self, kind: str, body: dict[str, Any], flow_id: str | None = None) -> None:
        with self.state.transaction() as db:
            db.execute(
                "insert into paid_object (system, kind, id, flow_id, body) values (?, ?, ?, ?, ?)"
                " on conflict (system, kind, id) do update set body = excluded.body",
                (self.system, kind, body["id"], flow_id, orjson.dumps(body).decode()),
            )

    def remove(self, kind: str, id: str) -> None:
        with self.state.transaction() as db:
            db.execute(
                "delete from paid_object where system = ? and kind = ? and id = ?",
                (self.system, kind, id),
            )

    def earlier(self, key: str) -> tuple[str, int, bytes] | None:
        """Fingerprint, status and body of the first answer under a key."""
        with self.state.transaction() as db:
            row = db.execute(
                "select * from paid_key where system = ? and key = ?", (self.system, key)
            ).fetchone()
        return (row["fingerprint"], row["status"], bytes(row["body"], "utf-8")) if row else None

    def store(self, key: str, fingerprint: str, status: int, body: bytes) -> None:
        with self.state.transaction() as db:
            db.execute(
                "insert into paid_key values (?, ?, ?, ?, ?)",
                (self.system, key, fingerprint, status, body.decode()),
            )

    def forget_key(self, key: str) -> None:
        """As a provider does after a day."""
        with self.state.transaction() as db:
            db.execute("delete from paid_key where system = ? and key = ?", (self.system, key))

    def queue_event(self, event: dict[str, Any], subject: str, *, after: float = 0.0) -> None:
        """To be sent to the portal, not before so many seconds have passed."""
        knobs = self.knobs()
        wait = after + random.uniform(knobs.event_min, knobs.event_max)
        copies = 2 if knobs.repeat_events else 1
        self.events.queue(self.system, subject, event, after=wait, copies=copies)

    def enter(
        self,
        operation: str,
        subject: str,
        amount: int,
        *,
        flow_id: str | None,
        key: str | None = None,
        detail: str = "",
    ) -> None:
        """One line of the ledger: a movement of money, or a refusal to move it."""
        with self.state.transaction() as db:
            db.execute(
                "insert into paid_entry (system, at, operation, subject, flow_id, amount,"
                " idempotency_key, detail, request_id) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    self.system,
                    time.time(),
                    operation,
                    subject,
                    flow_id,
                    amount,
                    key,
                    detail,
                    asking.request_id(),
                ),
            )

    def entries(self, flow_id: str | None, operations: Iterable[str] = ()) -> list[dict[str, Any]]:
        with self.state.transaction() as db:
            rows = db.execute(
                "select * from paid_entry where system = ?1 and (?2 is null or flow_id = ?2)"
                " order by seq",
                (self.system, flow_id),
            ).fetchall()
        wanted = set(operations)
        entries = [{k: row[k] for k in row.keys() if k != "system"} for row in rows]  # noqa: SIM118 (a Row iterates over its values)
        return [entry for entry in entries if not wanted or entry["operation"] in wanted]

    def sums(self, flow_id: str | None) -> dict[str, int]:
        """Cents by operation."""
        sums: dict[str, int] = {}
        for entry in self.entries(flow_id):
            sums[entry["operation"]] = sums.get(entry["operation"], 0) + entry["amount"]
        return sums


class Faults:
    """What goes wrong with a request, by the words in its reference (our PO or order number). Whatever changes something,
    but for the last:

    PAY-SLOW  takes `slow_seconds`          PAY-LOST  the first reply is lost: done, and then 504
    PAY-HANG  the first reply never comes   PAY-DOWN  the first two are refused with 503
    PAY-MUTE  as PAY-HANG, only where the money is asked for
    PAY-GONE  always refused with 503       PAY-STUCK only taking what is held is refused with 503
    PAY-LESS  one cent less is taken, of a card or of an account there
    PAY-CAD   Canadian dollars are taken instead of U.S. ones
    PAY-OTHER what is taken of those is another payment's from then on
    PAY-KEPT  only letting go of what is held is refused with 503
    PAY-OWED  only giving back is refused with 503, three times
    PAY-UNSEEN  only looking at a card's intent is refused with 503
    """

    def __init__(self, paying: Paying) -> None:
        self._paying = paying

    def before(self, reference: str, operation: str) -> tuple[float, bool]:
        """Seconds to wait, and whether to refuse with 503 without effect."""
        knobs = self._paying.knobs()
        if operation == "read":
            return knobs.latency, knobs.outage or "PAY-UNSEEN" in reference
        seconds = knobs.latency + (knobs.slow_seconds if "PAY-SLOW" in reference else 0.0)
        by_chance = random.random() < knobs.fault_share / 2
        down = "PAY-DOWN" in reference and self._times(f"down {operation} {reference}") <= 2
        gone = (
            "PAY-GONE" in reference
            or (operation == "captured" and "PAY-STUCK" in reference)
            or (operation == "canceled" and "PAY-KEPT" in reference)
            or self._is_owed(reference, operation)
        )
        return seconds, knobs.outage or by_chance or down or gone

    def after(self, reference: str, operation: str) -> float | None:
        """Seconds until the reply is given up, None for a good one."""
        knobs = self._paying.knobs()
        if "PAY-LOST" in reference and self._times(f"lost {operation} {reference}") == 1:
            return knobs.lost_reply_seconds
        is_mute = "PAY-MUTE" in reference and operation == "confirmed"
        if ("PAY-HANG" in reference or is_mute) and self._times(
            f"hang {operation} {reference}"
        ) == 1:
            return knobs.hang_seconds
        if knobs.lose_replies > 0:
            self._paying.turn({"lose_replies": knobs.lose_replies - 1})
            return knobs.lost_reply_seconds
        by_chance = random.random() < knobs.fault_share / 2
        return min(knobs.lost_reply_seconds, 0.2) if by_chance else None

    def _is_owed(self, reference: str, operation: str) -> bool:
        if operation != "refunded" or "PAY-OWED" not in reference:
            return False
        return self._times(f"owed {reference}") <= 3

    def _times(self, what: str) -> int:
        """How often this was asked, this time included."""
        seen = self._paying.find("fault", what) or {"id": what, "times": 0}
        seen["times"] += 1
        self._paying.put("fault", seen)
        return seen["times"]
