"""Configurations: the shipped ones fit; a mistake is named with its key, what was wanted and what was found."""

import gzip
import struct

import pytest

from stages.config import checks as config_checks
from stages.config import configuration
from stages.data import mnist_sources
from stages.plan import experiment, selection, stage_settings, stage_table
from stages.runtime.errors import UserError

PRESETS = ["smoke", "quick", "paper"]


def check(root, **changes):
    config_checks.check(configuration.load(root, "smoke", changes), root)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_presets_fit_and_have_all_models_attacks_and_stages(root, preset):
    config = configuration.load(root, preset)
    config_checks.check(config, root)
    assert len(experiment.table2_models(config)) == 20
    assert len(experiment.all_models(config)) == 22
    assert len(experiment.attacked_models(config)) == 12
    assert set(config["attack"]["attacks"]) == set(configuration.load(root, "paper")["attack"]["attacks"])


def test_the_preset_beyond_has_every_attack_of_the_paper_on_plain_and_robust_twins(root):
    config = configuration.load(root, "beyond")
    config_checks.check(config, root)
    pairs = experiment.robust_pairs(config)
    others = experiment.convolutional_pairs(config)
    assert others == [["sgd_ce_relu", "sgd-conv_ce_relu"], ["ncg_l2_relu", "ncg-conv_l2_relu"]]
    scores = experiment.score_pairs(config)
    assert {model for pair in pairs + others + scores for model in pair} == set(experiment.attacked_models(config))
    assert all(own == pixels.replace("_", "-own_", 1) for pixels, own in scores)
    assert {pixels.split("_", 1)[1] for pixels, _ in scores} == {"ce_relu", "l2_relu", "ce_tanh"}
    assert {plain.split("_")[0] for plain, _ in pairs} == {"sgd", "ncg", "ncg-sobolev"}
    assert all(robust == plain.replace("_", "-robust_", 1) for plain, robust in pairs)
    assert set(config["attack"]["attacks"]) == {
        *configuration.load(root, "paper")["attack"]["attacks"],
        "pgd-far",
        "sensitivity-held",
        "transfer",
    }
    assert {"uncertainty", "noise", "sensitivity", "attack/transfer"} <= set(stage_table.usual_folders(config))
    quick = configuration.load(root, "quick")
    for block in ("data", "network", "sensitivity", "uncertainty", "noise"):
        assert config[block] == quick[block]


def test_the_preset_fashion_has_the_paper_s_grid_with_own_scores_and_twins_with_pixels(root):
    config = configuration.load(root, "fashion")
    config_checks.check(config, root)
    assert [pixels.replace("-pixels_", "_") for pixels, _ in experiment.score_pairs(config)] == [
        own for _, own in experiment.score_pairs(config)
    ]
    assert len(experiment.score_pairs(config)) == 12
    assert {model for pair in experiment.score_pairs(config) for model in pair} == set(experiment.all_models(config))
    quick = configuration.load(root, "quick")
    for block in ("sensitivity", "uncertainty", "noise"):
        assert config[block] == quick[block]
    for key in ("train", "test", "side", "resampling"):
        assert config["data"][key] == quick["data"][key]


def test_files_with_a_relative_path_lie_in_the_folder(root):
    config = configuration.load(
        root, "fashion", {"data": {"folder": "mine", "files": {"test_labels": "/other/labels"}}}
    )
    files = stage_settings.data_settings(config)["files"]
    assert files["train_images"] == "mine/train-images-idx3-ubyte.gz"
    assert files["test_labels"] == "/other/labels"
    own = {"train_images": "a.npz", "train_labels": "a.npz", "test_images": "b.npz", "test_labels": ""}
    plain = configuration.load(root, "smoke", {"data": {"origin": "files", "files": own}})
    assert stage_settings.data_settings(plain) == {"origin": "files", "files": own}  # as stores of before have it


def test_an_attack_that_holds_scores_is_for_networks_whose_scores_are_pixels(root):
    config = configuration.load(root, "beyond")
    held = stage_table.folder_models(config)["attack/sensitivity-held"]
    assert {model.split("_")[0] for model in held} == {
        f"{trainer}{twin}" for trainer in ("sgd", "ncg", "ncg-sobolev") for twin in ("", "-robust")
    }
    everywhere = selection.direct_attacks(config)
    assert "sensitivity-held" not in everywhere
    assert {"sensitivity", "pgd-far"} <= set(everywhere)


