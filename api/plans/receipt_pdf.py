"""A receipt as a PDF of one or more pages, for printing and for the books."""

from collections.abc import Sequence
from decimal import Decimal

from fpdf import FPDF
from fpdf.enums import XPos, YPos
from fpdf.fonts import FontFace

from domain.billing.taxes import Tax
from domain.plans.receipts import Receipt, ReceiptLine

_FONT = "Helvetica"
_WIDTHS = (44, 58, 26, 22, 30)
_GREY = (238, 244, 244)


def receipt_pdf(receipt: Receipt) -> bytes:
    """The receipt; a stable text, so that two copies of one receipt say the same."""
    page = FPDF(format="letter")
    page.set_creation_date(receipt.created_at)
    page.set_title("Receipt")
    page.set_margin(18)
    page.add_page()
    _heading(page, receipt)
    _lines(page, receipt.lines)
    _sums(page, receipt)
    return bytes(page.output())


def _heading(page: FPDF, receipt: Receipt) -> None:
    page.set_font(_FONT, "B", 18)
    _line(page, "Turnkey", 9)
    page.set_font(_FONT, size=11)
    _line(page, "Receipt" if receipt.succeeded else "Declined payment")
    page.ln(4)
    page.set_font(_FONT, size=9)
    address = receipt.address
    told = [
        ("Receipt", receipt.uuid),
        ("Transaction ID", receipt.transaction_id or "-"),
        ("Date (UTC)", f"{receipt.created_at:%Y-%m-%d %H:%M}"),
        ("Business", receipt.partner_code or "-"),
        ("Bought by", receipt.bought_by),
        ("Paid with", receipt.payment_shown or "-"),
        ("Taxed at", f"{address.street}, {address.city} {address.country_area} {address.postal_code}"),
    ]  # fmt: skip
    if receipt.detail:
        told.append(("Reason", receipt.detail))
    for name, value in told:
        page.cell(36, 5.5, _plain(name))
        _line(page, value)
    page.ln(4)


def _lines(page: FPDF, lines: Sequence[ReceiptLine]) -> None:
    with page.table(
        col_widths=_WIDTHS,
        text_align=("LEFT", "LEFT", "LEFT", "RIGHT", "RIGHT"),
        headings_style=FontFace(emphasis="BOLD", fill_color=_GREY),
        line_height=5.5,
    ) as table:
        table.row(("Device", "Plan", "Until", "Tax", "Total"))
        for line in lines:
            until = f"{line.ends_at:%Y-%m-%d}" if line.ends_at else ""
            status = " (paid back)" if line.status == "refunded" else ""
            table.row(
                [
                    _plain(text)
                    for text in (
                        line.device_key,
                        line.plan_name + status,
                        until,
                        _money(line.tax),
                        _money(line.total),
                    )
                ]
            )
    page.ln(4)


def _sums(page: FPDF, receipt: Receipt) -> None:
    rows = [
        ("Subtotal", receipt.base_amount),
        ("Discount", -receipt.currency_discount),
        *((_tax_name(tax), tax.amount) for tax in receipt.taxes),
        (f"Total ({receipt.currency})", receipt.final_charge),
    ]
    if receipt.refunded:
        rows.append(("Paid back", -receipt.refunded))
    for name, amount in rows:
        page.set_font(_FONT, "B" if name.startswith("Total") else "", 10)
        page.cell(140, 6, _plain(name), align="R")
        page.cell(40, 6, _money(amount), align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    page.ln(3)
    page.set_font(_FONT, size=8)
    _line(page, "Tax rates are demonstration data.")


def _tax_name(tax: Tax) -> str:
    return f"{tax.name} {tax.percent.normalize():f} %"


def _money(amount: Decimal) -> str:
    return f"{amount:,.2f}"


def _line(page: FPDF, text: str, height: float = 5.5) -> None:
    page.cell(0, height, _plain(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _plain(text: str) -> str:
    """The fonts that every reader has know Western European letters alone."""
    return text.replace("•", "*").encode("latin-1", "replace").decode("latin-1")
