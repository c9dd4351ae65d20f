"""What is believed of a student: predicted mastery, what a check is about, what teaches (BE-3, BE-5, TE-1)."""
