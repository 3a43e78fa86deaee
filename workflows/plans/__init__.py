"""Runs that buy plans."""
