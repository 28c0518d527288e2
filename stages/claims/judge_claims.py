"""Judge the paper's claims from the stores: claims.csv, claims.md and every comparison in claims_in_detail.csv.

Where the paper's future work was asked for, claims of our own (B01, B02, ...) follow in the same files; they are never
counted with the paper's.

The verdict is computed: `holds`, `does not hold`, or `not decided` with the reason. Where the paper prints the numbers
(Tables 1 and 2), the same rules are applied to them, so that a reader sees what the rules make of the paper itself.
"""

import csv
import io
from collections import Counter
from pathlib import Path

from stages import program, stores
from stages.claims import (
    apart,
    claims_accuracy,
    claims_attack,
    claims_convolution,
    claims_noise,
    claims_robust,
    claims_sensitivity,
    claims_uncertainty,
)
from stages.claims.printed_numbers import printed_measurements
from stages.claims.verdicts import FAILS, HOLDS, RULES, UNDECIDED, claim_verdict
from stages.statistics.measurements import NOT_RUN, measure
from stages.statistics.scale import scale_line
from stages.tables.layout import MINUS, read_csv

CLAIMS = claims_accuracy.CLAIMS | claims_noise.CLAIMS | claims_sensitivity.CLAIMS | claims_attack.CLAIMS
BEYOND = claims_robust.CLAIMS | claims_uncertainty.CLAIMS | claims_convolution.CLAIMS
COLUMNS = ("id", "verdict", "claim", "theme", "section", "statistic", "margin", "held", "rule", "reason")
COLUMNS += ("on_printed_numbers",)
NUMBERS = ("statistic", "low", "high", "threshold", "margin")
DETAIL = ("id", "group", "what", "verdict", *NUMBERS, "relation", "unit", "rule", "reason")


def judge(found, printed=None, claims=CLAIMS):
    """Return {id: (verdict, groups, verdict on the paper's printed numbers or "")}."""
    judged = {}
    for number, claim in claims.items():
        groups = claim(found)
        on_paper = claim_verdict(claim(printed)) if printed else UNDECIDED
        judged[number] = (claim_verdict(groups), groups, "" if on_paper == UNDECIDED else on_paper)
    return judged


def deciding(verdict, groups):
    """Return (group, comparison) that decided: the worst failure, or the closest case of what holds."""
    decided = [group for group in groups if group.verdict == verdict]
    if verdict == UNDECIDED:
        open_ones = [comparison for comparison in decided[0].comparisons if comparison.verdict == verdict]
        return decided[0], (open_ones or decided[0].comparisons)[0]
    candidates = [(group, each) for group in decided for each in group.comparisons if each.verdict == verdict]
    return min(candidates, key=lambda candidate: candidate[1].relative_margin)


def describe(verdict, groups):
    """Return (statistic in words, margin, how many comparisons held, reason)."""
    everything = [comparison for group in groups for comparison in group.comparisons]
    held = f"{sum(comparison.verdict == HOLDS for comparison in everything)} of {len(everything)}"
    group, comparison = deciding(verdict, groups)
    words = comparison.what
    if comparison.statistic is not None:
        unit = f" {comparison.unit}" if comparison.unit else ""
        if comparison.low is not None:
            unit += f" ({shown(comparison.low)} to {shown(comparison.high)})"
        words += f": {shown(comparison.statistic)}{unit}, needs {comparison.relation} {shown(comparison.threshold)}"
    if verdict == UNDECIDED:
        return f"{group.what}: {words}", comparison.margin, held, why_not(everything)
    if group.most:
        found = sum(each.verdict == HOLDS for each in group.comparisons)
        case = "closest" if verdict == HOLDS else "farthest off"
        words = f"{found} of {len(group.comparisons)} hold, more than half needed; {case}: {words}"
    return f"{group.what}: {words}", comparison.margin, held, ""


def why_not(comparisons):
    """Return why these comparisons cannot be judged: what was not run, then the first of the other reasons."""
    reasons = dict.fromkeys(reason for each in comparisons if each.reason for reason in each.reason.split("; "))
    missing = [reason.removeprefix(NOT_RUN) for reason in reasons if reason.startswith(NOT_RUN)]
    others = [reason for reason in reasons if not reason.startswith(NOT_RUN)]
    words = [NOT_RUN + ", ".join(missing[:3]) + _more(missing[3:], "")] if missing else []
    return "; ".join(words + others[:2]) + _more(others[2:], " reasons")


