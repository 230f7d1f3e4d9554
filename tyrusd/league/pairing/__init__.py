"""Who meets whom: round robin, gauntlet, Swiss and knock-out, each as a function of names and points."""
