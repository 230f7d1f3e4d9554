"""The thinking of the bot `cautious`, in the order in which it thinks: reading, stakes, plans, placements."""
