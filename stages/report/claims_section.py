"""The report's section on the claims: how many hold, each with its verdict and, on demand, all its comparisons."""

from collections import Counter

from stages.claims.verdicts import FAILS, HOLDS, UNDECIDED
from stages.report import page
from stages.tables.layout import MINUS

KINDS = {HOLDS: "holds", FAILS: "fails", UNDECIDED: "open"}
SIGNS = {HOLDS: "✓", FAILS: "✗", UNDECIDED: "?"}


def claims_section(claims, detail, config):
    """Counts, then every claim with its verdict and, on demand, its comparisons."""
    counts = Counter(row["verdict"] for row in claims)
    tiles = "".join(
        f'<div class="tile {KINDS[verdict]}"><b>{counts[verdict]}</b>{page.escape(verdict)}</div>' for verdict in KINDS
    )
    rows = [claim_row(row, [each for each in detail if each["id"] == row["id"]]) for row in claims]
    head = ["id", "verdict", "the paper’s claim", "deciding statistic"]
    listed = page.table(head, rows, name="claims-table", kind="claims")
    explained = page.paragraph(how_judged(config))
    return page.section("claims", "What reproduces", f'<div class="tiles">{tiles}</div>', explained, listed)


def how_judged(config):
    runs = config["training"]["runs"]
    words = (
        "A verdict is computed from the stores. “Over” means that the means differ by more than the pooled standard "
        "deviation over runs; “beside”, that they do not, or by no more than the tolerance in the settings. Not "
        "decided: fewer than 2 runs, a store missing, or a network below "
        f"{config['claims']['minimum_accuracy']:g} % accuracy."
    )
    if runs < 5:
        words += (
            f" With {runs} runs, where the paper has 5, the spread itself is poorly known: close margins say little."
        )
    return words


def claim_row(row, comparisons):
    """Return the cells of one claim."""
    words = f'{page.escape(row["claim"])} <span class="soft">({page.escape(row["section"])})</span>'
    if row["on_printed_numbers"]:
        words += (
            f'<br><span class="soft">On the paper’s printed numbers: {page.escape(row["on_printed_numbers"])}.</span>'
        )
    why = page.escape(row["statistic"])
    if row["reason"]:
        why += f"<br>{page.escape(row['reason'])}"
    why += page.details(f"{row['held']} comparisons hold", comparison_list(comparisons))
    badge = page.badge(row["verdict"], KINDS[row["verdict"]])
    return [(row["id"], "key"), ("", "key", badge), ("", "claim", words), ("", "statistic", why)]


def comparison_list(rows):
    """Every comparison behind a claim, under what it compares; as a list: a table is too wide for a phone."""
    parts, group = [], None
    for row in rows:
        if row["group"] != group:
            group = row["group"]
            parts += ["</ul>"] if parts else []
            parts.append(f'<p class="group">{page.escape(group)}</p><ul class="comparisons">')
        words = row["what"]
        if row["reason"]:
            words += f": {row['reason']}"
        else:
            unit = f" {row['unit']}" if row["unit"] else ""
            words += f": {_short(row['statistic'])}{unit}, needs\u00a0{row['relation']}\u00a0{_short(row['threshold'])}"
        verdict = row["verdict"]
        sign = f'<span class="sign {KINDS[verdict]}" role="img" aria-label="{verdict}">{SIGNS[verdict]}</span>'
        parts.append(f"<li>{sign} {page.escape(words)}</li>")
    return "\n".join([*parts, "</ul>"] if parts else [])


def _short(text):
    return f"{float(text):.3g}".replace("-", MINUS) if text else "–"
