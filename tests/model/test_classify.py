import numpy as np
from kit.example_network import example

from stages.model import classify
from stages.model.direct import final_state


def test_scores_are_the_first_components_of_the_last_state():
    case = example("relu")
    scores = classify.class_scores(case.network, case.images, 3)
    np.testing.assert_array_equal(scores, final_state(case.network, case.x0)[:3].T)


def test_blocks_are_joined_in_order(rng):
    images = rng.random((2, 23, 4))
    seen = []

    def double(part):
        seen.append(part.shape[1])
        return 2 * part

    np.testing.assert_array_equal(classify.in_blocks(double, images, block=10), 2 * images)
    assert seen == [10, 10, 3]


def test_accuracy_is_the_share_of_labels_found():
    case = example("relu", samples=10)
    right = classify.class_scores(case.network, case.images, 3).argmax(axis=-1)
    wrong = (right + 1) % 3
    mixed = np.where(np.arange(10) < 7, right, wrong)
    assert classify.accuracy(case.network, case.images, mixed, 3) == 0.7


def test_several_networks_get_an_accuracy_each():
    together = example("tanh", runs=3, samples=20)
    found = classify.accuracy(together.network, together.images, together.labels, 3)
    for run in range(3):
        alone = example("tanh", seed=run, samples=20)
        assert found[run] == classify.accuracy(alone.network, alone.images, alone.labels, 3)
