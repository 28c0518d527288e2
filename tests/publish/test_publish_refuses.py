"""Publishing refuses what is not finished, not whole or too large, and then writes nothing."""

import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
import yaml
from kit import drawing
from kit.project_copy import ROOT
from kit.publishing import REFERENCE, change_store, files

from stages.plan import experiment
from stages.publish import publish
from stages.runtime.errors import UserError
from stages.storage import stores


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


def table_older_than_the_list_of_networks(results):
    config = yaml.safe_load((results / "experiment.yaml").read_text())
    models = [model for model in experiment.table2_models(config) if model != "ncg_ce_relu"]
    table = results / "tables/table2_accuracy.csv"
    drawing.tabulate(results, config, table.stem, [table], models=models)


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
    table_older_than_the_list_of_networks: "table2_accuracy.csv shows 0 of 2 runs of ncg_ce_relu",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_what_is_not_finished_or_not_whole_is_refused_and_nothing_is_written(paper_run, published, tmp_path, fault):
    results, out = tmp_path / "paper", tmp_path / "out"
    shutil.copytree(paper_run, results)
    shutil.copytree(published, out)
    fault(results)
    before = files(out)
    with pytest.raises(UserError, match=FAULTS[fault]):
        publish.publish(results, "paper", out, REFERENCE)
    assert files(out) == before


def test_a_report_of_other_stores_is_refused(paper_run, paper_config, tmp_path):
    """All stores are whole, but one was made again after the page was written."""
    results = tmp_path / "paper"
    shutil.copytree(paper_run, results)
    change_store(results / "sensitivity/sgd_ce_relu/run0.zarr", lambda arrays: arrays["estimated"].__imul__(2))
    with pytest.raises(UserError, match=r"report.html is older than sensitivity/sgd_ce_relu/run0.zarr"):
        publish.publish(results, "paper", tmp_path / "out", REFERENCE)


def test_more_than_ten_megabytes_are_refused(paper_run, tmp_path, monkeypatch):
    monkeypatch.setattr(publish, "LIMIT_MB", 0.05)
    with pytest.raises(UserError, match=r"wanted at most 0.05 MB to publish, found .* \(in MB: report.html"):
        publish.publish(paper_run, "paper", tmp_path / "out", REFERENCE)
    assert files(tmp_path / "out") == {}


def test_the_command_says_what_is_wrong_without_a_traceback(tmp_path):
    command = [sys.executable, "-m", "stages.publish.publish", "--preset", "paper", "--results", str(tmp_path)]
    done = subprocess.run([*command, "--out", str(tmp_path / "out")], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "error: wanted the finished results of the paper preset" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_an_unknown_preset_is_told_which_there_are():
    with pytest.raises(UserError, match="wanted one of beyond, fashion, paper, quick, readings, smoke, found 'papr'"):
        publish.main(SimpleNamespace(preset="papr"))
