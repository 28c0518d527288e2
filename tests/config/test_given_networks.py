"""Networks of models.given: a wrong file or name gets a message that names it, before anything runs."""

import json

import numpy as np
import pytest
from kit.project_copy import ROOT

from stages.config import checks, configuration
from stages.exchange import safetensors_files
from stages.plan import exhibit, experiment, stage_settings, stage_table
from stages.runtime.errors import UserError

LAYERS, SIDE = 4, 7  # of the smoke preset
WIDTH = SIDE**2


@pytest.fixture
def weights(rng):
    W = rng.standard_normal((LAYERS, WIDTH, WIDTH)).astype(np.float32) / WIDTH
    return {"W": W, "b": np.zeros((LAYERS, WIDTH), np.float32)}


@pytest.fixture
def file(weights, tmp_path):
    np.savez(tmp_path / "mine.npz", **weights)
    return tmp_path / "mine.npz"


def entry(file, **changes):
    return {"file": str(file), "activation": "tanh", "interval": 2.0, "loss": "ce"} | changes


def checked(given, **changes):
    config = configuration.load(ROOT, "smoke", {"models": {"given": given}, **changes})
    checks.check(config, ROOT)
    return config


def test_a_given_network_is_a_model_with_one_run_that_every_stage_has(file):
    config = checked({"mine": entry(file)}, training={"runs": 3})
    model = "mine_ce_tanh"
    assert experiment.runs_of(config, model) == [0]
    assert experiment.network_of(config, model)["depth"] == LAYERS
    stored = {store.name: store for store in stage_table.stores(config) if f"/{model}/" in store.name}
    folders = {name.removesuffix(f"/{model}/run0") for name in stored}
    attacks = {f"attack/{name}" for name in config["attack"]["attacks"]}
    assert folders == {"train", "noise", "sensitivity", "uncertainty"} | attacks
    assert stored[f"train/{model}/run0"].rule == "import_network"


def test_no_claim_of_the_paper_is_about_it(file):
    without, with_it = checked({}), checked({"mine": entry(file)})
    assert exhibit.claims_settings(with_it) == exhibit.claims_settings(without)


def test_its_settings_follow_the_content_of_its_file(weights, file):
    before = stage_settings.train_settings(checked({"mine": entry(file)}), "mine_ce_tanh")
    np.savez(file, W=weights["W"], b=weights["b"] + 1)
    after = stage_settings.train_settings(checked({"mine": entry(file)}), "mine_ce_tanh")
    assert before.pop("file") != after.pop("file")
    assert before == after


def test_other_models_keep_their_settings(file):
    without, with_it = checked({}), checked({"mine": entry(file)})
    for store in stage_table.stores(without):
        assert store in list(stage_table.stores(with_it))


def test_the_configuration_of_a_finished_run_needs_no_file(file):
    config = checked({"mine": entry(file)})
    file.unlink()
    given = json.loads(json.dumps(config["models"]["given"]))
    assert checked(given)["models"]["given"] == given


def test_a_network_for_larger_images_says_so(tmp_path):
    np.savez(tmp_path / "large.npz", W=np.zeros((2, 81, 81)), b=np.zeros((2, 81)))
    config = checked({"large": entry(tmp_path / "large.npz", side=9)})
    assert experiment.digits_of(config, "large_ce_tanh") == "data/digits-9"
    with pytest.raises(UserError, match=r"models\.given\.large\.file: wanted layers of 49 neurons.* found 81 in"):
        checked({"large": entry(tmp_path / "large.npz")})
    np.savez(tmp_path / "large.npz", W=np.zeros((1, 900, 900)), b=np.zeros((1, 900)))
    with pytest.raises(UserError, match=r"models\.given\.large\.side: wanted at most 28"):
        checked({"large": entry(tmp_path / "large.npz", side=30)})


WRONG = {
    "file": ({"file": "nowhere.npz"}, r"models\.given\.mine\.file: wanted .*found no file nowhere\.npz"),
    "activation": ({"activation": "swish"}, r"models\.given\.mine\.activation: wanted .*relu.*found 'swish'"),
    "loss": ({"loss": "hinge"}, r"models\.given\.mine\.loss: wanted one from losses .*found 'hinge'"),
    "another reading": ({"loss": "ce0"}, r"models\.given\.mine\.loss: wanted one from losses \(ce, l2\), found 'ce0'"),
    "interval": ({"interval": 0}, r"models\.given\.mine\.interval: wanted a number above 0"),
    "key": ({"layers": 3}, r"models\.given\.mine"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_entries_are_named(file, wrong):
    changes, said = WRONG[wrong]
    with pytest.raises(UserError, match=said):
        checked({"mine": entry(file) | changes})


@pytest.mark.parametrize("name", ["ncg", "sgd-wd"])
def test_the_name_of_a_trainer_is_taken(file, name):
    with pytest.raises(UserError, match=rf"models\.given\.{name}: wanted a name of its own, found that of a trainer"):
        checked({name: entry(file)})


def test_a_name_that_is_no_folder_is_refused(file):
    for name in ("a_b", "../a", "A"):
        with pytest.raises(UserError, match=r"models\.given"):
            checked({name: entry(file)})


def test_what_a_file_says_of_itself_is_not_contradicted(weights, tmp_path):
    path = tmp_path / "mine.safetensors"
    safetensors_files.write(path, weights, {"network": json.dumps({"activation": "relu", "interval": 2.0})})
    checked({"mine": entry(path, activation="relu")})
    with pytest.raises(UserError, match=r"models\.given\.mine: wanted activation relu, as .* says"):
        checked({"mine": entry(path)})
