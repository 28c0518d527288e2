"""What a user can ask for: named targets, lockstep, messages without tracebacks, a clean lint."""

import pytest
from snakemake_project import tiny_project

TARGETS = ["data", "train", "noise", "sensitivity", "solvers", "attacks", "tables", "figures", "claims", "report"]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """The project before its first run."""
    return tiny_project(tmp_path_factory.mktemp("fresh"))


def test_every_named_target_can_be_asked_for(fresh):
    result = fresh.snakemake("-n", *TARGETS)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "train_network" in result.stdout + result.stderr


def test_lockstep_trains_all_runs_of_a_model_in_one_job(fresh):
    jobs = fresh.planned("execution={lockstep: true}", "training={runs: 3}")
    assert len([job for job in jobs if job.startswith("train_network")]) == 4
    assert len([job for job in jobs if job.startswith("evaluate_noise")]) == 9


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("preset=nonsense", "wanted one of beyond, paper, quick, smoke, found 'nonsense'"),
        ("network={depth: -3}", "network.depth: wanted a whole number at least 1"),
        ("netwrk={depth: 3}", "netwrk: unknown key; did you mean network?"),
        ("models={own: [ncg_ce_elu]}", "found 'elu'"),
    ],
)
def test_a_wrong_configuration_gets_a_message_and_no_traceback(fresh, config, message):
    result = fresh.snakemake("-n", config=[config])
    text = result.stdout + result.stderr
    assert result.returncode != 0
    assert message in text
    assert "Traceback" not in text


def test_an_unknown_target_gets_a_message(fresh):
    result = fresh.snakemake("-n", "nonsense")
    assert result.returncode != 0
    assert "nonsense" in result.stdout + result.stderr
    assert "Traceback" not in result.stdout + result.stderr


def test_a_missing_data_file_fails_with_its_log_and_leaves_nothing(fresh):
    files = "{train_images: a, train_labels: b, test_images: c, test_labels: d}"
    result = fresh.snakemake("data", config=[f"data={{origin: files, files: {files}}}"])
    text = result.stdout + result.stderr
    assert result.returncode != 0
    assert "error:" in text
    assert "Traceback (most recent call last)" not in text
    assert not (fresh.folder / "results/smoke/data/raw").exists()
