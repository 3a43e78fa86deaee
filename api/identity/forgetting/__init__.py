"""Forgetting people, and telling them what is known of them."""
