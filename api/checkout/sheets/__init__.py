"""Orders that wait for an owner, and what is sent to a placement."""
