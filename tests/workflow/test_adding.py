"""What a user adds is one file: a figure, a table, an attack; and a stage of their own, added as a user would.

And a model whose network and images are its trainer's own: a line.
"""

import csv
import subprocess
import sys

import pytest
from kit.documents import printed

from stages.storage import stores

PROGRAM = '''"""Count the weights of a network that are negative."""

from stages.evaluate import evaluation


def evaluate(network, digits, settings, xp):
    return {"share": (("layer",), (network.W < settings["negative"]["below"]).mean(axis=(1, 2)))}, {}


if __name__ == "__main__":
    evaluation.run(__doc__, evaluate)
'''
TABLE = '''"""Write table_depth: the largest norm of the weights of a layer."""

from stages.names.labels import model_label
from stages.plan.exhibit import Exhibit
from stages.statistics import runs, weights_over_depth
from stages.tables import layout

EXHIBITS = {
    "table_depth": Exhibit(
        stage="train", place="not in the paper", title="The largest weights", caption="Norms of the largest layers."
    )
}


def rows(folder, settings):
    for model in settings["models"]:
        datasets = runs.read_runs(folder, "train", model, settings["runs"])
        yield {"model": model_label(model)}, {"norm": [weights_over_depth.norms(run).max() for run in datasets]}


TABLE = layout.Table(keys={"model": "network"}, quantities={"norm": "largest norm"}, rows=rows)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
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
        code=code("negative", "stages.evaluate.count_negative"),
"""
SCHEMA = """  negative:
    type: object
    additionalProperties: false
    required: [below]
    properties:
      below: {type: number, description: What counts as negative.}
"""
SOLVER = '''"""Heun's method, one step from node to node."""

import numpy as np

from stages.model.continuous.solver import ContinuousSolver


class Integrator:
    def __init__(self, like, h):
        self.length, self.y, self.k = h, np.empty_like(like), np.empty((2, *like.shape), like.dtype)

    def solve(self, rate, y0, start, stop, nodes=(), out=None, *, unit=1.0):
        times = np.linspace(start, stop, round(abs(stop - start) / self.length) + 1)
        self.y[...] = y0
        for t, t_next in zip(times, [*times[1:], None]):
            if (layer := round(t / self.length)) < len(nodes):
                out[layer] = self.y
            if t_next is not None:
                rate(t, self.y, self.k[0])
                rate(t_next, self.y + (t_next - t) * self.k[0], self.k[1])
                self.y += (t_next - t) / 2 * (self.k[0] + self.k[1])
        return self.y


class Heun(ContinuousSolver):
    label, settings, continuous_cost, slowness = "Heun", {}, True, 4

    @staticmethod
    def integrator(like, h):
        return Integrator(like, h)


SOLVER = Heun
'''
METHOD = '''"""Gradient descent with momentum."""

import numpy as np

from stages.train.methods.first_order import RATE, FirstOrder


class Momentum(FirstOrder):
    label, settings, options = "Momentum-trained ResNets", {"rate": RATE, "mass": {"type": "number"}}, {}
    weight_arrays = 3

    def __init__(self, network, cost, samples, *, mass, **settings):
        super().__init__(network, cost, samples, **settings)
        self.mass, self.velocity = mass, np.zeros_like(network.parameters)

    def update(self, index):
        velocity = self.velocity[index]
        velocity *= self.mass
        velocity -= self.rate * self.network.h * self.passes.gradient.parameters[index]
        self.network.parameters[index] += velocity

    def state(self):
        return super().state() | {"velocity": self.velocity}

    def restore(self, state):
        super().restore(state)
        self.velocity[...] = state["velocity"]


METHOD = Momentum
'''
LAYER = '''"""Dense layers without biases."""

from stages.model.layers.dense import Dense


class Unbiased(Dense):
    def value(self, Wb, x_one, out):
        return self.linear(Wb, x_one[..., : self.width, :], out)

    def perturbed(self, Wb, ξ, ωβ, x_one, out, scratch):
        self.linear(ωβ, x_one[..., : self.width, :], scratch)
        self.linear(Wb, ξ, out)
        out += scratch
        return out

    def gradient(self, g, x_one, G):
        super().gradient(g, x_one, G)
        G[..., -1] = 0
        return G

    def add_biases(self, Wb, out):
        return out


