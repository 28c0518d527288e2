"""The catalogue of solvers: one file each, which defines SOLVER; base.py has the interface."""
