"""Networks for other tools: what they compute from an exported file is what the network here computes."""

import json
import subprocess
import sys

import numpy as np
import pytest
from kit import attacked_digits
from kit.project_copy import ROOT

from stages.catalogues import ACTIVATIONS
from stages.exchange import export_network, safetensors_files
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.zoo import load

TRAINED = {
    "network": {"classes": 10, "components": "classes", "interval": attacked_digits.INTERVAL, "precision": "float32"},
    "loss": {"mu1": 1.0, "mu2": 0.0, "mu3": 0.0},
    "trainer": {"solver": "euler", "epochs": 1, "method": "ncg"},
}


@pytest.fixture(params=["relu", "tanh", "relu, own scores", "relu, own scores, ink"])
def net(request, tmp_path):
    activation, _, own = request.param.partition(", ")
    network, settings = attacked_digits.network(activation), TRAINED["network"]
    W, b = network.W, network.b
    if own:  # ten components more, which see the others
        rng, more = np.random.default_rng(5), settings["classes"]
        W, b = np.pad(W, [(0, 0), (more, 0), (more, 0)]), np.pad(b, [(0, 0), (more, 0)])
        W[:, :more] = rng.normal(0, 0.1, W[:, :more].shape)
        settings = settings | {"scores": "own"} | ({"ink": -1} if "ink" in own else {})
    stores.write(
        tmp_path / "mine.zarr",
        {"W": (("layer", "out", "in"), W), "b": (("layer", "out"), b)},
        settings=TRAINED | {"network": settings, "activation": activation},
        inputs={},
    )
    return load(tmp_path / "mine.zarr", "cpu")


@pytest.fixture
def images():
    return attacked_digits.digits()[0][:50]


def computed(W, b, about, images):
    """The network in plain NumPy, as the files say that it is to be read."""
    activation = {"relu": lambda a: np.maximum(a, 0), "tanh": np.tanh}[about["activation"]]
    x = np.pad(about.get("ink", 1) * images, [(0, 0), (about["classes"] if about.get("scores") == "own" else 0, 0)])
    for weights, biases in zip(W, b, strict=True):
        x = x + about["interval"] / len(W) * activation(x @ weights.T + biases)
    return x[:, : about["classes"]]


def test_an_npz_file_holds_all_that_the_scores_need(net, images, tmp_path):
    export_network.export(net, tmp_path / "mine.npz")
    with np.load(tmp_path / "mine.npz", allow_pickle=False) as file:
        about = json.loads(file["network"].item())
        scores = computed(file["W"], file["b"], about, images)
    np.testing.assert_allclose(scores, net.scores(images), atol=1e-4)
    assert about["name"] == "mine"
    assert about["side"] == 7


def test_so_does_a_safetensors_file(net, images, tmp_path):
    export_network.export(net, tmp_path / "mine.safetensors")
    tensors, metadata = safetensors_files.read(tmp_path / "mine.safetensors")
    scores = computed(tensors["W"], tensors["b"], json.loads(metadata["network"]), images)
    np.testing.assert_allclose(scores, net.scores(images), atol=1e-4)


def test_other_tools_read_the_safetensors_file(net, tmp_path):
    numpy = pytest.importorskip("safetensors.numpy")
    export_network.export(net, tmp_path / "mine.safetensors")
    tensors = numpy.load_file(tmp_path / "mine.safetensors")
    np.testing.assert_array_equal(tensors["W"], net.network.W)
    numpy.save_file({"x": np.arange(6, dtype=np.int64).reshape(2, 3)}, tmp_path / "theirs.safetensors")
    np.testing.assert_array_equal(
        safetensors_files.read(tmp_path / "theirs.safetensors")[0]["x"], [[0, 1, 2], [3, 4, 5]]
    )


def test_onnx_runtime_computes_the_same_scores(net, images, tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    export_network.export(net, tmp_path / "mine.onnx")
    session = runtime.InferenceSession(tmp_path / "mine.onnx")
    (scores,) = session.run(None, {"images": images})
    np.testing.assert_allclose(scores, net.scores(images), atol=1e-4)


def test_the_torch_module_computes_the_same_scores(net, images, tmp_path):
    torch = pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    from stages.exchange.torch_network import StandaloneODE

    export_network.export(net, tmp_path / "mine.safetensors")
    with torch.no_grad():
        scores = StandaloneODE(tmp_path / "mine.safetensors")(torch.tensor(images).reshape(-1, 1, 7, 7))
    np.testing.assert_allclose(scores.numpy(), net.scores(images), atol=1e-4)


def test_the_torch_module_has_the_activations_of_the_project():
    torch = pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    from stages.exchange import torch_network

    assert set(torch_network.ACTIVATIONS) == set(ACTIVATIONS)
    a = np.linspace(-4, 4, 81)
    for name, activation in torch_network.ACTIVATIONS.items():
        wanted = ACTIVATIONS.find(name).value(a.copy(), np.empty_like(a))
        np.testing.assert_allclose(activation(torch.tensor(a)).numpy(), wanted, atol=1e-12)


def test_without_onnx_the_message_says_what_to_install(net, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(UserError, match="pip install onnx"):
        export_network.export(net, tmp_path / "mine.onnx")
    with pytest.raises(UserError, match=r"wanted a file that ends in \.npz, \.safetensors, \.onnx"):
        export_network.export(net, tmp_path / "mine.pt")
    assert [path.name for path in tmp_path.iterdir() if path.suffix in (".onnx", ".pt")] == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 8,
        b"\xff" * 40,
        b"PK\x03\x04" + b"\x00" * 40,
        (2).to_bytes(8, "little") + b"[]",
        (70).to_bytes(8, "little") + b'{"W": {"dtype": "F32", "shape": [2], "data_offsets": [0, 800]}}'.ljust(70),
        (70).to_bytes(8, "little")
        + b'{"W": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}}'.ljust(70)
        + b"12345678",
        (70).to_bytes(8, "little")
        + b'{"W": {"dtype": "PKL", "shape": [2], "data_offsets": [0, 8]}}'.ljust(70)
        + b"12345678",
    ],
)
def test_damaged_safetensors_files_are_refused(tmp_path, content):
    (tmp_path / "mine.safetensors").write_bytes(content)
    with pytest.raises(UserError, match="wanted a safetensors file"):
        safetensors_files.read(tmp_path / "mine.safetensors")


def test_the_command_exports_a_network_that_comes_with_the_project(tmp_path):
    command = [sys.executable, "-m", "stages.exchange.export_network", "ncg_ce_relu", "--out", str(tmp_path / "a.npz")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "a.npz", allow_pickle=False) as file:
        assert file["W"].shape == (150, 196, 196)
