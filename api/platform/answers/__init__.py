"""What answers of many areas have in common: pages of lists, paper."""
