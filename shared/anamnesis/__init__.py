"""Anamnesis: a long-term memory for AI tutors."""
