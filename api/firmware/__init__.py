"""Firmware updates."""
