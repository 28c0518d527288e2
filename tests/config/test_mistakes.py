"""Mistakes in a configuration: named with the key, what was wanted and what was found."""

import pytest

from stages.config import checks as config_checks
from stages.config import configuration
from stages.runtime.errors import UserError

OWN = {"own": ["ncg-conv_l2_relu"]}


def check(root, **changes):
    config_checks.check(configuration.load(root, "smoke", changes), root)


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


def test_nothing_to_hold_anywhere_is_refused(root):
    line = {"method": "fgsm", "loss": "ce", "hold": "scores"}
    changes = {"network": {"scores": "own"}, "attack": {"attacks": {"held": line}}}
    with pytest.raises(UserError, match=r"attack\.attacks\.held\.hold: nothing to hold: .*network\.scores: own"):
        config_checks.check(configuration.load(root, "smoke", changes), root)
    config_checks.check(configuration.load(root, "smoke", {"attack": {"attacks": {"held": line}}}), root)


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


def test_an_empty_preset_is_not_a_file_that_is_incomplete(root):
    with pytest.raises(UserError, match=r"preset: wanted one of .*, found None"):
        configuration.load(root, overrides={"preset": None})
