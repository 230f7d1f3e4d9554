"""What surrounds games: clocks, matches, records; pure, imports rules only."""
