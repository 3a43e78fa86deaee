"""What the bodies of the shop's calls are made of."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from domain.base import Body


class SpecBody(Body):
    """The spec's names in JSON."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
