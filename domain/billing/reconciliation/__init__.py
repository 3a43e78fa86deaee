"""Reconciliation: what others keep of our money, compared with what we keep."""
