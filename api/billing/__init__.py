"""Payments and payment methods."""
