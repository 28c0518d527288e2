"""A trainer whose models are trained less often than the others: `runs` in its line."""

import pytest
from kit import made_up_stores

from stages.config import checks, configuration
from stages.plan import exhibit, experiment, stage_table
from stages.plan.all_exhibits import FIGURES, TABLES
from stages.publish import finished_results
from stages.runtime.errors import UserError
from stages.statistics.scale import scale_line

FEWER = {"ncg-euler20": {"runs": 1}, "ncg-ode45": {"runs": 1}, "sgd-wd": {"runs": 2}}


@pytest.fixture
def paper(root):
    """paper(trainers): the paper preset with three runs and these changes to its trainers."""
    return lambda trainers: configuration.load(root, "paper", {"training": {"runs": 3}, "trainers": trainers})


def names(config):
    return {store.name for store in stage_table.stores(config)}


def test_its_models_have_so_many_runs_and_no_store_more(paper):
    config, usual = paper(FEWER), paper({})
    checks.check(config, made_up_stores.ROOT)
    assert experiment.runs_of(config, "sgd-wd_ce_relu") == [0, 1]
    assert experiment.runs_of(config, "sgd_ce_relu") == [0, 1, 2]
    gone = names(usual) - names(config)
    assert names(config) < names(usual)
    assert {name.split("/")[-2:][0].split("_")[0] for name in gone} == set(FEWER)
    assert {name.split("/")[-1] for name in gone if "/sgd-wd_" in name} == {"run2"}
    assert {name.split("/")[-1] for name in gone if "/ncg-ode45_" in name} == {"run1", "run2"}


def test_more_than_all_others_are_as_many(paper):
    assert experiment.runs_of(paper({"sgd": {"runs": 9}}), "sgd_ce_relu") == [0, 1, 2]


def test_it_changes_no_result(paper):
    """The settings of every store, and the pairs that are compared, stay as they are."""
    config, usual = paper(FEWER | {"sgd-own": {"runs": 1}}), paper({})
    for folder, models in stage_table.folder_models(config).items():
        for model in models:
            assert stage_table.folder_settings(config, folder, model) == stage_table.folder_settings(
                usual, folder, model
            )
    for each in (config, usual):
        each["models"]["beside"] = ["sgd-own_ce_relu"]
    assert experiment.score_pairs(config) == experiment.score_pairs(usual) == [["sgd_ce_relu", "sgd-own_ce_relu"]]


def test_exhibits_show_the_runs_that_there_are_and_say_how_many(paper):
    config = paper(FEWER)
    accuracy = exhibit.settings_of(config, "table2_accuracy", TABLES["table2_accuracy"])
    assert accuracy["runs"] == [0, 1, 2]
    assert set(accuracy["fewer"].items()) == {
        (f"sgd-wd_{kind}", 2) for kind in ("ce_relu", "ce_tanh", "l2_relu", "l2_tanh")
    }
    assert scale_line(accuracy["scale"]).endswith("10 epochs, 2 to 3 runs")
    solvers = exhibit.settings_of(config, "table1_solvers", TABLES["table1_solvers"])
    assert solvers["runs"] == [0]
    assert "fewer" not in solvers
    assert scale_line(solvers["scale"]).endswith("20 epochs, 1 run")
    attacked = exhibit.settings_of(config, "fig_attack_success", FIGURES["fig_attack_success"])
    usual = paper({})
    assert attacked == exhibit.settings_of(usual, "fig_attack_success", FIGURES["fig_attack_success"])


def test_a_table_with_fewer_runs_than_asked_for_is_not_published(paper, tmp_path):
    (tmp_path / "tables").mkdir()
    rows = [
        f"{','.join(model.split('_'))},{2 if model.startswith('sgd-wd') else 3}"
        for model in experiment.table2_models(paper({}))
    ]
    (tmp_path / "tables/table2_accuracy.csv").write_text("\n".join(["trainer,loss,activation,runs", *rows]) + "\n")
    assert list(finished_results._outdated_tables(tmp_path, paper(FEWER))) == []
    assert len(list(finished_results._outdated_tables(tmp_path, paper({})))) == 4


def test_no_run_at_all_is_refused(root):
    with pytest.raises(UserError, match=r"trainers\.sgd\.runs: wanted a whole number at least 1 .*, found 0"):
        checks.check(configuration.load(root, "smoke", {"trainers": {"sgd": {"runs": 0}}}), root)


def test_pairs_are_those_of_the_same_settings_though_one_is_trained_more_often(root):
    changes = {"trainers": {"ncg-own": {"runs": 1}}}
    changes |= {"models": {"own": ["ncg_ce_relu", "ncg-own_ce_relu"]}, "attack": {"trainers": ["ncg", "ncg-own"]}}
    config = configuration.load(root, "paper", changes)
    assert experiment.score_pairs(config) == [["ncg_ce_relu", "ncg-own_ce_relu"]]
