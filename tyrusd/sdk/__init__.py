"""What bot authors in Python import: typed views, hooks, and the process a plugin runs in."""
