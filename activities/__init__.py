"""One effect each: open a session or call a provider, return a domain value."""
