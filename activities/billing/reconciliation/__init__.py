"""Activities of reconciliation: begin a round, compare page by page, end it."""
