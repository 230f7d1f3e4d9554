"""The commands of tyrusd, one file each."""