def test_nothing_to_hold_anywhere_is_refused(root):
    line = {"method": "fgsm", "loss": "ce", "hold": "scores"}
    changes = {"network": {"scores": "own"}, "attack": {"attacks": {"held": line}}}
    with pytest.raises(UserError, match=r"attack\.attacks\.held\.hold: nothing to hold: .*network\.scores: own"):
        config_checks.check(configuration.load(root, "smoke", changes), root)
    config_checks.check(configuration.load(root, "smoke", {"attack": {"attacks": {"held": line}}}), root)


def test_a_transferred_attack_sees_its_twin_and_radii_of_its_own_are_an_attacks(root):
    config = configuration.load(root, "beyond", {"models": {"own": ["ncg_ce_tanh"]}})
    transfer = stage_table.folder_models(config)["attack/transfer"]
    assert "ncg_ce_tanh" in stage_table.folder_models(config)["attack/fgsm"]
    assert "ncg_ce_tanh" not in transfer  # it has no twin
    settings = stage_settings.attack_settings(config, "ncg_l2_tanh", "transfer")
    assert settings["surrogate"]["model"] == "ncg-robust_l2_tanh"
    assert settings["surrogate"]["trained"] == stage_settings.train_settings(config, "ncg-robust_l2_tanh")
    inputs = stage_table.folder_inputs(config, "attack/transfer", "ncg_l2_tanh", 0)
    assert inputs["surrogate"] == "train/ncg-robust_l2_tanh/run0"
    far = stage_settings.attack_settings(config, "ncg_l2_tanh", "pgd-far")
    assert far["radii"]["last"] > config["attack"]["radii"]["last"]
    assert "radii" not in far["attack"]
    assert "surrogate" not in far


def test_the_paper_preset_has_the_papers_numbers(root):
    config = configuration.load(root, "paper")
    assert config["data"]["train"] == 60000
    assert config["data"]["test"] == 10000
    assert config["data"]["side"] ** 2 == 196
    assert config["network"]["depth"] == 150
    assert config["network"]["interval"] == 3.0
    assert config["network"]["initial_std"] == 0.001
    assert config["training"] == {"runs": 5, "batch": 100, "batches": "stratified", "iterations": 6}
    assert config["losses"]["ce"] == {"mu1": 0.0, "mu2": 1.0, "mu3": 0.4}
    assert {trainer["epochs"] for trainer in config["trainers"].values()} == {10, 20}
    assert config["trainers"]["ncg-wd"]["weight_decay"] == 1e-8
    assert config["noise"]["std"] == [0.0, 0.01, 0.03, 0.05, 0.08, 0.1, 0.13, 0.15, 0.18, 0.2]
    assert config["attack"]["attacks"]["sensitivity"]["step"] == 0.06


OWN = {"own": ["ncg-conv_l2_relu"]}


def convolutions(**layer):
    """Return changes that give a model layers with these settings."""
    return {"models": OWN, "trainers": {"ncg-conv": {"network": {"layer": layer}}}}


