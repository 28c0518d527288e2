"""Networks that were trained elsewhere: their scores here are those there, and wrong files get a message."""

import json
import sys

import numpy as np
import pytest
from scipy import io as scipy_io

from stages.attack.attack_network import write_attack
from stages.evaluate import evaluate_noise, evaluation
from stages.exchange import export_network, import_network, network_files, safetensors_files
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.zoo import load

LAYERS, SIDE = 6, 7
WIDTH = SIDE**2


@pytest.fixture
def weights(rng):
    W = rng.standard_normal((LAYERS, WIDTH, WIDTH)) / WIDTH**0.5
    return {"W": W.astype(np.float32), "b": (0.1 * rng.standard_normal((LAYERS, WIDTH))).astype(np.float32)}


@pytest.fixture
def images(rng):
    return rng.uniform(0, 1, (30, WIDTH)).astype(np.float32)


def as_state_dict(weights, name="layers."):
    layers = {f"{name}{n}.weight": weights["W"][n] for n in range(LAYERS)}
    return layers | {f"{name}{n}.bias": weights["b"][n] for n in range(LAYERS)}


def write(path, tensors):
    if path.suffix == ".npz":
        np.savez(path, **tensors)
    else:
        safetensors_files.write(path, tensors, {})
    return path


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("kind", ["npz", "safetensors", "state dict"])
def test_an_imported_network_computes_what_it_does_elsewhere(weights, images, tmp_path, kind, activation):
    tensors = as_state_dict(weights) if kind == "state dict" else weights
    path = write(tmp_path / ("mine.npz" if kind == "npz" else "mine.safetensors"), tensors)
    import_network.import_network(path, tmp_path / "mine.zarr", activation, 3.0)
    x, σ = images, {"relu": lambda a: np.maximum(a, 0), "tanh": np.tanh}[activation]
    for W, b in zip(weights["W"], weights["b"], strict=True):
        x = x + 0.5 * σ(x @ W.T + b)
    np.testing.assert_allclose(load(tmp_path / "mine.zarr").scores(images), x[:, :10], rtol=1e-4, atol=1e-4)


def test_a_network_with_scores_of_its_own_is_imported_and_comes_back(rng, images, tmp_path):
    classes = 5
    W = (rng.standard_normal((LAYERS, WIDTH + classes, WIDTH + classes)) / WIDTH**0.5).astype(np.float32)
    path = write(tmp_path / "a.npz", {"W": W, "b": np.zeros((LAYERS, WIDTH + classes), np.float32)})
    with pytest.raises(UserError, match=r"a square image has pixels, found 54 .*--scores own"):
        import_network.import_network(path, tmp_path / "a.zarr", "tanh", 2.0, classes)
    with pytest.raises(UserError, match=r"beside 10 class scores of their own, found 44"):
        import_network.import_network(path, tmp_path / "a.zarr", "tanh", 2.0, 10, scores="own")
    import_network.import_network(path, tmp_path / "a.zarr", "tanh", 2.0, classes, scores="own")
    net, x = load(tmp_path / "a.zarr"), np.pad(images, [(0, 0), (classes, 0)])
    for layer in W:
        x = x + 2.0 / LAYERS * np.tanh(x @ layer.T)
    np.testing.assert_allclose(net.scores(images), x[:, :classes], rtol=1e-4, atol=1e-4)
    export_network.export(net, tmp_path / "a.safetensors")
    import_network.import_network(tmp_path / "a.safetensors", tmp_path / "again.zarr")  # it says so itself
    np.testing.assert_array_equal(load(tmp_path / "again.zarr").scores(images), net.scores(images))


def test_negative_ink_comes_back_too(weights, images, tmp_path):
    about = {"activation": "relu", "interval": 2.0, "classes": 10, "ink": -1}
    path = tmp_path / "a.npz"
    np.savez(path, **weights, network=np.array(json.dumps(about)))
    assert import_network.import_network(path, tmp_path / "a.zarr")["network"]["ink"] == -1
    np.savez(path, **weights, network=np.array(json.dumps(about | {"ink": 1})))
    import_network.import_network(path, tmp_path / "plain.zarr")
    scores = [load(tmp_path / name).scores(images) for name in ("a.zarr", "plain.zarr")]
    assert not np.allclose(*scores)


@pytest.mark.parametrize("suffix", ["npz", "safetensors"])
def test_what_was_exported_is_imported_without_a_word(weights, images, tmp_path, suffix):
    import_network.import_network(write(tmp_path / "mine.npz", weights), tmp_path / "a.zarr", "tanh", 2.0, 5)
    net = load(tmp_path / "a.zarr")
    export_network.export(net, tmp_path / f"a.{suffix}")
    import_network.import_network(tmp_path / f"a.{suffix}", tmp_path / "again.zarr")
    again = load(tmp_path / "again.zarr")
    np.testing.assert_array_equal(again.scores(images), net.scores(images))
    assert again.scores(images).shape == (30, 5)


