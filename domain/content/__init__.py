"""What is written elsewhere and shown here, and what people write to us."""
