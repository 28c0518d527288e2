"""One colour a trainer, one look a meaning, and names for people; also for what a user adds."""

from stages import labels
from stages.drawing import sensitivity_curves, style


def test_weight_decay_keeps_the_trainers_colour_and_adds_dashes():
    assert style.trainer_colour("ncg-wd") == style.trainer_colour("ncg")
    assert style.trainer_dashes({"weight_decay": 1e-8}) != style.trainer_dashes({"weight_decay": 0.0})


def test_a_trainers_traits_come_from_its_settings_whatever_its_name():
    trainers = {"mine": {"method": "rmsprop", "weight_decay": 0.1}, "sgd-like": {"method": "ncg", "weight_decay": 0.0}}
    groups = sensitivity_curves.groups(["mine_l2_tanh", "sgd-like_l2_tanh"], trainers)
    assert groups == {"SGD-trained ResNets": ["mine_l2_tanh"], "NCG-trained sNODEs": ["sgd-like_l2_tanh"]}
    assert sensitivity_curves.look("mine_l2_tanh", trainers["mine"])["linestyle"] == style.DASHES


def test_trainers_combinations_and_attacks_have_colours_of_their_own():
    trainers = {style.trainer_colour(name) for name in ("sgd", "ncg", "ncg-sobolev")}
    combinations = set(style.COMBINATIONS.values())
    attacks = {style.attack_look(name)["color"] for name in style.ATTACKS}
    assert len(trainers) == 3
    assert len(combinations) == 4
    assert len(attacks) == len(style.ATTACKS)
    assert not trainers & combinations
    assert not trainers & attacks


def test_activations_have_markers_of_their_own():
    assert style.activation_marker("relu") != style.activation_marker("tanh")


def test_names_are_written_for_people():
    assert labels.model_label("ncg-wd_l2_tanh") == "NCG, weight decay, tanh, ℓ²"
    assert labels.trainer_label("ncg-sobolev") == "Sobolev NCG"


def test_what_a_user_adds_has_a_look_too_and_always_the_same():
    assert labels.model_label("mine_huber_gelu") == "mine, gelu, huber"
    assert style.trainer_colour("mine") in style.SPARE_COLOURS
    assert style.activation_marker("gelu") in style.SPARE_MARKERS
    assert style.combination_colour("gelu", "huber") in style.SPARE_COLOURS
    assert labels.attack_label("mine") == "mine"
    assert style.attack_look("mine")["color"] in style.SPARE_COLOURS
