"""The expected cost of a run: near a finished run of the quick preset, corrected by what was measured."""

import csv
import json
import os
import shutil
import subprocess
import sys

import pytest
import yaml

from stages import __version__
from stages.config import configuration
from stages.plan import costs, experiment, show_plan, stage_table
from stages.plan.costs import Costs
from stages.plan.costs_here import costs_here
from stages.plan.freshness import Freshness
from stages.plan.measured_costs import measured_seconds

# A finished run of the quick preset on two free cores of an AMD EPYC without AVX-512: processor time of its jobs and of
# Snakemake, and the shares of the jobs' time that training and attacks took.
QUICK = {"jobs": 317, "seconds": 1154, "train": 0.72, "attack": 0.20}


@pytest.fixture
def results(results, tmp_path):
    """A copy of the made-up results, since these tests write into them."""
    return shutil.copytree(results, tmp_path / results.name)


def planned(config, results):
    freshness = Freshness(config, results)
    return show_plan.jobs(config, freshness, costs_here(config, freshness))


def row(s, cpu):
    return f"s\th:m:s\tmax_rss\tcpu_time\n{s}\t0:00:01\t100\t{cpu}\n"


def benchmark(results, name, s, cpu, log="12:00:00 epoch 1 of 4\n"):
    for kind, text in (("benchmarks", row(s, cpu)), ("logs", log)):
        path = results / kind / name
        path = path.with_suffix(".tsv" if kind == "benchmarks" else ".log")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_the_quick_preset_is_estimated_within_thirty_percent(root, tmp_path):
    jobs = planned(configuration.load(root, "quick"), tmp_path)
    total = sum(job.seconds for job in jobs)
    assert len(jobs) == QUICK["jobs"]
    assert total == pytest.approx(QUICK["seconds"], rel=0.3)
    for stage in ("train", "attack"):
        seconds = sum(job.seconds for job in jobs if job.folder == stage)
        assert seconds == pytest.approx(QUICK[stage] * QUICK["seconds"], rel=0.3)


def test_a_training_at_the_papers_scale_is_estimated_within_thirty_percent(root):
    """By the trainings' own clocks in the published run; without those that shared their core with others."""
    with open(root / "workflow/published/paper/networks.csv", newline="") as file:
        epochs = {row["model"]: list(map(float, row["seconds_by_epoch"].split())) for row in csv.DictReader(file)}
    expected = Costs(configuration.load(root, "paper"))
    for model in ("ncg_l2_tanh", "ncg_l2_relu", "sgd_ce_tanh", "ncg-sobolev_l2_tanh"):
        epoch = sum(epochs[model]) / len(epochs[model])
        assert expected.estimate("train", model) == pytest.approx(10 * epoch, rel=0.3)


def test_twice_as_much_work_takes_about_twice_as_long(root):
    config = configuration.load(root, "quick")
    deeper = configuration.load(root, "quick", {"network": {"depth": 2 * config["network"]["depth"]}})
    for folder, model in (("train", "ncg_ce_relu"), ("attack/cw", "ncg_ce_relu"), ("noise", "sgd_l2_tanh")):
        once, twice = (Costs(each).estimate(folder, model) - costs.START for each in (config, deeper))
        assert twice == pytest.approx(2 * once)


def test_what_was_measured_counts_and_corrects_the_rest_of_its_stage(root, tmp_path):
    config = configuration.load(root, "quick")
    plain = Costs(config)
    slow = 3 * plain.estimate("attack/cw", "ncg_ce_relu")
    benchmark(tmp_path, "attack/cw/ncg_ce_relu/run0", slow, slow)
    here = Costs(config, measured_seconds(tmp_path))
    assert here.seconds("attack/cw", "ncg_ce_relu", 0) == pytest.approx(slow)
    assert here.seconds("attack/cw", "ncg_ce_relu", 1) == pytest.approx(slow)
    assert here.seconds("attack/fgsm", "sgd_l2_tanh", 0) == pytest.approx(
        3 * plain.estimate("attack/fgsm", "sgd_l2_tanh")
    )
    assert here.seconds("train", "ncg_ce_relu", 0) == plain.estimate("train", "ncg_ce_relu")


