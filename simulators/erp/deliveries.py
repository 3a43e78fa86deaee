"""Shipments: each is a delivery note of its own (`DeliveryNotes`), with a share of its order's money, and is invoiced on
its own."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import orjson

from simulators.erp import records, shown
from simulators.state import State

ENTITY = "DeliveryNotes"
_BOOKED = "b1s_booked"


@dataclass(frozen=True)
class Part:
    """What of an order goes with one shipment: its pieces as lines, and its share of the amounts; `discount` is off
    the goods already. All parts come to the order."""

    shipment: str
    lines: tuple[dict[str, Any], ...]
    goods: Decimal
    freight: Decimal
    tax: Decimal
    discount: Decimal

    @property
    def total(self) -> Decimal:
        return self.goods + self.freight + self.tax


def parts_of(order: Mapping[str, Any], shipments: Sequence[Mapping[str, Any]]) -> list[Part]:
    """The last one gets what is left of discount, freight and tax."""
    lines = [_lines_of(order, one) for one in _by_line(order, shipments)]
    worth = [sum((line["total"] for line in some), Decimal(0)) for some in lines]
    discount, freight, tax = (
        _shared(_amount(order[name]), worth) for name in ("discount", "freight", "tax")
    )
    return [
        Part(
            shipment=one["number"],
            lines=tuple(lines[n]),
            goods=worth[n] - discount[n],
            freight=freight[n],
            tax=tax[n],
            discount=discount[n],
        )
        for n, one in enumerate(shipments)
    ]


def send(state: State, reference: str, shipment: Mapping[str, Any], *, after: float) -> None:
    """The delivery note is there in `after` seconds."""
    with state.transaction() as db:
        order = db.execute("select * from erp_order where reference = ?", (reference,)).fetchone()
        (entry,) = db.execute(
            "select coalesce(max(entry), 0) + 1 from erp_shown where entity = ?", (ENTITY,)
        ).fetchone()
        earlier = db.execute(
            "select body from erp_shown where entity = ? and reference = ? order by entry",
            (ENTITY, reference),
        ).fetchall()
        body = orjson.loads(order["body"])
        before = [_parcels(orjson.loads(row["body"])) for row in earlier]
        pieces = _by_line(body, [*before, shipment])[-1]
        record = {
            "CardCode": body["business_partner"],
            "NumAtCard": body["po_number"],
            "DocumentStatus": "bost_Open",
            "Cancelled": "tNO",
            "TrackingNumber": shipment["tracking_number"],
            "U_Number": shipment["number"],
            "U_OrderNumber": reference,
            "U_Token": body.get("token"),
            "U_Carrier": shipment["carrier"],
            "DocumentLines": [
                {
                    "LineNum": n,
                    "ItemCode": body["lines"][place]["sku"],
                    "Quantity": quantity,
                    "BaseType": 17,
                    "BaseEntry": order["seq"],
                    "BaseLine": place,
                }
                for n, (place, quantity) in enumerate(pieces)
            ],
        }
        shown.show(state, ENTITY, entry, record, at=time.time() + after, reference=reference)


def entry_of(state: State, number: str | None) -> int | None:
    """Of a delivery note by its number, also of one that is to leave yet."""
    with state.transaction() as db:
        row = db.execute(
            "select entry from erp_shown where entity = ? and json_extract(body, '$.U_Number') = ?",
            (ENTITY, number),
        ).fetchone()
    return row["entry"] if row else None


def book(state: State) -> None:
    """Takes what has left since the last time off its orders; one of which nothing is left is closed."""
    now, last = time.time(), float(records.knob(state, _BOOKED, 0.0))
    with state.transaction() as db:
        rows = db.execute(
            "select body from erp_shown where entity = ? and at > ? and at <= ? order by at",
            (ENTITY, last, now),
        ).fetchall()
        for row in rows:
            for line in orjson.loads(row["body"])["DocumentLines"]:
                _take_off(state, line)
        if rows:
            db.execute(
                "insert or replace into erp_knob values (?, ?)", (_BOOKED, orjson.dumps(now))
            )


def _take_off(state: State, line: Mapping[str, Any]) -> None:
    order = shown.find(state, "Orders", line["BaseEntry"])
    if order is None:
        return
    lines = order["DocumentLines"]
    lines[line["BaseLine"]]["RemainingOpenQuantity"] -= line["Quantity"]
    is_open = any(one["RemainingOpenQuantity"] > 0 for one in lines)
    status = "bost_Open" if is_open else "bost_Close"
    change = {"DocumentLines": lines, "DocumentStatus": status}
    shown.change(state, "Orders", line["BaseEntry"], change)


def _parcels(note: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "parcels": [
            {"sku": line["ItemCode"], "quantity": line["Quantity"]}
            for line in note["DocumentLines"]
        ]
    }


def _by_line(
    order: Mapping[str, Any], shipments: Sequence[Mapping[str, Any]]
) -> list[list[tuple[int, int]]]:
    """For each shipment the lines of the order that it serves, and how many pieces of each; lines of one SKU in their order."""
    left = [line["quantity"] for line in order["lines"]]
    found: list[list[tuple[int, int]]] = []
    for shipment in shipments:
        served: list[tuple[int, int]] = []
        for parcel in shipment["parcels"]:
            wanted = parcel["quantity"]
            for place, line in enumerate(order["lines"]):
                taken = min(wanted, left[place]) if line["sku"] == parcel["sku"] else 0
                if taken:
                    served.append((place, taken))
                    left[place] -= taken
                    wanted -= taken
        found.append(served)
    return found


def _lines_of(order: Mapping[str, Any], served: Sequence[tuple[int, int]]) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    for place, quantity in served:
        line = order["lines"][place]
        total = _cents(_amount(line["unit_price"]) * quantity)
        lines.append(
            {
                "sku": line["sku"],
                "quantity": quantity,
                "unit_price": line["unit_price"],
                "total": total,
            }
        )
    return lines


def _shared(whole: Decimal, worth: Sequence[Decimal]) -> list[Decimal]:
    """To the cent by worth, the last one what is left."""
    if not worth:
        return []
    all_ = sum(worth, Decimal(0))
    shares = [_cents(whole * one / all_) if all_ else Decimal(0) for one in worth[:-1]]
    return [*shares, whole - sum(shares, Decimal(0))]


def _amount(number: float) -> Decimal:
    return Decimal(str(number))


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)
