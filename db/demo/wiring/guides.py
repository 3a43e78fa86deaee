"""Invented installer guides: folders and documents."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

FOLDERS = (
    ("remote-start-guides", None, "Remote Start", "Installing and setting up remote starters"),
    ("remote-start-wiring", "remote-start-guides", "Wiring", "Connections, relays and grounds"),
    ("remote-start-programming", "remote-start-guides", "Programming", "Features and options"),
    ("security-guides", None, "Security", "Alarms, sensors and sirens"),
    ("bypass-guides", None, "Bypass Modules", "Flashing and programming"),
    ("bypass-keys", "bypass-guides", "Keys", "With and without a second key"),
    ("telematics-guides", None, "Telematics", "Connected controllers and their app"),
    ("tools-guides", None, "Tools and Safety", "Meters, airbags and batteries"),
)
"""Slug, parent, title, description."""

_TOPICS = (
    ("first-steps", "First steps", "guide"),
    ("common-faults", "Common faults", "tech tip"),
    ("grounds-and-power", "Grounds and power", "guide"),
    ("tachometer-learning", "Tachometer learning", "tech tip"),
    ("checklist", "Checklist before hand-over", "checklist"),
    ("push-to-start-notes", "Notes on push-to-start vehicles", "tech tip"),
)

_WRITTEN = datetime(2026, 2, 1, 12, tzinfo=UTC)


def documents() -> Iterator[tuple[str, str, str, str, list[dict[str, object]], int, datetime]]:
    """Slug, folder, title, kind, blocks, position and date of each document."""
    for place, (folder, _, name, about) in enumerate(FOLDERS):
        for position, (slug, title, kind) in enumerate(_TOPICS):
            yield (
                f"{folder}-{slug}",
                folder,
                f"{name}: {title}",
                kind,
                _blocks(f"{name}: {title}", about),
                position,
                _WRITTEN + timedelta(days=place * 7 + position),
            )


def _blocks(title: str, about: str) -> list[dict[str, object]]:
    return [
        {"type": "paragraph", "text": f"{title}. {about}, in short steps for the bench."},
        {"type": "header", "level": 2, "text": "Before you begin"},
        {"type": "list", "style": "ordered", "items": [
            "Read the wiring of the vehicle and print what you need.",
            "Test every wire with a meter; a colour alone is no proof.",
            "Use a fuse of the size that the harness names."]},
        {"type": "image", "url": "/pictures/wiring/connector-16.svg", "alt": "A plug with sixteen pins, drawing"},
        {"type": "header", "level": 2, "text": "What to look for"},
        {"type": "table", "head": ["Sign", "Likely cause"], "rows": [
            ["Starts and stops after ten seconds", "Tachometer is not learned"],
            ["Doors do not lock", "Data wire or trigger polarity"],
            ["Nothing happens", "Hood pin open or valet mode on"]]},
        {"type": "paragraph", "text": "Demo data: this guide is invented."},
    ]  # fmt: skip
