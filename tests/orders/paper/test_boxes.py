"""Every paper as it lies on the table: no text over another, none over the edge, no empty page, ink that is seen."""

import io
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from itertools import combinations
from typing import NamedTuple

import pytest
from fpdf import FPDF
from PIL import Image
from pypdf import PageObject, PdfReader
from pypdf.generic import ContentStream, DictionaryObject

from api.billing.invoices.invoice_pdf import invoice_pdf, sums_of
from api.billing.invoices.memo_pdf import memo_pdf
from api.billing.invoices.statement_pdf import statement_pdf
from domain.billing.invoice_payment import InvoiceStatus
from domain.billing.invoices.documents import Ageing, DocumentLine, Settled
from domain.billing.invoices.search import AgeingSum
from domain.billing.invoices.statement import Statement, StatementEntry, StatementSearch
from domain.paper.buyer import Buyer
from domain.paper.invoice_payments import payment_paper
from domain.paper.orders import confirmation, packing_list
from domain.paper.receipts import receipt_paper
from domain.paper.seller import DEMO_SELLER
from tests.billing.invoice_payments.factories import a_line as a_paid_line
from tests.billing.invoice_payments.factories import a_view
from tests.billing.invoices.factories import a_memo, an_invoice
from tests.orders.paper.pictures import pictures_of
from tests.orders.paper.test_paper import HARBOUR, LONG, a_receipt, an_order_on_paper

POINTS = 72 / 25.4
MARGIN, FOOT = 18 * POINTS, 6 * POINTS
"""Of the sheet at its sides, and under the number of the page."""
ASCENT, DESCENT = 0.72, 0.21
"""Of Helvetica, in sizes of type."""
TOUCH = 0.6
"""Points by which boxes may reach into each other: lines of a table stand close."""
GREATEST = Decimal("1234567.89")
LONGEST = Buyer(
    name="Société québécoise des démarreurs à distance et de l'électronique automobile ltée",
    tax_number="81234 5678 RT0001",
)


class Box(NamedTuple):
    text: str
    left: float
    bottom: float
    right: float
    top: float


def boxes(page: PageObject, reader: PdfReader) -> Iterator[Box]:
    """Of each text, from the operations that draw it."""
    measure = FPDF(unit="pt")
    resources = page["/Resources"]
    assert isinstance(resources, DictionaryObject)
    named = resources["/Font"]
    assert isinstance(named, DictionaryObject)
    fonts = {name: str(font.get_object()["/BaseFont"]) for name, font in named.items()}
    contents = page.get_contents()
    assert contents is not None
    size, at = 0.0, (0.0, 0.0)
    for given, operator in ContentStream(contents, reader).operations:
        if operator == b"Tf":
            size = float(given[1])
            style = "B" if fonts[given[0]].endswith("Bold") else ""
            measure.set_font("Helvetica", style, size)
        elif operator == b"Td":
            at = (float(given[0]), float(given[1]))
        elif operator in (b"Tj", b"TJ"):
            assert operator == b"Tj", "a way of drawing that is not measured"
            text = str(given[0])
            left, base = at
            at = (left + measure.get_string_width(text), base)  # what follows begins there
            if text.strip():
                yield Box(text, left, base - DESCENT * size, at[0], base + ASCENT * size)


def a_statement(rows: int = 120) -> bytes:
    entries = tuple(
        StatementEntry(
            on=date(2026, 11, 1 + place % 28),
            kind="returned_payment",
            number=f"INV-2026-{place:012}",
            invoice_number=None,
            amount=-GREATEST,
            balance=GREATEST,
        )
        for place in range(rows)
    )
    stated = Statement(opening=GREATEST, closing=-GREATEST, total=len(entries), entries=entries)
    asked = StatementSearch(
        partner_code="C10021",
        today=date(2026, 11, 27),
        first_day=date(2026, 11, 1),
        last_day=date(2026, 11, 27),
    )
    ageing = [AgeingSum(bucket=one, count=1, amount=GREATEST) for one in Ageing]
    return statement_pdf(asked, stated, ageing, LONGEST, DEMO_SELLER)


