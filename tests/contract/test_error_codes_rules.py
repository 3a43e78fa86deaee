"""That the API's document names every code that a refusal may carry."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from api.main import create_app
from api.platform.border.codes import (
    FROM_OUTSIDE,
    IN_VIEWS,
    PORTAL,
    WITHOUT_A_CLASS,
    _kinds,
    error_codes,
)
from domain.errors import PortalError
from domain.kinds import KINDS
from settings import Settings

ROOT = Path(__file__).resolve().parents[2]
NO_ERRORS = {"Coupon", "Site"}
"""Made with a `code` of another kind."""


def trees() -> Iterator[ast.AST]:
    for layer in PORTAL:
        for path in (ROOT / layer).rglob("*.py"):
            if path.name != "codes.py":
                yield ast.parse(path.read_text())


def test_the_document_names_them_all() -> None:
    document: dict[str, Any] = create_app(Settings()).openapi()
    schemas = document["components"]["schemas"]
    assert schemas["ErrorCode"]["enum"] == error_codes()
    code = schemas["ProblemDetails"]["properties"]["code"]
    assert {"$ref": "#/components/schemas/ErrorCode"} in code["anyOf"]


def test_no_two_shapes_of_the_document_have_one_name() -> None:
    """Two classes of one name would be told apart by their modules, in the browser's types too."""
    schemas = create_app(Settings()).openapi()["components"]["schemas"]
    assert [name for name in schemas if "__" in name] == []


def test_the_api_has_loaded_every_class_of_errors() -> None:
    before = error_codes()
    for layer in PORTAL:
        package = importlib.import_module(layer)
        for module in pkgutil.walk_packages(package.__path__, f"{layer}."):
            if ".migrations" not in module.name:
                importlib.import_module(module.name)
    assert error_codes() == before


def test_one_code_has_one_text() -> None:
    """The browser puts a refusal into words by its code, and a decline by its text. Kinds of runs have words of their own."""
    create_app(Settings())
    told_otherwise = {refusal.code for kind in KINDS for refusal in kind.refusals()} | {"declined"}
    texts: dict[str, set[str]] = {}
    for kind in _kinds(PortalError):
        if "detail" in vars(kind) and kind.__module__.startswith(PORTAL):
            texts.setdefault(kind.code, set()).add(kind.detail)
    assert len(texts) > 100
    several = {code for code, said in texts.items() if len(said) > 1}
    assert several - told_otherwise == set()


def test_a_code_that_is_given_to_an_error_is_named() -> None:
    given = {
        keyword.value.value
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) not in NO_ERRORS
        for keyword in node.keywords
        if keyword.arg == "code" and isinstance(keyword.value, ast.Constant)
        if isinstance(keyword.value.value, str)
    }
    assert len(given) > 5
    assert given - set(error_codes()) == set()


def test_a_code_without_a_class_is_one_that_the_portal_says() -> None:
    said = {
        word
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for word in re.findall(r"\w+", node.value)
    }
    unsaid = (WITHOUT_A_CLASS | IN_VIEWS | FROM_OUTSIDE) - said
    assert {code for code in unsaid if f"{code.partition('_')[0]}_" not in said} == set()
