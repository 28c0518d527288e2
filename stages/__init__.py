"""The stages of the sNODE pipeline: each is a program that reads stores, computes, writes one store and exits.

stages/README.md has a map of the folders. A module named with a verb (`train_network`) is the program of the rule of
that name and runs by hand: `python -m stages.train.train_network --help`.
"""

from pathlib import Path

__version__ = "0.2.0"

PROJECT = Path(__file__).parents[1]  # the folder with config.yaml and workflow/
