"""Links by which somebody without an account pays one invoice (decision 58)."""
