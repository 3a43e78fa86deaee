"""The order of things, waiting and retries; nothing else."""
