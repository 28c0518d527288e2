"""The order of the images: proportions, and what becomes of a class that is rare in the first batch."""

import gzip

import numpy as np
import pytest
from kit.digits import blobs, train_settings

from stages.model.classify import class_scores
from stages.model.cost import Cost, one_hot
from stages.model.network import initial_network
from stages.runtime.arrays import to_host
from stages.runtime.errors import UserError
from stages.runtime.seeds import generator
from stages.train.batches import epoch_batches
from stages.train.methods.ncg import ConjugateGradient
from stages.train.training import Training

CE = {"mu1": 0.0, "mu2": 1.0, "mu3": 0.4}
SIDE, BATCH = 14, 100


def read(path, header):
    with gzip.open(path) as file:
        return np.frombuffer(file.read(), np.uint8, offset=header)


@pytest.fixture(scope="module")
def digits(request):
    """The shipped training digits: images (sample, pixel) and labels."""
    folder = request.config.rootpath / "workflow" / "sample"
    labels = read(folder / "train-labels-idx1-ubyte.gz", 8).astype(int)
    pixels = read(folder / "train-images-idx3-ubyte.gz", 16).reshape(-1, SIDE, 2, SIDE, 2)
    return (pixels.mean(axis=(2, 4)) / 255).reshape(-1, SIDE**2), labels


@pytest.mark.parametrize("order", ["stratified", "random"])
def test_an_epoch_shows_every_image_once_and_no_two_epochs_are_alike(order, digits):
    _, labels = digits
    epochs = [epoch_batches(order, 1, 0, epoch, labels, BATCH) for epoch in (0, 1)]
    for batches in epochs:
        np.testing.assert_array_equal(np.sort(batches.ravel()), np.arange(len(labels)))
    assert not np.array_equal(*epochs)
    assert np.array_equal(epochs[0], epoch_batches(order, 1, 0, 0, labels, BATCH))


def test_every_stratified_batch_has_the_classes_in_the_proportions_of_the_whole(digits):
    _, labels = digits
    batches = epoch_batches("stratified", 1, 0, 0, labels, BATCH)
    counts = np.stack([np.bincount(labels[batch], minlength=10) for batch in batches])
    expected = BATCH * np.bincount(labels) / len(labels)
    # An image's key is off its place by less than one of its class's steps at both ends of the batch.
    assert np.abs(counts - expected).max() < 2
    random = epoch_batches("random", 1, 0, 0, labels, BATCH)
    counts = np.stack([np.bincount(labels[batch], minlength=10) for batch in random])
    assert np.abs(counts - expected).max() > 6


def test_what_does_not_fill_a_batch_waits_and_labels_may_be_lopsided():
    labels = np.array([0] * 50 + [3])
    batches = epoch_batches("stratified", 1, 0, 0, labels, 8)
    assert batches.shape == (6, 8)
    assert len(np.unique(batches)) == 48
    with pytest.raises(UserError, match="wanted at least one full batch"):
        epoch_batches("stratified", 1, 0, 0, labels, 52)


def test_runs_in_lockstep_have_the_batches_that_they_have_alone():
    images, labels = blobs(70)
    data = {
        f"{part}_{name}": each for part in ("train", "test") for name, each in (("image", images), ("label", labels))
    }
    settings = train_settings(batch=20, batches="stratified", seed=1)
    together = Training(settings, [0, 2], data, np)._batches(3)
    for index, run in enumerate((0, 2)):
        alone = epoch_batches("stratified", 1, run, 3, labels, 20)
        np.testing.assert_array_equal(together[:, index], alone)
        np.testing.assert_array_equal(Training(settings, [run], data, np)._batches(3), alone)


def recalls(order, digits, batches=12, layers=25):
    """Train a Sobolev network with ReLU and cross-entropy on a few batches; return the share read of each class."""
    images, labels = digits
    network = initial_network(
        generator(1, "initial weights", 0),
        width=SIDE**2,
        depth=layers,
        interval=3.0,
        activation="relu",
        std=0.001,
        dtype="float32",
    )
    trainer = ConjugateGradient(network, Cost(**CE, weight_decay=0.0, components=10), BATCH, gradient="sobolev")
    for batch in epoch_batches(order, 1, 0, 0, labels, BATCH)[:batches]:
        y = one_hot(labels[batch], network.width, "float32", np)
        trainer.train_on_batch(network.columns(images[batch]), y, 6)
    found = to_host(class_scores(network, images[:2000], 10).argmax(axis=-1))
    return np.array([(found[labels[:2000] == label] == label).mean() for label in range(10)])


def test_a_class_that_is_rare_in_the_first_batch_is_lost_with_random_batches_and_not_with_stratified_ones(digits):
    _, labels = digits
    first = np.bincount(labels[epoch_batches("random", 1, 0, 0, labels, BATCH)[0]], minlength=10)
    lost = np.flatnonzero(recalls("random", digits) == 0)
    assert lost.size
    assert first[lost].max() <= 7  # the rare ones, and no other
    assert recalls("stratified", digits).min() > 0.2
