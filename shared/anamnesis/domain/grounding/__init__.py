"""Where the claims of an answer come from: a line of a file, a recalled memory, or nowhere (GR-1 … GR-3)."""
