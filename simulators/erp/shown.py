"""Documents as the Service Layer shows them: `Orders`, `DeliveryNotes`, `Invoices`, `CreditNotes`, `IncomingPayments`,
each under its DocEntry.

A document that is to be issued later is there from that moment; of several versions the last one that is there is shown.
"""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from simulators.state import State

Record = dict[str, Any]

_STAMPS = {"DocEntry", "DocNum", "CreationDate", "DocTime", "UpdateDate", "UpdateTime"}
_COMMON = _STAMPS | {"CardCode", "DocDate", "DocTotal", "DocCurrency", "DocumentLines", "Comments"}
FIELDS: Mapping[str, set[str]] = {
    "Invoices": _COMMON
    | {"DocDueDate", "NumAtCard", "VatSum", "PaidToDate", "DocumentStatus", "Cancelled"}
    | {"DocumentAdditionalExpenses", "U_Number", "U_Version", "U_OrderNumber", "FederalTaxID"}
    | {"U_ShipmentNumber", "U_Payoff", "U_EarlyPay", "U_SettledWith"}
    | {"U_Coupon", "U_Discount", "U_Token"},
    "CreditNotes": _COMMON
    | {"PaidToDate", "DocumentStatus", "Cancelled", "U_Number", "U_Version"}
    | {"U_InvoiceNumber", "U_SettledWith"},
    "DeliveryNotes": _COMMON
    | {"NumAtCard", "DocumentStatus", "Cancelled", "TrackingNumber", "U_Number"}
    | {"U_OrderNumber", "U_Token", "U_Carrier"},
    "Orders": _COMMON
    | {"DocDueDate", "NumAtCard", "VatSum", "DocumentStatus", "Cancelled", "Confirmed"}
    | {"AddressExtension", "DocumentAdditionalExpenses", "U_Reference", "U_Token", "U_Payment"}
    | {"U_ShippingMethod", "U_Coupon", "U_Discount", "U_Tax", "U_CancelReason", "U_Withdrawn"}
    | {"FederalTaxID"},
    "IncomingPayments": _STAMPS
    | {"CardCode", "DocDate", "DocType", "Cancelled", "TransferSum", "TransferDate"}
    | {"TransferReference", "CashSum", "CheckSum"}
    | {"U_Reference", "U_InvoiceNumber", "PaymentInvoices"},
}
"""What a record of each kind may hold, and may be asked by."""

_SIDES = (("ShipTo", "ship_to"), ("BillTo", "bill_to"))
_LINES = {
    "name": "Address2",
    "street": "Street",
    "city": "City",
    "country_area": "State",
    "postal_code": "ZipCode",
    "country": "Country",
}

THERE = (
    "erp_shown s where entity = ?1 and at <= ?2 and not exists (select 1 from erp_shown n"
    " where n.entity = s.entity and n.entry = s.entry and n.version > s.version and n.at <= ?2)"
)
"""What is there of a kind (1) at a moment (2); more conditions may follow."""


def show(
    state: State,
    entity: str,
    entry: int,
    record: Record,
    *,
    version: int = 1,
    at: float | None = None,
    reference: str = "",
) -> None:
    """`at` is the moment from which it is there, now unless given; until then it can be withdrawn by the `reference` of its
    order."""
    moment = time.time() if at is None else at
    body = {"DocEntry": entry, "DocNum": entry, **_created(moment), **record, **_updated(moment)}
    with state.transaction() as db:
        db.execute(
            "insert or ignore into erp_shown (entity, entry, version, at, reference, body)"
            " values (?, ?, ?, ?, ?, ?)",
            (entity, entry, version, moment, reference, orjson.dumps(body).decode()),
        )


def change(state: State, entity: str, entry: int, fields: Record) -> None:
    """What is given of the document, now and in what is there of it later."""
    now = time.time()
    with state.transaction() as db:
        rows = db.execute(
            "select version, at, body from erp_shown where entity = ? and entry = ?",
            (entity, entry),
        ).fetchall()
        for row in rows:
            body = {**orjson.loads(row["body"]), **fields, **_updated(max(now, row["at"]))}
            db.execute(
                "update erp_shown set body = ? where entity = ? and entry = ? and version = ?",
                (orjson.dumps(body).decode(), entity, entry, row["version"]),
            )


def become(state: State, entity: str, entry: int, fields: Record, *, at: float) -> None:
    """From that moment the document is this too, unless it is withdrawn by the reference of its order until then."""
    body = find(state, entity, entry) or {}
    reference = str(body.get("U_Reference") or "")
    show(state, entity, entry, {**body, **fields}, version=2, at=at, reference=reference)


def find(state: State, entity: str, entry: int) -> Record | None:
    with state.transaction() as db:
        row = db.execute(
            f"select body from {THERE} and entry = ?3", (entity, time.time(), entry)
        ).fetchone()
    return orjson.loads(row["body"]) if row else None


def withdraw(state: State, reference: str, now: float) -> None:
    """What is not there yet of this order never will be."""
    with state.transaction() as db:
        db.execute("delete from erp_shown where reference = ? and at > ?", (reference, now))


