"""Every paper as a reader's program draws it: `python -m tests.orders.paper.pictures FOLDER` keeps the pictures, to be looked at."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
from PIL import Image


def pictures_of(paper: bytes, dots: int = 2) -> Iterator[Image.Image]:
    """One for each page, in greys, so many dots to the point."""
    with pypdfium2.PdfDocument(io.BytesIO(paper)) as document:
        for page in document:
            yield page.render(scale=dots).to_pil().convert("L")


def save_pictures(folder: Path) -> None:
    from tests.orders.paper.test_boxes import PAPERS

    folder.mkdir(parents=True, exist_ok=True)
    for name, paper in PAPERS.items():
        for number, picture in enumerate(pictures_of(paper()), 1):
            picture.save(folder / f"{name.replace(' ', '-')}-{number}.png")


if __name__ == "__main__":
    save_pictures(Path(sys.argv[1]))
