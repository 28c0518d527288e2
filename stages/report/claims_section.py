"""What the report says of the claims: each with its verdict and its comparisons, and what was published beside them."""

from collections import Counter
from itertools import groupby

import yaml

from stages.claims import apart
from stages.claims.verdicts import FAILS, HOLDS, RULES, UNDECIDED
from stages.plan import experiment, shown
from stages.statistics.scale import scale_line
from stages.tables.layout import read_csv

# {verdict: (class of its style, sign)}
VERDICTS = {HOLDS: ("holds", "✓"), FAILS: ("fails", "✗"), UNDECIDED: ("open", "?")}
# Columns that have a place of their own on the page; whatever else a file has is shown below them, under its name.
PLACED = {"id", "verdict", "claim", "theme", "section", "statistic", "margin", "held", "reason", "on_printed_numbers"}
PLACED |= {"group", "what", "unit", "relation", "threshold", "rule", "low", "high"}


def gather(folder, config, published=None):
    """Return the claims with their comparisons in groups, the counts of verdicts, and the published verdicts if any.

    Our own claims beyond the paper are counted apart.
    """
    claims, detail = (_with_more(read_csv(folder / f"{name}.csv")) for name in ("claims", "claims_in_detail"))
    for claim in claims:
        own = [row for row in detail if row["id"] == claim["id"]]
        claim["groups"] = [(what, list(rows)) for what, rows in groupby(own, key=lambda row: row["group"])]
    paper, ours = apart(claims)
    shown = {"claims": paper, "counts": _counts(paper), "verdicts": VERDICTS, "published": _published(published)}
    return shown | {"our_claims": ours, "our_counts": _counts(ours), "how_judged": how_judged(claims, config)}


def how_judged(claims, config):
    """Return paragraphs: what the words mean, then what each rule that was used can and cannot tell."""
    runs = config["training"]["runs"]
    over = "the pooled standard deviation over runs" if runs > 1 else "the sampling of the test images can explain"
    words = [
        f"A verdict is computed from the stores. “Over” means that the means differ by more than {over}; “beside”, "
        "that they do not, or by no more than the tolerance in the settings. Not decided: not run, or a network below "
        f"{config['claims']['minimum_accuracy']:g} % accuracy."
    ]
    words += [explained for rule, explained in RULES.items() if any(rule in row["rule"] for row in claims)]
    if runs == 1:
        resamplings = config["claims"]["resamplings"]
        words.append(f"In brackets: the 95 % interval from {resamplings:,} resamplings of the test images.")
    elif runs < 5:
        words[-1] += f" With {runs} runs, where the paper has 5, close margins say little."
    return words


def _published(folder):
    """Return the verdicts of a folder that `publish` wrote, and its scale; None without one."""
    if folder is None:
        return None
    (claims, _), config = (
        apart(read_csv(folder / "claims.csv")),
        yaml.safe_load((folder / "experiment.yaml").read_text()),
    )
    scale = scale_line(shown.scale(config, experiment.table2_models(config)))
    return {"verdicts": {row["id"]: row["verdict"] for row in claims}, "counts": _counts(claims), "scale": scale}


def _counts(claims):
    return Counter(row["verdict"] for row in claims)


def _with_more(rows):
    return [row | {"more": {name: text for name, text in row.items() if name not in PLACED and text}} for row in rows]
