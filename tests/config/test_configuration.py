"""Configurations: the shipped ones fit, and every stage gets the settings that it uses."""

import gzip
import struct

import pytest

from stages.config import checks as config_checks
from stages.config import configuration
from stages.data import mnist_sources
from stages.plan import experiment, selection, stage_settings, stage_table

PRESETS = ["smoke", "quick", "paper"]
OWN = {"own": ["ncg-conv_l2_relu"]}


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


def test_a_preset_that_is_asked_for_counts_more_than_that_of_a_file(root):
    config = configuration.load(root, "smoke", {"preset": "paper"})
    assert config == configuration.load(root, "smoke")


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