def an_invoice_on_paper(rows: int = 60) -> bytes:
    line = DocumentLine(
        sku="CS-RS-0001-1W-WITHOUT-HARNESS",
        name=LONG,
        quantity=9999,
        unit_price=GREATEST,
        total=GREATEST,
    )
    invoice = an_invoice(
        "C10021",
        str(GREATEST),
        lines=(line,) * rows,
        po_number="PO 4711-A/2026 autumn, second delivery, Mississauga",
        coupon_code="WINTER20",
        coupon_amount=Decimal("7.50"),
    )
    return invoice_pdf(invoice, date(2026, 11, 3), LONGEST, DEMO_SELLER)


def a_memo_on_paper(rows: int = 60) -> bytes:
    gone = Settled(
        on=date(2026, 11, 3),
        kind="returned_payment",
        number="0123456789abcdef0123456789abcdef:INV-2026-000000000001",
        amount=GREATEST,
    )
    memo = a_memo(
        "C10021",
        str(GREATEST),
        invoice_number="INV-2026-000000000001",
        reason=f"{LONG}, returned by its buyer",
        applied_to=(gone,) * rows,
    )
    return memo_pdf(memo, LONGEST, DEMO_SELLER)


def a_long_receipt(rows: int = 60) -> bytes:
    receipt = a_receipt(uuid="sub-0123456789abcdef0123456789abcdef")
    line = receipt.lines[0].model_copy(
        update={
            "device_key": "FT-DRONE-XC-LTE-00000042",
            "plan_name": "Ultimate Prepaid with GPS tracking",
            "status": "refused",
            "detail": "The device network refused the plan.",
        }
    )
    return receipt_paper(receipt.model_copy(update={"lines": (line,) * rows}), LONGEST, DEMO_SELLER)


PAPERS: dict[str, Callable[[], bytes]] = {
    "an order": lambda: confirmation(an_order_on_paper(), HARBOUR, DEMO_SELLER),
    "a long order": lambda: confirmation(an_order_on_paper(40), LONGEST, DEMO_SELLER),
    "a packing list": lambda: packing_list(an_order_on_paper(40), LONGEST, DEMO_SELLER),
    "a receipt": lambda: receipt_paper(a_receipt(), LONGEST, DEMO_SELLER),
    "a long receipt": a_long_receipt,
    "a payment": lambda: payment_paper(
        a_view(
            "invpay-0123456789abcdef0123456789abcdef",
            "C10021",
            *(a_paid_line(status, charged="1234567.89") for status in InvoiceStatus),
        ),
        LONGEST,
        DEMO_SELLER,
    ),
    "a statement": a_statement,
    "an invoice": an_invoice_on_paper,
    "a credit memo": a_memo_on_paper,
    "a credit memo of which nothing was applied": lambda: a_memo_on_paper(0),
}


@pytest.mark.parametrize("paper", PAPERS)
def test_no_text_lies_over_another_or_over_the_edge(paper: str) -> None:
    reader = PdfReader(io.BytesIO(PAPERS[paper]()))
    for page in reader.pages:
        found = list(boxes(page, reader))
        assert len(found) > 3, "an empty page"
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        over = [
            one
            for one in found
            if one.left < MARGIN - TOUCH
            or one.right > width - MARGIN + TOUCH
            or one.bottom < FOOT
            or one.top > height - MARGIN / 2
        ]
        assert over == []
        crossed = [
            (one.text, other.text)
            for one, other in combinations(found, 2)
            if min(one.right, other.right) - max(one.left, other.left) > TOUCH
            and min(one.top, other.top) - max(one.bottom, other.bottom) > TOUCH
        ]
        assert crossed == []


DOTS = 4
"""To the point: enough for a thin stroke to be as dark as its ink."""
SEEN = 4.5
"""Times that the light of the paper must be that of its ink."""


class Greys(NamedTuple):
    """0 is black, 255 is white."""

    darkest: int
    lightest: int


def light(grey: int) -> float:
    """Of a grey of 0 to 255, as WCAG reckons contrast."""
    part = grey / 255
    return 0.05 + (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)


def greys(picture: Image.Image, left: float, top: float, right: float, bottom: float) -> Greys:
    """Between there, in points from the picture's corner at the left."""
    known = picture.crop((left * DOTS, top * DOTS, right * DOTS, bottom * DOTS)).histogram()
    shown = [grey for grey, times in enumerate(known) if times]
    return Greys(shown[0], shown[-1])


