"""Tournaments: results go in, the next pairs of games come out; nothing here plays or waits."""