LAYER = Unbiased
'''
CLAIM = """

def c99(found):
    sgd, ncg = (found.get("accuracy", f"{trainer}_ce_relu") for trainer in ("sgd", "ncg"))
    return [Clause("test accuracy", [better("SGD over NCG", sgd, ncg, POINTS)])]


CLAIMS["C99"] = c99
"""
CLAIM_LINE = "C99,accuracy,A claim of mine,my own,1,,all,SGD is more accurate than NCG,\n"
# The attack's line, the trainer's network and images; and two networks are enough beside its own.
MINE = [
    "attack={trainers: [ncg, ncg-conv], attacks: {mine: {method: grey, level: 0.5}}}",
    "models={table2: {losses: [ce]}, own: [ncg_ce_tanh, ncg-conv_ce_tanh, mine_ce_softsign]}",
    "trainers={ncg-conv: {side: 8, network: {depth: 2, layer: {channels: 4, cell: 2}}}, mine: {method: momentum, "
    "gradient: l2, solver: heun, weight_decay: 0.0, epochs: 1, network: {layer: unbiased}}}",
    "momentum={rate: 1.0, mass: 0.5}",
]


@pytest.fixture(scope="module")
def extended(finished):
    """A project that has run to the end, with all of them added, run to the end again: what was there stays."""
    workflow = finished
    before = {path: path.stat().st_mtime_ns for path in workflow.folder.glob("results/smoke/train/*/run0.json")}

    def write(name, text):
        (workflow.folder / name).write_text(text)

    def append(name, text):
        path = workflow.folder / name
        path.write_text(path.read_text() + text)

    write("stages/figures/plot_classes.py", printed('"""Draw fig_classes'))

    write("stages/tables/tabulate_depth.py", TABLE)
    write("stages/attack/methods/grey.py", printed('"""Grey'))

    write("stages/model/activations/softsign.py", printed('"""Softsign'))
    write("stages/model/solvers/heun.py", SOLVER)
    write("stages/model/layers/unbiased.py", LAYER)
    write("stages/train/methods/momentum.py", METHOD)
    append("stages/claims/claims_accuracy.py", CLAIM)
    append("workflow/reference/claims.csv", CLAIM_LINE)

    write("stages/evaluate/count_negative.py", PROGRAM)
    append("config.yaml", "\nnegative: {below: 0.0}\n")
    append("workflow/schemas/config.schema.yaml", SCHEMA)
    append("stages/plan/stage_table.py", STAGE_RECORD)
    append("workflow/rules/3_evaluate.smk", RULE)

    result = workflow.snakemake(config=MINE)
    assert result.returncode == 0, result.stdout + result.stderr
    assert before == {path: path.stat().st_mtime_ns for path in before}  # nothing that is added trains a network again
    return workflow


def test_a_figure_is_one_file(extended):
    results = extended.folder / "results/smoke"
    assert (results / "figures/fig_classes.png").exists()
    assert (results / "figures/fig_classes.pdf").exists()
    assert "How often each digit comes" in (results / "report.html").read_text()


def test_a_table_is_one_file(extended):
    results = extended.folder / "results/smoke"
    with open(results / "tables/table_depth.csv", newline="") as file:
        assert all(float(row["norm_mean"]) > 0 for row in csv.DictReader(file))
    assert (results / "tables/table_depth.md").read_text().startswith("# The largest weights\n")
    assert "Norms of the largest layers." in (results / "report.html").read_text()


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
    assert len(made) == 4
    command = [sys.executable, "-m", "stages.storage.verify", "results"]
    told = subprocess.run(command, cwd=extended.folder, capture_output=True, text=True)
    assert "results/smoke/negative: 4 whole, 0 not" in told.stdout, told.stdout + told.stderr
    assert extended.planned(*MINE) == []
    changed = extended.planned(*MINE, "negative={below: 0.1}")
    assert {job.partition(":")[0] for job in changed} <= {"count_negative", "judge_claims", "write_report"}
    assert sum(job.startswith("count_negative") for job in changed) == 4
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
    deeper = extended.planned(*(line.replace("depth: 2", "depth: 3") for line in MINE))
    assert [job for job in deeper if job.startswith("train_network")] == ["train_network: ncg-conv_ce_tanh, run 0"]
    assert not any(job.startswith("downsample_digits") for job in deeper)


def test_a_solver_a_method_an_activation_and_a_layer_are_one_file_each_and_train_a_network(extended):
    results, model = extended.folder / "results/smoke", "mine_ce_softsign/run0"
    trained, settings = (
        read(results / f"train/{model}.zarr")
        for read in (stores.read_arrays, lambda path: stores.read_manifest(path)["settings"])
    )
    assert (settings["trainer"]["solver"], settings["trainer"]["method"]) == ("heun", "momentum")
    assert (settings["activation"], settings["network"]["layer"]) == ("softsign", "unbiased")
    assert settings["momentum"] == {"rate": 1.0, "mass": 0.5}
    losses = trained["loss"].reshape(-1, settings["iterations"])
    assert losses[-1, -1] < losses[0, 0]
    for stage in ("noise", "sensitivity"):
        assert stores.read_manifest(results / f"{stage}/{model}.zarr")["inputs"]["network"]
    words = (results / "report.html").read_text()
    assert "softsign" in words


def test_a_claim_is_a_function_and_a_line_of_the_reference(extended):
    with open(extended.folder / "results/smoke/claims.csv", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert rows["C99"]["claim"] == "A claim of mine"
    assert rows["C99"]["verdict"] == "not decided"  # the smoke preset trains too little


def test_a_wrong_setting_of_ones_own_attack_is_refused_before_anything_runs(extended):
    result = extended.snakemake("-n", config=["attack={attacks: {mine: {method: grey, level: 3}}}"])
    assert result.returncode != 0
    assert (
        "attack.attacks.mine.level: wanted a number at least 0 and at most 1, found 3" in result.stdout + result.stderr
    )
