"""Data: images and labels as they come (MNIST, the shipped sample, a user's own files) -> data/digits.zarr.

`fetch_digits` brings the files into data/raw, `downsample_digits` resamples them to the network's width.
"""
