"""The standard deviations that the paper prints with two decimals."""

LEAST = 0.005  # the largest that is printed as 0.00


def as_printed(std):
    """Return a printed standard deviation to divide by: 0.00 is replaced by the largest value that rounds to it."""
    return max(std, LEAST)
