"""The test images on the page: clear ones of each class, close calls, and some that a network misclassifies."""

import base64

import numpy as np

from stages.evaluate.confidence_measures import gap

CLOSE_CALLS = 8
MISCLASSIFIED = 8


def choose(networks, labels, classes):
    """Return [{title, images: [{index, label}]}] with indices of test images; empty groups are left out.

    A network that is right half as often as the best, or less, has no say: hardly an image is clear to it.
    """
    best = max(each.accuracy for each in networks)
    networks = [each for each in networks if each.accuracy >= best / 2]
    margins = np.min([gap(each.scores.astype("float64")) for each in networks], axis=0)
    correct = np.all([each.correct for each in networks], axis=0)
    by_margin = sorted(np.flatnonzero(correct), key=lambda k: margins[k])
    of_classes = [[k for k in by_margin if labels[k] == c] for c in range(classes)]
    groups = {
        "Classified correctly": [of_class[len(of_class) // 2] for of_class in of_classes if of_class],  # median margin
        "Close calls: correct, but another score is near": by_margin[:CLOSE_CALLS],
        "Misclassified by at least one network of this page": _misclassified([each.correct for each in networks]),
    }
    return [
        {"title": title, "images": [{"index": int(k), "label": int(labels[k])} for k in chosen]}
        for title, chosen in groups.items()
        if chosen
    ]


def as_text(images):
    """Return images as text: base64 of little-endian float32."""
    return base64.b64encode(np.ascontiguousarray(images, "<f4").tobytes()).decode()


def _misclassified(correct):
    """Return misclassified images, taking turns: the first of the first network, the first of the second, and so on."""
    queues, chosen = [list(np.flatnonzero(~each)) for each in correct], []
    while any(queues) and len(chosen) < MISCLASSIFIED:
        for queue in queues:
            while queue and queue[0] in chosen:
                queue.pop(0)
            if queue and len(chosen) < MISCLASSIFIED:
                chosen.append(queue.pop(0))
    return chosen
