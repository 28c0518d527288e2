"""The catalogue of activations: one file each, which defines ACTIVATION; base.py has the interface."""
