"""The books of outside systems, read page by page for whoever compares them with ours."""
