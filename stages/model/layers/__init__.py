"""The catalogue of layers: one file each, with LAYER; base.py says what it must offer."""
