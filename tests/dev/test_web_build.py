"""The front end is built once per content."""

from pathlib import Path

import pytest

from dev import web


def test_what_a_check_keeps_is_no_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "WEB", tmp_path)
    (tmp_path / "index.html").write_text("<title>Turnkey</title>")
    before = web.digest()
    (tmp_path / "tsconfig.tsbuildinfo").write_text("{}")
    assert web.digest() == before
    (tmp_path / "index.html").write_text("<title>Portal</title>")
    assert web.digest() != before
