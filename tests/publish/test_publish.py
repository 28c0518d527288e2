"""Publishing: everything that is worth showing and nothing else."""

import csv
import json
import re
import shutil

import pytest
import yaml
from kit.project_copy import ROOT
from kit.publishing import FOLDER_OF_MINE, REFERENCE, files

from stages.config import configuration
from stages.plan import stage_settings, stage_table
from stages.publish import publish
from stages.report import differences, summarise
from stages.runtime.errors import UserError
from stages.storage import stores

COUNTED = r"\d+ holds?, \d+ holds? in part, (\d+ (is|are) reversed, )?\d+ do(es)? not hold, and "


def test_everything_that_people_look_at_is_there_and_nothing_else(paper_run, published):
    wanted = {"report.html", "experiment.yaml", "claims.csv", "claims.md", "claims_in_detail.csv", "levels.csv"}
    wanted |= {str(path.relative_to(paper_run)) for path in [*paper_run.glob("tables/*"), *paper_run.glob("figures/*")]}
    named = {"tables/table1_solvers.tex", "figures/fig_noise_accuracy.png", "figures/fig_noise_accuracy.pdf"}
    assert named < wanted
    found = files(published / "paper")
    assert set(found) == wanted | {"README.md", "networks.csv"}
    for name in wanted:
        assert found[name] == (paper_run / name).read_bytes()
    assert sorted(path.name for path in published.iterdir()) == ["networks", "paper", "stores"]
    packed = {path.name for path in (published / "stores/paper").iterdir()}
    assert packed == {f"{model}.zip" for model in ("sgd_ce_relu", "ncg_ce_relu", "ncg-euler20_l2_tanh")}


def test_every_network_has_a_line_with_what_it_takes_to_make_it_again(paper_run, published, paper_config):
    with open(published / "paper/networks.csv", newline="") as file:
        rows = {(row["model"], row["run"]): row for row in csv.DictReader(file)}
    assert len(rows) == 3 * 2
    row, path = rows["ncg-euler20_l2_tanh", "1"], paper_run / "train/ncg-euler20_l2_tanh/run1.zarr"
    store = stores.read(path)
    assert [float(each) for each in row["test_accuracy_by_epoch"].split()] == pytest.approx(
        store["test_accuracy"].values, rel=1e-5
    )
    assert row["seconds_by_epoch"] == "2 2"
    assert row["digest"] == stores.read_manifest(path)["digest"]
    assert row["commit"] == store.attrs["commit"]
    assert json.loads(row["settings"]) == stage_settings.train_settings(paper_config, "ncg-euler20_l2_tanh") | {
        "run": 1
    }


def test_the_readme_says_what_ran_what_it_cost_and_what_is_missing(published):
    text = (published / "paper/README.md").read_text()
    assert "Paper preset: 6 layers, 400 training digits, 1 epoch, 2 runs." in text
    assert re.search(
        rf"Of the paper's 29 claims, {COUNTED}\d+ (is|are) not decided",
        text,
    )
    assert re.search(r"^- C08, .*: not run: ncg-sobolev_ce_tanh", text, re.MULTILINE)
    assert "| ncg_ce_relu | 0 |" in text
    assert "Not run, although part of the paper: sgd_ce_tanh, " in text
    assert "| runs of each model | 2 | 5 | `training.runs` |" in text
    assert "| train | 1 | 1 min | 1 min | 312 MB |" in text
    assert "\n2 core-hours, as Snakemake measured" in text
    assert "Backend: numpy." in text
    assert "--configfile workflow/published/paper/experiment.yaml" in text
    assert not [line for line in text.splitlines() if line.startswith("|") and not line.endswith("|")]


def test_nothing_of_this_machine_is_told(published):
    for name, content in files(published).items():
        assert FOLDER_OF_MINE.encode() not in content, name
        assert str(ROOT).encode() not in content, name


