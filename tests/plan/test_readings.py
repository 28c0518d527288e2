"""Readings: which models they are, what is made of them, and that nothing of the paper's grid knows of them."""

import json

import pytest
import yaml

from stages.config import checks, configuration
from stages.plan import exhibit, experiment, readings, stage_settings, stage_table
from stages.plan.all_exhibits import FIGURES, TABLES
from stages.plan.costs import experiment_jobs
from stages.runtime.errors import UserError

HEAD = {"reads": "cw", "outputs": "softmax-all"}
LISTED = ["sgd-once_l2_tanh", "sgd_ce0_relu", "ncg_ce_relu"]
CHANGES = {"training": {"runs": 3}, "models": {"readings": LISTED}, "attack": {"attacks": {"cw-all": HEAD}}}


@pytest.fixture
def config(root):
    config = configuration.load(root, "smoke", CHANGES)
    checks.check(config, root)
    return config


def test_a_reading_is_compared_with_the_row_that_its_trainer_and_its_loss_read(config):
    rows = {model: readings.row_of(config, model) for model in LISTED}
    assert rows == {"sgd-once_l2_tanh": "sgd_l2_tanh", "sgd_ce0_relu": "sgd_ce_relu", "ncg_ce_relu": "ncg_ce_relu"}
    assert [readings.is_reading(config, model) for model in LISTED] == [True, True, False]
    assert readings.shown_models(config) == ["sgd_l2_tanh", LISTED[0], "sgd_ce_relu", LISTED[1], LISTED[2]]


def test_a_reading_is_trained_once_and_only_what_its_table_shows_is_made_of_it(config):
    names = {store.name for store in stage_table.stores(config)}
    attacks = {f"attack/{name}" for name in ("sensitivity", "pgd-0.06", "cw", "cw-softmax", "cw-all")}
    for model in LISTED[:2]:
        made = {name for name in names if f"/{model}/" in name}
        assert made == {f"{folder}/{model}/run0" for folder in {"train", "noise", *attacks}}
    assert {f"train/ncg_ce_relu/run{run}" for run in range(3)} <= names
    jobs = {"/".join(map(str, job[:2])) + f"/run{job[2]}" for job in experiment_jobs(config)}
    beyond = {name for name in names if name.startswith(("data/", "uncertainty/"))}
    assert jobs == names - beyond


def test_a_reading_of_an_attack_is_made_on_the_listed_models_alone(config):
    assert stage_table.folder_models(config)["attack/cw-all"] == ["ncg_ce_relu", *LISTED[:2]]
    assert len(stage_table.folder_models(config)["attack/cw"]) == 12 + 2


def test_what_something_reads_is_no_setting_of_a_store(config):
    stores = json.dumps([(store.settings, store.inputs) for store in stage_table.stores(config)])
    assert '"reads"' not in stores
    row, reading = (stage_settings.train_settings(config, f"sgd{name}_l2_tanh") for name in ("", "-once"))
    assert reading == row | {"iterations": 1}


def test_a_reading_is_as_its_row_in_what_it_does_not_say(root):
    """Also in what a preset or the command line says of the row, and however often the configuration is read."""
    changes = {"trainers": {"sgd": {"epochs": 7}}, "attack": {"attacks": {"mine": HEAD}}}
    config = configuration.load(root, "smoke", changes)
    assert config["trainers"]["sgd-once"] == config["trainers"]["sgd"] | {"reads": "sgd", "iterations": 1}
    assert config["losses"]["ce0"] == config["losses"]["ce"] | {"reads": "ce", "mu3": 0.0}
    assert config["attack"]["attacks"]["mine"] == config["attack"]["attacks"]["cw"] | HEAD
    assert configuration.load(root, overrides=config) == config


def test_the_stores_of_other_models_are_the_same_with_readings_and_without(root, config):
    without = configuration.load(root, "smoke", {"training": {"runs": 3}})
    before = {store.name: store for store in stage_table.stores(without)}
    after = {store.name: store for store in stage_table.stores(config)}
    assert before == {name: after[name] for name in before}
    assert {name.split("/")[-2] for name in set(after) - set(before)} == set(LISTED)


def test_figures_and_tables_of_the_paper_show_no_reading(config):
    for name, record in exhibit.present(config, FIGURES | TABLES).items():
        if "readings" in name:
            continue
        shown = {(folder, model) for folder, model, _ in exhibit.inputs_of(config, record)}
        assert not {model for _, model in shown} & set(LISTED[:2]), name
        assert "attack/cw-all" not in {folder for folder, _ in shown}, name


def test_claims_may_look_at_no_reading(config):
    judged = stage_table.judged_models(config)
    assert "attack/cw-all" not in judged
    assert {model for models in judged.values() for model in models} == {
        *experiment.table2_models(config),
        *experiment.table1_models(config),
    }


