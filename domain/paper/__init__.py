"""What is written on paper: documents as PDF, and whom they are from."""
