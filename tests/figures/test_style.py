"""One colour a trainer, one look a meaning, and names for people; also for what a user adds."""

from stages.drawing import style


def test_weight_decay_keeps_the_trainers_colour_and_adds_dashes():
    assert style.trainer_colour("ncg-wd") == style.trainer_colour("ncg")
    assert style.trainer_dashes("ncg-wd") != style.trainer_dashes("ncg")


def test_trainers_combinations_and_attacks_have_colours_of_their_own():
    trainers = {style.trainer_colour(name) for name in ("sgd", "ncg", "ncg-sobolev")}
    combinations = set(style.COMBINATIONS.values())
    attacks = {colour for _, colour, _, _ in style.ATTACKS.values()}
    assert len(trainers) == 3
    assert len(combinations) == 4
    assert len(attacks) == len(style.ATTACKS)
    assert not trainers & combinations
    assert not trainers & attacks


def test_activations_have_markers_of_their_own():
    assert style.activation_marker("relu") != style.activation_marker("tanh")


def test_names_are_written_for_people():
    assert style.model_label("ncg-wd_l2_tanh") == "NCG, weight decay, tanh, ℓ²"
    assert style.trainer_label("ncg-sobolev") == "Sobolev NCG"


def test_what_a_user_adds_has_a_look_too_and_always_the_same():
    assert style.model_label("mine_huber_gelu") == "mine, gelu, huber"
    assert style.trainer_colour("mine") == style.trainer_colour("mine-wd")
    assert style.activation_marker("gelu") in style.SPARE_MARKERS
    assert style.combination_colour("gelu", "huber") in style.SPARE_COLOURS
    assert style.attack_style("mine")[0] == "mine"
