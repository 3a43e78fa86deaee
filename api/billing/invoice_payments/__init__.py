"""Paying invoices."""
