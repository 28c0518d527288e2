"""The catalogue of attacks: one file each, with a function `attack`; ../catalogue.py describes the interface."""
