"""What the wiki adds to recall, and what it takes to write and to keep (EV-8, WD-1, WD-3, WD-5, WK-5)."""
