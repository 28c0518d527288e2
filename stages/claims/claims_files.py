"""The verdicts as files: rows of claims.csv and claims_in_detail.csv, and claims.md for people."""

from collections import Counter

from stages.claims import AGAINST, FOR, NOT_JUDGED, STATES, UNDECIDED, VERDICTS, apart, column, states_of
from stages.claims.bars import LEGEND, text_bar
from stages.claims.chance import RULES, explanations
from stages.claims.conclusions import conclusions
from stages.claims.measurements import NOT_RUN
from stages.claims.verdicts import Verdict
from stages.names.numbers import MINUS, significant

COLUMNS = ("id", "verdict", "where", "as_worded", "agreeing", "clearly", "in_every_run", "claim", "theme", "section")
COLUMNS += ("statistic", "margin", "rule", "reason", "on_printed_numbers", "on_run_0", "verdict_before")
COLUMNS += tuple(column(state) for state in STATES)
COLUMNS += ("line", "words", "quantifier", "criterion", "against_itself")
NUMBERS = ("statistic", "low", "high", "margin", "factor")
DETAIL = ("id", "clause", "what", "verdict", "state", *NUMBERS, "needs", "unit")
DETAIL += ("as_worded", "printed", "rule", "reason")
WRITTEN = (
    "The criteria were written after run 0 of the published networks had been seen and before any other run, "
    "and some tolerances and the rule for “holds in part” were chosen with the outcomes of run 0 in view; the "
    "verdicts by the earlier criteria stand beside them."
)

ON_RUN_0 = (
    "On run 0 alone: the verdict that one run would have had, judged by the sampling of the test images, where it is "
    "another one. It shows how far a verdict depends on a single training."
)
EVERY_RUN = (
    "In every run: of the comparisons that can be made in each run by itself, how many are on the claim’s side, or "
    "within its tolerance, in all of them. No verdict depends on it."
)


def summary_rows(verdicts, on_paper, on_run_0, every_run, wording, before):
    """Return one row per claim, in the paper's words.

    on_run_0: the verdicts on the first run of every network; every_run: {id: how many comparisons agree in every run}.
    """
    rows = []
    for claim in wording:
        verdict = verdicts[claim["id"]]
        group, comparison = deciding(verdict)
        row = claim | {
            "verdict": verdict.word,
            "where": verdict.where,
            "as_worded": verdict.worded,
            "agreeing": f"{verdict.agreeing} of {verdict.made}",
            "clearly": str(verdict.counts[FOR]),
            "in_every_run": every_run.get(claim["id"], ""),
            "statistic": f"{group.what}: {described(comparison)}",
            "margin": _digits(comparison.margin),
            "rule": rules_of(verdict),
            "reason": reason_of(verdict),
            "on_printed_numbers": printed_verdict(on_paper.get(claim["id"])),
            "on_run_0": _if_other(on_run_0[claim["id"]], verdict),
            "verdict_before": before.get(claim["id"], ""),
        }
        rows.append(row | {column(state): str(verdict.counts[state]) for state in STATES})
    return rows


def _if_other(verdict, than):
    """Return a verdict as "holds in part (3 of 4)" if it is another one than `than`, else nothing."""
    return "" if verdict.word == than.word else f"{verdict.word} ({verdict.agreeing} of {verdict.made})"


def deciding(verdict):
    """Return the (clause, comparison) to show: the one most against the claim, else the one that agrees least."""
    everything = [(clause, each) for clause in verdict.clauses for each in clause.comparisons]
    for wanted in (
        lambda each: each.state == AGAINST,
        lambda each: each.state not in (FOR, NOT_JUDGED),
        lambda each: each.state == FOR and not each.as_worded,
        lambda each: each.state == FOR,
    ):
        if candidates := [pair for pair in everything if wanted(pair[1])]:
            return min(candidates, key=lambda pair: pair[1].margin)
    return everything[0]


def described(comparison):
    """Write a comparison in one line."""
    if comparison.statistic is None:
        return comparison.what
    statistic, low, high = (significant(getattr(comparison, name), 3) for name in ("statistic", "low", "high"))
    unit = f" {comparison.unit}" if comparison.unit else ""
    unit += f" ({low} to {high})" if comparison.high > comparison.low else ""
    return f"{comparison.what}: {statistic}{unit}, needs {comparison.needs.replace('-', MINUS)}"


def reason_of(verdict):
    """Return why a claim is not decided, or what is missing: what was not run, and what is within chance."""
    reasons = dict.fromkeys(reason for each in verdict.comparisons if each.reason for reason in each.reason.split("; "))
    missing = [reason.removeprefix(NOT_RUN) for reason in reasons if reason.startswith(NOT_RUN)]
    others = [reason for reason in reasons if not reason.startswith(NOT_RUN)]
    words = [NOT_RUN + ", ".join(missing[:3]) + _more(missing[3:], "")] if missing else []
    words += [*others[:2]] + ([_more(others[2:], " reasons").strip()] if others[2:] else [])
    if verdict.word == UNDECIDED and verdict.made:
        chance = verdict.made - verdict.counts[FOR] - verdict.counts[AGAINST]
        words += [f"{chance} of {verdict.made} comparisons within chance"] if chance else []
    return "; ".join(words)


