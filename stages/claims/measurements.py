"""All quantities of the claims, measured from the stores: {(quantity, key): Measured over runs}.

A key is a model, or (attack, model). A missing store, or a network below the least accuracy, leaves a reason in place
of the numbers, so that the claim says why it is not decided. In the first run, quantities that are functions of means
over test images are also measured on resampled images, and get the standard deviation that the paper prints.
"""

import copy
from dataclasses import replace

from stages.claims.measured import Measured, Unusable, first_unusable, measured
from stages.claims.per_image import PerImage, resample
from stages.claims.quantities import QUANTITIES
from stages.names.model_name import store_path
from stages.plan import experiment, stage_table
from stages.storage import stores

NOT_RUN = "not run: "  # prefix of the reason for a missing store
WITHOUT_IMAGES = "its store keeps no single images: make it again"  # an older store, with means only


class Measurements:
    """Values over runs by quantity and key; for missing ones `get` returns the reason."""

    def __init__(self, thresholds):
        self.thresholds = thresholds
        self.values = {}
        self.reasons = {}  # model: why none of its numbers may be used
        self.score_pairs = []  # [pixels, own]: models that differ only in their class scores

    def put(self, quantity, key, values):
        self.values[quantity, key] = measured(values)

    def get(self, quantity, key):
        """Return the values over runs, or why there are none."""
        model = key if isinstance(key, str) else key[1]
        if model in self.reasons:
            return Unusable(self.reasons[model])
        return self.values.get((quantity, key), Unusable(NOT_RUN + _words(key)))

    def of_first_run(self):
        """Return a copy with the first run of every network alone, which is judged by its test images."""
        return self.changed(lambda value: value.first_run)

    def changed(self, change):
        """Return a copy with change(value) of everything that was measured."""
        other = copy.copy(self)
        other.values = {
            place: change(value) if isinstance(value, Measured) else value for place, value in self.values.items()
        }
        return other

    @property
    def runs(self):
        """The number of runs of the network that has the most."""
        return max((len(value.runs) for value in self.values.values() if isinstance(value, Measured)), default=0)

    def as_if_run(self):
        """Return a copy with a number for everything in the experiment, run or not, to find out what it contains."""
        whole = Measurements(self.thresholds)
        whole.score_pairs = self.score_pairs
        whole.values = dict.fromkeys(self.values, measured([1.0, 1.0]))
        return whole


def _words(key):
    return key if isinstance(key, str) else " on ".join(key)


def measure(folder, config, printed=None):
    """Read every store of the experiment and return the measurements; printed: those that the paper prints."""
    numbers, per_image = Measurements(config["claims"]), {}
    numbers.score_pairs = experiment.score_pairs(config)
    folders = stage_table.folders(config)
    for place, models in stage_table.judged_models(config).items():
        (stage, part), name = folders[place], place.partition("/")[0]
        if name not in QUANTITIES:  # no claim uses it
            continue
        for model in models:
            runs = experiment.runs_of(config, model)
            datasets = _read(folder, place, model, runs, stage.settings(config, model, part))
            key = (part, model) if part else model
            per_image |= _put_all(numbers, key, datasets, QUANTITIES[name](config, model, part))
            if place == "train":
                _refuse_untrained(numbers, model)
    _add_chance(numbers, resample(per_image, config["claims"]["resamplings"], config["seed"]), printed)
    return numbers


def _read(folder, stage, model, runs, settings):
    """Return the datasets of all runs, one at a time, or why they cannot be read."""
    paths = [store_path(folder, stage, model, run) for run in runs]
    missing = [path for path in paths if not stores.manifest_path(path).exists()]
    if missing:
        return Unusable(f"{NOT_RUN}{stage}/{model}/{missing[0].name}")
    return (stores.read(path, settings) for path in paths)


def _put_all(numbers, key, datasets, quantities):
    """Store every quantity of every run; return {(quantity, key): PerImage} of the first run, where images matter.

    A dataset is released before the next is read, since weights are large.
    """
    if isinstance(datasets, Unusable):
        for name in quantities:
            numbers.put(name, key, datasets)
        return {}
    taken = {name: [] for name in quantities}
    for dataset in datasets:
        for name, take in quantities.items():
            try:
                taken[name].append(take(dataset))
            except KeyError:
                taken[name].append(Unusable(f"{_words(key)}: {WITHOUT_IMAGES}"))
    for name, runs in taken.items():
        values = [run.value if isinstance(run, PerImage) else run for run in runs]
        numbers.put(name, key, first_unusable(values) or values)
    return {(name, key): runs[0] for name, runs in taken.items() if isinstance(runs[0], PerImage)}


def _refuse_untrained(numbers, model):
    accuracy, least = numbers.get("trained_accuracy", model), numbers.thresholds["minimum_accuracy"]
    if not isinstance(accuracy, Unusable) and accuracy.mean < least:
        numbers.reasons[model] = f"{model} reached {accuracy.mean:.1f} % accuracy, a verdict wants {least:g} %"


def _add_chance(numbers, resampled, printed):
    """Add resampled values of the first run and the paper's printed standard deviations to every quantity."""
    for place, value in numbers.values.items():
        if isinstance(value, Measured):
            std = printed.std(*place) if printed else None
            numbers.values[place] = replace(value, resampled=resampled.get(place), printed_std=std)
