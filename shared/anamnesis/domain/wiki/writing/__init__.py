"""The deterministic writer: pages as a pure function of a student's evidence, one module for each kind (WD-3)."""
