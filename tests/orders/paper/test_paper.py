"""Orders and receipts on paper: whom they are from and for, lines that add up, and the same in the mails that bring them."""

import email
import email.policy
import io
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from pypdf import PdfReader

from activities.orders.confirmations import Confirmations
from activities.plans.purchase_mails import PurchaseMail, PurchaseMailActivities
from api.orders.answers import order_out
from assembly import systems_of
from db.base import Sessions
from db.orders.progress import store
from db.plans.receipts import save_receipt
from domain.billing.payments import PaymentType
from domain.billing.taxes import Tax
from domain.checkout.draft import PostalAddress
from domain.identity.people import User
from domain.letters.language import Language
from domain.orders.orders import (
    Order,
    OrderStatus,
    Parcel,
    Shipment,
    Withdrawal,
    following_by_line,
    sent_by_line,
)
from domain.paper.buyer import Buyer
from domain.paper.mails import order_mail
from domain.paper.orders import confirmation, packing_list, sums_of
from domain.paper.receipts import receipt_paper
from domain.paper.receipts import sums_of as sums_of_receipt
from domain.paper.seller import DEMO_SELLER
from domain.paper.sheet import Sheet
from domain.plans.purchases import LineStatus
from domain.plans.receipts import Receipt, ReceiptLine
from settings import Settings
from simulators.main import create_app
from tests.checkout.cart.buyers import a_buyer
from tests.drivers.factories import a_name
from tests.drivers.outside.mail_server import taking_mail
from tests.orders.factories import a_line, a_new_order, code_of

NOW = datetime(2026, 11, 20, 15, 4, tzinfo=UTC)
LONG = "Remote start and security system with two-way LED remotes and 3,000 ft range"


def figures(count: int = 3) -> dict[str, Any]:
    """Of an order with a coupon, freight and two taxes."""
    lines = [a_line(sku=f"CS-{n:04}", quantity=3, price="129.99", name=LONG) for n in range(count)]
    subtotal = sum((line.total for line in lines), Decimal(0))
    coupon, freight = Decimal("20.00"), Decimal("18.50")
    net = subtotal - coupon + freight
    taxes = tuple(
        Tax(name=name, percent=Decimal(percent), amount=round(net * percent / 100, 2))
        for name, percent in (("GST", 5), ("PST", 7))
    )
    tax = sum((one.amount for one in taxes), Decimal(0))
    return {
        "lines": lines,
        "subtotal": subtotal,
        "coupon_code": "WINTER20",
        "coupon_amount": coupon,
        "freight": freight,
        "tax": tax,
        "taxes": taxes,
        "total": net + tax,
        "po_number": "PO 4711-A",
        "shipping_method": "B2B-Ground",
        "created_at": NOW,
    }


def an_order_on_paper(count: int = 3) -> Order:
    new = a_new_order("C10021", **figures(count))
    parcels = (Parcel(sku="CS-0000", quantity=2),)
    shipment = Shipment(
        number="SH-1", carrier="Purolator", tracking_number="PUR1", shipped_at=NOW, parcels=parcels
    )
    return Order(
        **{name: getattr(new, name) for name in type(new).model_fields},
        id="o1",
        number="T-100042",
        status=OrderStatus.PART_SHIPPED,
        erp_number="SO-88121",
        invoice_number=None,
        shipments=(shipment,),
        history=(),
        updated_at=NOW,
    )


