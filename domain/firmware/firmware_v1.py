"""The transitions of a firmware update, version 1: state → event → state (devices spec 4; `workflows/firmware.py` takes them).

A target is downloaded (confirmed by log command C42), then updated (confirmed by R42), then its version is read again:
the same version as before is a failure, whatever R42 said. The targets follow one another, main device first.
"""

from collections.abc import Mapping

START_DOWNLOAD, START_UPDATE = "DOWNLOAD", "UPDATE"
DOWNLOADED, INSTALLED, VERIFIED, FINISHED = "DOWNLOADED", "INSTALLED", "VERIFIED", "FINISHED"
AGAIN, OFFLINE, ONLINE, EXHAUSTED, UNCHANGED, TIMED_OUT, EXPIRED = (
    "AGAIN",
    "OFFLINE",
    "ONLINE",
    "EXHAUSTED",
    "UNCHANGED",
    "TIMED_OUT",
    "EXPIRED",
)
RETRY_NOW, CANCEL, DEFER = "RETRY_NOW", "CANCEL", "DEFER"

USER_EVENTS = (RETRY_NOW, CANCEL, DEFER)

FIRMWARE: Mapping[str, Mapping[str, str]] = {
    "starting": {START_DOWNLOAD: "download_sent", START_UPDATE: "update_sent"},
    "download_sent": {
        DOWNLOADED: "downloaded",
        AGAIN: "retry_wait",
        OFFLINE: "waiting_online",
        EXHAUSTED: "failed",
        CANCEL: "cancelled",
        DEFER: "deferred",
    },
    "downloaded": {START_UPDATE: "update_sent"},
    "update_sent": {
        INSTALLED: "verifying",
        AGAIN: "retry_wait",
        OFFLINE: "waiting_online",
        EXHAUSTED: "failed",
    },
    "verifying": {VERIFIED: "verified", UNCHANGED: "failed"},
    "verified": {START_DOWNLOAD: "download_sent", FINISHED: "done"},
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

LABELS = {
    "starting": "Starting",
    "download_sent": "Downloading",
    "downloaded": "Downloaded",
    "update_sent": "Updating",
    "verifying": "Checking the new version",
    "verified": "Updated",
    "retry_wait": "Waiting to try again",
    "waiting_online": "Waiting for the device",
    "deferred": "Deferred",
    "failed": "Failed",
    "failed_for_good": "Failed",
    "done": "Done",
    "cancelled": "Cancelled",
}
