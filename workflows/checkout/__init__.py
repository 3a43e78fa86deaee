"""Runs that make orders."""
