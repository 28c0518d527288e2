"""The catalogue of layers: one file each, which defines LAYER; base.py has the interface."""
