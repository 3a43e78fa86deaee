"""What the calls on products have in common."""

from typing import Annotated

from pydantic import Field

from domain.catalogue.products import MOST_AT_ONCE

Limit = Annotated[int, Field(strict=True, ge=1, le=MOST_AT_ONCE)]
