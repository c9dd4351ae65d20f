"""Finding one's way in a wiki: search, the files that a session starts with, and what recall brings (WU-1 … WU-3)."""
