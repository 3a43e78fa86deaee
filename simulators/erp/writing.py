"""Documents that are made, changed and cancelled in the Service Layer.

`POST Orders` {CardCode, DocTotal, DocumentLines [{ItemCode, Quantity, UnitPrice, U_OnHand, U_Later}], U_Reference, …}
takes an order; `PATCH Orders(entry)` {Confirmed, U_CancelReason} keeps it back or lets it go; `…/Cancel` cancels it until
something was shipped (code -5006). `POST IncomingPayments` {CardCode, TransferSum, U_Reference, PaymentInvoices
[{DocEntry, InvoiceType, SumApplied, TotalDiscount}]} settles one invoice (`it_Invoice`), also with credit notes
(`it_CredItnote`, a negative sum); `…/Cancel` takes it back. A reference that is there already is code -2035, more than is
open -10.
"""

from decimal import Decimal
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simulators.erp import orders, payments, shown
from simulators.erp.failure import Failure, not_found, not_supported

Text = Annotated[str, Field(min_length=1, max_length=200)]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
Sum = Annotated[float, Field(ge=-1e9, le=1e9)]

Shape = TypeVar("Shape", bound=BaseModel)

_KINDS: dict[str, tuple[str, str]] = {
    "it_Invoice": ("Invoices", "invoice"),
    "it_CredItnote": ("CreditNotes", "credit_memo"),
}


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Settling(_Given):
    DocEntry: int
    InvoiceType: Literal["it_Invoice", "it_CredItnote"]
    SumApplied: Sum
    TotalDiscount: Annotated[float, Field(ge=0, le=1e9)] = 0


class _IncomingPayment(_Given):
    CardCode: Text
    DocDate: Day
    DocType: Literal["rCustomer"] = "rCustomer"
    TransferSum: Annotated[float, Field(ge=0, le=1e9)]
    TransferDate: Day
    TransferReference: Annotated[str, Field(max_length=27)] = ""
    U_Reference: Text
    U_InvoiceNumber: Text
    PaymentInvoices: Annotated[list[_Settling], Field(min_length=1, max_length=101)]


class _Expense(_Given):
    ExpenseCode: int = 1
    LineTotal: Annotated[float, Field(ge=0, le=1e9)]


class _Line(_Given):
    ItemCode: Text
    Quantity: Annotated[int, Field(ge=1, le=9_999)]
    UnitPrice: Annotated[float, Field(ge=0, le=1e9)]
    U_OnHand: Annotated[int, Field(ge=0)]
    U_Later: Annotated[int, Field(ge=0)] = 0


class _Order(_Given):
    CardCode: Text
    NumAtCard: Annotated[str, Field(max_length=100)] | None = None
    FederalTaxID: Annotated[str, Field(max_length=32)] | None = None
    DocDate: Day
    DocDueDate: Day
    DocCurrency: Literal["USD"] = "USD"
    DocTotal: Annotated[float, Field(ge=0, le=1e9)]
    Comments: Annotated[str, Field(max_length=254)] = ""
    AddressExtension: dict[str, str]
    DocumentAdditionalExpenses: Annotated[list[_Expense], Field(max_length=10)] = []
    DocumentLines: Annotated[list[_Line], Field(min_length=1, max_length=1_000)]
    U_Reference: Text
    U_Token: Text | None = None
    U_Payment: Text
    U_ShippingMethod: Text
    U_Tax: Annotated[float, Field(ge=0, le=1e9)] = 0
    U_Coupon: Text | None = None
    U_Discount: Annotated[float, Field(ge=0, le=1e9)] = 0


class _OrderChange(_Given):
    Confirmed: Literal["tYES", "tNO"] | None = None
    U_CancelReason: Annotated[str, Field(max_length=400)] | None = None


async def make(app: Any, entity: str, body: bytes) -> int:
    """The DocEntry of the new document. `app` is the state of the stand-ins. Raises Failure."""
    if entity == payments.ENTITY:
        given = _read(_IncomingPayment, body)
        return payments.take(app, _incoming(app, given), given.model_dump())
    if entity == orders.ENTITY:
        return await orders.take(app, _new_order(_read(_Order, body)))
    raise not_supported()


def change(app: Any, entity: str, entry: int, body: bytes) -> None:
    """Raises Failure."""
    if entity != orders.ENTITY:
        raise not_supported()
    if shown.find(app.file, entity, entry) is None:
        raise not_found()
    given = _read(_OrderChange, body)
    if given.Confirmed is not None:
        orders.hold(app, entry, is_held=given.Confirmed == "tNO")
    if given.U_CancelReason is not None:
        shown.change(app.file, entity, entry, {"U_CancelReason": given.U_CancelReason})


def act(app: Any, entity: str, entry: int, action: str) -> None:
    """Raises Failure."""
    if entity == payments.ENTITY and action == "Cancel":
        payments.cancel(app, entry)
    elif entity == orders.ENTITY and action == "Cancel":
        orders.cancel(app, entry)
    else:
        raise not_supported()


def unknown_field(name: str) -> Failure:
    return Failure(400, -1000, f"Property '{name}' of 'Document' is invalid")


def _read(shape: type[Shape], body: bytes) -> Shape:
    try:
        return shape.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        name = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            raise unknown_field(str(first["loc"][-1])) from None
        raise Failure(400, -5002, f"[{name}] {first['msg']}") from None


def _incoming(app: Any, given: _IncomingPayment) -> payments.Incoming:
    """In the words of the books. Its first part is the invoice, the others are credit notes."""
    invoice, *notes = given.PaymentInvoices
    if invoice.InvoiceType != "it_Invoice" or any(
        one.InvoiceType == "it_Invoice" or one.SumApplied >= 0 for one in notes
    ):
        raise not_supported()
    return payments.Incoming(
        reference=given.U_Reference,
        business_partner=given.CardCode,
        invoice_number=_number(app, invoice),
        amount=given.TransferSum,
        discount=invoice.TotalDiscount,
        memos=[payments.Part(number=_number(app, n), amount=-n.SumApplied) for n in notes],
        paid_on=given.DocDate,
    )


def _new_order(given: _Order) -> orders.NewOrder:
    goods = sum((_cents(one.UnitPrice) * one.Quantity for one in given.DocumentLines), Decimal(0))
    freight = sum((_cents(one.LineTotal) for one in given.DocumentAdditionalExpenses), Decimal(0))
    return orders.NewOrder(
        reference=given.U_Reference,
        token=given.U_Token,
        business_partner=given.CardCode,
        po_number=given.NumAtCard,
        tax_number=given.FederalTaxID,
        currency=given.DocCurrency,
        payment=given.U_Payment,
        shipping_method=given.U_ShippingMethod,
        ship_to=shown.address_in("ShipTo", given.AddressExtension),
        bill_to=shown.address_in("BillTo", given.AddressExtension),
        lines=[
            orders.Line(
                sku=line.ItemCode,
                quantity=line.Quantity,
                now=line.U_OnHand,
                later=line.U_Later,
                unit_price=line.UnitPrice,
            )
            for line in given.DocumentLines
        ],
        subtotal=float(goods),
        coupon=given.U_Coupon,
        discount=given.U_Discount,
        freight=float(freight),
        tax=given.U_Tax,
        total=given.DocTotal,
    )


def _cents(amount: float) -> Decimal:
    return Decimal(str(amount))


def _number(app: Any, part: _Settling) -> str:
    found = shown.find(app.file, _KINDS[part.InvoiceType][0], part.DocEntry)
    if found is None:
        raise not_found()
    return found["U_Number"]
