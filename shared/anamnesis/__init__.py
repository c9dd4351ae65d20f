"""Anamnesis: a long-term memory for AI tutors."""

__version__ = "0.1.0"
