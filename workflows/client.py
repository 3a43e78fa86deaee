"""How everybody connects to Temporal: pydantic shapes in every payload, no secret among them."""

from temporalio.client import Client
from temporalio.contrib.pydantic import pydantic_data_converter


async def connect(address: str, namespace: str = "default", *, lazy: bool = False) -> Client:
    """A client. `lazy` connects at the first call, so that reads work while Temporal is down."""
    return await Client.connect(
        address, namespace=namespace, data_converter=pydantic_data_converter, lazy=lazy
    )
