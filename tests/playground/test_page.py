"""The page as a file: what is in it, what is left out and why, and that nothing but its own scripts can run."""

import base64
import hashlib
import json
import re
import zlib
from types import SimpleNamespace

import numpy as np
import pytest
from kit.digits import train_settings
from kit.played_networks import write_network

from stages.config import checks
from stages.names.labels import model_label
from stages.playground import bundle, chosen_models, rounded_weights, write_playground
from stages.runtime.errors import UserError
from stages.storage import stores


def write(made, networks, output):
    options = {"networks": networks, "digits": made / "data/digits-14.zarr", "output": output}
    write_playground.main(SimpleNamespace(**options))
    return output.read_text()


def test_the_policy_names_the_pages_own_script_and_style_and_nothing_else(page):
    text = page.read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        own = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
        assert f"{rule} 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_nothing_is_fetched_and_there_are_no_inline_handlers(page):
    text = re.sub(r'id="network-\d+">[^<]*<', "<", page.read_text())
    assert set(re.findall(r"https?://[^\s\"'<]*", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<[^>]*\s(on\w+|src|style)=", text)
    assert not re.search(r"\b(fetch|XMLHttpRequest|importScripts|eval)\(", text)


def test_a_missing_store_is_left_out_and_the_page_says_so_without_folders(made, page):
    text = page.read_text()
    assert "Left out: ncg-wd_ce_relu: wanted the store run0.zarr" in text
    assert str(made) not in text
    assert 'id="network-4"' in text
    assert 'id="network-5"' not in text


def test_a_network_whose_scores_are_no_pixels_is_shown_and_said_to_be(page):
    text = page.read_text()
    assert f"Without score pixels: {model_label('ncg-own_ce_relu')}." in text
    assert "scores grow in the image itself" in text
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
    assert [each["own"] for each in data["networks"]] == [0, 0, 0, 0, 10]


def test_convolutions_other_solvers_and_extracts_are_left_out(made, tmp_path):
    settings = {
        "ncg-conv_ce_relu": train_settings(network={"layer": {"kind": "convolution", "channels": 3, "kernel": 3}}),
        "ncg-ode45_ce_tanh": train_settings(trainer={"solver": "ode45"}),
        "ncg-ink_ce_tanh": train_settings(network={"ink": -1}),
    }
    paths = []
    for model, trained in settings.items():
        paths.append(tmp_path / "train" / model / "run0.zarr")
        stores.write(paths[-1], {"W": (("layer",), np.zeros(3))}, settings=trained | {"run": 0}, inputs={})
    paths.append(tmp_path / "train" / "sgd_l2_tanh" / "run0.zarr")
    whole = made / "train/ncg_l2_tanh/run0.zarr"
    stores.write_extract(whole, paths[-1], lambda variables: {"b": variables["b"]})
    text = write(made, paths, tmp_path / "page.html")
    assert "Left out: ncg-conv_ce_relu: its layers are of the kind convolution" in text
    assert "Left out: ncg-ode45_ce_tanh: it was trained with the solver ode45" in text
    assert "Left out: ncg-ink_ce_tanh: it takes images with negative ink" in text
    assert "Left out: sgd_l2_tanh: run0.zarr is an extract without weights" in text
    assert "There is no network to play with on this page" in text


def test_the_page_tells_of_scores_of_their_own_where_a_network_has_them(made, page, tmp_path):
    words = "components of their own, which start at zero"
    assert words in page.read_text()
    assert words not in write(made, [made / "train/ncg_l2_tanh/run0.zarr"], tmp_path / "page.html")


def test_test_images_are_clear_close_and_misclassified_and_a_bad_network_has_no_say(page):
    data = json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(), re.DOTALL)[1])
    clear, close, wrong = (group["images"] for group in data["groups"])
    assert [image["label"] for image in clear] == list(range(10))
    assert len(close) == len(wrong) == 8
    assert min(each["accuracy"] for each in data["networks"]) < 0.3  # random weights


def test_two_trainers_of_ones_own_have_two_colours(made, tmp_path):
    networks = [write_network(tmp_path, model, depth=3) for model in ("mine_ce_relu", "other_ce_relu")]
    text = write(made, networks, tmp_path / "page.html")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
    assert len({each["colour"] for each in data["networks"]}) == 2


