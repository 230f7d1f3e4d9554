"""The whole server as a synchronous object: no IO, no clock, no randomness."""
