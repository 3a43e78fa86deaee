"""Uploaded tables as texts: CSV in the encodings that spreadsheets write, and XLSX. Formulas stay the text that they are."""

import csv
import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from lzma import LZMAError
from xml.parsers.expat import ExpatError

from api.checkout.sheets.workbooks import UnreadableFile, first_sheet
from domain.checkout.quick_order import MOST_ROWS, NoRows, Row, TooManyRows, read_text, rows_of

MOST_UNPACKED = 20 * 1024 * 1024
"""Bytes of an XLSX once it is unpacked: more is no order but an attack."""
MOST_FILES = 200
_PACKED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""How spreadsheets pack their parts. `zipfile` bounds what it unpacks of these alone: of bzip2 and LZMA it unpacks a whole
chunk, whatever comes out of it, and cuts afterwards."""
_SCANNED_ROWS = MOST_ROWS * 5
"""Rows of a sheet that are looked at, empty ones included; beyond them the file is refused, not cut."""


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
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_size(archive)
            return rows_of(_every(first_sheet(archive)))
    except (NoRows, TooManyRows, UnreadableFile):
        raise
    except _BROKEN:
        raise UnreadableFile from None


_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    LZMAError,
    ExpatError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    OSError,
    EOFError,
    RuntimeError,
    OverflowError,
)
"""What the reader and what lies under it raise on files that are no workbooks."""


def _check_size(archive: zipfile.ZipFile) -> None:
    """By what the archive says of its files; the reader takes no byte more than that out of each."""
    files = archive.infolist()
    if any(file.compress_type not in _PACKED for file in files):
        raise UnreadableFile
    if len(files) > MOST_FILES or sum(file.file_size for file in files) > MOST_UNPACKED:
        raise UnreadableFile


def _every(rows: Iterable[tuple[int, list[str]]]) -> Iterator[list[str]]:
    """The rows that are left out too, which are empty."""
    reached = 0
    for number, cells in rows:
        if number > _SCANNED_ROWS:
            raise TooManyRows
        yield from ([] for _ in range(reached + 1, number))
        reached = number
        yield cells


def _decoded(content: bytes) -> str:
    """UTF-8 or, by its mark, UTF-16; else the encoding of western Windows."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
