"""The train stage: reads data/digits.zarr, writes train/<model>/run<r>.zarr (weights, biases and history)."""
