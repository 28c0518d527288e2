"""The report's section on the claims: how many hold, each with its verdict and, on demand, all its comparisons."""

from collections import Counter

from stages.claims.verdicts import FAILS, HOLDS, RULES, UNDECIDED
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
    explained = [page.paragraph(words) for words in how_judged(claims, config)]
    return page.section("claims", "What reproduces", f'<div class="tiles">{tiles}</div>', *explained, listed)


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
            unit += f" ({_short(row['low'])} to {_short(row['high'])})" if row["low"] else ""
            words += f": {_short(row['statistic'])}{unit}, needs\u00a0{row['relation']}\u00a0{_short(row['threshold'])}"
        verdict = row["verdict"]
        sign = f'<span class="sign {KINDS[verdict]}" role="img" aria-label="{verdict}">{SIGNS[verdict]}</span>'
        parts.append(f"<li>{sign} {page.escape(words)}</li>")
    return "\n".join([*parts, "</ul>"] if parts else [])


def _short(text):
    return f"{float(text):.3g}".replace("-", MINUS) if text else "–"
