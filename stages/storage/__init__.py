"""Zarr stores with their manifests, files that appear whole or not at all, and the check of all of them (`verify`)."""