def a_receipt(
    uuid: str = "sub-1", status: LineStatus = LineStatus.PROVISIONED, **given: Any
) -> Receipt:
    line = ReceiptLine(
        device_key="FT-X1-00000042",
        product_name="ft-x1",
        plan_id="p",
        plan_name="Premium",
        base_amount=Decimal("149.99"),
        discount=Decimal("15.00"),
        credit=Decimal(0),
        tax=Decimal("20.21"),
        total=Decimal("155.20"),
        ends_at=NOW,
        status=status,
        detail=None,
    )
    values: dict[str, Any] = {
        "uuid": uuid,
        "partner_code": None,
        "dealer_id": None,
        "owner_id": None,
        "subscriber_id": None,
        "bought_by": "Chloé Tremblay",
        "acting_for": None,
        "succeeded": True,
        "transaction_id": "pi_1",
        "payment_shown": "Visa •••• 4242",
        "currency": "USD",
        "base_amount": Decimal("149.99"),
        "currency_discount": Decimal("15.00"),
        "base_tax": Decimal("20.21"),
        "gst_hst": Decimal("6.75"),
        "final_charge": Decimal("155.20"),
        "refunded": Decimal(0),
        "lines": (line,),
        "taxes": (
            Tax(name="GST", percent=Decimal(5), amount=Decimal("6.75")),
            Tax(name="QST", percent=Decimal("9.975"), amount=Decimal("13.46")),
        ),
        "address": PostalAddress(
            name="Chloé",
            street="1 rue Principale",
            city="Montréal",
            country_area="QC",
            postal_code="H2X 1Y4",
            country="CA",
        ),
        "created_at": NOW,
    }
    return Receipt(**(values | given))


HARBOUR = Buyer(name="Harbour Car Audio", tax_number="81234 5678 RT0001")
CHLOE = Buyer(name="Chloé Tremblay")


def pages(content: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]


def test_an_order_names_seller_buyer_po_and_tax_numbers_on_one_page() -> None:
    (page,) = pages(confirmation(an_order_on_paper(), HARBOUR, DEMO_SELLER))
    for said in (
        "Turnkey Electronics Inc.",
        *(f"{name} no. {number}" for name, number in DEMO_SELLER.tax_numbers.items()),
        "Harbour Car Audio",
        "Account C10021",
        "Tax no. 81234 5678 RT0001",
        "Regina SK S4P 3Y2",
        "Canada",
        "PO 4711-A",
        "SO-88121",
        "Freight: Ground",
        "GST 5 % (demo rate)",
        "PST 7 % (demo rate)",
        "Coupon WINTER20",
        "Purolator, PUR1",
    ):
        assert said in page, said
    assert "B2B-" not in page


def test_what_is_summed_on_paper_adds_up() -> None:
    order = an_order_on_paper()
    assert sum((line.total for line in order.lines), Decimal(0)) == dict(sums_of(order))["Goods"]
    for *steps, (_, total) in (sums_of(order), sums_of_receipt(a_receipt())):
        assert sum((amount for _, amount in steps), Decimal(0)) == total


def test_a_long_order_goes_on_under_the_same_heads_and_loses_no_word() -> None:
    content = confirmation(an_order_on_paper(40), HARBOUR, DEMO_SELLER)
    first, *others = pages(content)
    assert len(others) == 1
    whole = " ".join(" ".join(page.split()) for page in (first, *others))
    assert whole.count(LONG) == 40
    assert all("Order T-100042" in page and "Ordered" in page for page in others)
    assert pages(content) == pages(confirmation(an_order_on_paper(40), HARBOUR, DEMO_SELLER))


@pytest.mark.parametrize(
    ("kind", "code", "said", "in_french"),
    [
        (PaymentType.TERMS, "TERMS", "Payment terms", "Paiement : Conditions de paiement"),
        (PaymentType.COD, "COD", "COD (cash on delivery)", "Paiement à la livraison (COD)"),
    ],
)
def test_how_an_order_is_paid_is_told_in_words(
    kind: PaymentType, code: str, said: str, in_french: str
) -> None:
    changed = {"payment_type": kind, "payment_shown": code}
    order = an_order_on_paper().model_copy(update=changed)
    (page,) = pages(confirmation(order, HARBOUR, DEMO_SELLER))
    assert f"Payment {said}" in " ".join(page.split())
    assert f"Payment: {said}" in order_mail(order, "Harbour", "https://portal.test")
    mail = order_mail(order, "Harbour", "https://portal.test", None, Language.FR)
    assert in_french in mail.replace("\u00a0", " ")


