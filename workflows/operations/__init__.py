"""Runs of the operators."""
