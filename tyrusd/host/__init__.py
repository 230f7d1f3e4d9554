"""Thin adapters around the core; with the client the only place for trio."""
