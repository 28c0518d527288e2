"""The conclusions in a few sentences for a reader of the paper, generated from the comparisons.

Rows are those of claims_in_detail.csv. A sentence appears only if its numbers exist.
"""

from stages.claims import FOR, LEANS_FOR
from stages.names.numbers import MINUS, significant

NEAR = "up to norm"  # prefix of the measure for imperceptible attacks


def conclusions(rows):
    """Return the sentences."""
    by_claim = {}
    for row in rows:
        if row["statistic"]:  # the comparison was made
            by_claim.setdefault(row["id"], []).append(row)
    makers = (_accuracy, _susceptible, _sobolev, _smooth, _attacks, _moving_target, _estimates, _solvers)
    return [sentence for make in makers if (sentence := make(by_claim))]


def _accuracy(claims):
    rows = claims.get("C03", [])
    if not rows:
        return ""
    ours, paper = (_listed([_signed(row[name]) for row in rows if row[name]]) for name in ("statistic", "printed"))
    text = f"With cross-entropy, NCG's test accuracy differs from SGD's by {ours} points"
    chance = sum(row["verdict"] == "within chance" for row in rows)
    if chance:
        text += ", within chance" if len(rows) == 1 else f", {'all' if chance == len(rows) else chance} within chance"
    return text + (f"; the paper has {paper}." if paper else ".")


def _susceptible(claims):
    rows = [row for row in claims.get("C16", []) if NEAR in row["clause"]]
    parts = [_less(rows, f", {name}, ", name) for name in ("ReLU", "tanh")]
    return f"Up to the norm at which attacks become visible, {'; '.join(filter(None, parts))}." if any(parts) else ""


def _less(rows, mark, name):
    """Describe the factors of one activation in words."""
    rows = [row for row in rows if mark in f"{row['what']}, "]
    if not rows:
        return ""
    factors, agreeing = _sorted(rows, "factor"), _agreeing(rows)
    if agreeing == len(rows):
        return f"with {name}, SGD's networks are {_range(factors, 'times')} as susceptible as those trained by NCG"
    turned = sorted(1 / factor for factor in factors if factor)
    if agreeing == 0 and turned:
        return f"with {name} it is the other way round: NCG's are {_range(turned, 'times')} as susceptible as SGD's"
    return f"with {name}, SGD's networks are the more susceptible in {agreeing} of {len(rows)} comparisons"


def _sobolev(claims):
    rows = claims.get("C17", [])
    if not rows:
        return ""
    parts = [(name, [row for row in rows if row["what"].endswith(f", {name}")]) for name in ("ℓ²", "CE")]
    told = [f"with {name} in {_agreeing(own)} of {len(own)} comparisons" for name, own in parts if own]
    return f"The Sobolev gradient lowers the susceptibility of NCG's networks {' and '.join(told)}."


def _smooth(claims):
    smooth, lost, cost = (claims.get(name, []) for name in ("C13", "C26", "C27"))
    parts = []
    if smooth:
        parts.append(
            f"gives smoother weights in {_agreeing(smooth)} of {len(smooth)} comparisons (the others' total variation "
            f"is {_range(_sorted(smooth, 'factor'), 'times')} as large)"
        )
    if lost:
        always = "loses {} less accuracy to the strongest noise than NCG and SGD do"
        parts.append(_by_points(lost, always, "loses less accuracy to the strongest noise than NCG and SGD do in {}"))
    if cost:
        parts.append(_by_points(cost, "costs {} of accuracy on clean images", "costs accuracy on clean images in {}"))
    return f"The Sobolev gradient {_listed(parts)}." if parts else ""


def _attacks(claims):
    ours, large = claims.get("C22", []), claims.get("C24", [])
    if not ours:
        return ""
    most = _sorted(ours, "statistic")[-1]
    text = (
        f"The sensitivity attack succeeds more often than PGD with the same step in {_agreeing(ours)} of {len(ours)} "
        f"comparisons, by {most:.1f} points at most"
    )
    if large:
        text += f"; PGD with large steps beats PGD with small ones in {_agreeing(large)} of {len(large)}"
    return f"{text}."


def _moving_target(claims):
    rows = claims.get("C18", [])
    success, solves = ([row for row in rows if ("solve" in row["clause"]) == which] for which in (False, True))
    if not success:
        return ""
    text = f"The moving target is on par with nine targets in {_agreeing(success)} of {len(success)} comparisons"
    text += f", for {float(solves[0]['statistic']):.1f} times fewer problems to solve" if solves else ""
    factors = _sorted(claims.get("C19", []), "statistic")
    text += f"; Carlini-Wagner needs {_range(factors, 'times')} the norm per success of its rivals" if factors else ""
    return f"{text}."


def _estimates(claims):
    rows = claims.get("C25", [])
    if not rows:
        return ""
    limit = float(rows[0]["needs"].split()[-1])
    return (
        f"The estimated perturbation follows the measured one to within {100 * limit:g} % over the whole depth in "
        f"{_agreeing(rows)} of {len(rows)} networks."
    )


def _solvers(claims):
    rows = claims.get("C01", [])
    if not rows:
        return ""
    chance = " (within chance)" if rows[0]["verdict"] == "within chance" else ""
    return (
        f"Training and testing by Euler's method instead of ODE45 changes the test accuracy by "
        f"{_signed(rows[0]['statistic'])} points{chance}."
    )


def _by_points(rows, always, sometimes):
    """Describe differences: by how many points if all are positive, otherwise in how many comparisons."""
    points = _sorted(rows, "statistic")
    if points[0] > 0:
        return always.format(_range(points, "points"))
    positive = sum(each > 0 for each in points)
    most = f" (by {significant(points[-1], 2)} points at most)" if positive else ""
    return sometimes.format(f"{positive} of {len(points)} comparisons{most}")


def _agreeing(rows):
    return sum(row["state"] in (FOR, LEANS_FOR) for row in rows)


def _sorted(rows, column):
    return sorted(float(row[column]) for row in rows)


def _range(values, unit):
    first, last = (significant(value, 2) for value in (values[0], values[-1]))
    return f"{first} {unit}" if first == last else f"{first} to {last} {unit}"


def _signed(text):
    return f"{float(text):+.2f}".replace("-", MINUS)


def _listed(words):
    return " and ".join(words) if len(words) < 3 else ", ".join(words[:-1]) + f" and {words[-1]}"
