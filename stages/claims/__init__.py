"""The claims stage: what the paper says, judged from the stores, and what we say beyond it."""

HOLDS, PARTLY, REVERSED, FAILS, UNDECIDED = "holds", "holds in part", "reversed", "does not hold", "not decided"
VERDICTS = (HOLDS, PARTLY, REVERSED, FAILS, UNDECIDED)
# What a comparison says of a claim, from clearly as the paper says to clearly the other way.
FOR, LEANS_FOR, LEANS_AGAINST, AGAINST = "clearly for", "leaning for", "leaning against", "clearly against"
NOT_JUDGED = "not run"
STATES = (FOR, LEANS_FOR, LEANS_AGAINST, AGAINST, NOT_JUDGED)
OUR_OWN = "B"  # how the numbers of our own claims begin: B01, B02, ...


def apart(rows):
    """Return (the paper's claims, our own beyond it) of rows with an id: the two are never counted together."""
    rows = list(rows)
    ours = [row for row in rows if row["id"].startswith(OUR_OWN)]
    return [row for row in rows if row not in ours], ours


def counted(counts):
    """Say how many claims have which verdict; `reversed` only where there is one."""
    words = {
        HOLDS: ("holds", "hold"),
        PARTLY: ("holds in part", "hold in part"),
        REVERSED: ("is reversed", "are reversed"),
    }
    words |= {FAILS: ("does not hold", "do not hold"), UNDECIDED: ("is not decided", "are not decided")}
    shown = [verdict for verdict in VERDICTS if counts.get(verdict, 0) or verdict != REVERSED]
    parts = [f"{counts.get(verdict, 0)} {words[verdict][counts.get(verdict, 0) != 1]}" for verdict in shown]
    return ", ".join(parts[:-1]) + f", and {parts[-1]}"


def states_of(row):
    """Return {state: how many comparisons} of a row of claims.csv."""
    return {state: int(row[column(state)] or 0) for state in STATES}


def column(state):
    """Return the column of claims.csv that counts a state: clearly_for."""
    return state.replace(" ", "_")
