"""The workflow at home anywhere: another working directory, and as a module of another workflow."""

import os
import shutil
import subprocess

import pytest
import yaml
from kit import forked_snakemake
from kit.project_copy import ROOT, digests

# One network of the tiny experiment is enough to compare.
ONE = {
    **yaml.safe_load((ROOT / "tests/workflow/tiny.yaml").read_text()),
    "models": {"table1": [], "table2": {"trainers": ["ncg"], "losses": ["ce"], "activations": ["tanh"]}},
}
ONE["attack"]["trainers"] = ["ncg"]


def snakemake(*words, folder):
    done = forked_snakemake.run("--cores", "2", "--quiet", "progress", *words, folder=folder)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """An empty working directory in which the noise stage ran with nothing copied."""
    folder = tmp_path_factory.mktemp("elsewhere")
    one = folder.with_suffix(".yaml")
    one.write_text(yaml.safe_dump(ONE))
    words = ["--snakefile", ROOT / "Snakefile", "--directory", folder, "--configfile", one, "--config", "preset=smoke"]
    status, said = snakemake(*words, "--", "noise", folder=folder.parent)
    assert status == 0, said
    return folder


def test_a_working_directory_needs_nothing_of_the_project(elsewhere):
    assert sorted(path.name for path in elsewhere.iterdir()) == [".snakemake", "results"]
    assert len(digests(elsewhere)) == 4  # raw, digits, a network, its noise


@pytest.mark.parametrize("entry", ["Snakefile", "workflow/Snakefile"])
def test_its_own_config_file_wins(tmp_path, entry):
    config = yaml.safe_load((ROOT / "config.yaml").read_text())
    config["preset"] = "smoke"
    config["models"]["table2"]["trainers"] = ["ncg"]
    config["attack"]["trainers"] = ["ncg"]
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config))
    status, said = snakemake("--snakefile", ROOT / entry, "-n", "train", folder=tmp_path)
    assert status == 0, said
    assert "ncg_ce_tanh" in said
    assert "sgd" not in said


def test_somebody_elses_config_file_is_named_with_what_does_not_fit(tmp_path):
    (tmp_path / "config.yaml").write_text("samples: units.tsv\ntrimming: {activate: true}\n")
    status, said = snakemake("--snakefile", ROOT / "Snakefile", "-n", folder=tmp_path)
    assert status != 0
    assert f"preset: missing; {tmp_path / 'config.yaml'} takes the place of the project's" in " ".join(said.split())
    assert "Traceback" not in said
    (tmp_path / "config.yaml").write_text("preset: smoke\nsamples: units.tsv\n")
    status, said = snakemake("--snakefile", ROOT / "Snakefile", "-n", folder=tmp_path)
    assert status != 0
    assert "the configuration does not fit (config.yaml" in said
    assert "samples: unknown key" in said
    assert "training.iterations: missing" in said
    assert "Traceback" not in said


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_that_cannot_be_written_is_said_to_be_so(tmp_path):
    tmp_path.chmod(0o500)
    status, said = snakemake("--snakefile", ROOT / "Snakefile", "-n", folder=tmp_path)
    assert status != 0
    assert "--directory" in said


MODULE = """
module snode:
    snakefile: "{root}/Snakefile"
    config: {config}
    prefix: "digits"


use rule * from snode as snode_*


rule summary:
    default_target: True
    input:
        rules.snode_noise.input,
    output:
        "summary.txt",
    shell:
        "ls {{input}} > {{output}}"
"""


def test_as_a_module_it_makes_the_same_stores_under_the_users_prefix(tmp_path, elsewhere):
    (tmp_path / "config.yaml").write_text("samples: units.tsv\n")  # the user's own, which is not ours
    (tmp_path / "Snakefile").write_text(MODULE.format(root=ROOT, config=ONE | {"preset": "smoke"}))
    status, said = snakemake(folder=tmp_path)
    assert status == 0, said
    assert (tmp_path / "summary.txt").exists()
    assert digests(tmp_path / "digits") == digests(elsewhere)
    status, said = snakemake(folder=tmp_path)
    assert status == 0
    assert "Nothing to be done" in said


def test_half_a_configuration_of_a_module_gets_a_message(tmp_path):
    (tmp_path / "Snakefile").write_text(MODULE.format(root=ROOT, config=ONE | {"preset": "smoke", "seeds": 3}))
    status, said = snakemake("-n", folder=tmp_path)
    assert status != 0
    assert "seeds: unknown key; did you mean seed?" in said
    assert "Traceback" not in said


def test_a_module_that_is_no_clone_on_disk_gets_a_message(tmp_path):
    repository = tmp_path / "repository"
    repository.mkdir()
    shutil.copy(ROOT / "Snakefile", repository)
    who = ["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]
    for words in (["init", "--quiet"], ["add", "Snakefile"], ["commit", "--quiet", "--message=one"], ["tag", "v1"]):
        subprocess.run(["git", *who, *words], cwd=repository, check=True)
    module = MODULE.format(root=f"git+file://{repository}", config={})
    (tmp_path / "Snakefile").write_text(module.replace("/Snakefile", "/Snakefile@v1"))
    status, said = snakemake("-n", folder=tmp_path)
    assert status != 0
    assert "wanted a clone of this project on disk, found git+file://" in said
    assert "Traceback" not in said
