"""Batch stages of the sNODE pipeline: each reads stores, computes, writes one store and exits.

A module named with a verb (`train_network`) is the program of the rule of the same name and runs by hand with
`python -m stages.train.train_network --help`. A module named with a noun (`adjoint`) is mathematics that knows
neither files nor Snakemake.
"""

__version__ = "0.1.0"
