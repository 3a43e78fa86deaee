"""What watches the portal's processes from outside: traces and metrics (decision 81). Main modules alone use it."""
