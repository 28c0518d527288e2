"""Twins listed under models.beside are trained once and shown only where pairs are compared."""

import pytest

from stages.config import checks, configuration
from stages.plan import exhibit, experiment, selection, stage_table
from stages.plan.all_exhibits import FIGURES, TABLES
from stages.runtime.errors import UserError

TWINS = ["sgd-own_ce_relu", "ncg-own_ce_relu"]


@pytest.fixture
def paper(root):
    """Return a function that gives the paper's experiment with these models beside it."""

    def configured(beside, runs=3):
        config = configuration.load(root, "paper", {"training": {"runs": runs}, "models": {"beside": beside}})
        checks.check(config, root)
        return config

    return configured


def names(config):
    return {store.name for store in stage_table.stores(config)}


def test_a_model_with_two_robust_twins_is_shown_once(root):
    robust = {"radius": 0.2, "steps": 1, "from_batch": 20, "share": 0.6}
    sgd = configuration.load(root, "paper")["trainers"]["sgd"]
    changes = {
        "trainers": {"sgd-near": sgd | {"robust": robust}, "sgd-far": sgd | {"robust": robust | {"radius": 1.0}}}
    }
    changes |= {"attack": {"trainers": ["sgd", "sgd-near", "sgd-far"]}}
    changes |= {"models": {"own": ["sgd-near_ce_relu", "sgd-far_ce_relu"]}}
    config = configuration.load(root, "paper", changes)
    assert selection.robust_pairs(config) == ["sgd_ce_relu", "sgd-near_ce_relu", "sgd-far_ce_relu"]


def test_a_twin_is_trained_once_evaluated_under_noise_and_attacked_as_the_others_are(paper):
    more = names(paper(TWINS)) - names(paper([]))
    assert {name.rpartition("/")[0].partition("/")[0] for name in more} == {"train", "noise", "attack"}
    assert all(name.endswith("/run0") and any(twin in name for twin in TWINS) for name in more)
    attacks = paper([])["attack"]["attacks"].keys() - {
        "sensitivity-targeted",
        "cw",
        "cw-softmax",
    }
    assert {name.split("/")[1] for name in more if name.startswith("attack")} == attacks
    assert len(more) == len(TWINS) * (2 + len(attacks))


def test_only_the_exhibits_of_pairs_show_them(paper):
    with_twins, without = paper(TWINS, 1), paper([], 1)
    shown = exhibit.present(with_twins, FIGURES | TABLES)
    before = exhibit.present(without, FIGURES | TABLES)
    assert shown.keys() - before.keys() == {"fig_own_scores", "table_own_scores"}
    changed = {
        name
        for name, record in before.items()
        if exhibit.settings_of(with_twins, name, record) != exhibit.settings_of(without, name, record)
    }
    assert not changed


def test_an_exhibit_shows_the_only_run_of_a_twin_beside_all_runs_of_the_others(paper):
    config = paper(TWINS)
    settings = exhibit.settings_of(config, "fig_own_scores", FIGURES["fig_own_scores"])
    assert settings["pairs"] == [["sgd_ce_relu", "sgd-own_ce_relu"], ["ncg_ce_relu", "ncg-own_ce_relu"]]
    assert (settings["runs"], settings["fewer"]) == ([0, 1, 2], dict.fromkeys(TWINS, 1))
    read = set(exhibit.inputs_of(config, FIGURES["fig_own_scores"]))
    assert {run for _, model, run in read if model in TWINS} == {0}
    assert {run for _, model, run in read if model == "sgd_ce_relu"} == {0, 1, 2}


def test_claims_may_use_twins_and_other_models_keep_their_settings(paper):
    assert set(TWINS) <= set(stage_table.judged_models(paper(TWINS))["train"])
    for model in experiment.table2_models(paper([])):
        one, other = (stage_table.folder_settings(config, "train", model) for config in (paper(TWINS), paper([])))
        assert one == other


@pytest.mark.parametrize(
    ("model", "attacked", "message"),
    [
        ("sgd-once_ce_relu", ["sgd"], "sgd-once_ce_relu is a reading of sgd_ce_relu: list it under models.readings"),
        ("sgd-own_ce_relu", ["ncg"], "wanted the twin of an attacked model, .* found 'sgd-own_ce_relu'"),
        ("sgd-own_ce", ["sgd"], "wanted <trainer>_<loss>_<activation>, found 'sgd-own_ce'"),
    ],
)
def test_a_model_that_is_the_twin_of_none_is_refused(root, model, attacked, message):
    config = configuration.load(root, "paper", {"models": {"beside": [model]}, "attack": {"trainers": attacked}})
    with pytest.raises(UserError, match=f"models.beside: {message}"):
        checks.check(config, root)
