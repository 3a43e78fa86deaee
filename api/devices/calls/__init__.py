"""Calls on a device outside its activation."""