def test_a_packing_list_counts_pieces_and_tells_no_price() -> None:
    (page,) = pages(packing_list(an_order_on_paper(), HARBOUR, DEMO_SELLER))
    words = " ".join(page.split())
    assert "Packing list T-100042" in words
    assert "Ordered Shipped To follow" in words
    assert "2 x CS-0000" in words
    assert "PO 4711-A" in words
    for price in ("129.99", "389.97", "Total", "Visa"):
        assert price not in words


def _partly_withdrawn() -> Order:
    lines = tuple(a_line(sku, quantity) for sku, quantity in (("A", 3), ("A", 4), ("B", 2)))
    sent, gone, gone_too = ((Parcel(sku="A", quantity=n),) for n in (1, 3, 1))
    order = an_order_on_paper()
    return order.model_copy(
        update={
            "lines": lines,
            "shipments": (order.shipments[0].model_copy(update={"parcels": sent}),),
            "withdrawals": tuple(
                Withdrawal(
                    number=number, reason="", withdrawn_at=NOW, parcels=parcels, amount=Decimal(1)
                )
                for number, parcels in (("W1", gone), ("W2", gone_too))
            ),
        }
    )


def test_what_follows_is_counted_over_all_withdrawals_and_lines_of_one_sku() -> None:
    order = _partly_withdrawn()
    assert sent_by_line(order) == (1, 0, 0)
    assert following_by_line(order) == (0, 2, 2)
    (page,) = pages(packing_list(order, HARBOUR, DEMO_SELLER))
    rows = [line.split()[-3:] for line in page.splitlines() if line.startswith(("A ", "B "))]
    assert rows == [["3", "1", "0"], ["4", "0", "2"], ["2", "0", "2"]], page


def test_what_follows_is_told_of_each_line_and_nothing_follows_once_the_order_is_cancelled() -> (
    None
):
    order = _partly_withdrawn()
    told = order_out(order, {}, {}, ())
    assert [(line.shipped, line.following) for line in told.lines] == [(1, 0), (0, 2), (0, 2)]
    cancelled = order.model_copy(update={"status": OrderStatus.CANCELLED})
    assert following_by_line(cancelled) == (0, 0, 0)


def test_a_text_that_fits_is_parted_as_the_printer_would() -> None:
    sheet = Sheet("Widths", NOW)
    for text in ("", "INV-1", "1,234.00", "Remote start and security", LONG, "two\nlines"):
        told = [sheet.parted(width, text) for width in (18, 38, 62, 180)]
        wanted = [
            sheet.multi_cell(width, 5, text, dry_run=True, output="LINES")
            for width in (18, 38, 62, 180)
        ]
        assert told == wanted


def test_a_receipt_names_seller_and_tax_numbers() -> None:
    (page,) = pages(receipt_paper(a_receipt(), CHLOE, DEMO_SELLER))
    for said in (
        "Turnkey Electronics Inc.",
        "QST no.",
        "Chloé Tremblay",
        "Montréal QC",
        "QST 9.975 %",
    ):
        assert said in page, said
    assert "Tax no." not in page


@pytest.fixture
async def stand_ins(tmp_path: Path) -> FastAPI:
    return create_app(tmp_path / "simulators.sqlite")


