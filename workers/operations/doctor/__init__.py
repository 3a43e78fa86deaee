"""`make doctor`: asks every outside system, the database and Temporal one harmless question, and says what is missing."""
