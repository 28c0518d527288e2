"""The catalogue of attacks: one file each, with a function `attack`; ../catalogue.py says what it must offer."""
