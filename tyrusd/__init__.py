"""tyrusd serves the board game Tyrus to people and bots over a documented line protocol."""

__version__ = "0.1.0"