def _more(left, things):
    return f" and {len(left)} more{things}" if left else ""


def printed_verdict(verdict):
    """Return the verdict on the paper's printed numbers, from the clauses whose numbers are all printed."""
    if verdict is None:
        return ""
    whole = [clause for clause in verdict.clauses if all(each.state != NOT_JUDGED for each in clause.comparisons)]
    if not whole:
        return ""
    again = Verdict(whole)
    left = "" if len(whole) == len(verdict.clauses) else f", {' and '.join(clause.what for clause in whole)} alone"
    return f"{again.word} ({again.agreeing} of {again.made}{left})"


def rules_of(verdict):
    """Return the rules by which comparisons were judged, in the order in which they are explained."""
    used = " ".join(each.rule for each in verdict.comparisons)
    return "; ".join(rule for rule in RULES if rule in used)


def detail_rows(verdicts, on_paper):
    """Return one row per comparison; printed: the same statistic on the paper's printed numbers."""
    rows = []
    for number, verdict in verdicts.items():
        paper = on_paper[number].clauses if number in on_paper else verdict.clauses
        for clause, printed in zip(verdict.clauses, paper, strict=True):
            for each, its in zip(clause.comparisons, printed.comparisons, strict=True):
                row = {"id": number, "clause": clause.what, "what": each.what, "verdict": each.verdict}
                row |= {name: getattr(each, name) for name in ("state", "needs", "unit", "rule", "reason")}
                row |= {name: _digits(getattr(each, name)) for name in NUMBERS}
                row["as_worded"] = "" if each.reason else "yes" if each.as_worded else "no"
                row["printed"] = _digits(its.statistic) if number in on_paper else ""
                rows.append(row)
    return rows


def _digits(value):
    return "" if value is None else f"{value:.6g}"


def as_markdown(rows, scale, detail=(), images=0, mnist=True):
    """Return the conclusions in sentences, then the verdicts as a table; our own claims in a separate table."""
    paper, beyond = apart(rows)
    lines = ["# The paper's claims, judged", "", f"Judged on: {scale}.", "", f"{_counted(paper)}."]
    if found := conclusions(detail):
        lines += ["", "## What was found", "", *(f"- {sentence}" for sentence in found), "", "## Verdicts"]
    lines += ["", WRITTEN, "", attacked(images, mnist)]
    explained = explanations(rows) + on_runs(rows)
    lines += [line for explanation in explained for line in ("", explanation)]
    lines += ["", f"Bars, one block per comparison or fewer: {LEGEND}."]
    lines += _table(paper, "the paper's claim")
    if beyond:
        lines += ["", "## Beyond the paper: claims of our own", "", f"{_counted(beyond)}."]
        lines += _table(beyond, "our claim")
    return "\n".join(lines) + "\n"


def on_runs(rows):
    """Return what the columns on single runs mean, of those that are filled."""
    meanings = {"on_run_0": ON_RUN_0, "in_every_run": EVERY_RUN}
    return [meaning for name, meaning in meanings.items() if any(row[name] for row in rows)]


def attacked(images, mnist=True):
    """Say which images were attacked, and for MNIST that they are the easier ones."""
    known = "; the first half of MNIST's test images is known to be the easier one" if mnist else ""
    return f"Attacked are the first {images:,} test images, of them those that a network classifies correctly{known}."


def _counted(rows):
    counts = Counter(row["verdict"] for row in rows)
    return ", ".join(f"**{counts[verdict]}** {verdict}" for verdict in VERDICTS)


def _table(rows, whose):
    """Return the lines of a table of verdicts."""
    names = {"id": "id", "verdict": "verdict", "bar": "comparisons", "agreeing": "agree", "clearly": "clearly"}
    if any(row["in_every_run"] for row in rows):
        names["in_every_run"] = "in every run"
    names["claim"] = whose
    names |= {"as_worded": "as worded", "where": "where", "statistic": "deciding statistic", "reason": "open"}
    names |= {"on_printed_numbers": "on the paper's printed numbers"}
    if any(row["on_run_0"] for row in rows):
        names["on_run_0"] = "on run 0 alone"
    names["verdict_before"] = "by the earlier criterion"
    lines = ["", f"| {' | '.join(names.values())} |", f"|{' --- |' * len(names)}"]
    for row in rows:
        row = row | {"verdict": f"**{row['verdict']}**", "bar": f"`{text_bar(states_of(row))}`"}
        cells = [row[name] for name in names]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return lines
