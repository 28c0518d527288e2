"""The catalogue of activations: one file each, with ACTIVATION; base.py says what it consists of."""
