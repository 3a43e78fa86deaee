"""What the calls of cart and checkout have in common."""

from typing import Annotated

from fastapi import Path
from pydantic import AfterValidator, StringConstraints
from starlette.convertors import StringConvertor, register_url_convertor

from domain.card_numbers import NO_CARD_NUMBER, may_be_card_number

CartToken = Annotated[str, Path(min_length=16, max_length=64, pattern=r"^[\w-]+$")]


Id = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[\w-]+$")]


def _method(id_: str) -> str:
    if may_be_card_number(id_):
        raise ValueError(NO_CARD_NUMBER)
    return id_


MethodId = Annotated[Id, AfterValidator(_method)]
"""A saved card or bank account. It is kept, and told to runs, before it is looked up: the number of a card is refused here."""


class CartTokenConvertor(StringConvertor):
    """As long as tokens are, so that no token is taken for a call beside it, nor a call for a token."""

    regex = "[A-Za-z0-9_-]{16,64}"


register_url_convertor("cart_token", CartTokenConvertor())
