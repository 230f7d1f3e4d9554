"""The bots that come with tyrusd, registered by the same entry points as anyone's."""
