"""Which methods a path knows: what a refused method is told in `Allow` (RFC 9110 15.5.6)."""

import re
from collections.abc import Mapping
from functools import lru_cache

from fastapi import FastAPI

METHODS = frozenset({"get", "put", "post", "delete", "patch"})


def methods_of(app: FastAPI, path: str) -> str | None:
    """As the document has them; a literal path comes before one with parameters. None for an unknown path."""
    fitting = [
        (template.count("{"), methods)
        for pattern, template, methods in _paths(app)
        if pattern.fullmatch(path)
    ]
    return min(fitting)[1] if fitting else None


@lru_cache(maxsize=4)
def _paths(app: FastAPI) -> tuple[tuple[re.Pattern[str], str, str], ...]:
    document: Mapping[str, Mapping[str, Mapping[str, object]]] = app.openapi()
    return tuple(
        (_pattern(template), template, ", ".join(sorted(m.upper() for m in known if m in METHODS)))
        for template, known in document["paths"].items()
    )


def _pattern(template: str) -> re.Pattern[str]:
    literals = re.split(r"\{[^}]+\}", template)
    return re.compile("[^/]+".join(re.escape(part) for part in literals))
