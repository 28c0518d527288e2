"""A trainer may ask for fewer runs than the experiment has, as Table 1 does for its two costly networks."""

import pytest

from stages.config import checks, configuration
from stages.plan import exhibit, experiment, stage_table
from stages.plan.all_exhibits import FIGURES, TABLES

ONCE = {"ncg-euler20": {"runs": 1}, "ncg-ode45": {"runs": 1}, "sgd-wd": {"runs": 2}}


@pytest.fixture
def paper(root):
    """Return a function that gives the paper's experiment with three runs and these changes of its trainers."""

    def configured(trainers):
        config = configuration.load(root, "paper", {"training": {"runs": 3}, "trainers": trainers})
        checks.check(config, root)
        return config

    return configured


def test_its_models_have_the_first_runs_alone(paper):
    config = paper(ONCE)
    assert experiment.runs_of(config, "ncg-ode45_l2_tanh") == [0]
    assert experiment.runs_of(config, "sgd-wd_ce_relu") == [0, 1]
    assert experiment.runs_of(config, "sgd_ce_relu") == [0, 1, 2]
    left_out = {store.name for store in stage_table.stores(paper({}))} - {
        store.name for store in stage_table.stores(config)
    }
    assert {name for name in left_out if "ode45" in name} == {
        f"{stage}/ncg-ode45_l2_tanh/run{run}" for stage in ("train", "solvers") for run in (1, 2)
    }
    assert {name.rpartition("run")[2] for name in left_out if "sgd-wd" in name} == {"2"}


def test_more_runs_than_the_experiment_has_are_not_made(paper):
    assert experiment.runs_of(paper({"ncg": {"runs": 7}}), "ncg_ce_relu") == [0, 1, 2]


def test_results_of_a_run_stay_valid_whatever_the_number_of_runs(paper):
    with_fewer, without = paper(ONCE), paper({})
    for model in experiment.table2_models(without) + experiment.table1_models(without):
        assert stage_table.folder_settings(with_fewer, "train", model) == stage_table.folder_settings(
            without, "train", model
        )


def test_exhibits_say_how_many_runs_they_show(paper):
    config = paper(ONCE)
    settings = exhibit.settings_of(config, "table2_accuracy", TABLES["table2_accuracy"])
    assert settings["scale"]["runs"] == [2, 3]
    assert settings["runs"] == [0, 1, 2]
    assert set(settings["fewer"].values()) == {2}
    assert all(model.startswith("sgd-wd") for model in settings["fewer"])
    settings = exhibit.settings_of(config, "table1_solvers", TABLES["table1_solvers"])
    assert settings["scale"]["runs"] == 1
    assert settings["runs"] == [0]
    assert "fewer" not in settings
    assert exhibit.settings_of(config, "fig_attack_success", FIGURES["fig_attack_success"])["scale"]["runs"] == 3


def test_pairs_are_those_of_the_same_settings_though_one_is_trained_more_often(root):
    changes = {"trainers": {"ncg-own": {"runs": 1}}}
    changes |= {"models": {"own": ["ncg_ce_relu", "ncg-own_ce_relu"]}, "attack": {"trainers": ["ncg", "ncg-own"]}}
    config = configuration.load(root, "paper", changes)
    assert experiment.score_pairs(config) == [["ncg_ce_relu", "ncg-own_ce_relu"]]
