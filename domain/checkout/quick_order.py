"""Quick order: rows of SKU and quantity, typed, pasted or from a spreadsheet, and a verdict on each (shop spec 2).

No row is ever left out in silence: every row that holds anything has a verdict.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from domain.base import Frozen
from domain.catalogue.products import Sellable
from domain.checkout.cart import MOST_LINES, MOST_PIECES, LineFault, fault_of
from domain.errors import Invalid

MOST_ROWS = 1_000
"""In one quick order. Our choice."""
LONGEST_SKU = 64
_LONGEST_CELL = 200
_QUANTITY = re.compile(r"\+?0*([0-9]{1,9})(?:\.0+)?")
_BETWEEN = re.compile(r"\s*[\t;,]\s*|\s+")
_SKU_WORDS = frozenset({"SKU", "ITEM", "PART", "PART NUMBER", "PRODUCT", "CODE", "ARTICLE", "NUMÉRO", "PRODUIT"})  # fmt: skip
_QUANTITY_WORDS = frozenset({"QTY", "QUANTITY", "PIECES", "COUNT", "QUANTITÉ", "QTÉ"})


class Verdict(StrEnum):
    """What becomes of a row. `MERGED` rows are counted in an earlier row of the same article."""

    READY = "ready"
    MERGED = "merged"
    UNKNOWN = "unknown"
    NO_SKU = "no_sku"
    BAD_QUANTITY = "bad_quantity"
    NOT_FOR_PURCHASE = "not_for_purchase"
    NO_PRICE = "no_price"
    TOO_MANY = "too_many"
    CART_FULL = "cart_full"


class Row(Frozen):
    """A row as it was given. `number` is its line, from 1 on; `quantity` is the text of its cell."""

    number: int
    sku: str
    quantity: str


class CheckedRow(Frozen):
    """`quantity` is None where the cell holds no whole number above zero. `merged_into` is the number of the row that the
    pieces are counted in. `pieces` is what is added for this row: its own and those of the rows merged into it."""

    row: Row
    verdict: Verdict
    quantity: int | None = None
    pieces: int = 0
    merged_into: int | None = None
    sellable: Sellable | None = None

    @property
    def is_alias(self) -> bool:
        return self.sellable is not None and self.sellable.is_alias

    @property
    def case_quantity(self) -> int | None:
        """Of an article that is packed in cases which the pieces do not fill; None otherwise."""
        if self.sellable is None or self.sellable.case_quantity == 1 or not self.pieces:
            return None
        case = self.sellable.case_quantity
        return case if self.pieces % case else None

    @property
    def later(self) -> int:
        """Pieces that are sent when there are more."""
        if self.sellable is None:
            return 0
        return max(self.pieces - max(self.sellable.stock.on_hand, 0), 0)


class TooManyRows(Invalid):
    code = "too_many_rows"
    detail = f"A quick order has at most {MOST_ROWS} rows. Nothing was read; please split it."


class NoRows(Invalid):
    code = "no_rows"
    detail = "There is no row with a SKU."


_VERDICTS = {
    LineFault.NOT_FOR_PURCHASE: Verdict.NOT_FOR_PURCHASE,
    LineFault.NO_PRICE: Verdict.NO_PRICE,
}


def read_text(text: str) -> tuple[Row, ...]:
    """Rows of a CSV, or of lines typed by hand. Commas, semicolons, tabs or blanks part SKU and quantity; cells may be
    quoted; a first row of headings is left out and says which columns count. Raises TooManyRows or NoRows."""
    plain = text.removeprefix("\ufeff")
    return rows_of(_cells_of(plain))


def rows_of(table: Iterable[Sequence[str]]) -> tuple[Row, ...]:
    """Rows of a table of texts; rows without any text are not counted. Raises TooManyRows or NoRows."""
    rows: list[Row] = []
    columns = (0, 1)
    is_first = True
    for number, cells in enumerate(table, start=1):
        texts = [cell.strip()[:_LONGEST_CELL] for cell in cells]
        if not any(texts):
            continue
        if is_first and (named := _columns(texts)):
            columns, is_first = named, False
            continue
        is_first = False
        if len(rows) == MOST_ROWS:
            raise TooManyRows
        rows.append(_row(number, texts, columns))
    if not rows:
        raise NoRows
    return tuple(rows)


def quantity_of(text: str) -> int | None:
    """A whole number above zero; None for anything else. Spreadsheets write 2 as 2.0."""
    found = _QUANTITY.fullmatch(text.strip())
    return int(found[1]) or None if found else None


def judge(
    rows: Sequence[Row], sellables: Mapping[str, Sellable], held: Mapping[str, int]
) -> tuple[CheckedRow, ...]:
    """A verdict for each row, in their order. `sellables` are by the SKU as it was asked, `held` are the pieces that the
    cart has by article."""
    first: dict[str, int] = {}
    found: list[CheckedRow] = []
    for row in rows:
        one = _alone(row, sellables)
        if one.verdict is Verdict.READY and one.sellable:
            one = _beside(one, first, found, held)
        found.append(one)
    return tuple(found)


def wanted_of(judged: Sequence[CheckedRow]) -> dict[str, int]:
    """What is added: pieces by article."""
    return {
        one.sellable.variant_id: one.pieces
        for one in judged
        if one.verdict is Verdict.READY and one.sellable
    }


def _alone(row: Row, sellables: Mapping[str, Sellable]) -> CheckedRow:
    """The row by itself: its SKU first, then its quantity."""
    quantity = quantity_of(row.quantity)
    if not row.sku:
        return CheckedRow(row=row, verdict=Verdict.NO_SKU, quantity=quantity)
    sellable = sellables.get(row.sku)
    if sellable is None:
        return CheckedRow(row=row, verdict=Verdict.UNKNOWN, quantity=quantity)
    fault = fault_of(sellable)
    if fault:
        verdict = _VERDICTS[fault]
    elif quantity is None:
        verdict = Verdict.BAD_QUANTITY
    else:
        verdict = Verdict.READY
    return CheckedRow(row=row, verdict=verdict, quantity=quantity, sellable=sellable)


def _beside(
    one: CheckedRow, first: dict[str, int], found: list[CheckedRow], held: Mapping[str, int]
) -> CheckedRow:
    """The row beside those before it and what the cart has. `first` are places in `found` by article."""
    assert one.sellable is not None
    assert one.quantity is not None
    article = one.sellable.variant_id
    place = first.get(article)
    earlier = found[place].pieces if place is not None else 0
    if earlier + one.quantity + held.get(article, 0) > MOST_PIECES:
        return one.model_copy(update={"verdict": Verdict.TOO_MANY})
    if place is None:
        if article not in held and len(held.keys() | first.keys()) >= MOST_LINES:
            return one.model_copy(update={"verdict": Verdict.CART_FULL})
        first[article] = len(found)
        return one.model_copy(update={"pieces": one.quantity})
    before = found[place]
    found[place] = before.model_copy(update={"pieces": earlier + one.quantity})
    return one.model_copy(update={"verdict": Verdict.MERGED, "merged_into": before.row.number})


def _cells_of(text: str) -> Iterable[Sequence[str]]:
    """Line by line for what is typed; as CSV where anything is quoted, since a quoted cell may hold a line's end."""
    if '"' not in text:
        return (_parted(line) for line in text.splitlines())
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max("\t;,", key=first.count)
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)


def _parted(line: str) -> Sequence[str]:
    """At a mark where there is one, so that an empty cell keeps its place; else at the last blank."""
    if any(mark in line for mark in "\t;,"):
        delimiter = next(mark for mark in "\t;," if mark in line)
        return line.split(delimiter)
    return _BETWEEN.split(line.strip(), maxsplit=1)


def _columns(texts: Sequence[str]) -> tuple[int, int] | None:
    """Where SKU and quantity stand, if this is a row of headings."""
    names = [text.upper().rstrip(".:") for text in texts]
    sku = next((place for place, name in enumerate(names) if name in _SKU_WORDS), None)
    quantity = next((place for place, name in enumerate(names) if name in _QUANTITY_WORDS), None)
    if sku is None:
        return None
    return sku, quantity if quantity is not None else _NO_COLUMN


_NO_COLUMN = 10_000


def _row(number: int, texts: Sequence[str], columns: tuple[int, int]) -> Row:
    """A row with its SKU alone means one piece."""
    sku_at, quantity_at = columns
    sku = texts[sku_at] if sku_at < len(texts) else ""
    quantity = texts[quantity_at] if quantity_at < len(texts) else "1"
    return Row(number=number, sku=sku[: LONGEST_SKU + 1], quantity=quantity)