def test_what_the_paper_has_and_was_not_run_is_listed(config):
    assert differences.not_run(config, REFERENCE) == []
    config["models"]["table2"]["trainers"] = ["sgd", "ncg", "ncg-sobolev"]
    config["models"]["table1"] = ["ncg-euler20_l2_tanh"]
    del config["attack"]["attacks"]["pgd-0.06"]
    missing = differences.not_run(config, REFERENCE)
    assert sorted(missing) == sorted(
        [
            f"{trainer}-wd_{loss}_{activation}"
            for trainer in ("sgd", "ncg")
            for loss in ("ce", "l2")
            for activation in ("relu", "tanh")
        ]
        + ["Table 1, trained with ode45", "attack pgd-0.06"]
    )


def test_a_setting_of_which_the_paper_is_silent_is_told_where_it_is_not_the_usual_one(paper_config, published):
    usual = configuration.load(ROOT, "paper")
    loose = configuration.load(ROOT, "paper", {"ode45": {"atol": 1e-3}, "training": {"runs": 1}})
    _, unstated, _ = differences.compare(loose, REFERENCE / "settings.csv")
    (found,) = differences.unlike(unstated, usual)
    assert (found.key, found.ours, found.paper) == ("ode45.atol", "0.001", "1e-06")
    text = (published / "paper/README.md").read_text()
    assert f"| images of the sensitivity figures | {paper_config['sensitivity']['images']} | 10,000 |" in text


def test_the_published_configuration_makes_the_same_experiment(published, paper_config):
    again = configuration.load(ROOT, overrides=yaml.safe_load((published / "paper/experiment.yaml").read_text()))
    wanted, found = list(stage_table.stores(paper_config)), list(stage_table.stores(again))
    assert found[1:] == wanted[1:]  # data/raw was told where this machine has MNIST


def test_the_project_s_readme_opens_with_what_was_found(paper_run, tmp_path):
    readme = tmp_path / "README.md"
    shutil.copyfile(ROOT / "README.md", readme)
    for _ in range(2):  # again, since a later run takes the place of an earlier one
        publish.publish(paper_run, "paper", tmp_path / "out", REFERENCE, readme=readme)
        before, found, after = re.split(f"{publish.BEGIN}|{publish.END}", readme.read_text())
        assert re.search(
            rf"of the paper's 29 claims, {COUNTED}\d+ (is|are) not decided",
            found,
        )
        assert "| ncg | ce | relu |" in found
        assert "published/paper/figures/fig_noise_accuracy.png" in found
        assert re.search(r"\d+ of its networks, solvers and attacks have not been run yet", found)
        assert "| sgd-wd |" not in found
    old_before, _, old_after = re.split(f"{publish.BEGIN}|{publish.END}", (ROOT / "README.md").read_text())
    assert (before, after) == (old_before, old_after)


def test_a_readme_without_its_marks_is_refused_and_nothing_is_written(paper_run, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text((ROOT / "README.md").read_text().replace(publish.END, ""))
    with pytest.raises(UserError, match=r"README.md: wanted the lines <!-- .* -->, one each; put them back"):
        publish.publish(paper_run, "paper", tmp_path / "out", REFERENCE, readme=readme)
    assert files(tmp_path / "out") == {}


def test_the_summary_shows_the_published_run_beside_a_smaller_one(finished, published):
    lines = summarise.summary(finished, published / "paper")
    text = "\n".join(lines)
    assert "97.50 97.50 (98.05)" in text  # NCG, ReLU, cross-entropy
    assert "97.50 - (96.99)" in text  # the same with tanh, which was not published
    here, large = text.split("At the paper's scale, as published")
    assert (
        "Here, at this size\nClaims of the paper: 29 hold, 0 hold in part, 0 do not hold, and 0 are not decided" in here
    )
    assert re.search(
        rf"^Claims of the paper: {COUNTED}[1-9]\d* (is|are) not decided",
        large,
        re.MULTILINE,
    )
    assert max(len(line) for line in lines if not line.startswith("Report:")) <= 100
