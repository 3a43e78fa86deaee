"""Runs of billing."""
