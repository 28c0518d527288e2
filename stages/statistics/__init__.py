"""Statistics of stores: all runs of a model, means and spreads, and the quantities that claims use."""
