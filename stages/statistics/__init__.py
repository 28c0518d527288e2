"""What the stores say: reading all runs of a model, means and spreads, the numbers that claims look at."""
