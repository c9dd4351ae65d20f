"""Values, rules, scores and hashing. Pure: no AWS, no clock, no randomness, no environment."""
