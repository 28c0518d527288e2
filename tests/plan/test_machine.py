"""What jobs ask of a machine follows from the sizes of the experiment."""

from types import SimpleNamespace

import pytest
from kit.project_copy import ROOT

from stages.config import configuration
from stages.plan.machine import CUDA_MB, Machine
from stages.train.device_memory import training_megabytes

PAPER = {"width": 196, "depth": 150, "batch": 100, "images": 70000}


def asked(part, *arguments, model="ncg_ce_relu", device="gpu", **overrides):
    execution = {"device": device}
    config = configuration.load(ROOT, overrides={"preset": "paper", "execution": execution, **overrides})
    found = getattr(Machine(config), part)(*arguments)
    wildcards = SimpleNamespace(model=model)
    on_gpu = found["gpu_mem_mb"](wildcards) if found["gpu"] else found["gpu_mem_mb"]
    return found | {"mem_mb": found["mem_mb"](wildcards, 1), "gpu_mem_mb": on_gpu}


@pytest.mark.parametrize(("part", "arguments"), [("training", [5]), ("evaluating", [1]), ("attacking", [])])
def test_a_job_takes_a_gpu_and_a_part_of_its_memory_where_one_is_asked_for(part, arguments):
    there, here = (asked(part, *arguments, device=device) for device in ("gpu", "cpu"))
    assert (there["gpu"], there["device"]) == (1, "gpu")
    assert CUDA_MB < there["gpu_mem_mb"] < 2000
    assert (here["gpu"], here["gpu_mem_mb"], here["device"]) == (0, 0, "cpu")
    assert there["mem_mb"] == here["mem_mb"]


@pytest.mark.parametrize("runs", [1, 5])
@pytest.mark.parametrize(
    ("model", "made"),
    [
        ("ncg_ce_relu", {}),
        ("ncg-sobolev_ce_relu", {"weight_arrays": 4}),
        ("ncg-ode45_l2_tanh", {"kept_states": 6}),
    ],
)
def test_a_training_asks_for_what_it_allocates(model, made, runs):
    expected = CUDA_MB + training_megabytes(**({"weight_arrays": 3, "kept_states": 3} | PAPER | made), runs=runs)
    assert asked("training", runs, model=model)["gpu_mem_mb"] == int(expected)


@pytest.mark.parametrize("device", ["gpu", "cpu"])
def test_ode45_keeps_more_states_than_euler(device):
    memory = "gpu_mem_mb" if device == "gpu" else "mem_mb"
    euler, ode45 = (asked("training", 5, model=f"{t}_l2_tanh", device=device)[memory] for t in ("ncg", "ncg-ode45"))
    states = 5 * 150 * 196 * 100 * 4 / 1e6
    assert ode45 - euler == pytest.approx(3 * states, rel=0.15)


def test_double_precision_takes_nearly_twice_the_memory():
    single, double = (asked("training", 5, network={"precision": p})["gpu_mem_mb"] for p in ("float32", "float64"))
    assert 1.8 < (double - CUDA_MB) / (single - CUDA_MB) < 2
