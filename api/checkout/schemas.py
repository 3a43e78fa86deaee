"""What the calls of cart and checkout have in common."""

from typing import Annotated

from fastapi import Path
from starlette.convertors import StringConvertor, register_url_convertor

from domain.base import ID_PATTERN

CartToken = Annotated[str, Path(min_length=16, max_length=64, pattern=ID_PATTERN)]


class CartTokenConvertor(StringConvertor):
    """As long as tokens are, so that no token is taken for a call beside it, nor a call for a token."""

    regex = "[A-Za-z0-9_-]{16,64}"


register_url_convertor("cart_token", CartTokenConvertor())
