"""The claims stage: what the paper says, judged from the stores, and what we say beyond it."""

BEYOND = "B"  # how the numbers of our own claims begin: B01, B02, ...


def apart(rows):
    """Return (the paper's claims, our own beyond it) of rows with an id: the two are never counted together."""
    rows = list(rows)
    ours = [row for row in rows if row["id"].startswith(BEYOND)]
    return [row for row in rows if row not in ours], ours
