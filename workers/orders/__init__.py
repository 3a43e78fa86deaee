"""What a worker does for orders beside their runs."""