def test_the_same_stores_give_the_same_page(made, tmp_path):
    networks = [made / "train/ncg_l2_tanh/run0.zarr"]
    assert write(made, networks, tmp_path / "one.html") == write(made, networks, tmp_path / "two.html")


def test_images_of_another_size_are_an_answer_not_a_traceback(made, tmp_path):
    settings = {"side": 3, "classes": 10, "resampling": "linear"}
    images = {f"{split}_image": ((split, "pixel"), np.zeros((4, 9), "float32")) for split in ("train", "test")}
    labels = {f"{split}_label": ((split,), np.zeros(4, int)) for split in ("train", "test")}
    stores.write(tmp_path / "digits.zarr", images | labels, settings=settings, inputs={})
    networks = [made / "train/ncg_l2_tanh/run0.zarr"]
    text = write_playground.page(networks, tmp_path / "digits.zarr")
    assert "more classes than the images have pixels" in text


def test_a_row_is_off_by_at_most_half_a_step_and_small_rows_cost_little(rng):
    Wb = rng.normal(0, 1, (3, 50, 51)) * np.where(np.arange(50) < 20, 0.5, 1e-3)[:, None]
    rows, steps = rounded_weights.round_rows(Wb)
    assert (abs(rounded_weights.restored(rows, steps) - Wb) <= steps[..., None] * 0.5001).all()
    own = abs(Wb).max(axis=-1) / 127
    assert (steps >= own * 0.9999).all()
    assert np.square(steps).mean() <= 1.26 * np.square(own).mean()
    # Rows that training left alone become a few small numbers: less to pack than with a step of their own.
    by_own_step = np.rint(Wb / own[..., None]).astype("int8")
    assert abs(rows[:, 20:]).max() <= 2
    assert len(rounded_weights.packed(rows, steps)[0]) < 0.7 * len(rounded_weights.packed(by_own_step, own)[0])
    assert rounded_weights.restored(*rounded_weights.round_rows(np.zeros((1, 2, 3)))).any() == 0


def test_weights_that_are_smooth_along_the_depth_are_packed_as_changes(rng):
    rows = np.cumsum(rng.integers(-3, 4, (50, 20, 21)), axis=0).astype("int8")
    rows[::2, 0, 0], rows[1::2, 0, 0] = 127, -127  # changes that do not fit into 8 bits
    steps = np.ones((50, 20), "float32")
    text, changes = rounded_weights.packed(rows, steps)
    assert changes
    assert len(text) < 0.7 * len(rounded_weights.packed(rng.permutation(rows), steps)[0])
    block = zlib.decompress(base64.b64decode(text))
    read = np.frombuffer(block, "i1", offset=steps.nbytes).reshape(rows.shape)
    assert (read.cumsum(axis=0, dtype="i1") == rows).all()


def test_a_bundle_keeps_modules_apart_and_refuses_what_it_does_not_understand(tmp_path):
    (tmp_path / "one.js").write_text('import { f } from "./two.js";\nconst hidden = f();\n')
    (tmp_path / "two.js").write_text("const hidden = 1;\nexport function f() {\n  return hidden;\n}\n")
    text = bundle.bundle(tmp_path, "one")
    assert text.index("module_two =") < text.index("const { f } = module_two;")
    (tmp_path / "two.js").write_text('import everything from "elsewhere";\n')
    with pytest.raises(UserError, match="found 'import everything"):
        bundle.bundle(tmp_path, "one")
    (tmp_path / "two.js").write_text('import { g } from "./one.js";\n')
    with pytest.raises(UserError, match="one -> two -> one"):
        bundle.bundle(tmp_path, "one")


def test_one_network_per_trainer_unless_the_configuration_names_them(config):
    default = chosen_models.models(config)
    assert default == [f"{trainer}_ce_relu" for trainer in config["models"]["table2"]["trainers"]]
    config["figures"]["playground"] = ["ncg_l2_tanh"]
    assert chosen_models.models(config) == ["ncg_l2_tanh"]


def test_a_model_that_the_experiment_does_not_have_is_named(config, root):
    config["figures"]["playground"] = ["ncg_l2_elu"]
    with pytest.raises(UserError, match=r"figures\.playground: wanted models of this experiment .* found 'ncg_l2_elu'"):
        checks.check(config, root)
