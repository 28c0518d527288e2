"""Named streams of random numbers, drawn on the host: the same for CPU and GPU, for one job or many.

    generator(seed, "batches", run, epoch)

returns a stream that depends only on the experiment's seed and these names, never on what was drawn before.
"""

import hashlib

import numpy as np


def generator(seed, *names):
    """Return NumPy's generator for the stream called `names` (strings and integers)."""
    label = "/".join(str(name) for name in names)
    words = np.frombuffer(hashlib.sha256(label.encode()).digest(), dtype="<u4")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words.tolist()])))


def gaussian(shape, std, seed, *names):
    """Return normal numbers of standard deviation `std`, in float32, from the stream `names`, drawn on the host."""
    noise = generator(seed, *names).standard_normal(shape, dtype=np.float32)
    noise *= np.float32(std)
    return noise
