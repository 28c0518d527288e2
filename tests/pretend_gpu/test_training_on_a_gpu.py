"""Training on the device gives NumPy's numbers, by the path that was made for it."""

import itertools

import cupy
import numpy as np
import pretend_cuda
import pytest
from kit import digits, tolerances
from kit.both_sides import TRAINERS, trained, trainer_and_batch
from kit.example_convolution import convolutional_example
from kit.example_network import example

from stages.runtime.arrays import to_host
from stages.train.all_at_once import AllAtOnce
from stages.train.methods.base import Diverged
from stages.train.passes import LayerByLayer
from stages.train.training import Training

EXPLICIT = ("ncg", "sobolev", "rmsprop")


@pytest.mark.parametrize("decay", [0.0, 0.01])
@pytest.mark.parametrize("runs", [None, 2])
@pytest.mark.parametrize(
    ("trainer", "activation", "loss"), [*itertools.product(EXPLICIT, ["relu", "tanh"], ["squares", "paper's ce"])]
)
def test_training_gives_numpys_numbers(trainer, activation, loss, runs, decay):
    case = example(activation, std=0.3, runs=runs)
    made, found, history = trained(trainer, case, loss, decay, cupy)
    _, expected, expected_history = trained(trainer, case, loss, decay, np)
    assert isinstance(made.passes, AllAtOnce)
    np.testing.assert_allclose(found, expected, **tolerances.ANOTHER_DEVICE)
    assert history.keys() == expected_history.keys()
    for name, values in expected_history.items():
        assert history[name].dtype == values.dtype, name
        np.testing.assert_allclose(history[name], values, **tolerances.ANOTHER_DEVICE, err_msg=name)


@pytest.mark.parametrize("runs", [None, 2])
@pytest.mark.parametrize("trainer", [name for name in TRAINERS if name not in EXPLICIT])
def test_training_by_ode45_gives_numpys_numbers(trainer, runs):
    case = example("tanh", std=0.3, runs=runs)
    made, found, history = trained(trainer, case, "squares", 0.01, cupy)
    _, expected, expected_history = trained(trainer, case, "squares", 0.01, np)
    assert isinstance(made.passes, LayerByLayer)
    np.testing.assert_allclose(found, expected, **tolerances.ANOTHER_DEVICE)
    for name, values in expected_history.items():
        np.testing.assert_allclose(history[name], values, **tolerances.ANOTHER_DEVICE, err_msg=name)


@pytest.mark.parametrize("trainer", EXPLICIT)
def test_in_single_precision_at_the_papers_width(trainer):
    shape = {"width": 196, "depth": 6, "samples": 100, "classes": 10, "std": 0.05, "dtype": "float32"}
    case = example("tanh", runs=2, **shape)
    _, found, history = trained(trainer, case, "paper's ce", 1e-4, cupy, iterations=2)
    _, expected, expected_history = trained(trainer, case, "paper's ce", 1e-4, np, iterations=2)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, **tolerances.SINGLE_TRAINING)
    np.testing.assert_allclose(history["loss"], expected_history["loss"], **tolerances.SINGLE_TRAINING)


def test_an_activation_without_a_kernel_runs_by_cupys_functions():
    case = example("identity", std=0.3)
    made, found, _ = trained("ncg", case, "squares", 0.01, cupy)
    _, expected, _ = trained("ncg", case, "squares", 0.01, np)
    assert isinstance(made.passes, LayerByLayer)
    np.testing.assert_allclose(found, expected, **tolerances.ANOTHER_DEVICE)


@pytest.mark.parametrize("runs", [None, 2])
@pytest.mark.parametrize("trainer", EXPLICIT)
def test_a_convolutional_network_trains_by_cupys_functions(trainer, runs):
    case = convolutional_example("tanh", runs=runs)
    made, found, history = trained(trainer, case, "paper's ce", 0.01, cupy)
    _, expected, expected_history = trained(trainer, case, "paper's ce", 0.01, np)
    assert isinstance(made.passes, LayerByLayer)
    np.testing.assert_allclose(found, expected, **tolerances.ANOTHER_DEVICE)
    for name, values in expected_history.items():
        np.testing.assert_allclose(history[name], values, **tolerances.ANOTHER_DEVICE, err_msg=name)


