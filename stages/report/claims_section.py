"""The claims in the report: each with its verdict and its comparisons, beside the published verdicts."""

from collections import Counter
from itertools import groupby

import yaml

from stages import claims as words
from stages.claims import apart, column, states_of
from stages.claims.bars import told
from stages.claims.chance import IMAGES, PRINTED, explanations
from stages.claims.claims_files import WRITTEN, attacked, on_runs
from stages.claims.conclusions import conclusions
from stages.claims.levels import INSIDE, NOT_COMPARED, NOT_RUN, OUTSIDE, counted_levels
from stages.claims.printed_numbers import RUNS as PRINTED_RUNS
from stages.plan import exhibit, experiment
from stages.statistics.scale import scale_line
from stages.storage.csv_files import read_csv

CLASSES = dict(zip(words.VERDICTS, ("holds", "partly", "reversed", "fails", "open"), strict=True))  # in the style sheet
# {state of a comparison: (class in the style sheet, sign)}
SIGNS = {
    words.FOR: ("holds", "✓"),
    words.LEANS_FOR: ("leans-for", "≈"),
    words.LEANS_AGAINST: ("leans-against", "≈"),
    words.AGAINST: ("fails", "✗"),
    words.NOT_JUDGED: ("open", "?"),
}
# Columns with a fixed place on the page; other columns of the file are listed below them by name.
PLACED = {"id", "verdict", "claim", "theme", "section", "statistic", "margin", "reason", "on_printed_numbers", "where"}
PLACED |= {"agreeing", "clearly", "in_every_run", "on_run_0", "as_worded", "verdict_before"}
PLACED |= {"line", "words", "quantifier", "criterion"}
PLACED |= {"clause", "what", "unit", "needs", "rule", "low", "high", "state", "factor", "printed", "against_itself"}
PLACED |= {column(state) for state in words.STATES}


def gather(folder, config, published=None):
    """Return the claims with their comparisons in groups, the counts of verdicts, and the published verdicts if any.

    Our own claims beyond the paper are counted separately.
    """
    claims, detail = (_with_more(read_csv(folder / f"{name}.csv")) for name in ("claims", "claims_in_detail"))
    for claim in claims:
        own = [row for row in detail if row["id"] == claim["id"]]
        claim["clauses"] = [(what, list(rows)) for what, rows in groupby(own, key=lambda row: row["clause"])]
        claim["bar"] = [(SIGNS[state][0], count) for state, count in states_of(claim).items() if count]
        claim["bar_told"] = told(states_of(claim))
    paper, ours = apart(claims)
    levels = read_csv(folder / "levels.csv")
    return {
        "claims": paper,
        "counts": _counts(paper),
        "our_claims": ours,
        "our_counts": _counts(ours),
        "published": _published(published),
        "verdicts": CLASSES,
        "signs": SIGNS,
        "conclusions": conclusions(detail),
        "written": WRITTEN,
        "attacked": attacked(config["attack"]["images"], config["data"]["origin"] != "files"),
        "how_judged": how_judged(claims, config),
        "levels": [row for row in levels if row["ours"]],
        "level_counts": _levels(levels),
    }


def how_judged(claims, config):
    """Return paragraphs: the meaning of the verdicts, then what each rule that was used can and cannot show."""
    runs = config["training"]["runs"]
    words = [
        "A verdict is computed from the stores. Each comparison agrees or disagrees clearly, or is within chance. "
        "Holds: the sentence is true with the paper’s own quantifier. Holds in part: a whole clause, activation or "
        "loss is met, or at least half of the comparisons agree. Reversed: most comparisons are clearly the other way "
        "and none is clearly the paper’s. Not decided: not run, within chance, or a network below "
        f"{config['claims']['minimum_accuracy']:g} % accuracy."
    ]
    words += explanations(claims)
    if runs == 1:
        resamplings = config["claims"]["resamplings"]
        words.append(
            f"In brackets: the 95 % interval from {resamplings:,} resamplings of the test images, widened to the "
            "paper’s spread where it prints one."
        )
        return words
    if runs < PRINTED_RUNS:
        words.append(f"With {runs} runs, where the paper has {PRINTED_RUNS}, close margins say little.")
    if any(IMAGES in row["rule"] or PRINTED in row["rule"] for row in claims):
        words.append("Where a network has a single run, the first runs are compared.")
    return words + on_runs(claims)


def _published(folder):
    """Return the verdicts and the scale of a published folder, or None if there is none."""
    if folder is None:
        return None
    claims, _ = apart(read_csv(folder / "claims.csv"))
    config = yaml.safe_load((folder / "experiment.yaml").read_text())
    scale = scale_line(exhibit.scale(config, experiment.table2_models(config)))
    return {"verdicts": {row["id"]: row["verdict"] for row in claims}, "counts": _counts(claims), "scale": scale}


def _levels(rows):
    """Return sentences: how many numbers of each table lie inside their interval."""
    sentences = []
    for (table, attack), counts in counted_levels(rows).items():
        name = f"{table} ({attack})" if attack else table
        left = "".join(f", {counts[level]} {level}" for level in (NOT_COMPARED, NOT_RUN) if counts[level])
        sentences.append(f"{name}: {counts[INSIDE]} of {counts[INSIDE] + counts[OUTSIDE]} inside{left}")
    return sentences


def _counts(claims):
    return Counter(row["verdict"] for row in claims)


def _with_more(rows):
    return [row | {"more": {name: text for name, text in row.items() if name not in PLACED and text}} for row in rows]
