"""Pictures of attacks, shared by the figures of single images: attacked image, predicted class and change."""

from collections import Counter

import numpy as np

from stages.drawing import canvas
from stages.statistics import attack_curves, runs

SMALL = {"fontsize": 6, "labelpad": 2}  # the words below an image


def read(folder, settings):
    """Return {(model, attack): dataset of the one run that the figure shows}."""
    return {
        (model, attack): runs.asked_for(folder, settings, f"attack/{attack}", model)[0]
        for model in settings["models"]
        for attack in settings["attacks"]
    }


def successes(datasets):
    """Return {attacked test image: how many of the attacks change it}, most first; pictures left out do not count."""
    counts = Counter()
    for dataset in datasets:
        changed = dataset["success"].values.astype(bool) & attack_curves.pictured(dataset)
        for index, success in zip(dataset["image_index"].values, changed, strict=True):
            counts[int(index)] += int(success)
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def sample(dataset, number):
    """Return what a store says of one test image, {variable: value}; None if the network misclassifies the original."""
    places = np.flatnonzero(dataset["image_index"].values == number)
    names = ("success", "original", "adversarial", "label", "predicted")
    return {name: dataset[name].values[places[0]] for name in names} if places.size else None


def is_kept(sample):
    """Tell whether the store has the pictures of a sample: an extract keeps those of the first successes."""
    return sample is not None and np.isfinite(sample["original"]).all()


def draw_original(panel, sample):
    canvas.picture(panel, sample["original"], vmin=0, vmax=1)
    panel.set_xlabel(f"true class {sample['label']}", **SMALL)


def draw_attacked(panels, sample, failed, words):
    """Show the attacked image and the change, or say why there is none.

    failed: said of an attack without success; words: below the change, with {norm} and {largest}, its largest pixel.
    """
    if text := _why_none(sample, failed):
        for panel in panels:
            canvas.clear(panel)
        panels[0].text(0.5, 0.5, text, fontsize=5.5, ha="center", va="center", transform=panels[0].transAxes)
        return
    change = sample["adversarial"] - sample["original"]
    largest = np.abs(change).max() or 1.0
    canvas.picture(panels[0], sample["adversarial"], vmin=0, vmax=1)
    canvas.picture(panels[1], change, vmin=-largest, vmax=largest, cmap="RdBu_r")
    panels[0].set_xlabel(f"predicted {sample['predicted']}", **SMALL)
    panels[1].set_xlabel(words.format(norm=np.linalg.norm(change), largest=largest), **SMALL)


def _why_none(sample, failed):
    """Return why there is no attacked image to show, or an empty text."""
    if sample is None:
        return "misclassified\nunattacked"
    if not sample["success"]:
        return failed
    return "" if is_kept(sample) else "picture\nnot kept"