def test_stages_evaluate_and_attack_it(weights, images, tmp_path):
    path = write(tmp_path / "a.npz", weights)
    trained = import_network.import_network(path, tmp_path / "a.zarr", "tanh", 2.0)
    labels = load(tmp_path / "a.zarr").classify(images)
    labels[:5] = (labels[:5] + 1) % 10
    digits = {"test_image": (("test", "pixel"), images), "test_label": (("test",), labels)}
    stores.write(tmp_path / "digits.zarr", digits, settings={}, inputs={})
    inputs = tmp_path / "digits.zarr", tmp_path / "a.zarr"
    noise = {"seed": 1, "noise": {"std": [0.0, 0.1], "draws": 1, "clip": False}, "trained": trained}
    evaluation.write_evaluation(evaluate_noise.evaluate, noise, *inputs, tmp_path / "noise.zarr", "cpu")
    assert stores.read(tmp_path / "noise.zarr")["accuracy"].values[0] == 25 / 30
    attack = {"attack": {"method": "fgsm", "loss": "own"}, "radii": {"first": 1.0, "last": 2.0, "step": 1.0}}
    write_attack(attack | {"images": 30, "trained": trained}, *inputs, tmp_path / "attack.zarr", "cpu")
    assert stores.read(tmp_path / "attack.zarr").sizes["sample"] == 25


def test_a_matlab_file_has_its_layers_last(weights, tmp_path):
    path = tmp_path / "mine.mat"
    arrays = {"W": weights["W"].transpose(1, 2, 0).astype(np.float64), "b": weights["b"].T.astype(np.float64)}
    scipy_io.savemat(path, arrays | {"note": "what else MATLAB saved"}, do_compression=True)
    import_network.import_network(path, tmp_path / "mine.zarr", "tanh", 3.0)
    network = load(tmp_path / "mine.zarr").network
    np.testing.assert_array_equal(network.W, weights["W"])
    np.testing.assert_array_equal(network.b, weights["b"])


def test_matlab_files_that_make_no_network_are_refused(weights, tmp_path, monkeypatch):
    W, b = weights["W"].transpose(1, 2, 0), weights["b"].T
    path = tmp_path / "mine.mat"
    wrong = {
        "wanted arrays W and b, found W": {"W": W},
        "wanted an array of double or single, found cell": {"W": np.array([1, "a"], object), "b": b},
        "wanted real numbers": {"W": 1j * W, "b": b},
        r"wanted W \(layer, n, n\) and b": {"W": W[:, :-1], "b": b},
        "wanted finite weights": {"W": W * np.nan, "b": b},
    }
    for said, arrays in wrong.items():
        scipy_io.savemat(path, arrays)
        with pytest.raises(UserError, match=said):
            import_network.import_network(path, tmp_path / "mine.zarr", "relu", 3.0)
    path.write_bytes(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(600))
    with pytest.raises(UserError, match=r"found 7\.3; save it with"):
        import_network.import_network(path, tmp_path / "mine.zarr", "relu", 3.0)
    path.write_bytes(b"no MAT file at all")
    with pytest.raises(UserError, match="cannot be read"):
        import_network.import_network(path, tmp_path / "mine.zarr", "relu", 3.0)
    scipy_io.savemat(path, {"W": W, "b": b})
    monkeypatch.setattr(network_files, "LARGEST", 8 * b.size)
    path.write_bytes(path.read_bytes())
    with pytest.raises(UserError, match="wanted at most"):
        import_network.import_network(path, tmp_path / "mine.zarr", "relu", 3.0)
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setattr(network_files, "LARGEST", 2**30)
    with pytest.raises(UserError, match="pip install scipy"):
        import_network.import_network(path, tmp_path / "mine.zarr", "relu", 3.0)
    assert not (tmp_path / "mine.zarr").exists()


def test_an_archive_that_unpacks_to_too_much_is_not_unpacked(tmp_path, monkeypatch):
    np.savez_compressed(tmp_path / "mine.npz", W=np.zeros((100, WIDTH, WIDTH)), b=np.zeros((100, WIDTH)))
    monkeypatch.setattr(network_files, "LARGEST", 10**6)
    assert (tmp_path / "mine.npz").stat().st_size < 10**5
    monkeypatch.setattr(network_files, "open_npz", None)  # which would unpack it
    with pytest.raises(UserError, match="found an archive that unpacks to 1,9"):
        import_network.import_network(tmp_path / "mine.npz", tmp_path / "mine.zarr", "relu", 3.0)