MISTAKES = {
    "unknown key": ({"network": {"dept": 3}}, r"network\.dept: unknown key; did you mean depth\?"),
    "unknown block": ({"nonsense": 1}, r"nonsense: unknown key"),
    "wrong type": ({"network": {"depth": "deep"}}, r"network\.depth: wanted a whole number.*found \"deep\""),
    "out of range": ({"training": {"runs": 0}}, r"training\.runs: wanted a whole number at least 1.*found 0"),
    "a number that is not whole": (
        {"training": {"runs": "1e1"}},
        r"training\.runs: wanted a whole number.*found 10\.0",
    ),
    "missing key": (
        {"trainers": {"mine": {"method": "ncg"}}},
        r"trainers\.mine\.gradient: missing; wanted one of l2, sobolev",
    ),
    "more images than there are": (
        {"attack": {"images": 201}},
        r"attack\.images: wanted at most data\.test = 200, found 201",
    ),
    "an image that is not there": (
        {"figures": {"noisy_image": 200, "one_image": 200}},
        r"(?s)noisy_image: .*one_image: wanted the number of a test image, below data\.test = 200, found 200",
    ),
    "noise in disorder": (
        {"noise": {"std": [0.0, 0.2, 0.1]}},
        r"noise\.std: wanted ascending numbers, found 0\.0, 0\.2, 0\.1",
    ),
    "a norm beyond the radii": (
        {"claims": {"attack_norm": 1.5}},
        r"claims\.attack_norm: wanted at most attack\.radii\.last = 1\.0, found 1\.5",
    ),
    "nothing to attack": (
        {"models": {"table2": {"trainers": ["sgd-wd"]}}, "attack": {"trainers": ["ncg"]}},
        r"attack\.trainers: wanted at least one of Table 2's \(sgd-wd\), found ncg",
    ),
    "unknown choice": ({"data": {"resampling": "cubic"}}, r"data\.resampling: wanted one of linear, antialiased"),
    "unknown trainer": ({"models": {"table2": {"trainers": ["adam"]}}}, r"models\.table2\.trainers.*found 'adam'"),
    "unknown model": (
        {"models": {"own": ["ncg_ce_elu"]}},
        r"models\.own: ncg_ce_elu.*activations gelu, relu, tanh, found 'elu'",
    ),
    "ill-formed model": ({"models": {"own": ["ncg"]}}, r"wanted <trainer>_<loss>_<activation>, found 'ncg'"),
    "unknown attack": ({"attack": {"attacks": {"mine": {"method": "deepfool"}}}}, r"wanted one of cw, fgsm, pgd"),
    "kappa": (
        {"attack": {"attacks": {"sensitivity": {"kappa": 1.5}}}},
        r"sensitivity\.kappa: wanted a number above 0 and at most 1",
    ),
    "radii": (
        {"attack": {"radii": {"first": 2.0}}},
        r"attack\.radii\.last: wanted at least attack\.radii\.first = 2\.0",
    ),
    "batch": ({"training": {"batch": 1000}}, r"training\.batch: wanted at most data\.train = 400"),
    "classes": ({"data": {"side": 3}}, r"network\.classes: wanted at most 9, the pixels of an image; found 10"),
    "name": ({"losses": {"A b": {"mu1": 1, "mu2": 0, "mu3": 0}}}, r"wanted names of small letters"),
    "rmsprop": (
        {"trainers": {"sgd": {"gradient": "sobolev"}}},
        r"trainers\.sgd\.gradient: wanted l2 with method: rmsprop, found sobolev",
    ),
    "unknown method": (
        {"trainers": {"ncg": {"method": "newton"}}},
        r"trainers\.ncg\.method: wanted one of adam, ncg, rmsprop, found \"newton\"",
    ),
    "unknown solver": (
        {"trainers": {"ncg": {"solver": "heun"}}},
        r"trainers\.ncg\.solver: wanted one of euler, ode45, rk4, found \"heun\"",
    ),
    "settings of another method": (
        {"trainers": {"ncg": {"rmsprop": {"rate": 0.1}}}},
        r"trainers\.ncg\.rmsprop: not its method nor its solver; take it out",
    ),
    "a wrong setting of a method": ({"rmsprop": {"rho": 1.5}}, r"rmsprop\.rho: wanted a number at least 0 and below 1"),
    "a schedule without an end": (
        {"trainers": {"sgd": {"rmsprop": {"schedule": {"kind": "steps"}}}}},
        r"trainers\.sgd\.rmsprop\.schedule\.final: missing; wanted a number above 0",
    ),
    "ink that is no sign": ({"network": {"ink": 2}}, r"network\.ink: wanted one of 1, -1, found 2"),
    "kind of layer": (
        {"network": {"layer": "fractal"}},
        r"network\.layer: wanted one of dense, found \"fractal\" \(Or a block",
    ),
    "no channels": (convolutions(channels=0), r"layer\.channels: wanted a whole number at least 1.*found 0"),
    "even kernel": (convolutions(kernel=4), r"trainers\.ncg-conv: network\.layer\.kernel: wanted an odd .*found 4"),
    "kernel too large": (convolutions(kernel=9), r"ncg-conv: network\.layer\.kernel: .* 3 to 7, .*found 9"),
    "cells that do not fit": (convolutions(cell=5), r"ncg-conv: network\.layer\.cell: wanted a divisor of 28.*found 5"),
    "fewer channels than pixels": (convolutions(channels=4), r"layer\.channels: wanted at least .* own 16.*found 4"),
    "convolutions read by their components": (
        {**convolutions(), "network": {"components": "all"}},
        r"trainers\.ncg-conv: network\.components: .*wanted classes, found 'all'",
    ),
    "side of a trainer": (
        {"models": OWN, "trainers": {"ncg-conv": {"side": 3, "network": {"layer": "dense"}}}},
        r"trainers\.ncg-conv: network\.classes: wanted at most 9, the pixels of an image; found 10",
    ),
    "iterations of a trainer": (
        {"trainers": {"ncg": {"iterations": 0}}},
        r"trainers\.ncg\.iterations: wanted a whole number at least 1.*found 0",
    ),
    "no twin": (
        {"attack": {"attacks": {"mine": {"method": "transfer", "loss": "ce", "step": 0.6, "iterations": 1}}}},
        r"attack\.attacks\.mine: wanted two attacked models whose trainers differ in `robust` alone, found none",
    ),
    "own radii": (
        {"attack": {"attacks": {"fgsm": {"radii": {"first": 2.0, "last": 1.0, "step": 0.5}}}}},
        r"attack\.attacks\.fgsm\.radii\.last: wanted at least attack\.attacks\.fgsm\.radii\.first = 2\.0, found 1\.0",
    ),
    "radii without balls": (
        {"attack": {"attacks": {"cw": {"radii": {"first": 1.0, "last": 2.0, "step": 0.5}}}}},
        r"attack\.attacks\.cw\.radii: unknown key",
    ),
    "images larger than the digits": (
        {"data": {"side": 99}},
        r"data\.side: wanted at most 28, as data\.origin: sample has it, found 99",
    ),
    "images larger than MNIST's": (
        {"data": {"origin": "mnist"}, "models": OWN, "trainers": {"ncg-conv": {"side": 32}}},
        r"trainers\.ncg-conv\.side: wanted at most 28, as data\.origin: mnist has it, found 32",
    ),
    "more digits than are shipped": (
        {"data": {"train": 10001, "test": 2001}},
        r"(?s)data\.train: wanted at most 10000,.*data\.test: wanted at most 2000, .*found 2001",
    ),
    "files": ({"data": {"origin": "files"}}, r"data\.files\.train_images: wanted a file's path"),
}


