"""The memory that a training takes on a device is what the formula says."""

import gc

import cupy
import pretend_cuda
import pytest
from kit import digits

from stages.catalogues import METHODS, SOLVERS
from stages.train.device_memory import training_megabytes
from stages.train.training import Training


@pytest.mark.parametrize("trainer", ["ncg", "ncg-sobolev", "sgd", "ncg-ode45", "ncg-robust"])
@pytest.mark.parametrize("runs", [1, 4])
def test_a_training_takes_no_more_than_the_formula_says_and_not_much_less(trainer, runs):
    settings = digits.train_settings(f"{trainer}_l2_tanh")
    robust = settings["trainer"].get("robust", {"share": 0.0})
    robust["from_batch"] = 0
    (train_image, train_label), (test_image, test_label) = digits.blobs(60), digits.blobs(40, seed=5)
    data = {"train_image": train_image, "train_label": train_label, "test_image": test_image, "test_label": test_label}
    settings["network"]["depth"], settings["trainer"]["epochs"] = 40, 1
    pool = cupy.get_default_memory_pool()
    gc.collect()  # networks of earlier tests hold on to blocks
    pool.free_all_blocks()
    before = pool.total_bytes()
    with pretend_cuda.counted() as counted:
        Training(settings, list(range(runs)), data, cupy).run()
    sizes = {"width": train_image.shape[1], "depth": 40, "batch": settings["batch"], "runs": runs, "images": 100}
    chosen = settings["trainer"]
    made = {
        "weight_arrays": METHODS.find(chosen["method"]).weight_arrays + (chosen["gradient"] == "sobolev"),
        "kept_states": SOLVERS.find(chosen["solver"]).kept_states,
        "moved": robust["share"],
    }
    expected = 1e6 * training_megabytes(**sizes, **made)
    found = counted["most_memory"] - before
    print(trainer, runs, found, expected)
    assert found <= expected + 100 * 512  # a hundred small arrays, each at least 512 bytes
    assert found >= 0.4 * expected
