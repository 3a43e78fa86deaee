"""The transitions of a firmware update, version 2: as version 1, and nothing is sent to a device that is too weak for it.

Before each attempt battery and signal are looked at. A weak device is waited for; an owner may overrule it. Half a flash
is worse than none (devices spec 4; decision 18). `workflows/firmware.py` takes them.
"""

from collections.abc import Mapping

from domain.firmware.firmware_v1 import (
    AGAIN,
    CANCEL,
    DEFER,
    DOWNLOADED,
    EXHAUSTED,
    EXPIRED,
    FINISHED,
    INSTALLED,
    OFFLINE,
    ONLINE,
    RETRY_NOW,
    START_DOWNLOAD,
    START_UPDATE,
    TIMED_OUT,
    UNCHANGED,
    VERIFIED,
)
from domain.firmware.firmware_v1 import LABELS as LABELS_V1

WEAK, RECOVERED, OVERRULE = "WEAK", "RECOVERED", "OVERRULE"

USER_EVENTS = (RETRY_NOW, CANCEL, DEFER, OVERRULE)

FIRMWARE: Mapping[str, Mapping[str, str]] = {
    "starting": {START_DOWNLOAD: "download_sent", START_UPDATE: "update_sent", WEAK: "weak"},
    "weak": {
        RECOVERED: "starting",
        RETRY_NOW: "starting",
        OVERRULE: "starting",
        CANCEL: "cancelled",
        DEFER: "deferred",
        EXPIRED: "failed_for_good",
    },
    "download_sent": {
        DOWNLOADED: "downloaded",
        AGAIN: "retry_wait",
        OFFLINE: "waiting_online",
        EXHAUSTED: "failed",
        CANCEL: "cancelled",
        DEFER: "deferred",
    },
    "downloaded": {START_UPDATE: "update_sent", WEAK: "weak"},
    "update_sent": {
        INSTALLED: "verifying",
        AGAIN: "retry_wait",
        OFFLINE: "waiting_online",
        EXHAUSTED: "failed",
    },
    "verifying": {VERIFIED: "verified", UNCHANGED: "failed"},
    "verified": {START_DOWNLOAD: "download_sent", FINISHED: "done", WEAK: "weak"},
    "retry_wait": {
        TIMED_OUT: "starting",
        RETRY_NOW: "starting",
        CANCEL: "cancelled",
        DEFER: "deferred",
    },
    "waiting_online": {
        ONLINE: "starting",
        RETRY_NOW: "starting",
        EXHAUSTED: "failed",
        CANCEL: "cancelled",
    },
    "deferred": {TIMED_OUT: "starting", RETRY_NOW: "starting", CANCEL: "cancelled"},
    "failed": {RETRY_NOW: "starting", EXPIRED: "failed_for_good", CANCEL: "cancelled"},
    "failed_for_good": {},
    "done": {},
    "cancelled": {},
}

LABELS = {**LABELS_V1, "weak": "Too weak to update"}


def allowed(
    state: str, *, flashing: bool, transitions: Mapping[str, Mapping[str, str]] = FIRMWARE
) -> tuple[str, ...]:
    """What a person may ask now; nothing cancels or defers a target once its update was sent."""
    here = transitions[state]
    return tuple(
        event
        for event in USER_EVENTS
        if event in here and not (flashing and event in (CANCEL, DEFER) and state != "failed")
    )
