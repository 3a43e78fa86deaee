"""The accounts of business partners, as the ERP keeps them.

The Service Layer shows them with the business: CurrentAccountBalance, CreditLimit and U_InvoiceCount; the question `OpenInvoices`
(Number, DueDate, OpenAmount) shows what is open. Every code has an account; its figures follow from the code and the documents
that it was issued until `POST /erp/_control` {code, balance?, credit_limit?, past_due?, is_bare?} sets others; a bare account has
its documents and nothing else. `POST /erp/_controls` takes a list of them. Sentinels, by the end of the code:
    404  unknown there      503  never answers well      LATE  three invoices past due
"""

import hashlib
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from simulators.erp import documents
from simulators.state import State

router = APIRouter(prefix="/erp")


class AccountChange(BaseModel):
    """Only what is given is changed. `past_due` is a number of invoices."""

    model_config = ConfigDict(extra="forbid")

    code: str
    balance: Annotated[float, Field(ge=0, le=1e9)] = 0
    credit_limit: Annotated[float, Field(ge=0, le=1e9)] = 0
    past_due: Annotated[int, Field(ge=0, le=50)] = 0
    is_bare: bool = False


@router.post("/_control")
async def control(request: Request, asked: AccountChange) -> dict[str, str]:
    state: State = request.app.state.file
    change(state, asked)
    return {"status": "changed"}


@router.post("/_controls")
async def controls(
    request: Request, changes: Annotated[list[AccountChange], Field(max_length=1_000)]
) -> dict[str, str]:
    state: State = request.app.state.file
    with state.transaction():
        for one in changes:
            change(state, one)
    return {"status": "changed"}


def open_invoices(state: State, code: str) -> list[dict[str, Any]]:
    """As the question of that name answers."""
    return [
        {"Number": one["number"], "DueDate": one["due_date"], "OpenAmount": one["open_amount"]}
        for one in account_of(state, code)["open_invoices"]
    ]


def account_of(state: State, code: str) -> dict[str, Any]:
    """What it owes, with the documents that it was issued."""
    account = _account(code, _changes(state, code))
    issued, owed, count = documents.owed_by(state, code)
    return {
        **account,
        "balance": float(Decimal(str(account["balance"])) + owed),
        "invoice_count": account["invoice_count"] + count,
        "open_invoices": [*account["open_invoices"], *issued],
    }


def change(state: State, asked: AccountChange) -> None:
    """Only what is given of it."""
    changes = {
        **_changes(state, asked.code),
        **asked.model_dump(exclude={"code"}, exclude_unset=True),
    }
    with state.transaction() as db:
        db.execute(
            "insert or replace into erp_account values (?, ?)",
            (asked.code, orjson.dumps(changes).decode()),
        )


def _changes(state: State, code: str) -> dict[str, Any]:
    with state.transaction() as db:
        row = db.execute("select changes from erp_account where code = ?", (code,)).fetchone()
    return orjson.loads(row["changes"]) if row else {}


def _account(code: str, changes: dict[str, Any]) -> dict[str, Any]:
    digest = hashlib.sha256(code.encode()).digest()
    if changes.get("is_bare"):
        return {
            "code": code,
            "balance": changes.get("balance", 0),
            "credit_limit": changes.get("credit_limit", 0),
            "invoice_count": 0,
            "open_invoices": [],
        }
    open_count = digest[0] % 6 + (3 if code.endswith("LATE") else 0)
    past_due = changes.get("past_due", 3 if code.endswith("LATE") else digest[1] % 10 // 8)
    today = datetime.now(UTC).date()
    amounts = [180 + digest[2 + n % 8] * 7 for n in range(max(open_count, past_due))]
    invoices = [
        {
            "number": f"INV-{code}-{n + 1}",
            "due_date": str(today + timedelta(days=12 * (n + 1 - past_due) - 6)),
            "open_amount": amount,
        }
        for n, amount in enumerate(amounts)
    ]
    owed = sum(amounts)
    return {
        "code": code,
        "balance": changes.get("balance", owed),
        "credit_limit": changes.get("credit_limit", 5_000 * (digest[3] % 8 + 1)),
        "invoice_count": len(invoices) + digest[4],
        "open_invoices": invoices,
    }
