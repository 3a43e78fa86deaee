"""What the calls of cart and checkout have in common."""

from typing import Annotated

from fastapi import Path
from pydantic import StringConstraints

CartToken = Annotated[str, Path(min_length=16, max_length=64, pattern=r"^[\w-]+$")]


Id = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[\w-]+$")]
