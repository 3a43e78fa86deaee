"""Where set-up and start-up keep things. Standard library only: it runs before anything is installed."""

import hashlib
import json
import os
import secrets
from base64 import b64encode
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
INNER_PORTS = "inner-ports.json"
"""Only a cluster has such ports, and keeps them in its state folder."""


def is_root() -> bool:
    return os.geteuid() == 0


def cache_dir() -> Path:
    """What every checkout of this user may share: uv, the Temporal binary."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "turnkey"


def state_dir() -> Path:
    """`STATE_DIR`, else `.state` in the checkout.

    As root it is a folder of its own under /var/lib: PostgreSQL then runs as another user, who may not be able to
    enter the checkout.
    """
    named = os.environ.get("STATE_DIR")
    if named:
        return Path(named).resolve()
    if is_root():
        return Path("/var/lib/turnkey") / hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]
    return ROOT / ".state"


def cluster_dir(state: Path) -> Path:
    """Where `make cluster` keeps its own: beside what `make dev` does. Where that is named itself, it is the one."""
    return state if (state / INNER_PORTS).exists() else state / "cluster"


def make_state_dir(path: Path) -> Path:
    """Creates the folder; as root so that the user of the database can pass through it. Idempotent."""
    path.mkdir(parents=True, exist_ok=True)
    if is_root():
        ours = [path, *(folder for folder in path.parents if "turnkey" in folder.parts[-2:])]
        for folder in ours:
            folder.chmod(folder.stat().st_mode | 0o711)
    return path


def load_secrets(state: Path) -> dict[str, str]:
    """Secrets of this state folder: made at random the first time, kept in a file that only its owner may read.

    A file of an older checkout is completed, so every name below is present in the answer.
    """
    path = state / "secrets.json"
    stored: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    made = {
        "POSTGRES_PASSWORD": secrets.token_urlsafe(24),
        "OWNER_PASSWORD": secrets.token_urlsafe(24),
        "APP_PASSWORD": secrets.token_urlsafe(24),
        "TEMPORAL_PASSWORD": secrets.token_urlsafe(24),
        "TOKEN_SECRET": secrets.token_urlsafe(48),
        "VAULT_KEY": b64encode(secrets.token_bytes(32)).decode(),
        "DEVICE_CLOUD_KEY": secrets.token_urlsafe(24),
        "DEVICE_WEBHOOK_SECRET": secrets.token_urlsafe(24),
        "ERP_WEBHOOK_SECRET": secrets.token_urlsafe(24),
        "ERP_PASSWORD": secrets.token_urlsafe(24),
        "CARD_WEBHOOK_SECRET": f"whsec_{secrets.token_urlsafe(24)}",
        "BANK_WEBHOOK_SECRET": secrets.token_urlsafe(24),
        "CARD_SECRET_KEY": f"sk_test_{secrets.token_hex(16)}",
        "SMS_TOKEN": secrets.token_hex(16),
        "GATEWAY_KEY": secrets.token_urlsafe(24),
        "KEYLOCKER_MASTER_PIN": f"{secrets.randbelow(10**6):06}",
        "KEYLOCKER_SECONDARY_PIN": f"{secrets.randbelow(10**6):06}",
    }
    if set(made) <= set(stored):
        return stored
    complete = made | stored
    write_private(path, json.dumps(complete, indent=1))
    return complete


def write_private(path: Path, text: str) -> None:
    """Replaces the file in one move; only its owner may read it, from its first byte on."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    draft.replace(path)