@pytest.fixture
async def http(stand_ins: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(stand_ins)
    async with httpx.AsyncClient(transport=transport, base_url="http://stand-ins") as client:
        yield client


async def mailed(http: httpx.AsyncClient, user: User) -> tuple[str, str, dict[str, bytes]]:
    """Text and HTML of the only mail, and what came with it by name."""
    answer = await http.get("/messenger/_outbox", params={"to": user.email})
    (kept,) = answer.json()["results"]
    raw = (await http.get(f"/messenger/mail/{kept['seq']}/raw")).content
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    papers = {one.get_filename(""): one.get_content() for one in mail.iter_attachments()}
    return kept["text"], kept["html"], papers


async def test_an_order_is_confirmed_by_mail_with_the_paper_and_in_words(
    sessions: Sessions, stand_ins: FastAPI, http: httpx.AsyncClient
) -> None:
    user = await a_buyer(sessions)
    async with sessions.begin() as session:
        new = a_new_order(code_of(user), placed_by=user.id, **figures())
        order = await store(session, new)
    async with taking_mail(lambda: stand_ins) as mail_url:
        systems = systems_of(Settings(mail_url=mail_url, mail_encryption="none"), http, sessions)
        confirmations = Confirmations(sessions, systems.messenger, DEMO_SELLER)
        for _ in range(2):
            await confirmations.mail(order.token, "https://portal.test")
    text, html, papers = await mailed(http, user)
    for said in (
        "PO number: PO 4711-A",
        f"3 x CS-0000 {LONG}: $389.97",
        "Coupon WINTER20: -$20.00",
        "Freight: Ground: $18.50",
        "GST 5 % (demo rate): $",
        "Ship to:\nPrairie Car Audio\n1 Main Street\nRegina SK S4P 3Y2\nCanada",
        "Bill to:",
    ):
        assert said in text, said
    assert f'href="https://portal.test/order/{order.id}"' in html
    confirmed, to_receive = f"order-{order.number}.pdf", f"packing-list-{order.number}.pdf"
    assert set(papers) == {confirmed, to_receive}
    assert "PO 4711-A" in pages(papers[confirmed])[0]
    assert "Received by" in pages(papers[to_receive])[0]


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (LineStatus.PROVISIONED, None),
        (LineStatus.FAILED, "(not set up yet)"),
        (LineStatus.UNCERTAIN, "(not set up yet)"),
        (LineStatus.OWED, "(being paid back)"),
        (LineStatus.REFUNDED, "(paid back)"),
        (LineStatus.UNPAID, "(not set up, not paid)"),
    ],
)
def test_a_receipt_says_of_a_device_without_its_plan_how_it_stands(
    status: LineStatus, said: str | None
) -> None:
    (page,) = pages(receipt_paper(a_receipt(status=status), HARBOUR, DEMO_SELLER))
    words = " ".join(page.split())
    assert f"Premium {said}" in words if said else "Premium (" not in words


async def test_a_receipt_comes_with_the_mail_of_its_purchase(
    sessions: Sessions, stand_ins: FastAPI, http: httpx.AsyncClient
) -> None:
    user = await a_buyer(sessions)
    uuid = f"sub-{a_name()}"
    async with sessions.begin() as session:
        await save_receipt(session, a_receipt(uuid))
    mail = PurchaseMail(
        purchase_id=uuid, person_id=user.id, subject="Your receipt", text="Charged: 155.20 USD"
    )
    async with taking_mail(lambda: stand_ins) as mail_url:
        systems = systems_of(Settings(mail_url=mail_url, mail_encryption="none"), http, sessions)
        activities = PurchaseMailActivities(systems.messenger, sessions, DEMO_SELLER)
        await activities.mail(mail)
    text, _, papers = await mailed(http, user)
    assert text.startswith("Charged: 155.20 USD\n\n")
    for said in ("Bought by: Chloé Tremblay", "Taxed at:", "Montréal QC", "Canada"):
        assert said in text, said
    assert set(papers) == {f"receipt-{uuid}.pdf"}


def test_a_confirmation_is_mailed_in_french_with_its_amounts() -> None:
    text = order_mail(an_order_on_paper(), "Harbour", "https://portal.test", None, Language.FR)
    told = text.replace("\N{NO-BREAK SPACE}", " ").splitlines()
    for said in (
        "Merci de votre commande T-100042.",
        "Numéro de bon de commande : PO 4711-A",
        "Transport, Ground : 18,50 $",
        "Livrer à :",
        "Facturer à :",
    ):
        assert said in told, said
    assert any(line.startswith("TPS 5 % (taux de démonstration) : ") for line in told)
