"""Learning rates that decrease during training.

A trainer has `schedule: {kind: ..., final: ...}` beside its rate; without it the rate is constant. With η₀ the rate at
the first update, η_N that of the last, and n = 0 .. N - 1 the number of previous updates:

    exponential    η_n = η₀ (η_N / η₀)^(n / N)
    inverse        η_n = η₀ / (1 + d n),  d = (η₀ / η_N - 1) / N      (what Keras once called `decay`)
    steps          η₀ for the first third, √(η₀ η_N) for the second, η_N for the last
"""


def exponential(rate, final, share):
    return rate * (final / rate) ** share


def inverse(rate, final, share):
    return rate / (1 + (rate / final - 1) * share)


def steps(rate, final, share):
    return rate * (final / rate) ** (int(3 * share) / 2)


SCHEDULES = {"exponential": exponential, "inverse": inverse, "steps": steps}


def learning_rate(rate, schedule, done, total):
    """Return the rate of the next update, after `done` of `total` updates."""
    return SCHEDULES[schedule["kind"]](rate, schedule["final"], done / total) if schedule else rate