@pytest.mark.parametrize("paper", PAPERS)
def test_a_reader_shows_each_text_in_ink_that_is_seen_and_leaves_the_margins_white(
    paper: str,
) -> None:
    content = PAPERS[paper]()
    reader = PdfReader(io.BytesIO(content))
    for page, picture in zip(reader.pages, pictures_of(content, DOTS), strict=True):
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        for box in boxes(page, reader):
            shown = greys(picture, box.left, height - box.top, box.right, height - box.bottom)
            assert light(shown.lightest) / light(shown.darkest) >= SEEN, box.text
        for left, right in ((0, MARGIN - 4), (width - MARGIN + 4, width)):
            assert greys(picture, left, 0, right, height) == Greys(255, 255)


def test_the_name_of_a_business_is_never_cut() -> None:
    for paper in ("a long order", "a packing list", "a receipt", "a payment"):
        reader = PdfReader(io.BytesIO(PAPERS[paper]()))
        told = " ".join(one.text for one in boxes(reader.pages[0], reader))
        assert LONGEST.name in told, paper


def test_what_follows_the_total_of_an_invoice_adds_up_to_what_is_to_be_paid() -> None:
    def settled(kind: str, amount: str) -> Settled:
        return Settled(on=date(2026, 11, 3), kind=kind, number="1", amount=Decimal(amount))

    paid, back = settled("payment", "60.00"), settled("returned_payment", "20.00")
    for parts, paid_of_it, payoff in (
        ((), "0.00", "98.00"),
        ((), "30.00", "68.00"),
        ((paid, back), "40.00", "58.80"),
        ((paid, settled("credit_memo", "10.00")), "75.00", "25.00"),
        ((paid,), "60.00", "40.00"),
        ((paid,), "120.00", "0.00"),
    ):
        invoice = an_invoice(
            "C10021",
            "100.00",
            settled_with=parts,
            paid=Decimal(paid_of_it),
            payoff=Decimal(payoff),
        )
        told = sums_of(invoice, date(2026, 11, 3))
        total = [name for name, _ in told].index("Total (USD)")
        before, after = told[:total], told[total:-1]
        assert sum((amount for _, amount in before), Decimal(0)) == invoice.total
        assert sum((amount for _, amount in after), Decimal(0)) == told[-1][1], told


FORTY: dict[str, Callable[[], bytes]] = {
    "an order": PAPERS["a long order"],
    "a packing list": PAPERS["a packing list"],
    "a receipt": lambda: a_long_receipt(40),
    "a statement": lambda: a_statement(40),
    "an invoice": lambda: an_invoice_on_paper(40),
    "a credit memo": lambda: a_memo_on_paper(40),
}


@pytest.mark.parametrize("paper", FORTY)
def test_forty_long_rows_are_on_two_pages(paper: str) -> None:
    assert len(PdfReader(io.BytesIO(FORTY[paper]())).pages) == 2


@pytest.mark.parametrize(
    ("paper", "parts"),
    [
        (lambda: an_invoice_on_paper(60), {"CS-RS-0001-1W-WITHOUT-", "HARNESS"}),
        (lambda: an_invoice_on_paper(3), {"CS-RS-0001-1W-", "WITHOUT-HARNESS"}),
        (lambda: a_long_receipt(3), {"FT-DRONE-XC-LTE-", "00000042"}),
    ],
    ids=["a dense invoice", "an invoice", "a receipt"],
)
def test_a_number_that_is_wider_than_its_column_is_parted_at_a_hyphen(
    paper: Callable[[], bytes], parts: set[str]
) -> None:
    reader = PdfReader(io.BytesIO(paper()))
    told = {one.text for page in reader.pages for one in boxes(page, reader)}
    assert told >= parts, sorted(told)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_number_of_each_page_stands_at_the_margin(paper: str) -> None:
    reader = PdfReader(io.BytesIO(PAPERS[paper]()))
    for page in reader.pages:
        (number,) = [one for one in boxes(page, reader) if one.text.startswith("Page ")]
        assert number.left == pytest.approx(MARGIN, abs=3)


def test_figures_of_a_payment_end_below_their_heads() -> None:
    reader = PdfReader(io.BytesIO(PAPERS["a payment"]()))
    found = list(boxes(reader.pages[0], reader))
    for head, figure in (("Discount", "2.00"), ("Credit memos", "30.00")):
        first = [next(one for one in found if one.text == text) for text in (head, figure)]
        assert first[0].right == pytest.approx(first[1].right, abs=1)
