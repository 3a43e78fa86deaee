"""Spreadsheets for tests, as the programs of the trade write them."""

import io
import zipfile

from openpyxl import Workbook

SHEET = "xl/worksheets/sheet1.xml"
STRINGS = "xl/sharedStrings.xml"
LINKS = "xl/_rels/workbook.xml.rels"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
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


def a_sheet(rows: str) -> bytes:
    """An XLSX with these rows in its own language."""
    spoken = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<x:worksheet xmlns:x="{spoken}" xmlns="{spoken}"><sheetData>{rows}</sheetData></x:worksheet>'
    return with_part(an_xlsx(), SHEET, sheet.encode())


def with_strings(content: bytes, *strings: str) -> bytes:
    """The same workbook with a table of strings, each in its own language."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        links = archive.read(LINKS).decode()
    linked = links.replace(
        "</Relationships>",
        f'<Relationship Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml" Id="rS"/></Relationships>',
    )
    table = f"<sst>{''.join(f'<si>{one}</si>' for one in strings)}</sst>"
    return with_part(with_part(content, LINKS, linked.encode()), STRINGS, table.encode())
