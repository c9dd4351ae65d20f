"""Evidence outside the log (WD-6)."""