def test_runs_of_other_presets_on_this_machine_correct_a_stage_that_has_not_run_in_this_one(root, tmp_path):
    quick, paper = (configuration.load(root, preset) for preset in ("quick", "paper"))
    expected = Costs(quick)
    here = tmp_path / "quick"
    for folder, model, factor in (
        ("train", "ncg_ce_relu", 0.5),
        ("train", "sgd_l2_tanh", 0.5),
        ("noise", "ncg_ce_relu", 3),
    ):
        seconds = factor * expected.estimate(folder, model)
        benchmark(here, f"{folder}/{model}/run0", seconds, seconds)

    def costs(folder):
        return costs_here(paper, Freshness(paper, tmp_path / "paper")).seconds(folder, "ncg-sobolev_l2_tanh", 0)

    plain = Costs(paper)
    assert costs("train") == plain.seconds("train", "ncg-sobolev_l2_tanh")  # a run that has not ended says nothing
    (here / "experiment.yaml").write_text(yaml.safe_dump(quick))
    for name, content in {"old": "{preset: quick, trainers: 3}", "torn": "{", "gone": "{preset: gone}"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "experiment.yaml").write_text(content)
    assert costs("train") == pytest.approx(0.5 * plain.seconds("train", "ncg-sobolev_l2_tanh"))
    assert costs("noise") == pytest.approx(3 * plain.seconds("noise", "ncg-sobolev_l2_tanh"))
    assert costs("attack/cw") == plain.seconds("attack/cw", "ncg-sobolev_l2_tanh")
    assert costs_here(quick, Freshness(quick, here)).elsewhere == {}


def test_what_a_store_with_other_settings_took_says_nothing(results, config):
    benchmark(results, "noise/ncg_ce_relu/run0", 1000.0, 1000.0)
    plan = [job.seconds for job in planned(config, results) if job.folder == "noise"]
    assert max(plan) == pytest.approx(1000.0, rel=0.1)
    config["noise"]["draws"] += 1
    assert max(job.seconds for job in planned(config, results) if job.folder == "noise") < 100.0


def test_a_training_that_went_on_from_a_checkpoint_is_scaled_to_a_whole_one(tmp_path):
    resumed = "12:00:00 loading\n12:00:01 going on from the checkpoint at batch 300 of 400\n"
    benchmark(tmp_path, "train/ncg_ce_relu/run0", 25.0, 20.0, resumed)
    benchmark(tmp_path, "train/ncg_ce_relu/run1", 1000.0, 300.0)  # waited for a core most of the time
    assert measured_seconds(tmp_path) == {
        ("train", "ncg_ce_relu", 0): pytest.approx(100.0),
        ("train", "ncg_ce_relu", 1): pytest.approx(330.0),
    }


@pytest.mark.parametrize("content", ["", "s\n", "s\tcpu_time\nNA\tNA\n", "\0", "s\th:m:s\n"])
def test_benchmarks_that_say_nothing_are_left_out(tmp_path, content):
    benchmark(tmp_path, "train/ncg_ce_relu/run0", 1, 1)
    (tmp_path / "benchmarks/train/ncg_ce_relu/run0.tsv").write_text(content)
    assert measured_seconds(tmp_path) == {}
    (tmp_path / "logs/train/ncg_ce_relu/run0.log").unlink()  # restored from elsewhere
    assert measured_seconds(tmp_path) == {}


