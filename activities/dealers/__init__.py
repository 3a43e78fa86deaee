"""Effects about dealers."""