def test_a_pickle_in_a_file_is_not_executed(weights, tmp_path):
    class Trap:
        def __reduce__(self):
            return (tmp_path / "sprung").touch, ()

    np.savez(tmp_path / "mine.npz", **weights, network=np.array(Trap(), object))
    with pytest.raises(UserError, match="cannot be read"):
        import_network.import_network(tmp_path / "mine.npz", tmp_path / "mine.zarr", "relu", 3.0)
    assert not (tmp_path / "sprung").exists()
    assert not (tmp_path / "mine.zarr").exists()


def without(tensors, *names):
    return {name: each for name, each in tensors.items() if name not in names}


WRONG = {
    "shape of W": (lambda w: {"W": w["W"][:, :, :-1], "b": w["b"]}, r"wanted W \(layer, n, n\) and b"),
    "shape of b": (lambda w: {"W": w["W"], "b": w["b"][:-1]}, r"wanted W \(layer, n, n\) and b"),
    "nan": (lambda w: {"W": w["W"] * np.nan, "b": w["b"]}, "wanted finite weights"),
    "width": (lambda w: {"W": w["W"][:, :48, :48], "b": w["b"][:, :48]}, "as a square image has pixels, found 48"),
    "a bias": (lambda w: without(as_state_dict(w), "layers.2.bias"), "layer 2 has no bias"),
    "a layer": (lambda w: without(as_state_dict(w), "layers.2.bias", "layers.2.weight"), "without a gap"),
    "two lists": (lambda w: as_state_dict(w) | as_state_dict(w, "more."), "one list of layers"),
    "a head": (lambda w: as_state_dict(w) | {"layers.6.weight": w["b"], "layers.6.bias": w["b"][0]}, "of one shape"),
    "a head beside": (lambda w: as_state_dict(w) | {"head.weight": w["b"]}, "alone, found head.weight beside them"),
    "nothing": (lambda w: {}, "found nothing"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_files_that_make_no_network_are_refused(weights, tmp_path, wrong):
    change, said = WRONG[wrong]
    path = write(tmp_path / "mine.safetensors", change(weights))
    with pytest.raises(UserError, match=said):
        import_network.import_network(path, tmp_path / "mine.zarr", "relu", 3.0)
    assert not (tmp_path / "mine.zarr").exists()


def test_pickled_objects_and_other_mistakes_are_refused(weights, tmp_path):
    out, path = tmp_path / "mine.zarr", write(tmp_path / "mine.npz", weights)
    np.savez(tmp_path / "pickled.npz", W=np.array([{}]), b=weights["b"])
    calls = [
        ((tmp_path / "pickled.npz", out, "relu", 3.0), "wanted plain numbers"),
        ((tmp_path / "missing.npz", out, "relu", 3.0), "found no file"),
        ((write(tmp_path / "half.npz", {"W": weights["W"], "c": weights["b"]}), out, "relu", 3.0), "an array called b"),
        ((path, out), "does not say activation and interval"),
        ((path, out, "swish", 3.0), "--activation: wanted one of"),
        ((path, out, "relu", -3.0), "--interval: wanted a number above 0"),
        ((path, out, "relu", 0.0), "--interval: wanted a number above 0, found 0.0"),
        ((path, out, "relu", 3.0, 0), "--classes: wanted 2 to 49"),
        ((path, out, "relu", 3.0, 50), "--classes: wanted 2 to 49"),
    ]
    for arguments, said in calls:
        with pytest.raises(UserError, match=said):
            import_network.import_network(*arguments)
    described = {
        "interval": ("3", "--interval: wanted a number above 0, found 3"),
        "ink": ("dark", "wanted ink 1 or -1"),
    }
    described |= {"classes": ([10], "--classes: wanted 2 to 49")}
    for key, (value, said) in described.items():
        about = {"activation": "relu", "interval": 3.0, key: value}
        np.savez(path, **weights, network=np.array(json.dumps(about)))
        with pytest.raises(UserError, match=said):
            import_network.import_network(path, out)
    nested = b"[" * 100_000
    (tmp_path / "nested.safetensors").write_bytes(len(nested).to_bytes(8, "little") + nested)
    with pytest.raises(UserError, match="wanted a safetensors file"):
        import_network.import_network(tmp_path / "nested.safetensors", out, "relu", 3.0)
    np.savez(path, **weights, network=np.array("[" * 100_000))
    with pytest.raises(UserError, match="does not say activation and interval"):
        import_network.import_network(path, out)
    (tmp_path / "state.pt").write_bytes(b"PK")
    with pytest.raises(UserError, match=r"wanted a file that ends in \.npz, \.safetensors or \.mat"):
        import_network.import_network(tmp_path / "state.pt", out, "relu", 3.0)
    assert not out.exists()
