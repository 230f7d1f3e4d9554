"""The configuration of `tyrusd serve`: its keys, where their values come from, and what they come to."""
