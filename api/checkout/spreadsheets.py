"""Uploaded tables as texts: CSV in the encodings that spreadsheets write, and XLSX. Formulas stay the text that they are."""

import csv
import io
import zipfile
from collections.abc import Iterator, Sequence
from itertools import islice
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from domain.checkout.quick_order import MOST_ROWS, NoRows, Row, TooManyRows, read_text, rows_of
from domain.errors import Invalid

MOST_UNPACKED = 20 * 1024 * 1024
"""Bytes of an XLSX once it is unpacked: more is no order but an attack."""
MOST_FILES = 200
MOST_COLUMNS = 20
_SCANNED_ROWS = MOST_ROWS * 5
"""Rows of a sheet that are looked at, empty ones included; beyond them the file is refused, not cut."""


class UnreadableFile(Invalid):
    code = "unreadable_file"
    detail = "This file cannot be read. Please save it as CSV or XLSX and try again."


def read_csv(content: bytes) -> tuple[Row, ...]:
    """Raises UnreadableFile, TooManyRows or NoRows."""
    text = _decoded(content)
    if "\0" in text:
        raise UnreadableFile
    try:
        return read_text(text)
    except csv.Error:
        raise UnreadableFile from None


def read_xlsx(content: bytes) -> tuple[Row, ...]:
    """The first sheet. Raises UnreadableFile, TooManyRows or NoRows."""
    try:
        _check_size(content)
        workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=False)
        try:
            sheet = workbook.worksheets[0]
            sheet.reset_dimensions()
            return rows_of(_texts(sheet.iter_rows(max_col=MOST_COLUMNS, values_only=True)))
        finally:
            workbook.close()
    except (NoRows, TooManyRows, UnreadableFile):
        raise
    except (*_BROKEN, DefusedXmlException):
        raise UnreadableFile from None


_BROKEN = (
    zipfile.BadZipFile,
    InvalidFileException,
    ParseError,
    KeyError,
    IndexError,
    ValueError,
    TypeError,
    AttributeError,
    OSError,
    EOFError,
    RuntimeError,
    OverflowError,
)
"""What the reader and what lies under it raise on files that are no workbooks."""


def _check_size(content: bytes) -> None:
    """By what the archive says of its files; the reader takes no byte more than that out of each."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = archive.infolist()
    if len(files) > MOST_FILES or sum(file.file_size for file in files) > MOST_UNPACKED:
        raise UnreadableFile


def _texts(rows: Iterator[Sequence[object]]) -> Iterator[list[str]]:
    for place, row in enumerate(islice(rows, _SCANNED_ROWS + 1)):
        if place == _SCANNED_ROWS:
            raise TooManyRows
        yield [_text(cell) for cell in row]


def _text(cell: object) -> str:
    """A number without a fraction is written without one."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def _decoded(content: bytes) -> str:
    """UTF-8 or, by its mark, UTF-16; else the encoding of western Windows."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
