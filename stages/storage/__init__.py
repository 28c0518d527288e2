"""Zarr stores with manifests, atomic writing of files and folders, and a check of all stores (`verify`)."""
