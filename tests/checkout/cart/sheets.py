"""Spreadsheets for tests, as the programs of the trade write them."""

import io
import zipfile

from openpyxl import Workbook

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def an_xlsx(*rows: tuple[object, ...]) -> bytes:
    """The first sheet has these rows; a second one says nothing of interest."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    book.create_sheet("Notes").append(["not", "an", "order"])
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


def with_part(content: bytes, name: str, part: bytes) -> bytes:
    """The same archive with one part put in place of its own, or added."""
    kept = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for file in old.infolist():
            if file.filename != name:
                new.writestr(file, old.read(file))
        new.writestr(name, part)
    return kept.getvalue()
