"""The card provider."""
