"""What the cells of a workbook are read as, and how much of one is read."""

import io
import struct
import tracemalloc
import zipfile
import zlib
from datetime import date

import pytest

from api.checkout.sheets.spreadsheets import read_xlsx
from api.checkout.sheets.workbooks import UnreadableFile
from domain.checkout.quick_order import MOST_ROWS
from tests.checkout.cart.sheets import SHEET, a_sheet, an_xlsx, with_strings

CELLS = {
    "a number": ("<c><v>7</v></c>", "7"),
    "a whole number with a fraction": ("<c><v>7.0</v></c>", "7"),
    "a fraction": ("<c><v>1.5</v></c>", "1.5"),
    "a power": ("<c><v>1E3</v></c>", "1000"),
    "a shared string": ('<c t="s"><v>1</v></c>', "FT-X1"),
    "a string in runs": ('<c t="s"><v>2</v></c>', "FT-X2"),
    "a string of its own": ('<c t="inlineStr"><is><t>FT</t></is></c>', "FT"),
    "what a formula came to": ('<c t="str"><v>FT</v></c>', "FT"),
    "a formula": ("<c><f>A1*2</f><v>4</v></c>", "=A1*2"),
    "a formula like that above": ('<c><f t="shared" si="0"/><v>4</v></c>', "="),
    "yes": ('<c t="b"><v>1</v></c>', "True"),
    "an error": ('<c t="e"><v>#N/A</v></c>', "#N/A"),
    "in another language": ("<x:c><x:v>7</x:v></x:c>", "7"),
}
STRINGS = (
    "<t>FT</t>",
    "<t>FT-X1</t>",
    "<r><rPr><b/></rPr><t>FT</t></r><r><t>-X2</t></r><rPh><t>spoken</t></rPh>",
)


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_is_read_as_what_it_shows(name: str) -> None:
    cell, expected = CELLS[name]
    content = with_strings(a_sheet(f'<row r="3">{cell}<c><v>1</v></c></row>'), *STRINGS)
    (row,) = read_xlsx(content)
    assert (row.number, row.sku, row.quantity) == (3, expected, "1")


def test_a_date_is_no_number_of_pieces() -> None:
    (row,) = read_xlsx(an_xlsx(("A-1", date(1900, 3, 4))))
    assert row.quantity == "1900-03-04 00:00:00"


def test_cells_that_are_left_out_keep_their_columns() -> None:
    content = a_sheet('<row r="2"><c r="B2" t="str"><v>5</v></c></row>')
    (row,) = read_xlsx(content)
    assert (row.sku, row.quantity) == ("", "5")


def test_the_longest_list_in_twenty_columns_of_different_texts_is_read() -> None:
    texts = [f"SKU-{number}" for number in range(MOST_ROWS * 20)]
    cells = [f'<c t="s"><v>{number}</v></c>' for number in range(len(texts))]
    rows = "".join(
        f"<row>{''.join(cells[place : place + 20])}</row>" for place in range(0, len(cells), 20)
    )
    read = read_xlsx(with_strings(a_sheet(rows), *(f"<t>{text}</t>" for text in texts)))
    assert (len(read), read[-1].sku) == (MOST_ROWS, "SKU-19980")


def test_a_part_that_does_not_unpack_is_no_sheet() -> None:
    content = bytearray(a_sheet("<row/>" * 500))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        start = archive.getinfo(SHEET).header_offset + 30 + len(SHEET)
    content[start : start + 8] = b"\xff" * 8
    with pytest.raises(zlib.error):
        zipfile.ZipFile(io.BytesIO(content)).read(SHEET)
    with pytest.raises(UnreadableFile):
        read_xlsx(bytes(content))


def saying_too_little(packed: int, *, holds: int) -> bytes:
    """An archive whose one part, packed like this, says that it holds a thousand bytes."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", packed) as archive:
        archive.writestr("[Content_Types].xml", b" " * holds)
    return kept.getvalue().replace(struct.pack("<L", holds), struct.pack("<L", 1_000))


@pytest.mark.parametrize("packed", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_part_that_says_too_little_is_not_unpacked(packed: int) -> None:
    content = saying_too_little(packed, holds=20_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableFile):
            read_xlsx(content)
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
