"""The game of Tyrus itself: pure, standard library only."""