def test_every_rule_that_computes_has_a_cost(root):
    config = configuration.load(root, "beyond")
    expected = Costs(config)
    for stage in stage_table.STAGES.values():
        models = stage.models(config)
        wildcards = {"model": models[0], "run": "0"} if models else None
        if wildcards and stage.rule == "attack_network":
            wildcards["attack"] = "cw"
        assert not wildcards or expected.of_job(stage.rule, wildcards) > costs.START
    for rule in costs.EXHIBIT_RULES:
        assert expected.of_job(rule, {}) > 0
    assert expected.of_job("figures", {}) == 0
    assert expected.of_job("train_one_run", {"model": "ncg_l2_tanh"}) > costs.START
    in_lockstep = expected.of_job("train_network", {"model": "ncg_l2_tanh"})
    runs = config["training"]["runs"]
    assert in_lockstep == pytest.approx(runs * expected.of_job("train_network", {"model": "ncg_l2_tanh", "run": "0"}))


def test_all_images_of_the_shipped_digits_are_as_many_as_there_are(root):
    config = configuration.load(root, "quick", {"data": {"origin": "sample", "train": 0, "test": 0}})
    assert experiment.images(config) == {"train": 10000, "test": 2000}


def test_digits_of_another_side_take_as_much_disk_as_they_have_pixels(root, tmp_path):
    config = configuration.load(root, "beyond")
    disk = [job.disk for job in planned(config, tmp_path) if job.folder == "data"]
    images = sum(experiment.images(config).values())
    assert disk == pytest.approx([images * side**2 / 1e6 for side in (28, 14, 28)])  # raw, digits, digits-28


def test_the_plan_says_what_is_done_and_what_was_made_with_other_settings(results, config):
    """In the made-up results of the smoke preset all stores are there but data/raw; no figure is."""
    jobs = planned(config, results)
    assert {job.folder for job in jobs if job.state == "done"} == {"data", *stage_table.STAGES}
    assert {job.folder for job in jobs if job.state == "left"} == {"data", "figures", "tables", "claims", "report"}
    config["noise"]["draws"] = 7
    jobs = planned(config, results)
    assert {job.folder for job in jobs if job.state == "other"} == {"noise"}
    said = list(show_plan.lines(config, jobs, 2, results, of_this_machine=False))
    assert said[0].startswith(f"smoke: {len(jobs)} jobs, ")
    stores = len(list(results.glob("noise/*/*.json")))
    assert said[1] == f"{stores} stores there were made with other settings and will be made again"
    assert said[-1].startswith("about ")
    assert said[-1].endswith("nothing that could correct the estimate has run here yet")


def test_stores_of_another_version_are_named(results, config):
    manifests = sorted(results.glob("noise/*/*.json"))
    for path in manifests:
        manifest = json.loads(path.read_text())
        path.write_text(json.dumps(manifest | {"versions": {"snode": "0.0.9"}}))
    said = list(show_plan.lines(config, planned(config, results), 2, results, of_this_machine=True))
    assert said[1].startswith(f"{len(manifests)} stores there are of version 0.0.9, this is {__version__}: ")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--preset", "papre"], "smoke, found 'papre'"),
        (["--preset", "quick", "--configfile", "none.yaml"], "--configfile: wanted a file, found none at none.yaml"),
        (["--preset", "quick", "--configfile", "torn.yaml"], "torn.yaml: wanted YAML, found while parsing"),
        (["--preset", "quick", "--configfile", "word.yaml"], "word.yaml: wanted blocks of keys"),
        (["--preset", "quick", "--configfile", "runs.yaml"], "training.runs: wanted a whole number at least 1"),
        (["--preset", "quick", "--cores", "0"], "wanted a whole number from 1 on, found '0'"),
    ],
)
def test_a_plan_that_cannot_be_made_is_a_message_and_no_table(root, tmp_path, words, complaint):
    for name, text in {"torn": "[1, 2", "word": "quick", "runs": "training: {runs: 0}"}.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    command = [sys.executable, "-m", "stages.plan.show_plan", *words]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert done.stdout == ""
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
