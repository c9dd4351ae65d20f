"""The commands of `anamnesis bench`, by what they measure; what is big has commands of its own beside it."""
