"""The wording of the claims: what the paper says, where, and by which criterion it is judged."""

from stages.runtime.errors import UserError
from stages.storage.csv_files import read_csv

ALWAYS = ("theme", "claim", "section")
OF_THE_PAPER = (*ALWAYS, "line", "quantifier", "criterion")  # words and against_itself may be empty


def read_claims(path, known, wanted=OF_THE_PAPER):
    """Return one row per claim, in the order of the file; its claims must be exactly those that are judged."""
    rows = read_csv(path)
    named = [row["id"] for row in rows]
    if missing := [name for name in known if name not in named]:
        raise UserError(f"{path}: wanted a line for every claim that is judged, found none for {', '.join(missing)}")
    if unknown := [name for name in named if name not in known]:
        raise UserError(
            f"{path}: wanted claims that are judged, found {', '.join(unknown)}, which no module of stages/claims "
            "judges; take the line out, or write the function"
        )
    if twice := sorted({name for name in named if named.count(name) > 1}):
        raise UserError(f"{path}: wanted one line per claim, found {', '.join(twice)} more than once")
    for row in rows:
        if empty := [column for column in wanted if not row.get(column)]:
            raise UserError(f"{path}: {row['id']}: wanted its {' and '.join(empty)}, found nothing; fill the column")
    return rows


def verdicts_before(path):
    """Return {id: verdict} by the previously published criteria."""
    return {row["id"]: row["verdict"] for row in read_csv(path)}
