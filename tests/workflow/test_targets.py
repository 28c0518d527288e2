"""What a user can ask for: named targets, lockstep, messages without tracebacks, a clean lint."""

import shutil

import pytest
from kit.snakemake_project import tiny_project

TARGETS = ["data", "train", "noise", "sensitivity", "solvers", "attacks", "tables", "figures", "claims", "report"]
TARGETS += ["playground"]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """The project before its first run."""
    return tiny_project(tmp_path_factory.mktemp("fresh"))


def test_every_named_target_can_be_asked_for(fresh):
    result = fresh.snakemake("-n", *TARGETS)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "train_network" in result.stdout + result.stderr


def test_a_plan_is_not_searched_for_garbage_while_it_is_made(tmp_path):
    project = tiny_project(tmp_path)
    with open(project.folder / "Snakefile", "a") as file:
        file.write('\nimport gc\ngc.callbacks.append(lambda phase, about: print(phase, about["generation"]))\n')
    result = project.snakemake("-n")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "start 0" not in result.stdout + result.stderr, "young objects were searched"


def test_lockstep_trains_all_runs_of_a_model_in_one_job(fresh):
    jobs = fresh.planned("execution={lockstep: true}", "training={runs: 3}")
    assert len([job for job in jobs if job.startswith("train_network")]) == 4
    assert len([job for job in jobs if job.startswith("evaluate_noise")]) == 9


def test_in_lockstep_a_trainer_with_fewer_runs_has_jobs_of_its_own(fresh):
    jobs = fresh.planned("execution={lockstep: true}", "training={runs: 3}", "trainers={ncg: {runs: 2}}")
    trained = sorted(job for job in jobs if "ncg_ce_tanh" in job and "train" in job)
    assert trained == ["train_network: ncg_ce_tanh, run 0", "train_network: ncg_ce_tanh, run 1"]
    assert "train_network: sgd_ce_tanh, run 0 1 2" in jobs


def test_in_lockstep_a_reading_is_trained_once_too(fresh):
    jobs = fresh.planned("execution={lockstep: true}", "training={runs: 3}", "models={readings: [sgd-once_ce_tanh]}")
    assert [job for job in jobs if "sgd-once" in job and "train" in job] == ["train_network: sgd-once_ce_tanh, run 0"]
    assert "train_network: ncg_ce_tanh, run 0 1 2" in jobs


def test_stores_with_the_longest_names_are_planned_whoever_made_them(fresh):
    """A name may have 60 letters: the path of an attack's manifest then has more bytes than a file's name may have."""
    rest = "-".join(map(str, range(100, 200)))[:59]  # not the same letter again and again, which Snakemake refuses
    trainer, loss, attack = (letter + rest for letter in "nla")
    names = [
        f"trainers={{{trainer}: {{method: ncg, gradient: l2, solver: euler, weight_decay: 0.0, epochs: 1}}}}",
        f"losses={{{loss}: {{mu1: 1.0, mu2: 0.0, mu3: 0.0}}}}",
        f"models={{own: [{trainer}_{loss}_tanh]}}",
        f"attack={{trainers: [{trainer}], attacks: {{{attack}: {{method: fgsm, loss: ce}}}}}}",
    ]
    manifest = fresh.folder / f"results/smoke/attack/{attack}/{trainer}_{loss}_tanh/run0.json"
    assert len(str(manifest.relative_to(fresh.folder))) > 192
    manifest.parent.mkdir(parents=True)
    manifest.write_text('{"digest": "", "settings": {"of": "somebody"}, "inputs": {}}')
    try:
        assert f"attack_network: {attack} on {trainer}_{loss}_tanh, run 0" in fresh.planned(*names)
    finally:
        shutil.rmtree(fresh.folder / "results")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("data={side: 99}", "data.side: wanted at most 28"),
        ("preset=nonsense", "wanted one of beyond, fashion, paper, quick, readings, smoke, found 'nonsense'"),
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


@pytest.mark.parametrize("store", ["train/ncg_ce_tanh/run77", "attack/fgsm/sgd_l2_tanh/run0"])
def test_a_store_that_the_experiment_does_not_have_gets_a_message(fresh, store):
    result = fresh.snakemake("-n", f"results/smoke/{store}.zarr")
    text = result.stdout + result.stderr
    assert result.returncode != 0
    assert f"wanted a store of this experiment, found results/smoke/{store}.zarr" in text
    assert "KeyError" not in text


def test_a_missing_data_file_fails_with_its_log_and_leaves_nothing(fresh):
    files = "{train_images: a, train_labels: b, test_images: c, test_labels: d}"
    result = fresh.snakemake("data", config=[f"data={{origin: files, files: {files}}}"])
    text = result.stdout + result.stderr
    assert result.returncode != 0
    assert "error:" in text
    assert "Traceback (most recent call last)" not in text
    assert not (fresh.folder / "results/smoke/data/raw").exists()
