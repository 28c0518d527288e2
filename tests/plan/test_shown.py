"""Which figures and tables there are, and that each rule sees no more than it uses."""

import json

import made_up_stores
import pytest
from drawing import RECORDS, settings_of

from stages.plan import shown
from stages.plan.paper_figures import FIGURES
from stages.plan.paper_tables import TABLES

EVERYTHING = list(RECORDS)


def text(settings):
    return json.dumps(settings, sort_keys=True)


def touched(config, change):
    """Return the figures and tables whose settings a change of the configuration touches."""
    before = {name: text(settings_of(config, name)) for name in EVERYTHING}
    change(config)
    return {name for name in EVERYTHING if text(settings_of(config, name)) != before[name]}


def test_all_figures_and_tables_of_the_paper_are_there():
    assert {name for name, record in FIGURES.items() if not record.beyond} == {
        "fig_solver_accuracy",
        "fig_noise_accuracy",
        "fig_sensitivity_l2",
        "fig_sensitivity_ce",
        "fig_sensitivity_error_l2",
        "fig_sensitivity_error_ce",
        "fig_weight_norm",
        "fig_noisy_images",
        "fig_attack_success",
        "fig_attack_comparison",
        "fig_one_image",
        "fig_attack_examples_sgd",
        "fig_attack_examples_sobolev",
    }
    assert {name for name, record in TABLES.items() if not record.beyond} == {
        "table1_solvers",
        "table2_accuracy",
        "table3_cw",
        "table_attacks",
    }


def test_the_whole_experiment_has_every_figure_and_table(config):
    there = {*shown.present(config, RECORDS), *shown.present(made_up_stores.beyond_config(), RECORDS)}
    assert there == set(EVERYTHING)


def test_every_figure_can_be_read_and_heard():
    for name, record in RECORDS.items():
        assert record.caption.endswith("."), name
        assert record.words.endswith(".") or name in TABLES, name


def test_more_examples_redraw_the_figures_of_examples(config):
    found = touched(config, lambda config: config["figures"].update(examples=2))
    assert found == {"fig_attack_examples_sgd", "fig_attack_examples_sobolev", "fig_robust_examples"}


def test_another_noisy_image_redraws_one_figure(config):
    assert touched(config, lambda config: config["figures"].update(noisy_image=3)) == {"fig_noisy_images"}


def test_another_resolution_redraws_all_figures_and_no_table(config):
    assert touched(config, lambda config: config["figures"].update(dpi=300)) == set(FIGURES)


def test_other_tolerances_of_ode45_touch_only_what_shows_them(config):
    found = touched(config, lambda config: config["ode45"].update(rtol=1e-4))
    assert found == {"fig_solver_accuracy", "table1_solvers"}


@pytest.mark.parametrize("block", ["claims", "execution"])
def test_neither_thresholds_nor_the_machine_touch_what_does_not_show_them(config, block):
    def change(config):
        config[block] = {"attack_norm": 0.7}

    at_the_norm = {"table_attacks", "table_robustness", "table_convolutions", "fig_robustness"}
    assert touched(config, change) == (at_the_norm if block == "claims" else set())


def test_an_experiment_without_sgd_leaves_out_what_shows_it_alone(config):
    config["models"]["table2"]["trainers"] = ["ncg", "ncg-sobolev"]
    config["attack"]["trainers"] = ["ncg", "ncg-sobolev"]
    names = list(shown.present(config, RECORDS))
    assert "fig_attack_examples_sgd" not in names
    assert "fig_attack_examples_sobolev" in names
    assert "fig_noise_accuracy" in names


def test_an_experiment_without_attacks_leaves_out_their_figures_and_table(config):
    config["attack"]["attacks"] = {}
    names = list(shown.present(config, RECORDS))
    assert not [name for name in names if "attack" in name or name in ("fig_one_image", "table3_cw", "table_attacks")]
    assert "table2_accuracy" in names


def test_the_order_of_attacks_survives_sorted_json(config):
    settings = settings_of(config, "fig_attack_comparison")
    assert settings["attacks"] == ["sensitivity", "sensitivity-targeted", "pgd-0.06", "pgd-0.6", "fgsm"]


def test_an_attack_towards_a_class_is_left_out_where_all_attacks_are_taken_together():
    """It leaves out the images of that class: the others' images are not its images."""
    towards = {"method": "sensitivity", "target": 3, "kappa": 1.0, "step": 0.06, "iterations": 15}
    config = made_up_stores.configuration.load(
        made_up_stores.ROOT, "beyond", {"attack": {"attacks": {"to-3": towards}}}
    )
    for name in ("fig_robustness", "table_robustness"):
        assert "to-3" not in settings_of(config, name)["attacks"]
        assert "sensitivity-targeted" in settings_of(config, name)["attacks"]
    assert "to-3" in settings_of(config, "table_attacks")["attacks"]
