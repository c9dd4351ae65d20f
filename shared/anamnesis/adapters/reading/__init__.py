"""Parsers of untrusted files, and the bounded process that they run in: one module a format."""
