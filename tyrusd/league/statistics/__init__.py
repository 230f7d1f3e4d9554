"""What results tell of strength: scores, intervals, ratings and tests, each from its published formula."""
