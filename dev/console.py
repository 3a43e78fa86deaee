"""What set-up and start-up say: one line when a step begins, one when it ends. Standard library only."""

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import NoReturn


class CannotStart(Exception):
    """One sentence that says what is missing and what to do about it."""


def say(text: str) -> None:
    print(text, flush=True)


def remark(text: str) -> None:
    """To standard error: what a command prints may be kept in a file, and its set-up is no part of it."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def step(text: str) -> Generator[None]:
    """Names a step that takes a while, and how long it took."""
    remark(f"• {text} …")
    begun = time.monotonic()
    yield
    remark(f"  done in {time.monotonic() - begun:.1f} s")


def give_up(error: CannotStart) -> NoReturn:
    print(f"\n✗ {error}", file=sys.stderr, flush=True)
    raise SystemExit(1)