def test_guards_work_in_some_runs_and_not_in_others():
    worked = {"restarts": set(), "halvings": set()}
    for seed in range(0, 30, 3):
        case = example("relu", seed=seed, runs=3, depth=4, interval=3.0)
        _, found, history = trained("ncg", case, "cross-entropy", 0.0, cupy, iterations=4)
        _, expected, expected_history = trained("ncg", case, "cross-entropy", 0.0, np, iterations=4)
        for name, seen in worked.items():
            np.testing.assert_array_equal(history[name], expected_history[name])
            seen.update((history[name] > 0).any(axis=(0, 1)).tolist())
        np.testing.assert_allclose(found, expected, **tolerances.ANOTHER_DEVICE)
    assert worked == {"restarts": {True, False}, "halvings": {True, False}}


@pytest.mark.parametrize("trainer", EXPLICIT)
def test_a_run_in_lockstep_gets_the_numbers_that_it_gets_alone(trainer):
    """Up to rounding: a device may sum a stack of matrices in another order than one."""
    _, together, _ = trained(trainer, example("tanh", std=0.3, runs=3), "paper's ce", 0.01, cupy)
    for run in range(3):
        _, alone, _ = trained(trainer, example("tanh", std=0.3, seed=run), "paper's ce", 0.01, cupy)
        np.testing.assert_allclose(together[:, run], alone, **tolerances.ANOTHER_DEVICE)


@pytest.mark.parametrize("trainer", EXPLICIT)
def test_a_cost_that_is_not_finite_names_its_iteration_and_run(trainer):
    case = example("relu", runs=2)
    made, (x0, y) = trainer_and_batch(trainer, case, "squares", 0.0, cupy)
    x0[1, 0, 0] = float("inf")
    with pytest.raises(Diverged) as caught:
        made.train_on_batch(x0, y, 2)
    assert caught.value.iteration == 0
    assert np.isfinite(caught.value.loss).tolist() == [True, False]


@pytest.mark.parametrize("runs", [[0], [0, 1]])
@pytest.mark.parametrize(
    ("model", "scores"),
    [
        *((model, "pixels") for model in ("ncg_l2_tanh", "ncg-sobolev_ce_relu", "ncg-wd_ce_tanh")),
        *((model, "pixels") for model in ("sgd-wd_l2_relu", "ncg-ode45_l2_tanh")),
        *((model, "own") for model in ("ncg_ce_relu", "ncg-sobolev_l2_tanh", "sgd_ce_relu", "ncg-ode45_l2_tanh")),
    ],
)
def test_a_whole_training_gives_numpys_numbers(model, scores, runs):
    settings = digits.train_settings(model, network={"precision": "float64", "scores": scores})
    (train_image, train_label), (test_image, test_label) = digits.blobs(60), digits.blobs(40, seed=5)
    data = {"train_image": train_image, "train_label": train_label, "test_image": test_image, "test_label": test_label}
    here, there = (Training(settings, runs, data, xp) for xp in (np, cupy))
    here.run()
    there.run()
    np.testing.assert_allclose(to_host(there.network.parameters), here.network.parameters, **tolerances.ANOTHER_DEVICE)
    for name in set(here.history) - {"seconds"}:
        np.testing.assert_allclose(
            np.array(there.history[name]), np.array(here.history[name]), **tolerances.ANOTHER_DEVICE, err_msg=name
        )


@pytest.mark.parametrize(
    ("trainer", "loss", "decay", "waits"),
    [
        ("ncg", "squares", 0.0, 3),
        ("ncg", "paper's ce", 0.0, 3),
        ("sobolev", "paper's ce", 0.01, 6),  # its decay has three terms: of W, of W and d, of d
        ("rmsprop", "squares", 0.01, 0),
    ],
)
def test_few_numbers_leave_the_device(trainer, loss, decay, waits):
    """The class scores of x(T) and ξ(T) and a few numbers a run; RMSprop's history leaves once a batch."""
    case = example("tanh", std=0.3, runs=2)
    made, batch = trainer_and_batch(trainer, case, loss, decay, cupy)
    made.train_on_batch(*batch, 3)
    with pretend_cuda.counted() as short:
        made.train_on_batch(*batch, 3)
    with pretend_cuda.counted() as long:
        made.train_on_batch(*batch, 6)
    assert long["copies_to_host"] - short["copies_to_host"] <= 3 * waits
    assert long["synchronisations"] - short["synchronisations"] <= 3 * waits
    scores = case.cost(loss).components * case.images.shape[-2]
    assert long["bytes_to_host"] - short["bytes_to_host"] <= 3 * 8 * 2 * (2 * scores + waits if waits else 7)
