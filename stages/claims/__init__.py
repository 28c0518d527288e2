"""The claims stage: what the paper says, judged from the stores, and what we say beyond it."""

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "not decided"
BEYOND = "B"  # how the numbers of our own claims begin: B01, B02, ...


def apart(rows):
    """Return (the paper's claims, our own beyond it) of rows with an id: the two are never counted together."""
    rows = list(rows)
    ours = [row for row in rows if row["id"].startswith(BEYOND)]
    return [row for row in rows if row not in ours], ours


def counted(counts):
    """Say how many claims have which verdict."""
    holds, fails, undecided = (counts[verdict] for verdict in (HOLDS, FAILS, UNDECIDED))
    return (
        f"{holds} {'holds' if holds == 1 else 'hold'}, {fails} {'does' if fails == 1 else 'do'} not, "
        f"and {undecided} {'is' if undecided == 1 else 'are'} not decided"
    )