def _more(left, things):
    return f" and {len(left)} more{things}" if left else ""


def rules_of(groups):
    """Return the rules by which comparisons were judged, in the order in which they are explained."""
    used = {comparison.rule for group in groups for comparison in group.comparisons}
    return "; ".join(rule for rule in RULES if rule in used)


def shown(value):
    """Write a number with three digits that matter."""
    if value is None:
        return ""
    return (f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}").replace("-", MINUS)


# --- files ------------------------------------------------------------------------------------------------------------


def summary_rows(judged, wording):
    """Return one row a claim, in the paper's words."""
    rows = []
    for claim in wording:
        verdict, groups, on_paper = judged[claim["id"]]
        statistic, margin, held, reason = describe(verdict, groups)
        made = {"verdict": verdict, "statistic": statistic, "margin": "" if margin is None else f"{margin:.6g}"}
        made |= {"held": held, "rule": rules_of(groups), "reason": reason, "on_printed_numbers": on_paper}
        rows.append(claim | made)
    return rows


def detail_rows(judged):
    """Return one row a comparison."""
    return [
        {"id": number, "group": group.what}
        | {name: getattr(each, name) for name in ("what", "verdict", "relation", "unit", "rule", "reason")}
        | {name: _digits(getattr(each, name)) for name in NUMBERS}
        for number, (_, groups, _) in judged.items()
        for group in groups
        for each in group.comparisons
    ]


def _digits(value):
    return "" if value is None else f"{value:.6g}"


def as_csv(columns, rows):
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def as_markdown(rows, scale):
    """Return the verdicts as a table, the counts above it; our own claims beyond the paper in a table of their own."""
    paper, beyond = apart(rows)
    lines = ["# The paper's claims, judged", "", f"Judged on: {scale}.", "", f"{_counted(paper)}."]
    lines += [line for rule, words in RULES.items() if any(rule in row["rule"] for row in rows) for line in ("", words)]
    lines += _table(paper, "the paper's claim")
    if beyond:
        lines += ["", "## Beyond the paper: claims of our own", "", f"{_counted(beyond)}."]
        lines += _table(beyond, "our claim")
    return "\n".join(lines) + "\n"


def _counted(rows):
    counts = Counter(row["verdict"] for row in rows)
    return ", ".join(f"**{counts[verdict]}** {verdict}" for verdict in (HOLDS, FAILS, UNDECIDED))


def _table(rows, whose):
    """Return the lines of a table of verdicts."""
    lines = ["", f"| id | verdict | {whose} | deciding statistic | margin | comparisons held | rule | reason |"]
    lines.append("| --- | --- | --- | --- | ---: | ---: | --- | --- |")
    for row in rows:
        margin = shown(float(row["margin"])) if row["margin"] else ""
        cells = [row["id"], f"**{row['verdict']}**", row["claim"], row["statistic"], margin]
        cells += [row[name] for name in ("held", "rule", "reason")]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return lines


def arguments(parser):
    parser.add_argument("--results", type=Path, required=True, help="folder of a preset's results, as results/quick")
    parser.add_argument("--reference", type=Path, required=True, help="folder of the paper's claims and numbers")
    parser.add_argument("--csv", type=Path, required=True, help="verdicts, one line a claim")
    parser.add_argument("--markdown", type=Path, required=True, help="the same for people")
    parser.add_argument("--detail", type=Path, required=True, help="every comparison")


def main(options):
    config = options.settings["config"]
    found, wording = measure(options.results, config), read_csv(options.reference / "claims.csv")
    judged = judge(found, printed_measurements(options.reference, config["claims"]))
    if config["beyond"]:
        judged |= judge(found, claims=BEYOND)
        wording += read_csv(options.reference / "claims_beyond.csv")
    rows = summary_rows(judged, wording)
    stores.write_text(options.detail, as_csv(DETAIL, detail_rows(judged)))
    stores.write_text(options.markdown, as_markdown(rows, scale_line(options.settings["scale"])))
    stores.write_text(options.csv, as_csv(COLUMNS, rows))
    for whose, own in zip(("the paper's", "our own"), apart(rows), strict=True):
        program.log.info("claims, %s: %s", whose, _counted(own).replace("*", ""))


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
