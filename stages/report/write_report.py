"""Write report.html, one page for readers: what reproduces, at which scale, and how every number was made.

The page needs nothing but itself: pictures are inside, there is no script, and its own policy forbids any request.
"""

from collections import Counter
from pathlib import Path

from stages import program, stores
from stages.claims.verdicts import FAILS, HOLDS, UNDECIDED
from stages.plan import experiment, shown
from stages.plan.paper_figures import FIGURES
from stages.plan.paper_tables import TABLES
from stages.report import differences, page, report_tables
from stages.report.claims_section import claims_section
from stages.report.cost import duration, stage_costs
from stages.report.provenance import collect, own_versions
from stages.statistics.scale import scale_line
from stages.tables.layout import read_csv

TITLE = "Standalone Neural ODEs with Sensitivity Analysis: a reproduction"
PAPER = (
    "The paper: Rym Jaroudi, Lukáš Malý, Gabriel Eilertsen, B. Tomas Johansson, Jonas Unger and George Baravdish, "
    "Standalone Neural ODEs with Sensitivity Analysis."
)
FILES = (
    "Beside this page: figures/ (PNG and PDF), tables/ (CSV, Markdown and LaTeX), claims.csv, claims.md, every "
    "comparison in claims_in_detail.csv, and the stores themselves, which open with xarray.open_zarr."
)
CONTENTS = {
    "scale": "Scale",
    "claims": "Claims",
    "tables": "Tables",
    "figures": "Figures",
    "settings": "Settings",
    "provenance": "Provenance",
}


def report(folder, reference, config):
    """Return the page."""
    claims, detail = read_csv(folder / "claims.csv"), read_csv(folder / "claims_in_detail.csv")
    compared = differences.compare(config, reference / "settings.csv")
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in CONTENTS.items())
    parts = [
        "<header>",
        f"<h1>{page.escape(TITLE)}</h1>",
        page.paragraph(PAPER, "soft"),
        page.paragraph(headline(claims)),
        f"<nav aria-label='Contents'><ul>{links}</ul></nav>",
        "</header>",
        "<main>",
        scale_section(config, compared),
        claims_section(claims, detail, config),
        tables_section(folder, config),
        figures_section(folder, config),
        settings_section(config, compared),
        provenance_section(folder, config),
        "</main>",
    ]
    return page.document(f"{TITLE} ({config['preset']} preset)", "\n".join(parts))


def headline(claims):
    counts = Counter(row["verdict"] for row in claims)
    return (
        f"Of the paper's {len(claims)} claims, {counts[HOLDS]} hold in this run, {counts[FAILS]} do not, and "
        f"{counts[UNDECIDED]} are not decided. Every table and figure stands below, our numbers beside the paper's."
    )


def scale_section(config, compared):
    """Say first of all which preset made the page and how that differs from the paper."""
    different, unstated, _ = compared
    scale = scale_line(shown.scale(config, experiment.table2_models(config)))
    words = "Every setting that the paper states is the paper’s."
    if different:
        words = (
            f"This is not the paper’s experiment: {len(different)} settings that the paper states are different here, "
            "all listed below. The verdicts and differences on this page are about this run."
        )
    words += f" {len(unstated)} settings are not stated in the paper and had to be chosen (see Settings)."
    box = f'<div class="scale"><p><strong>Made with the {page.escape(scale)}.</strong></p>{page.paragraph(words)}</div>'
    head = ["setting", ("this run", "number"), ("paper", "number"), "key in config.yaml", "note"]
    rows = [
        (meaning, (ours, "number"), (paper, "number"), (key, "digest"), note)
        for key, meaning, ours, paper, note in different
    ]
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    listed = page.table(head, rows, name="differences", legend="Settings that differ from the paper’s:") if rows else ""
    return page.section("scale", "Which experiment this is", box, listed)


def tables_section(folder, config):
    parts = []
    for name, table in shown.present(config, TABLES).items():
        note = scale_line(shown.scale(config, table.models(config)))
        parts.append(f"<h3>{page.escape(table.place)}: {page.escape(table.title)}</h3>")
        write = report_tables.SHOWN.get(name, report_tables.plain)
        parts.append(write(read_csv(folder / "tables" / f"{name}.csv"), name, f"Ours: {note}."))
    return page.section("tables", "Tables, ours beside the paper’s", *parts)


def figures_section(folder, config):
    parts = []
    for name, figure in shown.present(config, FIGURES).items():
        heading = f"{figure.title} (the paper’s {figure.place})."
        path = folder / "figures" / f"{name}.png"
        alt = f"{figure.title}. {figure.words}"
        parts.append(page.figure(path, name=name, title=heading, caption=figure.caption, alt=alt))
    return page.section("figures", "Figures", *parts)


def settings_section(config, compared):
    _, unstated, same = compared
    head = ["setting", ("this run", "number"), "key in config.yaml", "note"]
    chosen, as_printed = (
        [(meaning, (ours, "number"), (key, "digest"), note) for key, meaning, ours, _, note in rows]
        for rows in (unstated, same)
    )
    everything = [((key, "digest"), differences.shown(value)) for key, value in differences.flatten(config).items()]
    return page.section(
        "settings",
        "Settings",
        page.table(
            head, chosen, name="unstated", legend="Settings that the paper does not state, and what was chosen:"
        ),
        page.details("Settings as the paper states them", page.table(head, as_printed, name="as-printed")),
        page.details("All settings", page.table(["key in config.yaml", "value"], everything, name="all-settings")),
    )


def provenance_section(folder, config):
    digests, versions, backends, missing = collect(folder, config)
    parts = [
        page.paragraph(f"Backend: {', '.join(backends) or 'no store found'}."),
        page.paragraph("Versions that made the stores: " + _listed(versions) + "."),
        page.paragraph("Versions that made this page and its figures: " + _listed(own_versions()) + "."),
        page.paragraph(FILES),
    ]
    if missing:
        parts.append(page.paragraph(f"{len(missing)} stores are missing: {', '.join(missing[:5])} …"))
    costs = [
        (
            stage,
            (f"{jobs:,}", "number"),
            (duration(longest), "number"),
            (duration(total), "number"),
            (_memory(mb), "number"),
        )
        for stage, jobs, longest, total, mb in stage_costs(folder / "benchmarks")
    ]
    if costs:
        head = [
            "stage",
            ("jobs", "number"),
            ("longest job", "number"),
            ("all jobs", "number"),
            ("most memory", "number"),
        ]
        parts.append(page.table(head, costs, name="costs", legend="Time and memory, as Snakemake measured them:"))
    rows = [((name, "key"), (digest, "digest")) for name, digest in digests.items()]
    listed = page.table(["store", "SHA-256 of its content"], rows, name="digests")
    parts.append(page.details(f"Digests of {len(digests)} stores", listed))
    return page.section("provenance", "How it was made", *parts)


def _listed(versions):
    return ", ".join(f"{name} {version}" for name, version in versions)


def _memory(megabytes):
    return "not measured" if megabytes is None else f"{megabytes:,.0f} MB"


def arguments(parser):
    parser.add_argument("--results", type=Path, required=True, help="folder of a preset's results, as results/quick")
    parser.add_argument("--reference", type=Path, required=True, help="folder of the paper's claims and numbers")
    parser.add_argument("--output", type=Path, required=True, help="the page to write")


def main(options):
    config = options.settings["config"]
    stores.write_text(options.output, report(options.results, options.reference, config))
    program.log.info("wrote %s", options.output)


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
