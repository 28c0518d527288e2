"""Publishing: everything that is worth showing and nothing else, from finished and whole results alone."""

import copy
import csv
import json
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import drawing
import made_up_stores
import made_up_worlds
import numpy as np
import pytest
import yaml
from project_copy import ROOT

from stages import stores
from stages.attack import attack_published
from stages.claims import judge_claims
from stages.errors import UserError
from stages.model.classify import accuracy
from stages.plan import configuration, shown, stage_table
from stages.plan.paper_figures import FIGURES
from stages.plan.paper_tables import TABLES
from stages.report import opening, publish, published_networks, restore, summarise, write_report
from stages.trained_network import read_network

REFERENCE = ROOT / "workflow" / "reference"
FOLDER_OF_MINE = "/home/somebody/mnist"


@pytest.fixture(scope="module")
def paper_config(whole_config):
    """An experiment called the paper's that has some of its models."""
    config = copy.deepcopy(whole_config) | {"preset": "paper"}
    config["data"]["folder"] = FOLDER_OF_MINE
    grid = {"trainers": ["sgd", "ncg"], "losses": ["ce"], "activations": ["relu"]}
    config["models"] = {"table1": ["ncg-euler20_l2_tanh"], "table2": grid, "own": []}
    return config


@pytest.fixture(scope="module")
def run(paper_config, tmp_path_factory):
    """Its results, finished."""
    results = tmp_path_factory.mktemp("run") / "results" / "paper"
    made_up_stores.write_stores(results, paper_config, made_up_worlds.as_the_paper_says())
    with drawing.each_store_read_once():
        finish(results, paper_config)
    return results


def finish(results, paper_config):
    picture = results / "figures" / "fig_noise_accuracy.png"
    drawing.save_small(results, paper_config, picture.stem, picture)
    for name in shown.present(paper_config, FIGURES):  # what they show is no matter of publishing: one picture for all
        if name != picture.stem:
            shutil.copy(picture, picture.with_name(f"{name}.png"))
    for name in shown.present(paper_config, TABLES):
        outputs = [results / f"tables/{name}.{kind}" for kind in ("csv", "md", "tex")]
        drawing.tabulate(results, paper_config, name, outputs)
    files = {"csv": "claims.csv", "markdown": "claims.md", "detail": "claims_in_detail.csv"}
    files = {option: results / name for option, name in files.items()}
    settings = shown.claims_settings(paper_config)
    judge_claims.main(SimpleNamespace(settings=settings, results=results, reference=REFERENCE, **files))
    benchmark = results / "benchmarks/train/ncg_ce_relu/run0.tsv"
    benchmark.parent.mkdir(parents=True)
    benchmark.write_text("s\tmax_rss\tcpu_time\n75.2\t312.5\t7200\n")
    write_page(results, paper_config)


def write_page(results, config):
    settings = json.loads(json.dumps(shown.report_settings(config), sort_keys=True))
    files = {"output": results / "report.html", "experiment": results / "experiment.yaml", "published": None}
    write_report.main(SimpleNamespace(settings=settings, results=results, reference=REFERENCE, **files))


@pytest.fixture(scope="module")
def published(run, tmp_path_factory):
    out = tmp_path_factory.mktemp("published")
    publish.publish(run, "paper", out, REFERENCE)
    return out


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- what is there ----------------------------------------------------------------------------------------------------


def test_everything_that_people_look_at_is_there_and_nothing_else(run, published):
    wanted = {"report.html", "experiment.yaml", "claims.csv", "claims.md", "claims_in_detail.csv"}
    wanted |= {str(path.relative_to(run)) for path in [*run.glob("tables/*"), *run.glob("figures/*.png")]}
    assert {"tables/table1_solvers.tex", "figures/fig_noise_accuracy.png"} < wanted
    found = files(published / "paper")
    assert set(found) == wanted | {"README.md", "networks.csv"}
    for name in wanted:
        assert found[name] == (run / name).read_bytes()
    assert sorted(path.name for path in published.iterdir()) == ["networks", "paper", "stores"]
    packed = {path.name for path in (published / "stores/paper").iterdir()}
    assert packed == {f"{model}.zip" for model in ("sgd_ce_relu", "ncg_ce_relu", "ncg-euler20_l2_tanh")}


