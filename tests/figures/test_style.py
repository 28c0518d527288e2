"""One colour per trainer, one look per meaning, and names for people; also for what a user adds."""

import pytest
from kit import drawing

from stages.drawing import sensitivity_curves, style
from stages.figures import plot_convolutions
from stages.names import colours, labels
from stages.names.attacks import ATTACKS
from stages.names.trainers import TRAINERS
from stages.statistics import runs

PLAIN = {"method": "ncg", "gradient": "l2", "solver": "euler", "weight_decay": 0.0}
DECAY = PLAIN | {"weight_decay": 1e-8}


def test_weight_decay_keeps_the_trainers_colour_and_adds_dashes():
    given = style.trainer_colours(["ncg-wd", "ncg"])
    assert given["ncg-wd"] == given["ncg"]
    assert style.trainer_dashes(DECAY) != style.trainer_dashes(PLAIN)


def test_a_trainers_traits_come_from_its_settings_whatever_its_name():
    trainers = {"mine": DECAY | {"method": "rmsprop"}, "sgd-like": PLAIN}
    models = ["mine_l2_tanh", "sgd-like_l2_tanh"]
    groups = sensitivity_curves.groups(models, trainers)
    assert groups == {"SGD-trained ResNets": ["mine_l2_tanh"], "NCG-trained sNODEs": ["sgd-like_l2_tanh"]}
    assert sensitivity_curves.looks(models, trainers)["mine_l2_tanh"]["linestyle"] == style.DASHES


def test_a_third_training_method_has_a_panel_of_its_own():
    """It vanished from the sensitivity figures."""
    trainers = {"ncg": PLAIN, "mine": PLAIN | {"method": "adam"}, "sgd": PLAIN | {"method": "rmsprop"}}
    groups = sensitivity_curves.groups([f"{name}_l2_tanh" for name in trainers], trainers)
    assert list(groups) == ["SGD-trained ResNets", "NCG-trained sNODEs", "Adam-trained ResNets"]
    assert groups["Adam-trained ResNets"] == ["mine_l2_tanh"]


def test_the_sensitivity_figures_show_a_third_training_method(results, config):
    """A trainer `sgd` whose settings say Adam: its stores are read, and its panel is there."""
    settings = drawing.settings_of(config, "fig_sensitivity_l2")
    settings["trainers"]["sgd"]["method"] = "adam"
    figure = drawing.program_of("fig_sensitivity_l2").draw(results, settings)
    rows = [axes.get_ylabel().partition("\n")[0] for axes in figure.axes if axes.get_ylabel()]
    assert rows == ["SGD-trained ResNets", "NCG-trained sNODEs", "Adam-trained ResNets"]
    assert all(axes.lines for axes in figure.axes)


def test_two_convolutional_networks_of_one_trainer_have_curves_that_differ():
    pairs = [["sgd_ce_relu", "sgd-conv_ce_relu"], ["sgd_l2_tanh", "sgd-conv_l2_tanh"]]
    looks = plot_convolutions._looks(pairs)
    assert len({(look["color"], str(look["linestyle"])) for look in looks.values()}) == 4
    assert looks["sgd_ce_relu"]["color"] == looks["sgd-conv_ce_relu"]["color"] == TRAINERS["sgd"].colour


@pytest.mark.parametrize("own", [["ncg-deep"], ["lbfgs", "momentum"], [f"mine-{number}" for number in range(40)]])
def test_a_trainer_of_a_users_own_has_a_colour_that_no_other_has(own):
    """ncg-deep and lbfgs were drawn in the colour of SGD, momentum in that of Sobolev NCG."""
    known = ["sgd", "ncg", "ncg-sobolev", "sgd-conv", "ncg-conv", "ncg-euler20", "ncg-ode45"]
    given = style.trainer_colours([*own, *known])
    assert len(set(given.values())) == len(own) + len(known)
    assert (given["sgd"], given["ncg"]) == (TRAINERS["sgd"].colour, TRAINERS["ncg"].colour)


def test_the_legend_names_every_trainer_once_and_in_the_colour_of_its_curves(results, config, monkeypatch):
    """ncg-deep was drawn in SGD's colour, and the legend, which went by colours, did not name it."""
    settings, read = drawing.settings_of(config, "fig_sensitivity_l2"), runs.asked_for
    owners = {"ncg-deep": "ncg", "lbfgs": "sgd"}  # trainers of a user's own, with the stores of others

    def stores_of_owners(folder, settings, stage, model):
        trainer, _, rest = model.partition("_")
        return read(folder, settings, stage, f"{owners.get(trainer, trainer)}_{rest}")

    monkeypatch.setattr(runs, "asked_for", stores_of_owners)
    for own, other in owners.items():
        settings["trainers"][own] = settings["trainers"][other]
        settings["models"].append(f"{own}_l2_tanh")
    figure = drawing.program_of("fig_sensitivity_l2").draw(results, settings)
    named = {text.get_text(): line.get_color() for text, line in legend_entries(figure)}
    trainers = ["SGD", "NCG", "Sobolev NCG", "ncg-deep", "lbfgs"]
    assert set(trainers) <= set(named)
    assert len({named[name] for name in trainers}) == 5
    sgd, _, ncg, _ = figure.axes
    assert sgd.lines[-1].get_color() == named["lbfgs"]
    assert ncg.lines[-1].get_color() == named["ncg-deep"]


def legend_entries(figure):
    (legend,) = figure.legends
    return zip(legend.get_texts(), legend.get_lines(), strict=True)


def test_attacks_and_combinations_have_colours_of_their_own():
    looks = style.attack_looks([*ATTACKS, "mine", "yours"])
    assert len({look["color"] for look in looks.values()}) == len(ATTACKS) + 2
    models = [f"sgd_{loss}_{activation}" for activation in ("relu", "tanh", "gelu", "mine") for loss in ("ce", "l2")]
    given = style.combination_colours(models)
    assert len(set(given.values())) == len(models)
    assert given == style.combination_colours(models[::-1])


def test_no_figure_shows_one_colour_for_a_trainer_and_for_something_else(results, config):
    """sgd-conv and (ReLU, CE) were the same orange: names of trainers are black where colours mean something else."""
    for name in ("fig_attack_success", "fig_attack_comparison", "fig_uncertainty", "fig_least_certain"):
        figure = drawing.draw(results, config, name)
        assert {axes.title.get_color() for axes in figure.axes} == {"black"}, name


def test_colours_do_not_run_out():
    given = colours.distinct(dict.fromkeys(range(100)), taken=[colours.WINE])
    assert len(set(given.values()) - {colours.WINE}) == 100


def test_activations_have_markers_of_their_own():
    assert len(set(style.activation_markers(["relu", "tanh", "gelu", "mine"]).values())) == 4


def test_names_are_written_for_people():
    assert labels.model_label("ncg-wd_l2_tanh") == "NCG, weight decay, tanh, ℓ²"
    assert labels.trainer_label("ncg-sobolev") == "Sobolev NCG"
    assert labels.solver_label("rk4") == "RK4"
    assert all(len(trainer.short) <= 12 for trainer in TRAINERS.values())
    assert labels.attack_short("cw-softmax") == "CW, softmax"


def test_what_a_user_adds_keeps_its_name():
    assert labels.model_label("mine_huber_gelu") == "mine, GELU, huber"
    assert labels.attack_label("mine") == labels.attack_short("mine") == "mine"
    assert labels.solver_label("mine") == labels.trainer_short("mine") == "mine"
