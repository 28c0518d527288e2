"""The claims stage: the paper's claims, judged from the stores, and our own beyond the paper."""

HOLDS, PARTLY, REVERSED, FAILS, UNDECIDED = "holds", "holds in part", "reversed", "does not hold", "not decided"
VERDICTS = (HOLDS, PARTLY, REVERSED, FAILS, UNDECIDED)
# The states of a comparison, from clearly for the claim to clearly against it.
FOR, LEANS_FOR, LEANS_AGAINST, AGAINST = "clearly for", "leaning for", "leaning against", "clearly against"
NOT_JUDGED = "not run"
STATES = (FOR, LEANS_FOR, LEANS_AGAINST, AGAINST, NOT_JUDGED)
OUR_OWN = "B"  # prefix of our own claims: B01, B02, ...


def apart(rows):
    """Split rows with an id into (the paper's claims, our own): the two are never counted together."""
    paper, ours = [], []
    for row in rows:
        (ours if row["id"].startswith(OUR_OWN) else paper).append(row)
    return paper, ours


def counted(counts):
    """Say how many claims have which verdict; `reversed` only if there is one."""
    words = {
        HOLDS: ("holds", "hold"),
        PARTLY: ("holds in part", "hold in part"),
        REVERSED: ("is reversed", "are reversed"),
        FAILS: ("does not hold", "do not hold"),
        UNDECIDED: ("is not decided", "are not decided"),
    }
    shown = [verdict for verdict in VERDICTS if counts.get(verdict, 0) or verdict != REVERSED]
    parts = [f"{counts.get(verdict, 0)} {words[verdict][counts.get(verdict, 0) != 1]}" for verdict in shown]
    return ", ".join(parts[:-1]) + f", and {parts[-1]}"


def states_of(row):
    """Return {state: number of comparisons} of a row of claims.csv."""
    return {state: int(row[column(state)] or 0) for state in STATES}


def column(state):
    """Return the column of claims.csv that counts a state: clearly_for."""
    return state.replace(" ", "_")
