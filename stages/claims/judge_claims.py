"""Judge the paper's claims from the stores: claims.csv, claims.md, every comparison in claims_in_detail.csv, and the
levels of the paper's printed numbers in levels.csv.

Our own claims (B01, B02, ...) on what the experiment has networks for follow in the same files; they are never counted
with the paper's.

Verdicts are computed (verdicts.py). For numbers that the paper prints (Tables 1 to 3) the same rules are applied to
them, to show the verdict on the paper's own numbers. With several runs the verdict that run 0 alone would have had, by
the sampling of the test images, is shown beside where it is another one, and how many comparisons agree in every run.
"""

from collections import Counter
from pathlib import Path

from stages.claims import (
    apart,
    claims_accuracy,
    claims_attack,
    claims_convolution,
    claims_noise,
    claims_perturbation,
    claims_robust,
    claims_scores,
    claims_sensitivity,
    claims_uncertainty,
    counted,
    levels,
)
from stages.claims.claims_files import COLUMNS, DETAIL, as_markdown, detail_rows, summary_rows
from stages.claims.every_run import in_every_run
from stages.claims.measurements import measure
from stages.claims.printed_numbers import printed_measurements
from stages.claims.reference import ALWAYS, read_claims, verdicts_before
from stages.claims.verdicts import Verdict
from stages.runtime import program
from stages.statistics.scale import scale_line
from stages.storage import stores
from stages.storage.csv_files import as_csv

OF_THE_PAPER = (claims_accuracy, claims_noise, claims_sensitivity, claims_attack, claims_perturbation)
CLAIMS = dict(sorted(claim for module in OF_THE_PAPER for claim in module.CLAIMS.items()))
OUR_CLAIMS = claims_robust.CLAIMS | claims_uncertainty.CLAIMS | claims_convolution.CLAIMS | claims_scores.CLAIMS
ALL_CLAIMS = CLAIMS | OUR_CLAIMS


def judge(numbers, claims=CLAIMS):
    """Return {id: Verdict}."""
    return {number: Verdict(claim(numbers)) for number, claim in claims.items()}


def concerns(numbers, claim):
    """Tell whether an experiment has the networks and attacks of one of our own claims, run or not."""
    return Verdict(claim(numbers.as_if_run())).made > 0


def arguments(parser):
    parser.add_argument("--results", type=Path, required=True, help="folder of a preset's results, as results/quick")
    parser.add_argument("--reference", type=Path, required=True, help="folder of the paper's claims and numbers")
    parser.add_argument("--csv", type=Path, required=True, help="verdicts, one line per claim")
    parser.add_argument("--markdown", type=Path, required=True, help="the same for people")
    parser.add_argument("--detail", type=Path, required=True, help="every comparison")
    parser.add_argument("--levels", type=Path, required=True, help="the paper's printed numbers beside ours")


def main(options):
    config, reference = options.settings["config"], options.reference
    wording = read_claims(reference / "claims.csv", CLAIMS)
    printed = printed_measurements(reference, config["claims"])
    numbers = measure(options.results, config, printed)
    verdicts, on_paper = judge(numbers), judge(printed)
    ours = judge(numbers, {number: claim for number, claim in OUR_CLAIMS.items() if concerns(numbers, claim)})
    known = read_claims(reference / "claims_beyond.csv", OUR_CLAIMS, ALWAYS)
    wording += [claim for claim in known if claim["id"] in ours]
    verdicts |= ours
    judged = {number: ALL_CLAIMS[number] for number in verdicts}
    on_run_0 = judge(numbers.of_first_run(), judged)
    every_run = in_every_run(lambda values: judge(values, judged), numbers)
    if config["beyond"] and len(ours) < len(known):
        left = [claim["id"] for claim in known if claim["id"] not in ours]
        program.log.info("claims, our own, left out for want of their networks: %s", ", ".join(left))
    before = verdicts_before(reference / "claims_before.csv")
    rows = summary_rows(verdicts, on_paper, on_run_0, every_run, wording, before)
    stores.write_text(options.levels, as_csv(levels.COLUMNS, levels.level_rows(numbers, printed)))
    detail, images = detail_rows(verdicts, on_paper), config["attack"]["images"]
    stores.write_text(options.detail, as_csv(DETAIL, detail))
    scale = options.settings["scale"]
    text = as_markdown(rows, scale_line(scale), detail, images, mnist="own_images" not in scale)
    stores.write_text(options.markdown, text)
    stores.write_text(options.csv, as_csv(COLUMNS, rows))
    for whose, own in zip(("the paper's", "our own"), apart(rows), strict=True):
        program.log.info("claims, %s: %s", whose, counted(Counter(row["verdict"] for row in own)))


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
