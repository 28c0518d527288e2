"""A rate that falls: the three schedules at times where they can be computed by hand, and in RMSprop's history."""

import pytest
from kit.example_network import example

from stages.train.methods.first_order import learning_rate
from stages.train.methods.rmsprop import RMSprop


def test_without_a_schedule_the_rate_is_constant():
    assert [learning_rate(0.01, None, done, 10) for done in (0, 5, 9)] == [0.01] * 3


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("exponential", [0.01, 0.001, 0.0001]),  # the geometric mean half way
        ("inverse", [0.01, 0.01 / (1 + 99 / 2), 0.0001]),
        ("steps", [0.01, 0.001, 0.0001]),
    ],
)
def test_each_schedule_leads_from_the_rate_to_the_final_one(kind, expected):
    schedule = {"kind": kind, "final": 0.0001}
    # `steps` reaches its last level after two thirds, the others at the very end.
    last = 8 if kind == "steps" else 10
    assert [learning_rate(0.01, schedule, done, 10) for done in (0, 5, last)] == pytest.approx(expected)


def test_rmsprop_stretches_the_schedule_over_all_its_updates():
    case = example("tanh")
    schedule = {"kind": "exponential", "final": 0.0001}
    trainer = RMSprop(case.network, case.cost(), 7, rate=0.01, rho=0.9, epsilon=1e-7, schedule=schedule, updates=4)
    rates = [rate for _ in range(2) for rate in trainer.train_on_batch(case.x0, case.y, 2).step_size]
    assert rates == pytest.approx([0.01, 0.01**0.75 * 0.0001**0.25, 0.001, 0.01**0.25 * 0.0001**0.75])
