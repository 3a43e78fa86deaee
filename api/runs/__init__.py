"""What all long-running work has in common."""
