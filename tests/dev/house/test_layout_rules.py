"""The rooms of the house: where things stand, and who may lean on whom. `lint-imports` judges the rest."""

import ast
import re
from pathlib import Path
from typing import get_type_hints

import pytest

from providers.systems import Systems

ROOT = Path(__file__).resolve().parents[3]
LAYERS = ("domain", "db", "providers", "activities", "workflows", "workers", "api", "simulators")
MOST_MODULES = 13
"""In one folder, so that it is read at one look."""
MOST_LINES = 400
LONG = {
    "db.demo.partners",
    "domain.activation.activation",
    "domain.activation.reducer",
    "domain.checkout.quote",
    "domain.identity.policy",
    "domain.kinds",
    "domain.operations.cases",
    "providers.erp.master_data",
    "simulators.cards.intents",
    "simulators.erp.orders",
    "workflows.activation",
    "workflows.billing.invoice_payment",
    "workflows.firmware",
    "workflows.plans.purchase",
    "workflows.run",
}
"""One thing each, or grown before there was a limit. Nothing is added; what is cut apart is taken out."""


def modules(layer: str) -> list[Path]:
    return sorted(
        path
        for path in (ROOT / layer).rglob("*.py")
        if path.name != "__init__.py" and "migrations" not in path.parts
    )


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def imported_by(path: Path) -> set[str]:
    """Modules, by `from a import b` both `a` and `a.b`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def called_in(path: Path) -> set[str]:
    return {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


@pytest.mark.parametrize("place", [*LAYERS, "tests"])
def test_no_folder_is_crowded(place: str) -> None:
    folders: dict[Path, int] = {}
    for path in modules(place):
        folders[path.parent] = folders.get(path.parent, 0) + 1
    crowded = {str(folder.relative_to(ROOT)): count for folder, count in folders.items()}
    assert {name: count for name, count in crowded.items() if count > MOST_MODULES} == {}


def test_no_module_is_long_but_those_that_are_named() -> None:
    lines = {
        name_of(path): len(path.read_text().splitlines())
        for layer in LAYERS
        for path in modules(layer)
    }
    assert {name for name, count in lines.items() if count > MOST_LINES} - LONG == set()
    assert LONG - lines.keys() == set()


def test_routers_never_import_routers() -> None:
    routers = {name_of(path) for path in modules("api") if "APIRouter(" in path.read_text()}
    assert len(routers) > 40
    leaning = {
        name_of(path): sorted(imported_by(path) & routers)
        for path in modules("api")
        if name_of(path) in routers and imported_by(path) & routers
    }
    assert leaning == {}


def test_schemas_import_no_database() -> None:
    schemas = [path for path in modules("api") if path.stem.endswith(("answers", "schemas"))]
    assert len(schemas) > 8
    leaning = {
        name_of(path): sorted(name for name in imported_by(path) if name.split(".")[0] == "db")
        for path in schemas
    }
    assert {name: found for name, found in leaning.items() if found} == {}


ROOMS = {
    "db": {"platform", "migrations", "demo"},
    "activities": {"platform"},
    "workflows": set[str](),
    "workers": {"release"},
    "api": {"platform"},
    "tests": {"canary", "cluster", "conformance", "contract", "dev", "drivers", "faults", "observing", "replay", "simulators"},
    "web/src/features": {"desk"},
}  # fmt: skip
"""What stands beside the areas in each place: what every area stands on, or is asked of all of them."""


@pytest.mark.parametrize("place", ROOMS)
def test_an_area_has_one_name_in_every_place(place: str) -> None:
    """A folder is an area or one of the few rooms that are named."""
    areas = {path.name for path in (ROOT / "domain").iterdir() if (path / "__init__.py").exists()}
    folders = {
        path.name
        for path in (ROOT / place).iterdir()
        if path.is_dir() and path.name != "__pycache__"
    }
    assert len(folders & areas) > 1
    assert folders - areas - ROOMS[place] == set()


def test_outside_systems_are_put_together_in_one_place() -> None:
    """`assembly.py` alone knows where they are; whoever needs one is given it."""
    clients = {f"{one.__module__}.{one.__name__}" for one in get_type_hints(Systems).values()}
    assert len(clients) > 10
    made = {
        name_of(path): sorted(found)
        for layer in ("api", "workers", "activities", "workflows")
        for path in modules(layer)
        if (
            found := {
                client
                for client in clients & imported_by(path)
                if client.rpartition(".")[2] in called_in(path)
            }
        )
    }
    assert made == {}


def test_the_erps_words_are_translated_in_one_package() -> None:
    """Whoever is behind `providers/erp` reads and writes our words alone."""
    words = re.compile(r"\b(CardCode|DocEntry|DocNum|ItemCode|ShipToCode|BPAddresses)\b|b1s/v")
    said = {
        name_of(path)
        for layer in LAYERS
        for path in modules(layer)
        if words.search(path.read_text())
    }
    assert said
    assert {
        name for name in said if not name.startswith(("providers.erp", "simulators.erp"))
    } == set()
