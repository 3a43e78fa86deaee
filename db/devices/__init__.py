"""Devices, what they can be set to, and whose they are."""
