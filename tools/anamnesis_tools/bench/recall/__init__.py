"""Whether what was said is found again, and the time that a question means (RC-1, RC-2, RC-5, EV-4)."""