def test_every_network_has_a_line_with_what_it_takes_to_make_it_again(run, published, paper_config):
    with open(published / "paper/networks.csv", newline="") as file:
        rows = {(row["model"], row["run"]): row for row in csv.DictReader(file)}
    assert len(rows) == 3 * 2
    row, path = rows["ncg-euler20_l2_tanh", "1"], run / "train/ncg-euler20_l2_tanh/run1.zarr"
    store = stores.read(path)
    assert [float(each) for each in row["test_accuracy_by_epoch"].split()] == pytest.approx(
        store["test_accuracy"].values, rel=1e-5
    )
    assert row["seconds_by_epoch"] == "2 2"
    assert row["digest"] == stores.read_manifest(path)["digest"]
    assert row["commit"] == store.attrs["commit"]
    assert json.loads(row["settings"]) == stage_table.train_settings(paper_config, "ncg-euler20_l2_tanh") | {"run": 1}


def test_the_readme_says_what_ran_what_it_cost_and_what_is_missing(published):
    text = (published / "paper/README.md").read_text()
    assert "Paper preset: 6 layers, 400 training digits, 1 epoch, 2 runs." in text
    assert re.search(r"Of the paper's 20 claims \d+ hold, \d+ do not, and \d+ are not decided", text)
    assert re.search(r"^- C08, .*: not run: ncg-sobolev_ce_tanh", text, re.MULTILINE)
    assert "| ncg_ce_relu | 0 |" in text
    assert "Not run, though the paper has it: sgd_ce_tanh, " in text
    assert "| runs of each model | 2 | 5 | `training.runs` |" in text
    assert "| train | 1 | 1 min | 1 min | 312 MB |" in text
    assert "\n2 core-hours of computing" in text
    assert "Backend: numpy." in text
    assert "--configfile workflow/published/paper/experiment.yaml" in text
    assert not [line for line in text.splitlines() if line.startswith("|") and not line.endswith("|")]


def test_nothing_of_this_machine_is_told(published):
    for name, content in files(published).items():
        assert FOLDER_OF_MINE.encode() not in content, name
        assert str(ROOT).encode() not in content, name


def test_what_the_paper_has_and_was_not_run_is_listed(config):
    assert publish.not_run(config, REFERENCE) == []
    config["models"]["table2"]["trainers"] = ["sgd", "ncg", "ncg-sobolev"]
    config["models"]["table1"] = ["ncg-euler20_l2_tanh"]
    del config["attack"]["attacks"]["pgd-0.06"]
    missing = publish.not_run(config, REFERENCE)
    assert sorted(missing) == sorted(
        [
            f"{trainer}-wd_{loss}_{activation}"
            for trainer in ("sgd", "ncg")
            for loss in ("ce", "l2")
            for activation in ("relu", "tanh")
        ]
        + ["Table 1, trained with ode45", "attack pgd-0.06"]
    )


def test_the_published_configuration_makes_the_same_experiment(published, paper_config):
    again = configuration.load(ROOT, overrides=yaml.safe_load((published / "paper/experiment.yaml").read_text()))
    wanted, found = list(stage_table.stores(paper_config)), list(stage_table.stores(again))
    assert found[1:] == wanted[1:]  # data/raw was told where this machine has MNIST


def test_the_project_s_readme_opens_with_what_was_found(run, tmp_path):
    readme = tmp_path / "README.md"
    shutil.copyfile(ROOT / "README.md", readme)
    for _ in range(2):  # again, since a later run takes the place of an earlier one
        publish.publish(run, "paper", tmp_path / "out", REFERENCE, readme=readme)
        before, found, after = re.split(f"{opening.BEGIN}|{opening.END}", readme.read_text())
        assert re.search(r"of the paper's 20 claims \d+ hold, \d+ do not, and \d+ are not decided", found)
        assert "| ncg | ce | relu |" in found
        assert "published/paper/figures/fig_noise_accuracy.png" in found
        assert re.search(r"\d+ of its networks, solvers and attacks are not run yet", found)
        assert "| sgd-wd |" not in found
    old_before, _, old_after = re.split(f"{opening.BEGIN}|{opening.END}", (ROOT / "README.md").read_text())
    assert (before, after) == (old_before, old_after)


