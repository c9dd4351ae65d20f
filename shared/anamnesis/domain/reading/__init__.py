"""Bytes into pages of legible text: decoding, legibility, pages, and which lines are headings of sections."""
