"""What the configuring steps need in a test: a form that changes something, and a sealed pin."""

import uuid
from typing import Any

from db.platform.sealed_secrets import save_secret
from domain.activation.activation import Resume
from domain.activation.configuring import TABLE_OF, TablesForm
from domain.devices.keylocker import purpose_of_pin
from providers.security.vault import Vault
from settings import DEVELOPMENT_VAULT_KEY
from tests.drivers.stage import Run, Stage

VAULT = Vault(DEVELOPMENT_VAULT_KEY)
PIN = "739146"


async def standing_at(stage: Stage, step: str, key: str, **more: Any) -> Run:
    """A run of version 2 that begins at a step."""
    return await stage.open(key, version=2, resume=Resume.model_validate({"entry": step}), **more)


async def a_change(stage: Stage, key: str, step: str) -> TablesForm:
    """Some row of the step's table with a value that it does not have yet."""
    found = await stage.systems.device_cloud.option_tables(key, TABLE_OF[step])
    row = next(
        row for row in found.rows.values() if row.choices and not row.advanced and not row.special
    )
    value = next(choice.value for choice in row.choices if choice.value != found.values[row.key])
    typed = {"step": step, "changes": {row.key: value}, "digest": found.digest}
    return TablesForm.model_validate(typed)


async def sealed(stage: Stage, run: Run, pin: str = PIN) -> str:
    """The name of a pin that was sealed for the run, as the API does it."""
    secret_id = uuid.uuid4().hex
    async with stage.sessions.begin() as session:
        await save_secret(
            session,
            secret_id=secret_id,
            flow_id=run.id,
            sealed=VAULT.seal(pin, purpose=purpose_of_pin(run.id)),
        )
    return secret_id
