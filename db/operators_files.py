"""A command of the installation's operators that takes one file: all of it, or nothing."""

import argparse
import sys
from pathlib import Path
from typing import Protocol

from db.base import Sessions
from db.operators import run
from domain.errors import FaultyFile


class Takes(Protocol):
    """What there is to say of it. Raises FaultyFile; with `only_check` nothing is changed."""

    async def __call__(
        self, sessions: Sessions, written: str, *, only_check: bool = False
    ) -> list[str]: ...


def parser(name: str, description: str | None) -> argparse.ArgumentParser:
    asks = argparse.ArgumentParser(prog=f"python -m {name}", description=description)
    asks.add_argument("file", help="the file, or - to read what is piped in")
    asks.add_argument(
        "--check", action="store_true", help="say what would change, and change nothing"
    )
    return asks


def command(options: argparse.Namespace, takes: Takes, database_url: str) -> None:
    """Ends with 1, and says why, where the file cannot be taken."""
    try:
        read = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
        written = read.decode("utf-8-sig")
        said = run(database_url, lambda one: takes(one, written, only_check=options.check))
    except OSError as error:
        raise SystemExit(f"{options.file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SystemExit(f"{options.file} is not written in UTF-8.") from None
    except FaultyFile as faulty:
        raise SystemExit(str(faulty)) from None
    if options.check:
        said = ["Nothing was changed. Without --check:", *said]
    sys.stdout.write("\n".join([*said, ""]))
