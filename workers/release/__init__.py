"""One release after another: which is current, which has runs, and how runs go over from one to the next (decision 73)."""
