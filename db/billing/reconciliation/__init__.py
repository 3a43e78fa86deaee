"""Rounds of reconciliation, what they read, and what they found."""
