"""Clients of the outside systems: one file each, and one error vocabulary (`providers/errors.py`)."""
