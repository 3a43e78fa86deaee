"""What the calls of cart and checkout have in common."""

from typing import Annotated

from fastapi import Path
from pydantic import StringConstraints
from starlette.convertors import StringConvertor, register_url_convertor

CartToken = Annotated[str, Path(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


Id = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class CartTokenConvertor(StringConvertor):
    """As long as tokens are, so that no token is taken for a call beside it, nor a call for a token."""

    regex = "[A-Za-z0-9_-]{16,64}"


register_url_convertor("cart_token", CartTokenConvertor())
