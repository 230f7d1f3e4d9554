"""The ladder on real machines: one coordinator with its directory, and the workers that play for it."""
