"""Temporal's own programs, built with Go: once for each user and version, as no registry of the lock file has them."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from dev.console import CannotStart, step
from dev.places import cache_dir
from dev.temporal import SERVER_OF_VERSION, show_progress

UI_VERSION = "2.42.1"


@dataclass(frozen=True)
class Source:
    """One module with what is built from it: package → name of the program. `packages` is about how many are compiled."""

    module: str
    version: str
    programs: dict[str, str]
    packages: int


SOURCES = (
    Source(
        "go.temporal.io/server",
        SERVER_OF_VERSION,
        {"cmd/server": "server", "cmd/tools/sql": "sql"},
        1_250,
    ),
    Source("github.com/temporalio/ui-server/v2", UI_VERSION, {"cmd/server": "ui-server"}, 400),
)


def find_programs() -> Path:
    """The folder of `server`, `sql` and `ui-server`. Raises CannotStart where they are not built."""
    if not all(map(_is_built, SOURCES)):
        raise CannotStart("Temporal's server is not built: `make cluster-tools` builds it.")
    return folder()


def bring() -> None:
    """Makes `find_programs` find them. Idempotent. Raises CannotStart without Go."""
    missing = [source for source in SOURCES if not _is_built(source)]
    if not missing:
        return
    go = shutil.which("go")
    if go is None:
        raise CannotStart(
            "`make cluster` runs Temporal's own server, which is built from its sources: install Go 1.24 or newer "
            "(https://go.dev/dl)."
        )
    for source in missing:
        _build(go, source)


def folder() -> Path:
    return cache_dir() / f"temporal-server-{SERVER_OF_VERSION}-ui-{UI_VERSION}"


def _is_built(source: Source) -> bool:
    return all((folder() / program).exists() for program in source.programs.values())


def _build(go: str, source: Source) -> None:
    draft = folder() / "build"
    draft.mkdir(parents=True, exist_ok=True)
    names = " and ".join(source.programs.values())
    with step(f"Building Temporal's {names} {source.version} with Go (2 to 10 minutes, once)"):
        wanted = [f"{source.module}/{package}@v{source.version}" for package in source.programs]
        build = subprocess.Popen(
            [go, "install", "-v", *wanted],
            env={
                **os.environ,
                "GOFLAGS": f"{os.environ.get('GOFLAGS', '')} -buildvcs=false".strip(),
                "GOBIN": str(draft),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        show_progress(build, source.packages)
        if build.wait() != 0:
            raise CannotStart(f"Go could not build Temporal's {names}; the reason stands above.")
        for package, program in source.programs.items():
            (draft / package.rpartition("/")[2]).rename(folder() / program)