def postpone(state: State, reference: str, now: float, until: float) -> None:
    """What is not there yet of what follows this order is there from then on; what becomes of the order itself keeps its time."""
    with state.transaction() as db:
        rows = db.execute(
            "select * from erp_shown where reference = ? and at > ? and entity <> 'Orders'",
            (reference, now),
        ).fetchall()
        for row in rows:
            body = {**orjson.loads(row["body"]), **_updated(until)}
            db.execute(
                "update erp_shown set at = ?, body = ? where entity = ? and entry = ? and version = ?",
                (until, orjson.dumps(body).decode(), row["entity"], row["entry"], row["version"]),
            )


def order_of(order: Mapping[str, Any]) -> Record:
    ship_to, bill_to = (_address(side, order[name]) for side, name in _SIDES)
    return _record(
        CardCode=order["business_partner"],
        NumAtCard=order["po_number"],
        FederalTaxID=order["tax_number"],
        DocCurrency=order["currency"],
        DocTotal=order["total"],
        VatSum=order["tax"],
        DocumentStatus="bost_Open",
        Cancelled="tNO",
        Confirmed="tYES",
        AddressExtension={**ship_to, **bill_to},
        DocumentAdditionalExpenses=[{"ExpenseCode": 1, "LineTotal": order["freight"]}],
        DocumentLines=[
            {
                "LineNum": n,
                "ItemCode": line["sku"],
                "Quantity": line["quantity"],
                "RemainingOpenQuantity": line["quantity"],
                "UnitPrice": line["unit_price"],
                "U_OnHand": line["now"],
                "U_Later": line["later"],
            }
            for n, line in enumerate(order["lines"])
        ],
        U_Reference=order["reference"],
        U_Token=order.get("token"),
        U_Payment=order["payment"],
        U_ShippingMethod=order["shipping_method"],
        U_Coupon=order["coupon"],
        U_Discount=order["discount"],
    )


def invoice_of(document: Mapping[str, Any]) -> Record:
    """What is not told of the document is null in the record."""
    paid, total = document.get("paid", 0), document.get("total")
    return _record(
        CardCode=document["partner_code"],
        NumAtCard=document.get("po_number"),
        FederalTaxID=document.get("tax_number"),
        DocDate=document.get("create_date"),
        CreationDate=document.get("create_date"),
        DocDueDate=document.get("due_date"),
        DocCurrency="USD",
        DocTotal=_number(total),
        VatSum=_number(document.get("tax")),
        PaidToDate=_number(paid),
        DocumentStatus=_status(total, paid),
        Cancelled="tNO",
        DocumentAdditionalExpenses=[
            {"ExpenseCode": 1, "LineTotal": _number(document.get("freight", 0))}
        ],
        DocumentLines=[
            {
                "LineNum": n,
                "ItemCode": line["sku"],
                "ItemDescription": line["name"],
                "Quantity": line["quantity"],
                "UnitPrice": _number(line["unit_price"]),
                "LineTotal": _number(line["total"]),
            }
            for n, line in enumerate(document.get("lines", ()))
        ],
        U_Number=document["number"],
        U_Version=document["version"],
        U_OrderNumber=document.get("order_number"),
        U_Token=document.get("order_token"),
        U_ShipmentNumber=document.get("shipment_number"),
        U_Coupon=document.get("coupon_code"),
        U_Discount=_number(document.get("coupon_amount", 0)),
        U_Payoff=_number(document.get("payoff")),
        U_EarlyPay=_text(document.get("early_pay", [])),
        U_SettledWith=_text(document.get("settled_with", [])),
    )


def credit_note_of(document: Mapping[str, Any]) -> Record:
    total, applied = document.get("total"), document.get("applied", 0)
    return _record(
        CardCode=document["partner_code"],
        DocDate=document.get("create_date"),
        CreationDate=document.get("create_date"),
        DocCurrency="USD",
        DocTotal=_number(total),
        PaidToDate=_number(applied),
        DocumentStatus=_status(total, applied),
        Cancelled="tNO",
        Comments=document.get("reason"),
        U_Number=document["number"],
        U_Version=document["version"],
        U_InvoiceNumber=document.get("invoice_number"),
        U_SettledWith=_text(document.get("applied_to", [])),
    )


def address_in(side: str, extension: Mapping[str, str]) -> dict[str, str]:
    """The lines of one side of an AddressExtension, in the words of the books."""
    return {
        name: extension[f"{side}{field}"]
        for name, field in _LINES.items()
        if f"{side}{field}" in extension
    }


def _address(side: str, lines: Mapping[str, str]) -> dict[str, str]:
    return {f"{side}{field}": lines[name] for name, field in _LINES.items() if name in lines}


def _record(**fields: Any) -> Record:
    """A field without a value is null; one that is stamped stays as it was."""
    return {n: one for n, one in fields.items() if one is not None or n not in _STAMPS}


def _status(total: Any, settled: Any) -> str:
    is_closed = total is not None and _number(settled) >= _number(total)
    return "bost_Close" if is_closed else "bost_Open"


def _number(amount: Any) -> Any:
    """Amounts come as numbers, or as texts."""
    return None if amount is None else float(amount)


def _text(entries: Any) -> str | None:
    return orjson.dumps(entries).decode() if entries else None


def _created(at: float) -> Record:
    then = datetime.fromtimestamp(at, UTC)
    return {"CreationDate": f"{then:%Y-%m-%d}", "DocTime": f"{then:%H:%M:%S}"}


def _updated(at: float) -> Record:
    then = datetime.fromtimestamp(at, UTC)
    return {"UpdateDate": f"{then:%Y-%m-%d}", "UpdateTime": f"{then:%H:%M:%S}"}
