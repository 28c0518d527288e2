"""Attacks on a trained network: train/<model>/run<r>.zarr and data/digits.zarr -> attack/<attack>/<model>/run<r>.zarr.

An attack is one module with one function, `attack`; `methods` finds it by its name in config.yaml. Stores and callers
have images as rows (sample, pixel); inside, states are columns (pixel, sample) as in `stages.model`.
"""