@pytest.mark.parametrize(("changes", "message"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_named(root, changes, message):
    with pytest.raises(UserError, match=message):
        check(root, **changes)


def test_images_of_ones_own_may_be_larger_than_the_digits(root):
    files = {f"{split}_{kind}": "x" for split in ("train", "test") for kind in ("images", "labels")}
    check(root, data={"origin": "files", "files": files, "side": 99, "train": 70000})


def test_what_is_known_of_the_digits_is_what_the_files_hold(root):
    known = experiment.KNOWN_IMAGES
    for split, name in (("train", "train"), ("test", "t10k")):
        with gzip.open(root / f"workflow/sample/{name}-images-idx3-ubyte.gz") as file:
            _, count, *sides = struct.unpack(">4i", file.read(16))
        assert (count, *sides) == (known["sample"][split], known["sample"]["side"], known["sample"]["side"])
        size, _ = mnist_sources.MNIST[f"{name}-images-idx3-ubyte"]
        assert size == 16 + known["mnist"][split] * known["mnist"]["side"] ** 2


def test_a_configuration_of_ones_own_that_is_not_whole_is_told_so(root, tmp_path):
    mine = tmp_path / "config.yaml"
    mine.write_text("preset: smoke\ntraining: {runs: 2}\n")
    with pytest.raises(UserError, match=rf"{mine} takes the place of the project's config\.yaml and must be whole"):
        config_checks.check(configuration.load(root, file=mine), root, mine)


def test_all_mistakes_are_listed_at_once(root):
    with pytest.raises(UserError) as problem:
        check(root, network={"depth": -1}, training={"runs": "many"})
    assert "network.depth" in str(problem.value)
    assert "training.runs" in str(problem.value)


def test_an_unknown_preset_lists_the_known_ones(root):
    with pytest.raises(UserError, match=r"wanted one of beyond, fashion, paper, quick, readings, smoke, found '../x'"):
        configuration.load(root, "../x")


def test_a_preset_that_is_asked_for_counts_more_than_that_of_a_file(root):
    config = configuration.load(root, "smoke", {"preset": "paper"})
    assert config == configuration.load(root, "smoke")


def test_an_empty_preset_is_not_a_file_that_is_incomplete(root):
    with pytest.raises(UserError, match=r"preset: wanted one of .*, found None"):
        configuration.load(root, overrides={"preset": None})


def test_numbers_that_the_command_line_hands_over_as_text_are_read(root):
    changes = {"training": {"runs": "3"}, "noise": {"clip": "true", "std": ["0.1"]}, "rmsprop": {"epsilon": "1e-7"}}
    config = configuration.load(root, "smoke", changes)
    config_checks.check(config, root)
    assert config["training"]["runs"] == 3
    assert config["noise"]["clip"] is True
    assert config["noise"]["std"] == [0.1]
    assert config["rmsprop"]["epsilon"] == 1e-7  # text also to YAML


def test_a_model_of_ones_own_is_evaluated_with_those_of_table_2(root):
    trainers = {"slow": {"method": "ncg", "gradient": "l2", "solver": "euler", "weight_decay": 0.1, "epochs": 1}}
    config = configuration.load(root, "smoke", {"trainers": trainers, "models": {"own": ["slow_ce_tanh"]}})
    config_checks.check(config, root)
    assert "slow_ce_tanh" in experiment.table2_models(config)
    assert stage_settings.train_settings(config, "slow_ce_tanh")["trainer"]["weight_decay"] == 0.1


def test_a_trainer_may_have_a_network_and_a_side_of_its_own(root):
    changes = {"models": OWN, "attack": {"trainers": ["ncg", "ncg-conv"]}, "data": {"side": 14}}
    config = configuration.load(root, "smoke", changes)
    config_checks.check(config, root)
    dense, own = (stage_settings.train_settings(config, f"{trainer}_l2_relu") for trainer in ("ncg", "ncg-conv"))
    assert own["network"]["layer"]["kind"] == "convolution"
    assert own["network"]["interval"] == dense["network"]["interval"]
    # What it is trained on and what it is are not the trainer's: the settings of dense models know nothing of them.
    assert own["trainer"] == dense["trainer"]
    assert set(own["network"]) - set(dense["network"]) == {"layer"}
    made_from = {store.name: store.inputs for store in stage_table.stores(config)}
    assert made_from["noise/ncg-conv_l2_relu/run0"]["digits"] == "data/digits-28"
    assert made_from["noise/ncg_l2_relu/run0"]["digits"] == "data/digits"
    assert stage_table.data_stores(config)["data/digits-28"].settings["side"] == 28
    # Norms are the same per pixel: twice as large for images of twice the side.
    pgd = {
        model: stage_settings.attack_settings(config, f"{model}_l2_relu", "pgd-0.6") for model in ("ncg", "ncg-conv")
    }
    assert pgd["ncg-conv"]["attack"]["step"] == 2 * pgd["ncg"]["attack"]["step"]
    assert pgd["ncg-conv"]["radii"] == {name: 2 * value for name, value in pgd["ncg"]["radii"].items()}


def test_a_trainer_may_iterate_otherwise_than_the_others(root):
    changes = {"models": OWN, "attack": {"trainers": ["ncg", "ncg-conv"]}}
    ours = {"trainers": {"ncg-conv": {"iterations": 5}}}
    before, after = (configuration.load(root, "smoke", changes | more) for more in ({}, ours))
    config_checks.check(after, root)
    assert stage_settings.train_settings(after, "ncg-conv_l2_relu") == {
        **stage_settings.train_settings(before, "ncg-conv_l2_relu"),
        "iterations": 5,
    }
    for model in ("ncg_l2_relu", "sgd_ce_tanh"):
        assert stage_settings.train_settings(after, model) == stage_settings.train_settings(before, model)
    assert experiment.convolutional_pairs(after) == [["ncg_l2_relu", "ncg-conv_l2_relu"]]


def test_trainers_without_models_do_not_stand_in_the_way(root):
    check(root, network={"components": "all"})


def test_a_network_with_the_usual_ink_has_the_settings_of_before(root):
    plain, negative = (
        stage_settings.train_settings(configuration.load(root, "smoke", changes), "ncg_ce_relu")["network"]
        for changes in ({}, {"network": {"ink": -1}})
    )
    assert "ink" not in plain
    assert negative == plain | {"ink": -1}


def test_a_rule_sees_only_what_it_uses(root):
    config = configuration.load(root, "smoke")
    assert "rmsprop" not in stage_settings.train_settings(config, "ncg_ce_relu")
    assert "rmsprop" in stage_settings.train_settings(config, "sgd_ce_relu")
    assert "ode45" in stage_settings.train_settings(config, "ncg-ode45_l2_tanh")
    assert "radii" not in stage_settings.attack_settings(config, "ncg_ce_relu", "cw")
