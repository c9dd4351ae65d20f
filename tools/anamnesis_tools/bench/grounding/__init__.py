"""Whether an answer's claims are traced to what supports them, and planted ones to nothing (GR-1, GR-2)."""