def test_a_readme_without_its_marks_is_refused_and_nothing_is_written(run, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text((ROOT / "README.md").read_text().replace(opening.END, ""))
    with pytest.raises(UserError, match=r"README.md: wanted the lines <!-- .* -->, one each; put them back"):
        publish.publish(run, "paper", tmp_path / "out", REFERENCE, readme=readme)
    assert files(tmp_path / "out") == {}


# --- the networks -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", publish.NETWORKS)
def test_a_published_network_is_the_trained_one_rounded_and_says_what_that_costs(run, published, paper_config, model):
    trained, small = run / f"train/{model}/run0.zarr", published / f"networks/{model}.zarr"
    settings = stores.read_manifest(trained)["settings"]
    dataset = stores.read(small, settings | {"rounded": "float16"})
    assert dataset["W"].dtype == dataset["b"].dtype == np.float16
    network = read_network(small, settings, np)
    assert network.dtype == np.float32
    whole = stores.read_arrays(trained)
    np.testing.assert_array_equal(network.W, whole["W"].astype(np.float16).astype(np.float32))
    digits = stores.read_arrays(run / "data/digits.zarr")
    measured = accuracy(network, digits["test_image"], digits["test_label"], 10)
    assert dataset.attrs["test_accuracy_rounded"] == pytest.approx(float(measured), abs=1e-12)
    assert dataset.attrs["test_images"] == 200
    assert stores.read_manifest(small)["inputs"]["network"] == stores.read_manifest(trained)["digest"]
    assert f"`{model}`" in (published / "networks/README.md").read_text()


def test_weights_too_large_for_float16_are_refused(run, paper_config, tmp_path):
    results = tmp_path / "paper"
    shutil.copytree(run, results)
    change_store(results / "train/ncg_ce_relu/run0.zarr", lambda arrays: arrays["W"].__setitem__((0, 0, 0), 1e6))
    with pytest.raises(UserError, match="float16 can hold"):
        published_networks.round_network(results, paper_config, "ncg_ce_relu", tmp_path / "small.zarr")
    assert not (tmp_path / "small.zarr").exists()


def test_what_was_published_can_be_published_again_without_the_weights(run, published, tmp_path):
    """From a fresh clone: the stores restored, all else made anew, the networks as they lie there."""
    results, out = tmp_path / "paper", shutil.copytree(published, tmp_path / "out")
    shutil.copytree(run, results, ignore=shutil.ignore_patterns("train", "noise", "sensitivity", "solvers", "attack"))
    restore.restore(published / "stores/paper", results)
    publish.publish(results, "paper", out, REFERENCE)
    assert files(out) == files(published)

    other = stores.manifest_path(out / "networks/ncg_ce_relu.zarr")
    digest = stores.read_manifest(results / "train/ncg_ce_relu/run0.zarr")["digest"]
    other.write_text(other.read_text().replace(digest, "0" * 64))
    with pytest.raises(UserError, match=r"an extract without weights, and .* is not that network"):
        publish.publish(results, "paper", out, REFERENCE)


def change_store(path, change):
    """Write a store again with other content, as another run of its stage would."""
    variables, attributes = stores.check(path)
    manifest = stores.read_manifest(path)
    change({name: variable.values for name, variable in variables.items()})
    names = attributes["coordinates"].split()
    inputs = {"digits": path.parents[2] / "data/digits.zarr"} if "digits" in manifest["inputs"] else {}
    stores.write(
        path,
        {name: tuple(each) for name, each in variables.items() if name not in names},
        coordinates={name: tuple(variables[name]) for name in names},
        settings=manifest["settings"],
        inputs=inputs,
        measured=manifest["measured"],
    )


def test_other_presets_leave_the_published_networks_alone(run, paper_config, tmp_path):
    results = tmp_path / "smoke"
    shutil.copytree(run, results)
    write_page(results, paper_config | {"preset": "smoke"})
    publish.publish(results, "smoke", tmp_path / "out", REFERENCE)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["smoke"]


# --- what is refused --------------------------------------------------------------------------------------------------


def no_configuration(results):
    (results / "experiment.yaml").unlink()


def damaged_configuration(results):
    (results / "experiment.yaml").write_text("- a list")


def unfinished_configuration(results):
    (results / "experiment.yaml").write_text("preset: paper")


def another_preset(results):
    path = results / "experiment.yaml"
    path.write_text(path.read_text().replace("preset: paper", "preset: quick"))


def other_settings(results):
    path = results / "experiment.yaml"
    path.write_text(path.read_text().replace("rate: 0.01", "rate: 0.02"))


def no_figure(results):
    (results / "figures/fig_noise_accuracy.png").unlink()


def unfinished(results):
    shutil.rmtree(results / "attack/fgsm/sgd_ce_relu/run1.zarr")
    stores.manifest_path(results / "attack/fgsm/sgd_ce_relu/run1.zarr").unlink()


def damaged(results):
    chunk = results / "noise/ncg_ce_relu/run0.zarr/accuracy/c/0"
    chunk.write_bytes(chunk.read_bytes()[:-1] + b"?")


def made_from_another_network(results):
    change_store(results / "train/ncg_ce_relu/run0.zarr", lambda arrays: arrays["b"].__iadd__(1))


FAULTS = {
    no_configuration: "found no .*experiment.yaml",
    damaged_configuration: "wanted a configuration",
    unfinished_configuration: "wanted a configuration",
    another_preset: "wanted results of the paper preset, found those of quick",
    other_settings: r"train/sgd.*was made with other settings than experiment.yaml has \(made by train_network\)",
    no_figure: "no figures/fig_noise_accuracy.png",
    unfinished: r"no attack/fgsm/sgd_ce_relu/run1.zarr with its manifest \(made by attack_network\)",
    damaged: "run0.zarr is damaged",
    made_from_another_network: "out of date: it was made from another network",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_what_is_not_finished_or_not_whole_is_refused_and_nothing_is_written(run, published, tmp_path, fault):
    results, out = tmp_path / "paper", tmp_path / "out"
    shutil.copytree(run, results)
    shutil.copytree(published, out)
    fault(results)
    before = files(out)
    with pytest.raises(UserError, match=FAULTS[fault]):
        publish.publish(results, "paper", out, REFERENCE)
    assert files(out) == before


def test_a_report_of_other_stores_is_refused(run, paper_config, tmp_path):
    """All stores are whole, but one was made again after the page was written."""
    results = tmp_path / "paper"
    shutil.copytree(run, results)
    change_store(results / "sensitivity/sgd_ce_relu/run0.zarr", lambda arrays: arrays["estimated"].__imul__(2))
    with pytest.raises(UserError, match=r"report.html is older than sensitivity/sgd_ce_relu/run0.zarr"):
        publish.publish(results, "paper", tmp_path / "out", REFERENCE)


def test_more_than_ten_megabytes_are_refused(run, tmp_path, monkeypatch):
    monkeypatch.setattr(publish, "LIMIT_MB", 0.05)
    with pytest.raises(UserError, match=r"wanted at most 0.05 MB to publish, found .* \(in MB: report.html"):
        publish.publish(run, "paper", tmp_path / "out", REFERENCE)
    assert files(tmp_path / "out") == {}


def test_the_command_says_what_is_wrong_without_a_traceback(tmp_path):
    command = [sys.executable, "-m", "stages.report.publish", "--preset", "paper", "--results", str(tmp_path)]
    done = subprocess.run([*command, "--out", str(tmp_path / "out")], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "error: wanted the finished results of the paper preset" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


# --- what others make of it -------------------------------------------------------------------------------------------


def test_the_summary_shows_the_published_run_beside_a_smaller_one(finished, published):
    lines = summarise.summary(finished, published / "paper")
    text = "\n".join(lines)
    assert "97.50 97.50 (98.05)" in text  # NCG, ReLU, cross-entropy
    assert "97.50 - (96.99)" in text  # the same with tanh, which was not published
    here, large = text.split("At the paper's scale, as published")
    assert "Here, at this size\nClaims of the paper: 20 hold, 0 do not hold, 0 not decided" in here
    assert re.search(r"^Claims of the paper: \d+ hold, \d+ do not hold, [1-9]\d* not decided", large, re.MULTILINE)
    assert max(len(line) for line in lines if not line.startswith("Report:")) <= 100


def test_a_published_network_can_be_attacked_with_the_shipped_digits(tmp_path, rng):
    config = configuration.load(ROOT, "quick", {"network": {"depth": 2}})
    weights = (rng.standard_normal((2, 196, 196)) / 20).astype(np.float16)
    stores.write(
        tmp_path / "networks/ncg_ce_relu.zarr",
        {"W": (("layer", "out", "in"), weights), "b": (("layer", "out"), np.zeros((2, 196), np.float16))},
        settings=stage_table.train_settings(config, "ncg_ce_relu") | {"run": 0, "rounded": "float16"},
        inputs={},
    )
    command = [sys.executable, "-m", "stages.attack.attack_published", "--networks", str(tmp_path / "networks")]
    command += ["--out", str(tmp_path / "out"), "--images", "40", "--attack", "fgsm"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "ncg_ce_relu, 2 layers: reads" in done.stdout
    assert "of 2,000 test digits correctly" in done.stdout
    found = stores.read(tmp_path / "out/attack/fgsm/ncg_ce_relu.zarr")
    assert f"fgsm attack on {found.sizes['sample']} that it reads correctly" in done.stdout
    assert found.sizes["sample"] > 0
    done = subprocess.run([*command, "--network", "nobody"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "there are: ncg_ce_relu" in done.stderr


def test_the_networks_that_make_attack_published_names_are_those_that_are_published():
    makefile = (ROOT / "Makefile").read_text()
    assert f"NETWORK ?= {publish.NETWORKS[0]}" in makefile
    assert attack_published.NETWORKS.as_posix() == "workflow/published/networks"
