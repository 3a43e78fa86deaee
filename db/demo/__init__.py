"""The demo data."""
