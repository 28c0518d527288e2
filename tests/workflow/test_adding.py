"""What a user adds is one file and one record: a figure, an attack and a stage of their own, added as a user would.

And a model whose network and images are its trainer's own: a line.
"""

import csv
import re
import subprocess
import sys
import textwrap

import pytest
from project_copy import ROOT
from snakemake_project import tiny_project

from stages import stores

README = (ROOT / "README.md").read_text()


def in_readme(first_line):
    """Return the block of Python in the README that begins so."""
    blocks = re.findall(r"^( *)```python\n(.*?)^\1```$", README, re.M | re.S)
    return next(text for _, block in blocks if (text := textwrap.dedent(block)).startswith(first_line))


PROGRAM = '''"""Count the weights of a network that are negative."""

from stages.evaluate import evaluation


def evaluate(network, digits, settings, xp):
    return {"share": (("layer",), (network.W < settings["negative"]["below"]).mean(axis=(1, 2)))}, {}


if __name__ == "__main__":
    evaluation.run(__doc__, evaluate)
'''
STAGE_RECORD = """
STAGES["negative"] = Stage(
    "negative", "count_negative", experiment.table2_models, evaluation_settings("negative"), DIGITS | NETWORK
)
"""
RULE = """

use rule evaluate_noise as count_negative with:
    message:
        "count_negative: {wildcards.model}, run {wildcards.run}"
    input:
        unpack(inputs("negative")),
    output:
        store=directory(f"{RESULTS}/negative/{{model}}/run{{run}}.zarr"),
        manifest=f"{RESULTS}/negative/{{model}}/run{{run}}.json",
    log:
        f"{RESULTS}/logs/negative/{{model}}/run{{run}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/negative/{{model}}/run{{run}}.tsv"
    params:
        program="stages.evaluate.count_negative",
        settings=settings("negative"),
        code=code_identity("stages.evaluate.count_negative"),
"""
SCHEMA = """  negative:
    type: object
    additionalProperties: false
    required: [below]
    properties:
      below: {type: number, description: What counts as negative.}
"""
# The attack's line, the trainer's network and images; and two networks are enough beside its own.
MINE = [
    "attack={trainers: [ncg, ncg-conv], attacks: {mine: {method: grey, level: 0.5}}}",
    "models={table2: {losses: [ce]}, own: [ncg_ce_tanh, ncg-conv_ce_tanh]}",
    "trainers={ncg-conv: {side: 8, network: {depth: 2, layer: {channels: 4, cell: 2}}}}",
]


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """The project with all of them, run to the end."""
    workflow = tiny_project(tmp_path_factory.mktemp("extended"))

    def write(name, text):
        (workflow.folder / name).write_text(text)

    def append(name, text):
        path = workflow.folder / name
        path.write_text(path.read_text() + text)

    write("stages/figures/plot_classes.py", in_readme('"""Draw fig_classes'))
    append("stages/plan/paper_figures.py", "\n" + in_readme('FIGURES["fig_classes"]'))

    write("stages/attack/grey.py", in_readme('"""Grey'))

    write("stages/evaluate/count_negative.py", PROGRAM)
    append("config.yaml", "\nnegative: {below: 0.0}\n")
    append("workflow/schemas/config.schema.yaml", SCHEMA)
    append("stages/plan/stage_table.py", STAGE_RECORD)
    append("workflow/rules/3_evaluate.smk", RULE)

    result = workflow.snakemake(config=MINE)
    assert result.returncode == 0, result.stdout + result.stderr
    return workflow


def test_a_figure_is_its_program_and_one_record(extended):
    results = extended.folder / "results/smoke"
    assert (results / "figures/fig_classes.png").exists()
    assert (results / "figures/fig_classes.pdf").exists()
    assert "How often each digit comes" in (results / "report.html").read_text()


def test_an_attack_is_its_file_and_a_line_and_is_seen_everywhere(extended):
    results = extended.folder / "results/smoke"
    with open(results / "tables/table_attacks.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["attack"] == "mine"]
    assert len(rows) == 2
    report = (results / "report.html").read_text()
    assert ">mine<" in report
    assert (results / "figures/fig_attack_comparison.png").exists()
    assert (results / "attack/mine").is_dir()


def test_a_stage_is_its_program_its_settings_one_record_and_its_rule(extended):
    made = sorted((extended.folder / "results/smoke/negative").glob("*/run0.zarr"))
    assert len(made) == 3
    command = [sys.executable, "-m", "stages.verify", "results"]
    told = subprocess.run(command, cwd=extended.folder, capture_output=True, text=True)
    assert "results/smoke/negative: 3 whole, 0 not" in told.stdout, told.stdout + told.stderr
    assert extended.planned(*MINE) == []
    changed = extended.planned(*MINE, "negative={below: 0.1}")
    assert {job.partition(":")[0] for job in changed} <= {"count_negative", "judge_claims", "write_report"}
    assert sum(job.startswith("count_negative") for job in changed) == 3
    listed = extended.snakemake("-n", "negative", config=MINE)
    assert "Nothing to be done" in listed.stdout + listed.stderr


def test_a_convolutional_network_of_images_of_another_side_goes_through_every_stage(extended):
    results, model = extended.folder / "results/smoke", "ncg-conv_ce_tanh/run0"
    digits = {name: stores.read_manifest(results / f"data/{name}.zarr")["digest"] for name in ("digits", "digits-8")}
    assert stores.read(results / "data/digits-8.zarr").sizes["pixel"] == 64
    assert stores.read(results / f"train/{model}.zarr")["W"].shape == (2, 4, 3, 3, 4)
    for stage in ("train", "noise", "sensitivity", "attack/fgsm", "attack/cw", "attack/mine"):
        assert stores.read_manifest(results / f"{stage}/{model}.zarr")["inputs"]["digits"] == digits["digits-8"]
    assert stores.read_manifest(results / "noise/ncg_ce_tanh/run0.zarr")["inputs"]["digits"] == digits["digits"]
    deeper = extended.planned(*MINE[:2], MINE[2].replace("depth: 2", "depth: 3"))
    assert [job for job in deeper if job.startswith("train_network")] == ["train_network: ncg-conv_ce_tanh, run 0"]
    assert not any(job.startswith("downsample_digits") for job in deeper)


def test_a_wrong_setting_of_ones_own_attack_is_refused_before_anything_runs(extended):
    result = extended.snakemake("-n", config=["attack={attacks: {mine: {method: grey, level: 3}}}"])
    assert result.returncode != 0
    assert (
        "attack.attacks.mine.level: wanted a number at least 0 and at most 1, found 3" in result.stdout + result.stderr
    )
