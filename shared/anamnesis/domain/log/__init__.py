"""A pair's log: its episodes, the hash chain that binds them, and the signed checkpoints of its head."""
