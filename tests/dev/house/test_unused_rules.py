"""What nothing calls is deleted: a name that stands once in the source is said by nobody but whoever wrote it."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.dev.house.test_layout_rules import LAYERS, ROOT, name_of

SOURCES = (*LAYERS, "dev", "observing", "bench")
WORD = re.compile(r"\w+")
FOR_TESTS = {
    "domain.activation.activation_v1.applicable",
    "domain.catalogue.pricing.listed_at",
    "domain.content.pages.HOME_CAROUSEL",
    "domain.devices.devices.ACTING_COMMANDS",
    "domain.validation.BOUNDS",
    "domain.validation.RULES",
    "domain.validation.is_partner_address",
    "dev.backups.archived_until",
    "simulators.vin.a_vin",
}
"""A rule or a figure by which tests judge SQL, the browser or a page. Nothing else is added."""


def sources() -> Iterator[Path]:
    yield from ROOT.glob("*.py")
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*.py"):
            if "node_modules" not in path.parts:
                yield path


def is_written_once(path: Path) -> bool:
    """A migration is, and names what the database had then."""
    return "migrations" in path.parts


def names_in(tree: ast.Module) -> Iterator[str]:
    """What a module defines for others. Whatever is decorated is called by who decorates it, and a table by its rows."""
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if not node.decorator_list and not _is_table(node):
                    yield node.name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case _:
                pass


def _is_table(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef) and any(
        isinstance(one, ast.Assign)
        and any(isinstance(name, ast.Name) and name.id == "__tablename__" for name in one.targets)
        for one in node.body
    )


def test_no_name_of_a_module_is_said_nowhere_else() -> None:
    said: Counter[str] = Counter()
    defined: dict[str, str] = {}
    for path in sources():
        text = path.read_text()
        said.update(WORD.findall(text))
        if not is_written_once(path):
            defined |= {f"{name_of(path)}.{name}": name for name in names_in(ast.parse(text))}
    assert len(defined) > 2000
    unused = {full for full, name in defined.items() if said[name] == 1}
    assert unused == FOR_TESTS
