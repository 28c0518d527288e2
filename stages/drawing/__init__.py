"""The drawing kit of all figures: sheets, colours, curves."""
