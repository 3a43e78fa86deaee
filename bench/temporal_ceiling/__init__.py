"""What Temporal itself can do on this machine, with workflows that do nothing else."""
