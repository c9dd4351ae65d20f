"""What agents are given of a wiki: one set of tools, whatever serves them (WU-2)."""
