"""A network of ours in other people's tools: PyTorch, ONNX Runtime, foolbox and the Adversarial Robustness Toolbox.

They need packages that `make test` does without: `make test-exchange` makes an environment with them and runs this.
"""

import gzip

import numpy as np
import pytest
from kit.project_copy import ROOT

from stages.exchange import export_network
from stages.zoo import load

WHY = "wants {}: make test-exchange"
torch = pytest.importorskip("torch", reason=WHY.format("torch"))
pytest.importorskip("safetensors", reason=WHY.format("safetensors"))

IMAGES, NORM, STEP, STEPS = 60, 0.5, 0.06, 15  # the attack: the line pgd-0.06 of config.yaml
NETWORKS = ["ncg_ce_relu", "sgd_ce_relu"]


@pytest.fixture(scope="module", params=NETWORKS)
def net(request):
    return load(request.param, "cpu")


@pytest.fixture(scope="module")
def digits(net):
    """Images (sample, pixel) that the network classifies correctly, as small as it takes them, and their labels."""
    with gzip.open(ROOT / "workflow/sample/t10k-images-idx3-ubyte.gz") as file:
        images = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 28, 28)[: 2 * IMAGES]
    with gzip.open(ROOT / "workflow/sample/t10k-labels-idx1-ubyte.gz") as file:
        labels = np.frombuffer(file.read(), np.uint8, offset=8)[: 2 * IMAGES].astype(np.int64)
    right = np.flatnonzero(net.classify(images) == labels)[:IMAGES]
    return net.trajectory(images[right])[:, 0], labels[right]


@pytest.fixture(scope="module")
def module(net, tmp_path_factory):
    """The network as a PyTorch module, from an exported file."""
    from stages.exchange.torch_network import StandaloneODE

    path = tmp_path_factory.mktemp("exported") / "net.safetensors"
    export_network.export(net, path)
    return StandaloneODE(path).eval()


@pytest.fixture(scope="module")
def ours(net, digits):
    attacked = net.attack(*digits, "pgd-0.06", norm=NORM)
    assert 0.05 < attacked.success.mean() < 0.95  # some succeed and some do not: there is something to compare
    return attacked


def agree(net, digits, ours, adversarial):
    """Their attack succeeds where ours does, but for images close to the boundary, and within the same norm."""
    images, labels = digits
    assert np.linalg.norm(adversarial - images, axis=1).max() <= NORM * (1 + 1e-4)
    theirs = net.classify(adversarial.clip(0, 1)) != labels
    assert (theirs == ours.success).mean() >= 0.95
    assert abs(theirs.mean() - ours.success.mean()) <= 0.05


def test_pytorch_computes_the_same_scores(net, digits, module):
    with torch.no_grad():
        scores = module(torch.tensor(digits[0])).numpy()
    np.testing.assert_allclose(scores, net.scores(digits[0]), atol=1e-4)


def test_onnx_runtime_computes_the_same_scores(net, digits, tmp_path):
    pytest.importorskip("onnx", reason=WHY.format("onnx"))
    runtime = pytest.importorskip("onnxruntime", reason=WHY.format("onnxruntime"))
    export_network.export(net, tmp_path / "net.onnx")
    (scores,) = runtime.InferenceSession(tmp_path / "net.onnx").run(None, {"images": digits[0]})
    np.testing.assert_allclose(scores, net.scores(digits[0]), atol=1e-4)


def test_what_our_attack_finds_deceives_pytorch_too(digits, module, ours):
    with torch.no_grad():
        predicted = module(torch.tensor(ours.adversarial.reshape(len(digits[1]), -1))).argmax(dim=1).numpy()
    np.testing.assert_array_equal(predicted, ours.predicted)


def test_foolbox_finds_what_our_pgd_finds(net, digits, module, ours):
    foolbox = pytest.importorskip("foolbox", reason=WHY.format("foolbox"))
    attack = foolbox.attacks.L2ProjectedGradientDescentAttack(abs_stepsize=STEP, steps=STEPS, random_start=False)
    victim = foolbox.PyTorchModel(module, bounds=(0, 1), device="cpu")
    images, labels = map(torch.tensor, digits)
    _, adversarial, _ = attack(victim, images, labels, epsilons=NORM)
    agree(net, digits, ours, adversarial.numpy())


def test_so_does_the_adversarial_robustness_toolbox(net, digits, module, ours):
    from art.attacks.evasion import ProjectedGradientDescent
    from art.estimators.classification import PyTorchClassifier

    width = digits[0].shape[1]
    victim = PyTorchClassifier(module, torch.nn.CrossEntropyLoss(), (width,), 10, clip_values=(0, 1), device_type="cpu")
    attack = ProjectedGradientDescent(victim, norm=2, eps=NORM, eps_step=STEP, max_iter=STEPS, verbose=False)
    agree(net, digits, ours, attack.generate(digits[0], digits[1]))
