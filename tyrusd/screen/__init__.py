"""What people see: positions, events and counts of a game as plain text, in their language."""
