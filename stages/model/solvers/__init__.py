"""The catalogue of solvers: one file each, with SOLVER; base.py says what it must offer."""
