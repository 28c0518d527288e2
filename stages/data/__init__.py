"""Data: original images and labels (MNIST, the shipped sample, a user's own files) -> data/digits.zarr.

`fetch_digits` puts the files into data/raw, `downsample_digits` resamples them to the network's width.
"""
