"""Shapes and pure rules: no I/O, no clock, no random, no framework but pydantic."""