def test_what_the_verdicts_follow_from_is_the_same_with_readings_and_without(root, config):
    without = configuration.load(root, "smoke", {"training": {"runs": 3}})
    assert exhibit.claims_settings(config) == exhibit.claims_settings(without)
    assert '"reads"' not in json.dumps(exhibit.claims_settings(config))


def test_a_trainer_may_have_batches_of_its_own(root):
    config = configuration.load(root, "smoke", {"models": {"readings": ["ncg-random_ce_tanh"]}})
    random, usual = (stage_settings.train_settings(config, f"ncg{name}_ce_tanh") for name in ("-random", ""))
    assert random == usual | {"batches": "random"}


def test_the_readings_at_the_papers_scale_fit_and_cover_the_rate_of_all_four_networks(root):
    config = configuration.load(root, overrides=yaml.safe_load((root / "workflow/readings.yaml").read_text()))
    checks.check(config, root)
    assert config["preset"] == "paper"
    listed = experiment.readings(config)
    for trainer in ("sgd-rate-0.001", "sgd-exp-0.001"):
        assert {f"{trainer}_{loss}_{name}" for loss in ("ce", "l2") for name in ("relu", "tanh")} <= set(listed)
    assert all(readings.is_reading(config, model) for model in listed)


def test_the_preset_tries_the_same_trainers_on_small_networks(root):
    """What it lists is in the list of the paper's scale too, or a network of Table 2."""
    config = configuration.load(root, "readings")
    checks.check(config, root)
    whole = configuration.load(root, overrides=yaml.safe_load((root / "workflow/readings.yaml").read_text()))
    listed, table2 = experiment.readings(config), experiment.table2_models(config)
    assert not set(listed) - set(experiment.readings(whole)) - set(table2)
    assert len([model for model in listed if readings.is_reading(config, model)]) >= 10
    assert {"fig_readings", "table_readings"} <= set(exhibit.present(config, FIGURES | TABLES))
    heads = {name for name in config["attack"]["attacks"] if readings.reads_an_attack(config, name)}
    assert heads == {name for name in whole["attack"]["attacks"] if readings.reads_an_attack(whole, name)}


BAD = {
    "unknown row": (
        {"trainers": {"sgd-once": {"reads": "adam"}}},
        r"trainers\.sgd-once\.reads: wanted the trainer of a row of the paper \(sgd, sgd-wd, ncg, .*\), found 'adam'",
    ),
    "a reading of a reading": (
        {"trainers": {"sgd-once": {"reads": "sgd-root"}}},
        r"trainers\.sgd-once\.reads: wanted the trainer of a row of the paper \(.*\), found 'sgd-root'",
    ),
    "a row that reads another": (
        {"trainers": {"sgd": {"reads": "ncg"}}},
        r"trainers\.sgd\.reads: sgd is a row of the paper itself",
    ),
    "unknown loss": (
        {"losses": {"ce0": {"reads": "mse"}}},
        r"losses\.ce0\.reads: wanted the loss of a row of the paper \(ce, l2\), found 'mse'",
    ),
    "unknown attack": (
        {"attack": {"attacks": {"cw-all": HEAD | {"reads": "deepfool"}}}},
        r"attack\.attacks\.cw-all\.reads: wanted the attack of a row of the paper \(.*cw\), found 'deepfool'",
    ),
    "another method": (
        {"attack": {"attacks": {"cw-all": HEAD | {"reads": "fgsm", "method": "cw"}}}},
        r"attack\.attacks\.cw-all\.reads: wanted method: fgsm, as fgsm has it, found cw",
    ),
    "no text": ({"trainers": {"sgd-once": {"reads": 3}}}, r"trainers\.sgd-once\.reads: wanted .*, found 3"),
    "listed as one's own": (
        {"models": {"own": ["sgd-once_l2_tanh"]}},
        r"models\.own: sgd-once_l2_tanh is a reading of sgd_l2_tanh: list it under models\.readings",
    ),
    "listed in Table 2": (
        {"models": {"table2": {"losses": ["ce0"]}}},
        r"models\.table2: sgd_ce0_relu is a reading of sgd_ce_relu: list it under models\.readings",
    ),
    "no reading": (
        {"models": {"readings": ["ncg-robust_ce_relu"]}},
        r"models\.readings: wanted a model whose trainer or loss says `reads`, .*, found 'ncg-robust_ce_relu'",
    ),
    "no model": ({"models": {"readings": ["sgd-once"]}}, r"models\.readings: wanted <trainer>_<loss>_<activation>"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_reading_that_does_not_fit_is_refused_with_what_is_known(root, case):
    changes, message = BAD[case]
    with pytest.raises(UserError, match=message):
        checks.check(configuration.load(root, "smoke", changes), root)
